import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

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

type KeySettings = Pick<Config, 'secretKey' | 'databaseUrl'>

/** Value of `SECRET_KEY_PREVIOUS` when the previous key is lost. */
export const lostKey = 'none'

/** The file with the secret key of a service, where `SECRET_KEY` is not set. */
export const keyFileOf = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): string =>
  join(isFile(databaseUrl) ? dirname(databaseUrl.slice('sqlite:'.length)) : 'data', 'secret-key')

const isFile = (databaseUrl: string) => databaseUrl.startsWith('sqlite:')

/** The key of a service with these settings; undefined where it would create one. */
export function findSecretKey(settings: KeySettings): SecretKey | undefined {
  if (settings.secretKey !== undefined) return secretKeyOf(settings.secretKey)
  const path = keyFileOf(settings)
  return existsSync(path) ? readKeyFile(path) : undefined
}

/** Says where a service with these settings looks for its key, for messages. */
export const placeOfKey = (settings: KeySettings) =>
  settings.secretKey === undefined ? `the file "${resolve(keyFileOf(settings))}"` : 'SECRET_KEY'

export function openSecrets(config: Config): ServiceSecrets {
  const { secretKey, secretKeyPrevious, databaseUrl } = config
  let known: SecretKey | undefined
  const key = () => {
    known ??= findSecretKey(config) ?? readKeyFile(keyFileOf(config))
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
      // A key is not created for a database that was used with another.
      const isOther = before !== undefined && before !== findSecretKey(config)?.fingerprint
      const isExpected = secretKeyPrevious === lostKey || before === previous?.fingerprint
      // A server may have other processes that still use the other key. Of a file that was restored
      // without its key only tickets are lost, unless it has webhooks.
      const isRefused = isOther && !isExpected && (!isFile(databaseUrl) || (await store.listWebhooks()).length > 0)
      if (isRefused) throw new Error(otherKey(placeOfKey(config)))
      if (before !== key().fingerprint) await storeFingerprint(store, key())
      const lost = await sealStored(store, seal)
      return [
        ...(secretKey === undefined && !isFile(databaseUrl) ? [`${unsetKey} The key is in ${keyFileOf(config)}.`] : []),
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

const otherKey = (place: string) =>
  `This database is used with another secret key than that of ${place}. Every process needs the same key: set SECRET_KEY to it, or copy the file "secret-key" of the service that used this database. To change the key, stop all processes and start them with the new key as SECRET_KEY and the old key as SECRET_KEY_PREVIOUS; if the old key is lost, use SECRET_KEY_PREVIOUS=none`
