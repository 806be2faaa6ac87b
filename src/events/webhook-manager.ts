import { randomBytes } from 'node:crypto'

import { readFeedCursor, toChangeEvent, writeFeedCursor } from '#domain/events/change-event.ts'
import { CatalogueError, type Fault, invalidWith, notFound } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Authority } from '#domain/permissions.ts'
import {
  changeEventTypes,
  type ChangeEventType,
  type DeliveryReason,
  kindOfEventType,
  type WebhookState
} from '#domain/events/webhook.ts'
import type { ActOn } from '#store/ports/audit.ts'
import type { FeedState } from '#store/ports/feed.ts'
import type { StoredDelivery, StoredWebhook, WebhookEdit } from '#store/ports/webhooks.ts'
import { type AllowedReceivers, refusalOfUrl } from './address-guard.ts'
import { storeAuthority } from './authority.ts'
import { newSecret, rotationTime } from './signature.ts'
import { isDelivered } from './retry-plan.ts'
import { deliveryOf, requestFor, testEvent, type WebhookEvent } from './webhook-event.ts'
import type { SendingParts } from './webhook-sender.ts'

/** The public description of a webhook: its secret only on creation and rotation. */
export interface WebhookDescription {
  readonly id: string
  readonly url: string
  readonly description: string
  readonly event_types: readonly ChangeEventType[]
  readonly entity_types: readonly string[]
  readonly state: WebhookState
  readonly cursor: string
  readonly attempts: number
  readonly failing_since: string | null
  readonly next_attempt_at: string | null
  readonly previous_secret_until: string | null
  readonly created_at: string
  readonly created_by: string
}

export type WithSecret = WebhookDescription & { readonly secret: string }

export interface DeliveryDescription {
  readonly id: string
  readonly reason: DeliveryReason
  readonly event_id: string
  readonly event_type: string
  readonly subject: string
  readonly attempt: number
  readonly at: string
  readonly duration_ms: number
  readonly delivered: boolean
  readonly status: number | null
  readonly error: string | null
}

export interface WebhookSettings {
  readonly url?: string
  readonly description?: string
  readonly event_types?: readonly string[]
  readonly entity_types?: readonly string[]
}

export type NewWebhook = WebhookSettings & { readonly url: string; readonly from?: string }
export type WebhookPatch = WebhookSettings & { readonly state?: 'active' | 'paused' }

/**
 * The person or program that a webhook acts for. It pauses when their token is revoked or expires.
 */
export interface WebhookMaker extends Authority {
  readonly name: string
}

/**
 * Creates, changes and deletes webhooks, and sends to them on request. Every method throws
 * `not_found` for a webhook that does not exist. An act that is given is logged in the transaction
 * that carries it out.
 */
export interface WebhookManager {
  /**
   * Creates a webhook with a secret; the result is the one chance to see it. Throws `invalid`, or
   * `cursor_expired` for an old `from`.
   */
  create(wanted: NewWebhook, by: WebhookMaker, act?: ActOn): Promise<WithSecret>
  list(): Promise<WebhookDescription[]>
  read(id: string): Promise<WebhookDescription>
  /** Changes the given members. Setting the state to `active` is the same as `resume`. */
  update(id: string, patch: WebhookPatch, by: WebhookMaker, act?: ActOn): Promise<WebhookDescription>
  delete(id: string, act?: ActOn): Promise<void>
  /** Makes a new secret; the previous one goes on signing for a day. */
  rotateSecret(id: string, act?: ActOn): Promise<WithSecret>
  /** Activates a webhook again, from its cursor or from the position `from`. */
  resume(id: string, by: WebhookMaker, from?: string, act?: ActOn): Promise<WebhookDescription>
  /** Sends a test event now, in any state of the webhook, and returns the outcome. */
  test(id: string): Promise<DeliveryDescription>
  /** Lists deliveries, the newest first; those before a delivery, if one is given. */
  listDeliveries(id: string, limit: number, before?: string): Promise<DeliveryDescription[]>
  /**
   * Sends the event of a delivery again, now. The webhook's cursor stays. Throws `cursor_expired`
   * when the change is no longer stored.
   */
  replay(id: string, deliveryId: string): Promise<DeliveryDescription>
}

export interface WebhookManagerParts extends SendingParts {
  readonly receivers: AllowedReceivers
  /** Called after a webhook was created or changed. */
  readonly changed: () => void
}

const maxWebhooks = 100
/**
 * Maximum number of concurrent requests that people start; a receiver that hangs holds each for the
 * whole timeout.
 */
const maxByHand = 10

