import { dirname, join } from 'node:path'

import { findFingerprint, storeFingerprint, readKeyFile, type SecretKey, secretKeyOf } from '#auth/secret-key.ts'
import { createSeal, type Seal, sealStored } from '#events/sealed-secrets.ts'
import type { Store } from '#store/store.ts'
import type { Config } from './config.ts'

/**
 * The secret key of the service and what is encrypted with it. Read when it is first needed: most
 * commands never do.
 */
export interface ServiceSecrets {
  readonly key: () => SecretKey
  readonly seal: Seal
  /**
   * Holds the key against the database, at the start of a service. Gives what an operator must
   * know. Throws where the key is the wrong one.
   */
  settle(store: Store): Promise<string[]>
}

/** `SECRET_KEY_PREVIOUS` of an operator who no longer has the key. */
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
      // A file belongs to one machine, whose operator restored it; a server may have other
      // processes, which still use the other key.
      if (isOther && !isExpected && !isFile) throw new Error(otherKey)
      if (before !== key().fingerprint) await storeFingerprint(store, key())
      const lost = await sealStored(store, seal)
      return [
        ...(secretKey === undefined && !isFile ? [`${unsetKey} It is in ${path}.`] : []),
        ...(isOther && !isExpected
          ? ['The secret key is not the one that this database was used with before: tickets made then no longer work.']
          : []),
        ...(lost.length > 0
          ? [`Webhooks are paused, since their secrets need the key of before; rotate them: ${lost.join(', ')}`]
          : [])
      ]
    }
  }
}

const unsetKey =
  'SECRET_KEY is not set, so processes elsewhere cannot use this database: every process needs the same secret key.'

const otherKey =
  'This database is used with another secret key. Every process needs the same SECRET_KEY. To change it, stop all processes and start them with the new one as SECRET_KEY and the old one as SECRET_KEY_PREVIOUS; where the old one is lost, with SECRET_KEY_PREVIOUS=none'
