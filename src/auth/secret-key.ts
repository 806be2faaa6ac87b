import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import type { Store } from '#store/store.ts'

/*
 * The secret key of the service. It is stored outside the database, so that a copy of the database
 * alone gives no access. The signing keys of tickets and the encryption of webhook secrets derive
 * from it (decision 27).
 */

export interface SecretKey {
  /** Derives a key for one purpose; keys for different purposes reveal nothing about each other. */
  derive(purpose: string): Buffer
  /** Identifies the key without revealing it. */
  readonly fingerprint: string
}

export function secretKeyOf(text: string): SecretKey {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', text, '', `libretto ${purpose}`, 32))
  return { derive, fingerprint: createHmac('sha256', derive('fingerprint')).digest('hex').slice(0, 16) }
}

/**
 * Reads the key from a file that only its owner can read; creates the file when it does not exist.
 */
export function readKeyFile(path: string): SecretKey {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new Error(
        `The secret key cannot be stored in "${path}": ${(error as Error).message}. Set SECRET_KEY, or make the folder writable`,
        { cause: error }
      )
  }
  return secretKeyOf(readText(path))
}

function readText(path: string): string {
  chmodSync(path, 0o600)
  const text = readFileSync(path, 'utf8').trim()
  if (text.length < 32) throw new Error(`"${path}" holds no secret key: it must have at least 32 characters`)
  return text
}

/** The state entry with the fingerprint of the key that a database was last used with. */
export const fingerprintEntry = { kind: 'secret key', key: 'service\nfingerprint' }

/**
 * The fingerprint of the key that a database was last used with; undefined when it was never used
 * with one.
 */
export async function findFingerprint(store: Store): Promise<string | undefined> {
  const { kind, key } = fingerprintEntry
  return (await store.findState(kind, [key])).get(key)
}

export async function storeFingerprint(store: Store, { fingerprint }: SecretKey) {
  await store.write({ writes: [], by: 'service', state: [{ ...fingerprintEntry, value: fingerprint }] })
}
