import { setTimeout as wait } from 'node:timers/promises'

import { type Change, toChangeEvent } from '#domain/events/change-event.ts'
import type { StoredWebhook, WebhookProgress } from '#store/ports/webhooks.ts'
import { type IsInForce, mayContinue } from './authority.ts'
import { createSemaphore } from './semaphore.ts'
import { isTooEarly, progressAfter } from './retry-plan.ts'
import { deliveryOf, requestFor } from './webhook-event.ts'
import type { SendingParts } from './webhook-sender.ts'

export interface DispatcherParts extends SendingParts {
  /** Seconds to wait before each retry. */
  readonly retries: readonly number[]
  readonly random: () => number
  /** Whether this process delivers to webhooks. */
  readonly isLeader: () => boolean
  readonly isInForce: IsInForce
}

/**
 * No change between a webhook's cursor and `sequence` is for the webhook, in its state of this
 * revision.
 */
interface PassedOver {
  readonly cursor: number
  readonly revision: number
  readonly sequence: number
}

/** Reports an error of this service, not of a receiver. */
export type ReportFault = (error: unknown) => void

/** Milliseconds between two polls of the feed. */
const pollInterval = 200
/** Maximum milliseconds between two reads of all webhooks: another process may have edited them. */
const relistInterval = 1000
/**
 * Milliseconds that a stop waits for requests under way, and milliseconds to wait when the store is
 * unavailable.
 */
const maxStopDelay = 1000
const storeRetryDelay = 1000
const maxParallel = 20
const maxParallelFailing = 10
/**
 * Number of changes that are read ahead for one webhook; each can be as large as a request body.
 */
const readAhead = 8
/**
 * Maximum number of changes that are passed over before the cursor is written, so that a restart
 * need not examine them again.
 */
const maxPassedOver = 1000

/**
 * Delivers changes to webhooks, each at least once and in the order of the feed.
 *
 * A webhook's state is in the store (domain/events/webhook.ts). Here, an `active` webhook is in one
 * of three phases:
 *
 * - **resting**: it has received everything, or waits for its next attempt. One poll of the feed
 *   for all of them, every 200 ms and after each edit of a webhook, finds those that are due; they
 *   queue. When no webhook is active, it polls once a second.
 * - **queuing** for one of 20 permits, in order of arrival. Webhooks that failed the last time may
 *   hold 10 of them. After each delivered event a webhook queues again, so a long backlog does not
 *   delay the others.
 * - **sending**: its next event is under way. There is never a second one for the same webhook,
 *   which preserves the order.
 *
 * The response decides the next phase. After 2xx the cursor moves past the event and the log gets
 * its row, in one transaction; then the webhook queues for the next event, or rests. After 410 it
 * becomes `disabled`. After anything else it rests until the next attempt, longer each time; after
 * the last attempt it becomes `parked`.
 *
 * The cursor is written after the response. A kill between the two sends the event once more after
 * the restart: at most one event of each webhook. When the store cannot write, the outcome is held
 * and written later, and the webhook gets nothing meanwhile.
 *
 * One process at a time does this, the leader (leadership.ts). A process that has lost the
 * leadership sends nothing more.
 *
 * `start` begins, once; `stop` ends: nothing new is sent, requests under way get a second, and
 * those without an outcome by then count as not sent.
 */
export class WebhookDispatcher {
  readonly #parts: DispatcherParts
  readonly #places = createSemaphore(maxParallel, maxParallelFailing)
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
  /** Whether any webhook was active when webhooks were last read. */
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

