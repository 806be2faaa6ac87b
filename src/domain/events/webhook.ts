import { changeKinds, type ChangeKind } from './change-event.ts'

/**
 * States of a webhook: `active`, changes are delivered; `paused` by a person; `parked`, its
 * receiver failed again after the last retry; `disabled`, its receiver answered that it is gone
 * (410). Only a person makes it active again.
 */
export const webhookStates = ['active', 'paused', 'parked', 'disabled'] as const
export type WebhookState = (typeof webhookStates)[number]

/**
 * Reasons of a delivery: a change happened, or a person asked for a test, or for an earlier
 * delivery again.
 */
export const deliveryReasons = ['change', 'test', 'replay'] as const
export type DeliveryReason = (typeof deliveryReasons)[number]

export const changeEventTypes = changeKinds.map(kind => `entity.${kind}` as const)
export type ChangeEventType = (typeof changeEventTypes)[number]

/** The kind of change that an event type names. */
export const kindOfEventType = (eventType: ChangeEventType) => eventType.slice('entity.'.length) as ChangeKind
