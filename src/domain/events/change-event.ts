import type { Entity } from '../entity/entity.ts'

/** Kinds of changes of an entity. */
export const changeKinds = ['created', 'updated', 'deleted', 'merged', 'purged'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** A change as it is stored. */
export interface Change {
  readonly sequence: number
  readonly kind: ChangeKind
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly version: number
  readonly at: string
  readonly by: string
  readonly mergedInto: string | null
  /** The document of this version, or null for a deletion. */
  readonly json: string | null
}

/** A change as it is published: CloudEvents 1.0. */
export interface ChangeEvent {
  readonly specversion: '1.0'
  /** The same as the cursor after this change, so a consumer can continue from any event. */
  readonly id: string
  readonly source: string
  readonly type: `entity.${ChangeKind}`
  readonly subject: string
  readonly time: string
  readonly datacontenttype: 'application/json'
  readonly data: {
    readonly id: string
    readonly _id: string
    readonly type: string
    readonly version: number
    readonly by: string
    /** The entity after this change; absent for a deletion. */
    readonly entity?: Entity
    readonly merged_into?: string
  }
}

export function toChangeEvent(change: Change, epoch: string, source: string): ChangeEvent {
  return {
    specversion: '1.0',
    id: writeFeedCursor({ epoch, sequence: change.sequence }),
    source,
    type: `entity.${change.kind}`,
    subject: change.id,
    time: change.at,
    datacontenttype: 'application/json',
    data: {
      id: change.id,
      _id: change.uuid,
      type: change.type,
      version: change.version,
      by: change.by,
      ...(change.json === null ? {} : { entity: JSON.parse(change.json) as Entity }),
      ...(change.mergedInto === null ? {} : { merged_into: change.mergedInto })
    }
  }
}

/** A position in the feed. The epoch tells one feed from another. */
export interface FeedCursor {
  readonly epoch: string
  readonly sequence: number
}

export const writeFeedCursor = ({ epoch, sequence }: FeedCursor) => `${epoch}-${sequence}`

/** Reads a cursor. Returns undefined for a text that is none. */
export function readFeedCursor(text: string): FeedCursor | undefined {
  const [, epoch, sequence] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(text) ?? []
  return epoch === undefined ? undefined : { epoch, sequence: Number(sequence) }
}
