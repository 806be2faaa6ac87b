import { setTimeout as wait } from 'node:timers/promises'

import { type Change, toChangeEvent } from '#domain/events/change-event.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { StoredWebhook, WebhookProgress } from '#store/ports/webhooks.ts'
import type { Store } from '#store/store.ts'
import { type IsInForce, mayGoOn } from './authority.ts'
import { createSemaphore } from './semaphore.ts'
import { progressAfter } from './retry-plan.ts'
import { deliveryOf, requestFor } from './webhook-event.ts'
import type { WebhookSender } from './webhook-sender.ts'

export interface DispatcherParts {
  readonly store: Store
  readonly model: Model
  readonly sender: WebhookSender
  /** Where events say they come from (CloudEvents `source`). */
  readonly eventSource: string
  readonly userAgent: string
  /** Seconds to wait before each retry. */
  readonly retries: readonly number[]
  readonly now: () => number
  readonly random: () => number
  /** Whether this process is the one that tells webhooks. */
  readonly isLeader: () => boolean
  readonly isInForce: IsInForce
}

/**
 * What lies in the feed between a webhook's cursor and `sequence` is not for it, as it was at this
 * revision.
 */
interface PassedOver {
  readonly cursor: number
  readonly revision: number
  readonly sequence: number
}

/** Hears of what went wrong here, not at a receiver. */
export type ReportFault = (error: unknown) => void

/** Milliseconds between looks at the feed. */
const pollInterval = 200
/**
 * After so many milliseconds webhooks are read anew in any case: another process may have edited
 * them.
 */
const relistInterval = 1000
/**
 * How long a stop waits for what is under way, and how long to wait when the store is out of reach.
 */
const stopPatience = 1000
const storePatience = 1000
const mostParallel = 20
const mostParallelFailing = 10
/** Changes read ahead for one webhook; each can be as large as a request body. */
const readAhead = 8
/**
 * After so many changes that are not for a webhook its cursor is written, so that a restart need
 * not look through them again.
 */
const mostPassedOver = 1000

/**
 * Tells webhooks of changes, each at least once and in the order of the feed.
 *
 * A webhook's state is in the store (domain/webhook.ts). One that is `active` is, here, in one of
 * three phases:
 *
 * - **resting**: it has been told everything, or waits for the moment of its next attempt. One poll
 *   of the feed for all of them, every
 *   200 ms and whenever somebody edits a webhook, finds those that are due; they queue. Where no webhook is active it is one a second.
 * - **queuing** for one of 20 places, in the order in which they came. Those that failed the last
 *   time may hold 10 of them. Whoever has
 *   delivered an event queues again for the next one, so a long backlog does not hold up the others.
 * - **sending**: its next event is under way. There is never another one of the same webhook, which
 *   is what keeps the order.
 *   - 2xx: the cursor moves past the event and the log gets its row, in one transaction; then it queues for the next event, or rests.
 *   - 410: it becomes `disabled`.
 *   - anything else: it rests until the next attempt, further away each time; after the last it becomes `parked`.
 *
 * The cursor is written after the answer. A kill between the two sends the event once more when the
 * service is back: at most one event of each webhook. When the store cannot write, the outcome is
 * kept and written later, and the webhook is sent nothing meanwhile.
 *
 * All this is done by one process at a time, the leader (leadership.ts). The others look on; a
 * leader that finds that it is none any more sends nothing further.
 *
 * `start` begins all this, once; `stop` ends it: nothing new is sent, what is under way gets a
 * second, and what has no outcome by then counts as not sent.
 */
export class WebhookDispatcher {
  readonly #parts: DispatcherParts
  readonly #places = createSemaphore(mostParallel, mostParallelFailing)
  readonly #serving = new Map<string, Promise<void>>()
  readonly #passed = new Map<string, PassedOver>()
  readonly #abandons = new Set<() => void>()
  #report: ReportFault = () => {}
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> | undefined
  #isStopping = false
  #isAbandoned = false
  #epoch = ''
  /** Whether something may be due that the two numbers below do not show. */
  #isStale = true
  /** Whether anybody wanted to be told, when webhooks were last read. */
  #hasActive = true
  #seenChange = -1
  #nextRetry = Number.POSITIVE_INFINITY
  #nextListing = 0

