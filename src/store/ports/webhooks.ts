import type { ChangeKind } from '#domain/events/change-event.ts'
import type { DeliveryReason, WebhookState } from '#domain/events/webhook.ts'
import type { NewAct } from './audit.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'

/** Maximum number of stored deliveries of each webhook. */
export const maxStoredDeliveries = 1000

/** A receiver of changes, and the last change sent to it. */
export interface StoredWebhook {
  readonly id: string
  readonly url: string
  readonly description: string
  /**
   * Kinds and types of changes to send; all of them where a list is empty. A type may be an
   * umbrella.
   */
  readonly kinds: readonly ChangeKind[]
  readonly types: readonly string[]
  /** Signs each delivery; after a change of secret the previous one signs too, for a while. */
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousSecretUntil: string | null
  readonly state: WebhookState
  /** The last change that was delivered, or that was not for it. */
  readonly cursor: number
  /** The number of failed attempts to send the next change. */
  readonly attempts: number
  readonly failingSince: string | null
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly createdBy: string
  /** Counts the edits by people, not the progress of deliveries. */
  readonly revision: number
}

export type WebhookEdit = Partial<Omit<StoredWebhook, 'id' | 'createdAt' | 'createdBy' | 'revision'>>

/** One attempt to send something to a webhook, as it is logged. */
export interface NewDelivery {
  readonly reason: DeliveryReason
  readonly eventId: string
  readonly eventType: string
  readonly subject: string
  /** The change that it reports; null for a test. */
  readonly sequence: number | null
  /** The number of the attempt, from 1. */
  readonly attempt: number
  readonly at: string
  /** Milliseconds. */
  readonly duration: number
  /** The status of the receiver's answer, or the error in its place. */
  readonly status: number | null
  readonly error: string | null
}

export interface StoredDelivery extends NewDelivery {
  /** Deliveries are numbered in the order in which they were logged. */
  readonly number: number
  readonly webhookId: string
}

/** The result of one attempt. */
export interface WebhookProgress {
  /** The webhook as it was when the attempt began. */
  readonly from: Pick<StoredWebhook, 'id' | 'cursor' | 'revision'>
  readonly to: Pick<StoredWebhook, 'state' | 'cursor' | 'attempts' | 'failingSince' | 'nextAttemptAt'>
  /** Absent when the cursor only passes over changes that are not for this webhook. */
  readonly delivery?: NewDelivery
}

/** Stores webhooks. Each write by a person logs its act, where one is given, in one transaction. */
export interface WebhookStore {
  insertWebhook(webhook: StoredWebhook, act?: NewAct): Promise<void>
  findWebhook(id: string): MaybePromise<StoredWebhook | undefined>
  /** In the order of creation. */
  listWebhooks(): MaybePromise<readonly StoredWebhook[]>
  /**
   * Changes a webhook and increments its revision. Resolves to the changed webhook, or undefined
   * when there is none. Throws `version_mismatch` when it has another revision than expected.
   */
  updateWebhook(
    id: string,
    expectedRevision: number,
    edit: WebhookEdit,
    act?: NewAct
  ): Promise<StoredWebhook | undefined>
  /** Deletes a webhook with its deliveries. Resolves to whether there was one. */
  deleteWebhook(id: string, act?: NewAct): Promise<boolean>
  /**
   * Moves a webhook on and logs the delivery, in one transaction. Concurrent edits by a person
   * stay: the cursor moves only from its position when the attempt began, the rest changes only at
   * the same revision. Resolves to the webhook after it, or undefined when there is none; nothing
   * is logged then.
   */
  advanceWebhook(progress: WebhookProgress): Promise<StoredWebhook | undefined>
  /**
   * Logs a delivery that does not move the webhook on. Resolves to undefined when there is no such
   * webhook.
   */
  logDelivery(webhookId: string, delivery: NewDelivery): Promise<StoredDelivery | undefined>
  /**
   * Newest first; those before a number, where one is given. The last `maxStoredDeliveries` of each
   * webhook are stored.
   */
  listDeliveries(webhookId: string, limit: number, before?: number): MaybePromise<readonly StoredDelivery[]>
  findDelivery(webhookId: string, number: number): MaybePromise<StoredDelivery | undefined>
}
