import { dirname, join } from 'node:path'

import { findFingerprint, storeFingerprint, readKeyFile, type SecretKey, secretKeyOf } from '#auth/secret-key.ts'
import { createSeal, type Seal, sealStored } from '#events/sealed-secrets.ts'
import type { Store } from '#store/store.ts'
import type { Config } from './config.ts'

/** The secret key of the service and its uses. Read when first needed: most commands never do. */
export interface ServiceSecrets {
  readonly key: () => SecretKey
  readonly seal: Seal
  /**
   * Compares the key with the database when a service starts. Returns warnings for the operator.
   * Throws for a wrong key.
   */
  settle(store: Store): Promise<string[]>
}

/** Value of `SECRET_KEY_PREVIOUS` when the previous key is lost. */
const lostKey = 'none'

export function openSecrets({ secretKey, secretKeyPrevious, databaseUrl }: Config): ServiceSecrets {
  const isFile = databaseUrl.startsWith('sqlite:')
  const path = join(isFile ? dirname(databaseUrl.slice('sqlite:'.length)) : 'data', 'secret-key')
  let known: SecretKey | undefined
  const key = () => {
    known ??= secretKey === undefined ? readKeyFile(path).key : secretKeyOf(secretKey)
    return known
  }
  const previous =
    secretKeyPrevious === undefined || secretKeyPrevious === lostKey ? undefined : secretKeyOf(secretKeyPrevious)
  const seal = createSeal(() => [key(), ...(previous ? [previous] : [])].map(each => each.derive('webhook secrets')))
  return {
    key,
    seal,
    async settle(store) {
      const before = await findFingerprint(store)
      const isOther = before !== undefined && before !== key().fingerprint
      const isExpected = secretKeyPrevious === lostKey || before === previous?.fingerprint
      // An SQLite file belongs to one machine, whose operator restored it; a server may have other
      // processes that still use the other key.
      if (isOther && !isExpected && !isFile) throw new Error(otherKey)
      if (before !== key().fingerprint) await storeFingerprint(store, key())
      const lost = await sealStored(store, seal)
      return [
        ...(secretKey === undefined && !isFile ? [`${unsetKey} The key is in ${path}.`] : []),
        ...(isOther && !isExpected
          ? ['The secret key differs from the previous one of this database: earlier tickets no longer work.']
          : []),
        ...(lost.length > 0
          ? [`Webhooks are paused because their secrets need the previous key; rotate them: ${lost.join(', ')}`]
          : [])
      ]
    }
  }
}

const unsetKey = 'SECRET_KEY is not set. Every process on this database needs the same secret key.'

const otherKey =
  'This database is used with another secret key. Every process needs the same SECRET_KEY. To change it, stop all processes and start them with the new key as SECRET_KEY and the old key as SECRET_KEY_PREVIOUS; if the old key is lost, use SECRET_KEY_PREVIOUS=none'