  /** Polls now; called after a webhook was changed. */
  wake() {
    this.#isStale = true
    if (this.#timer) this.#pollOnce()
  }

  async stop() {
    if (!this.#timer) return
    this.#isStopping = true
    clearInterval(this.#timer)
    const patience = setTimeout(() => this.#abandonAll(), maxStopDelay)
    await this.#polling
    await Promise.all(this.#serving.values())
    clearTimeout(patience)
    await this.#writeCursors()
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
      // When no webhook is active, only the list of webhooks is read.
      if (!this.#isStale && !this.#hasActive && performance.now() < this.#nextListing) return
      const { epoch, newest } = await store.feedState()
      const isDue =
        this.#isStale ||
        newest !== this.#seenChange ||
        now() >= this.#nextRetry ||
        performance.now() >= this.#nextListing
      if (!isDue) return
      this.#nextListing = performance.now() + relistInterval
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
    return isTooEarly(momentOf(nextAttemptAt), this.#parts.now(), this.#parts)
  }

  #placeInFeed({ id, cursor }: StoredWebhook): number {
    const passed = this.#passed.get(id)
    return passed?.cursor === cursor ? passed.sequence : cursor
  }

  /** Whether it was edited since changes were passed over: it may want such changes from now on. */
  #wasEdited(webhook: StoredWebhook): boolean {
    const isAhead = this.#placeInFeed(webhook) > webhook.cursor
    return isAhead && this.#passed.get(webhook.id)?.revision !== webhook.revision
  }

  #begin(webhook: StoredWebhook) {
    const serving = this.#serve(webhook)
      .catch(async error => {
        this.#report(error)
        await this.#orAbandoned(wait(storeRetryDelay))
      })
      .finally(() => {
        this.#serving.delete(webhook.id)
        this.#isStale = true
      })
    this.#serving.set(webhook.id, serving)
  }

  /** Sends one event after the other, until there is none left or one fails. */
  async #serve(first: StoredWebhook) {
    let webhook: StoredWebhook | undefined = first
    let ahead: Change[] = []
    while (webhook?.state === 'active' && !this.#isWaiting(webhook)) {
      const giveBack = await this.#places.take(webhook.attempts > 0)
      try {
        if (ahead.length === 0) ahead = await this.#readAhead(webhook)
        const [change] = ahead
        if (!change || this.#isStopping || !this.#parts.isLeader()) return
        if (!(await mayContinue(this.#parts.store, this.#parts.isInForce, 'webhook', webhook.id))) {
          await this.#parts.store.updateWebhook(webhook.id, webhook.revision, { state: 'paused' })
          return
        }
        const { revision }: StoredWebhook = webhook
        const after: StoredWebhook | undefined = await this.#send(webhook, change)
        // The changes after the cursor were not delivered. After an edit the webhook may want other
        // changes.
        ahead = after?.revision === revision ? ahead.filter(each => each.sequence > after.cursor) : []
        webhook = after
      } finally {
        giveBack()
      }
    }
    if (!webhook) this.#passed.delete(first.id)
  }

  /** Reads the next changes for a webhook; none when it has received everything. */
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
      if (wasEdited || upTo - cursor >= maxPassedOver) await this.#passOver(webhook)
      return []
    }
  }

  /**
   * Sends one change. Resolves to the webhook in its new state; undefined when it was deleted, or
   * when the dispatcher stops first.
   */
  async #send(webhook: StoredWebhook, change: Change): Promise<StoredWebhook | undefined> {
    const { sender, eventSource, userAgent, now } = this.#parts
    const event = toChangeEvent(change, this.#epoch, eventSource)
    const began = now()
    const outcome = await this.#orAbandoned(sender.send(requestFor(webhook, event, userAgent, began)))
    if (!outcome) return undefined
    return this.#writeProgress({
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

  /** Writes an outcome, and retries until the store is available. */
  async #writeProgress(progress: WebhookProgress): Promise<StoredWebhook | undefined> {
    for (;;) {
      try {
        return await this.#parts.store.advanceWebhook(progress)
      } catch (error) {
        this.#report(error)
        if (this.#isStopping) return undefined
        await this.#orAbandoned(wait(storeRetryDelay))
      }
    }
  }

  /**
   * Writes the cursors of all webhooks with passed-over changes, so that the next start need not
   * examine these again.
   */
  async #writeCursors() {
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

  /** Waits for a result, at most until everything is abandoned. */
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
