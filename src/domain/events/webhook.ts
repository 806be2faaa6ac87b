import { changeKinds, type ChangeKind } from './change-event.ts'

/**
 * What a webhook can be: `active`, it is told of changes; `paused` by a person; `parked`, its
 * receiver failed once more after the last retry; `disabled`, its receiver said that it is gone
 * (410). From each of the last three only a person brings it back.
 */
export const webhookStates = ['active', 'paused', 'parked', 'disabled'] as const
export type WebhookState = (typeof webhookStates)[number]

/**
 * Why something was sent: a change happened, or a person asked for a test, or for an earlier
 * delivery again.
 */
export const deliveryReasons = ['change', 'test', 'replay'] as const
export type DeliveryReason = (typeof deliveryReasons)[number]

export const changeEventTypes = changeKinds.map(kind => `entity.${kind}` as const)
export type ChangeEventType = (typeof changeEventTypes)[number]

/** The kind of change that an event type names. */
export const kindOfEventType = (eventType: ChangeEventType) => eventType.slice('entity.'.length) as ChangeKind