export function createWebhookManager(parts: WebhookManagerParts): WebhookManager {
  const { store, model, eventSource, receivers, now, changed } = parts

  const find = async (id: string): Promise<StoredWebhook> => {
    const webhook = await store.findWebhook(id)
    if (!webhook) throw notFound('webhook', id)
    return webhook
  }
  const edit = async (webhook: StoredWebhook, changes: WebhookEdit, act?: ActOn): Promise<WebhookDescription> => {
    // Read first: nothing that is read after the commit may fail the answer.
    const feed = await store.feedState()
    const edited = await store.updateWebhook(webhook.id, webhook.revision, changes, act?.(webhook.id))
    if (!edited) throw notFound('webhook', webhook.id)
    changed()
    return describeWebhook(edited, feed)
  }

  // Tokens of issuers expire within minutes; the later rights of their holders are not known here.
  const actFor = (id: string, { key }: WebhookMaker) => storeAuthority(store, 'webhook', id, { key, until: null })

  const sendByHand = createHandSender(parts)

  return {
    async create({ from = 'now', ...settings }, by, act) {
      const faults = faultsOf(settings, model, receivers)
      const feed = await store.feedState()
      const cursor = startOf(from, feed, '/from', faults)
      if ((await store.listWebhooks()).length >= maxWebhooks)
        faults.push({ pointer: '', message: `There are ${maxWebhooks} webhooks already; delete one first` })
      if (faults.length > 0) throw invalidWith(faults)
      const webhook = newWebhook(settings, cursor, by, now())
      await actFor(webhook.id, by)
      await store.insertWebhook(webhook, act?.(webhook.id))
      changed()
      return { ...describeWebhook(webhook, feed), secret: webhook.secret }
    },

    async list() {
      const feed = await store.feedState()
      return (await store.listWebhooks()).map(webhook => describeWebhook(webhook, feed))
    },

    read: async id => describeWebhook(await find(id), await store.feedState()),

    async update(id, { state, ...settings }, by, act) {
      const webhook = await find(id)
      const faults = faultsOf(settings, model, receivers)
      if (faults.length > 0) throw invalidWith(faults)
      if (state === 'active') await actFor(id, by)
      // A new address is tried at once.
      const isMoved = webhook.state === 'active' && settings.url !== undefined && settings.url !== webhook.url
      const changes = {
        ...editOf(settings),
        ...(isMoved || state === 'active' ? untried : {}),
        ...(state === undefined ? {} : { state })
      }
      return edit(webhook, changes, act)
    },

    async delete(id, act) {
      if (!(await store.deleteWebhook(id, act?.(id)))) throw notFound('webhook', id)
      // Nobody uses the authority of a webhook that is gone.
      await storeAuthority(store, 'webhook', id, null).catch(() => {})
    },

    async rotateSecret(id, act) {
      const webhook = await find(id)
      const secret = newSecret()
      const previousSecretUntil = new Date(now() + rotationTime).toISOString()
      const changes = { secret, previousSecret: readableSecret(webhook), previousSecretUntil }
      return { ...(await edit(webhook, changes, act)), secret }
    },

    async resume(id, by, from, act) {
      const webhook = await find(id)
      const faults: Fault[] = []
      const cursor = from === undefined ? undefined : startOf(from, await store.feedState(), 'from', faults)
      if (faults.length > 0) throw invalidWith(faults)
      await actFor(id, by)
      const changes = { ...untried, state: 'active', ...(cursor === undefined ? {} : { cursor }) } as const
      return edit(webhook, changes, act)
    },

    async test(id) {
      const webhook = await find(id)
      const eventId = `test-${randomBytes(8).toString('hex')}`
      const event = testEvent(id, eventId, eventSource, new Date(now()).toISOString())
      return sendByHand(webhook, event, { reason: 'test', sequence: null })
    },

    async listDeliveries(id, limit, before) {
      await find(id)
      const number = before === undefined ? undefined : readDeliveryId(before)
      if (before !== undefined && number === undefined)
        throw invalidWith([{ pointer: 'before', message: `Not the id of a delivery: "${before}"` }])
      return (await store.listDeliveries(id, limit, number)).map(describeDelivery)
    },

    async replay(id, deliveryId) {
      const webhook = await find(id)
      const number = readDeliveryId(deliveryId)
      const delivery = number === undefined ? undefined : await store.findDelivery(id, number)
      if (!delivery) throw notFound('delivery', deliveryId)
      const { sequence, eventId, at } = delivery
      if (sequence === null)
        return sendByHand(webhook, testEvent(id, eventId, eventSource, at), { reason: 'replay', sequence })
      const feed = await store.feedState()
      const { changes } = await store.readChanges({ after: sequence - 1, limit: 1, readableTypes: undefined })
      const [change] = changes
      if (change?.sequence !== sequence) throw expired(eventId, feed)
      const event = toChangeEvent(change, feed.epoch, eventSource)
      return sendByHand(webhook, event, { reason: 'replay', sequence })
    }
  }
}

function newWebhook(settings: NewWebhook, cursor: number, by: WebhookMaker, now: number): StoredWebhook {
  return {
    id: randomBytes(6).toString('hex'),
    url: settings.url,
    description: '',
    kinds: [],
    types: [],
    ...editOf(settings),
    secret: newSecret(),
    previousSecret: null,
    previousSecretUntil: null,
    state: 'active',
    cursor,
    attempts: 0,
    failingSince: null,
    nextAttemptAt: null,
    createdAt: new Date(now).toISOString(),
    createdBy: by.name,
    revision: 1
  }
}

