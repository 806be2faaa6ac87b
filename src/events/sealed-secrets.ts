import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

import { CatalogueError } from '#domain/errors.ts'
import type { StoredWebhook, WebhookEdit } from '#store/ports/webhooks.ts'
import type { Store } from '#store/store.ts'

/* Secrets of webhooks as they are stored: encrypted with AES-256-GCM, bound to their webhook. */

const mark = 'sealed.v1'
const algorithm = 'aes-256-gcm'

export interface Seal {
  seal(secret: string, webhookId: string): string
  /**
   * Opens a stored secret. Throws when no key opens it. Returns a secret as it is that was stored
   * before secrets were sealed.
   */
  open(stored: string, webhookId: string): string
  /** Whether a secret is sealed with the newest key. */
  isCurrent(stored: string, webhookId: string): boolean
}

/** Makes a seal. The first key seals; all keys open. */
export function createSeal(keys: () => readonly Buffer[]): Seal {
  const openWith = (key: Buffer, stored: string, webhookId: string): string | undefined => {
    const [iv = '', tag = '', text = ''] = stored.slice(mark.length + 1).split('.')
    try {
      const decipher = createDecipheriv(algorithm, key, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
      decipher.setAAD(Buffer.from(webhookId)).setAuthTag(Buffer.from(tag, 'base64url'))
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString()
    } catch {
      return undefined
    }
  }
  const isSealed = (stored: string) => stored.startsWith(`${mark}.`)
  return {
    seal(secret, webhookId) {
      const iv = randomBytes(12)
      const cipher = createCipheriv(algorithm, keys()[0] as Buffer, iv).setAAD(Buffer.from(webhookId))
      const text = Buffer.concat([cipher.update(secret), cipher.final()])
      return [mark, ...[iv, cipher.getAuthTag(), text].map(each => each.toString('base64url'))].join('.')
    },
    open(stored, webhookId) {
      if (!isSealed(stored)) return stored
      for (const key of keys()) {
        const secret = openWith(key, stored, webhookId)
        if (secret !== undefined) return secret
      }
      throw new CatalogueError(
        'unavailable',
        `The secret of webhook "${webhookId}" was encrypted with another SECRET_KEY; rotate its secret`
      )
    },
    isCurrent: (stored, webhookId) => isSealed(stored) && openWith(keys()[0] as Buffer, stored, webhookId) !== undefined
  }
}

/**
 * The methods that read and write webhooks, with secrets sealed in the store and open for the
 * caller.
 */
export type WebhookStore = Pick<
  Store,
  'insertWebhook' | 'findWebhook' | 'listWebhooks' | 'updateWebhook' | 'advanceWebhook'
>

export function sealedWebhooks(store: Store, seal: Seal): Store {
  const sealed = <Edit extends WebhookEdit>(edit: Edit, id: string): Edit => ({
    ...edit,
    ...(edit.secret === undefined ? {} : { secret: seal.seal(edit.secret, id) }),
    ...(typeof edit.previousSecret === 'string' ? { previousSecret: seal.seal(edit.previousSecret, id) } : {})
  })
  const opened = (webhook: StoredWebhook): StoredWebhook => {
    // Opened on demand: a webhook whose secret cannot be read can still be listed, rotated and
    // deleted.
    const { secret, previousSecret, ...rest } = webhook
    return Object.defineProperties(rest, {
      secret: { get: () => seal.open(secret, webhook.id) },
      previousSecret: { get: () => (previousSecret === null ? null : openOrForget(seal, previousSecret, webhook.id)) }
    }) as StoredWebhook
  }
  return {
    ...store,
    insertWebhook: (webhook, act) => store.insertWebhook({ ...webhook, ...sealed(webhook, webhook.id) }, act),
    findWebhook: async id => {
      const found = await store.findWebhook(id)
      return found && opened(found)
    },
    listWebhooks: async () => (await store.listWebhooks()).map(opened),
    updateWebhook: async (id, revision, edit, act) => {
      const updated = await store.updateWebhook(id, revision, sealed(edit, id), act)
      return updated && opened(updated)
    },
    advanceWebhook: async progress => {
      const advanced = await store.advanceWebhook(progress)
      return advanced && opened(advanced)
    }
  }
}

/**
 * Opens a replaced secret, which is valid for one more day; null when it cannot be read, so that it
 * does not sign any more.
 */
function openOrForget(seal: Seal, stored: string, id: string): string | null {
  try {
    return seal.open(stored, id)
  } catch {
    return null
  }
}

/**
 * Seals with the newest key the secrets that were stored unsealed or under an older key. Returns
 * the ids of webhooks whose secret no key opens: they are paused.
 */
export async function sealStored(store: WebhookStore, seal: Seal): Promise<string[]> {
  const lost: string[] = []
  for (const webhook of await store.listWebhooks()) {
    const { id, revision, secret, previousSecret, state } = webhook
    const stored = [secret, ...(previousSecret === null ? [] : [previousSecret])]
    if (stored.every(each => seal.isCurrent(each, id))) continue
    try {
      const previous = previousSecret === null ? null : openOrForget(seal, previousSecret, id)
      await store.updateWebhook(id, revision, {
        secret: seal.seal(seal.open(secret, id), id),
        previousSecret: previous === null ? null : seal.seal(previous, id)
      })
    } catch (error) {
      // Another process may be doing the same.
      if (error instanceof CatalogueError && error.code === 'version_mismatch') continue
      if (!(error instanceof CatalogueError) || error.code !== 'unavailable') throw error
      lost.push(id)
      if (state === 'active') await store.updateWebhook(id, revision, { state: 'paused' })
    }
  }
  return lost
}