  constructor(parts: DispatcherParts) {
    this.#parts = parts
  }

  start(report: ReportFault) {
    this.#report = report
    this.#timer = setInterval(() => this.#pollOnce(), pollInterval).unref()
    this.#pollOnce()
  }

  /** Looks at once; for those who have changed a webhook. */
  wake() {
    this.#isStale = true
    if (this.#timer) this.#pollOnce()
  }

  async stop() {
    if (!this.#timer) return
    this.#isStopping = true
    clearInterval(this.#timer)
    const patience = setTimeout(() => this.#abandonAll(), stopPatience)
    await this.#polling
    await Promise.all(this.#serving.values())
    clearTimeout(patience)
    await this.#keepPlaces()
  }

  #pollOnce() {
    if (this.#polling || this.#isStopping) return
    this.#polling = this.#poll().finally(() => {
      this.#polling = undefined
    })
  }

  async #poll() {
    try {
      const { store, now, isLeader } = this.#parts
      if (!isLeader()) {
        this.#isStale = true
        return
      }
      // Where nobody wants to be told of changes, it is only looked for somebody who does.
      if (!this.#isStale && !this.#hasActive && now() < this.#nextListing) return
      const { epoch, newest } = await store.feedState()
      const isDue =
        this.#isStale || newest !== this.#seenChange || now() >= Math.min(this.#nextRetry, this.#nextListing)
      if (!isDue) return
      this.#nextListing = now() + relistInterval
      this.#epoch = epoch
      this.#isStale = false
      this.#seenChange = newest
      this.#nextRetry = Number.POSITIVE_INFINITY
      const webhooks = await store.listWebhooks()
      this.#hasActive = webhooks.some(webhook => webhook.state === 'active')
      for (const webhook of webhooks) {
        if (webhook.state !== 'active' || this.#serving.has(webhook.id) || this.#isStopping) continue
        if (this.#isWaiting(webhook)) this.#nextRetry = Math.min(this.#nextRetry, momentOf(webhook.nextAttemptAt))
        else if (this.#placeInFeed(webhook) < newest || this.#wasEdited(webhook)) this.#begin(webhook)
      }
    } catch (error) {
      this.#isStale = true
      this.#report(error)
    }
  }

  #isWaiting({ nextAttemptAt }: StoredWebhook): boolean {
    return momentOf(nextAttemptAt) > this.#parts.now()
  }

  #placeInFeed({ id, cursor }: StoredWebhook): number {
    const passed = this.#passed.get(id)
    return passed?.cursor === cursor ? passed.sequence : cursor
  }

  /**
   * Whether it was edited since changes were passed over: it may want such changes now, but not
   * those.
   */
  #wasEdited(webhook: StoredWebhook): boolean {
    const isAhead = this.#placeInFeed(webhook) > webhook.cursor
    return isAhead && this.#passed.get(webhook.id)?.revision !== webhook.revision
  }

  #begin(webhook: StoredWebhook) {
    const serving = this.#serve(webhook)
      .catch(async error => {
        this.#report(error)
        await this.#orAbandoned(wait(storePatience))
      })
      .finally(() => {
        this.#serving.delete(webhook.id)
        this.#isStale = true
      })
    this.#serving.set(webhook.id, serving)
  }

  /** Sends one event after the other, until there is none or one fails. */
  async #serve(first: StoredWebhook) {
    let webhook: StoredWebhook | undefined = first
    let ahead: Change[] = []
    while (webhook?.state === 'active' && !this.#isWaiting(webhook)) {
      const giveBack = await this.#places.take(webhook.attempts > 0)
      try {
        if (ahead.length === 0) ahead = await this.#readAhead(webhook)
        const [change] = ahead
        if (!change || this.#isStopping || !this.#parts.isLeader()) return
        if (!(await mayGoOn(this.#parts.store, this.#parts.isInForce, 'webhook', webhook.id))) {
          await this.#parts.store.updateWebhook(webhook.id, webhook.revision, { state: 'paused' })
          return
        }
        const { revision }: StoredWebhook = webhook
        const after: StoredWebhook | undefined = await this.#tell(webhook, change)
        // What the cursor has not passed was not delivered. After an edit it may want other changes
        // altogether.
        ahead = after?.revision === revision ? ahead.filter(each => each.sequence > after.cursor) : []
        webhook = after
      } finally {
        giveBack()
      }
    }
    if (!webhook) this.#passed.delete(first.id)
  }

  /** The next changes for a webhook; none when it has been told everything. */
  async #readAhead(webhook: StoredWebhook): Promise<Change[]> {
    const { store, model } = this.#parts
    const { id, cursor, revision, kinds, types } = webhook
    const wasEdited = this.#wasEdited(webhook)
    for (;;) {
      const after = this.#placeInFeed(webhook)
      const { changes, upTo } = await store.readChanges({
        after,
        limit: readAhead,
        ...(kinds.length > 0 ? { kinds } : {}),
        ...(types.length > 0 ? { types: types.flatMap(type => model.typesNamed(type)) } : {}),
        readableTypes: undefined
      })
      if (changes.length > 0) return [...changes]
      this.#passed.set(id, { cursor, revision, sequence: upTo })
      if (upTo > after && !this.#isStopping) continue
      if (wasEdited || upTo - cursor >= mostPassedOver) await this.#passOver(webhook)
      return []
    }
  }

  /**
   * Sends one change. Resolves to the webhook as it is then; undefined when it is gone, or when the
   * dispatcher stops first.
   */
  async #tell(webhook: StoredWebhook, change: Change): Promise<StoredWebhook | undefined> {
    const { sender, eventSource, userAgent, now } = this.#parts
    const event = toChangeEvent(change, this.#epoch, eventSource)
    const began = now()
    const outcome = await this.#orAbandoned(sender.send(requestFor(webhook, event, userAgent, began)))
    if (!outcome) return undefined
    return this.#keep({
      from: webhook,
      to: progressAfter(webhook, change.sequence, outcome, now(), this.#parts),
      delivery: deliveryOf(event, outcome, {
        reason: 'change',
        sequence: change.sequence,
        attempt: webhook.attempts + 1,
        now: began
      })
    })
  }

  /** Writes an outcome, however long the store takes to be there for it. */
  async #keep(progress: WebhookProgress): Promise<StoredWebhook | undefined> {
    for (;;) {
      try {
        return await this.#parts.store.advanceWebhook(progress)
      } catch (error) {
        this.#report(error)
        if (this.#isStopping) return undefined
        await this.#orAbandoned(wait(storePatience))
      }
    }
  }

  /**
   * Writes the cursors of all that were passed over, so that the next start need not look there
   * again.
   */
  async #keepPlaces() {
    try {
      for (const webhook of await this.#parts.store.listWebhooks()) await this.#passOver(webhook)
    } catch (error) {
      this.#report(error)
    }
  }

  async #passOver(webhook: StoredWebhook) {
    const cursor = this.#placeInFeed(webhook)
    if (cursor > webhook.cursor) await this.#parts.store.advanceWebhook({ from: webhook, to: { ...webhook, cursor } })
  }

  /** Waits for something, but no longer than until everything is abandoned. */
  #orAbandoned<T>(work: Promise<T>): Promise<T | undefined> {
    if (this.#isAbandoned) return Promise.resolve(undefined)
    return new Promise((resolve, reject) => {
      const abandon = () => resolve(undefined)
      this.#abandons.add(abandon)
      work.then(resolve, reject).finally(() => this.#abandons.delete(abandon))
    })
  }

  #abandonAll() {
    this.#isAbandoned = true
    for (const abandon of this.#abandons) abandon()
  }
}

const momentOf = (text: string | null) => (text === null ? 0 : Date.parse(text))