/** Makes a function that sends now, and logs the attempt. */
function createHandSender({ store, sender, userAgent, now }: WebhookManagerParts) {
  let byHand = 0
  return async (
    webhook: StoredWebhook,
    event: WebhookEvent,
    about: { reason: DeliveryReason; sequence: number | null }
  ): Promise<DeliveryDescription> => {
    if (byHand >= maxByHand)
      throw new CatalogueError('unavailable', `${maxByHand} deliveries are being sent by hand already; try again`)
    byHand++
    try {
      const began = now()
      const outcome = await sender.send(requestFor(webhook, event, userAgent, began))
      const logged = await store.logDelivery(
        webhook.id,
        deliveryOf(event, outcome, { ...about, attempt: 1, now: began })
      )
      if (!logged) throw notFound('webhook', webhook.id)
      return describeDelivery(logged)
    } finally {
      byHand--
    }
  }
}

/** The secret, or null when it was encrypted with a lost key: then it does not sign any more. */
function readableSecret(webhook: StoredWebhook): string | null {
  try {
    return webhook.secret
  } catch {
    return null
  }
}

/** The progress of a webhook without failures. */
const untried = { attempts: 0, failingSince: null, nextAttemptAt: null } as const

function faultsOf(
  { url, description, event_types = [], entity_types = [] }: WebhookSettings,
  model: Model,
  receivers: AllowedReceivers
): Fault[] {
  const faults: Fault[] = []
  const refusal = url === undefined ? undefined : refusalOfUrl(url, receivers)
  if (refusal !== undefined) faults.push({ pointer: '/url', message: refusal })
  if (description !== undefined && /\p{Cc}|\p{Cs}/u.test(description))
    faults.push({ pointer: '/description', message: 'A description is one line of text' })
  event_types.forEach((type, index) => {
    if (!isChangeEventType(type))
      faults.push({
        pointer: `/event_types/${index}`,
        message: `Unknown event type "${type}"; they are ${changeEventTypes.join(', ')}`
      })
  })
  entity_types.forEach((type, index) => {
    if (model.typesNamed(type).length === 0)
      faults.push({ pointer: `/entity_types/${index}`, message: `Unknown type "${type}"` })
  })
  return faults
}

const isChangeEventType = (type: string): type is ChangeEventType =>
  (changeEventTypes as readonly string[]).includes(type)

function editOf({ url, description, event_types, entity_types }: WebhookSettings): WebhookEdit {
  return {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(event_types === undefined
      ? {}
      : { kinds: [...new Set(event_types)].filter(isChangeEventType).map(kindOfEventType) }),
    ...(entity_types === undefined ? {} : { types: [...new Set(entity_types)] })
  }
}

/** Finds the change to begin after: `now`, `beginning`, or a cursor of the feed. */
function startOf(from: string, feed: FeedState, pointer: string, faults: Fault[]): number {
  if (from === 'now') return feed.newest
  if (from === 'beginning') return feed.oldest - 1
  const cursor = readFeedCursor(from)
  if (!cursor) {
    faults.push({ pointer, message: `"${from}" is not "now", "beginning" or a cursor of the change feed` })
    return feed.newest
  }
  const isStored = cursor.epoch === feed.epoch && cursor.sequence + 1 >= feed.oldest && cursor.sequence <= feed.newest
  if (!isStored) throw expired(from, feed)
  return cursor.sequence
}

const expired = (cursor: string, feed: FeedState) =>
  new CatalogueError('cursor_expired', 'The changes at this position of the feed are no longer stored', {
    about: ['cursor', cursor],
    extra: { restart_cursor: writeFeedCursor({ epoch: feed.epoch, sequence: feed.newest }) }
  })

const readDeliveryId = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

function describeWebhook(webhook: StoredWebhook, { epoch }: FeedState): WebhookDescription {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    event_types: webhook.kinds.map(kind => `entity.${kind}` as const),
    entity_types: webhook.types,
    state: webhook.state,
    cursor: writeFeedCursor({ epoch, sequence: webhook.cursor }),
    attempts: webhook.attempts,
    failing_since: webhook.failingSince,
    next_attempt_at: webhook.nextAttemptAt,
    previous_secret_until: webhook.previousSecretUntil,
    created_at: webhook.createdAt,
    created_by: webhook.createdBy
  }
}

function describeDelivery(delivery: StoredDelivery): DeliveryDescription {
  const { number, reason, eventId, eventType, subject, attempt, at, duration, status, error } = delivery
  return {
    id: String(number),
    reason,
    event_id: eventId,
    event_type: eventType,
    subject,
    attempt,
    at,
    duration_ms: duration,
    delivered: status !== null && isDelivered({ status, retryAfter: null, duration }),
    status,
    error
  }
}
