import { createCipheriv, createDecipheriv, createSecretKey, hash } from 'node:crypto'

import { memoize } from '#domain/memoize.ts'

/**
 * Lists of values as texts that clients carry and send back: cursors of lists and resumption tokens
 * of harvests. They are encrypted, since the place of a record among all records counts those that
 * the client may not read; and they cannot be made by others. The same values give the same text.
 */
export interface OpaqueTokens {
  write(values: readonly unknown[]): string
  /** Reads the values back; undefined for any other text, and for a list of another length. */
  read(text: string, length: number): readonly unknown[] | undefined
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Number of tokens that are kept, at most twice: each takes some 200 bytes. */
const maxSealed = 1000

const keysOf = (bytes: Buffer) => ({ key: createSecretKey(bytes), prefix: bytes.toString('base64') })

/** Makes tokens with a key of 32 bytes, which is read when it is first needed. */
export function createOpaqueTokens(readKey: () => Buffer): OpaqueTokens {
  let known: ReturnType<typeof keysOf> | undefined
  const keys = () => {
    known ??= keysOf(readKey())
    return known
  }
  /** The first pages of the same lists are asked for again and again. */
  const seal = memoize(maxSealed, text => {
    const { key, prefix } = keys()
    // Derived from the values, so that an unchanged page has unchanged links, and from the key, so
    // that nobody can tell the values by it. SHA-512/256 shows half of its state, so the hash of a
    // longer text cannot be made from that of a shorter one (FIPS 180-4); an HMAC takes 4 µs more.
    const iv = hash('sha512-256', prefix + text, 'buffer').subarray(0, ivBytes)
    const cipher = createCipheriv(algorithm, key, iv)
    const sealed = cipher.update(text)
    cipher.final()
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
  })
  return {
    write: values => seal(JSON.stringify(values)),
    read(text, length) {
      try {
        const bytes = Buffer.from(text, 'base64url')
        const decipher = createDecipheriv(algorithm, keys().key, bytes.subarray(0, ivBytes), {
          authTagLength: tagBytes
        })
        decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
        const opened = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()])
        const values: unknown = JSON.parse(opened.toString('utf8'))
        return Array.isArray(values) && values.length === length ? values : undefined
      } catch {
        return undefined
      }
    }
  }
}
