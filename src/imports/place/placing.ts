import type { MemberLink } from '#domain/clustering/cluster-block.ts'
import { mentionId } from '#domain/clustering/evidence.ts'
import type { SanitizeHtml } from '#domain/editing/check-fields.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { DeletedEntity, EntityFacts, ExistingEntity } from '#domain/imports/decide-entities.ts'
import type { StoredAuthority, StoredRecord, UnplacedItem, UnplacedMention } from '#domain/imports/stored.ts'
import type { RecordOutcome } from '#domain/imports/job.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { SourceAuthority } from '#formats/source/source-item.ts'
import type { ImportState } from '../state/import-state.ts'
import type { UndoNotes } from '../state/staging.ts'

/* The values that the steps of placing records hand to each other. */

/** A record in its new state; without `next` when it is to be deleted. */
export interface RecordChange {
  readonly name: string
  readonly next: NextRecord | undefined
}

/** A record as it is stored, before its entities have ids. */
export interface NextRecord {
  readonly record: Omit<StoredRecord, 'manifestationId' | 'items'>
  readonly items: readonly UnplacedItem[]
  readonly mentions: readonly UnplacedMention[]
  readonly source: ImportState['source']
  /** The authorities that it refers to, by key. */
  readonly authorities: ReadonlyMap<string, Omit<StoredAuthority, 'id'>>
  /** An identifier for the manifestation beside its id. */
  readonly identifier: string | undefined
  /** The id that the manifestation had; an undo restores it. */
  readonly manifestationId?: string
}

export interface Placing extends Planner {
  readonly job: string
  /** During an undo: the work and expression of mentions before the import. */
  readonly hints?: ReadonlyMap<string, { readonly workId: string; readonly expressionId: string }>
  /**
   * Whether a record leaves ids to others that had them, too: during an undo, one that is still to
   * be deleted or put back; during a split, the one that a person separates.
   */
  readonly yields?: (record: string) => boolean
  /** Notes for an undo; absent when the changes cannot be undone. */
  readonly undoNotes?: Pick<UndoNotes, 'add'>
}

/** The outcome of one record. */
export interface Placed {
  readonly name: string
  readonly outcome: RecordOutcome
  readonly manifestationId: string | undefined
  readonly works: readonly PlacedWork[]
}

export interface PlacedWork {
  readonly workId: string
  readonly expressionId: string
  readonly isNewWork: boolean
  /** Why it is with others; undefined when it is the first of its work, or alone. */
  readonly link: MemberLink | undefined
}

export interface Planner {
  readonly job: string
  readonly model: Model
  readonly sanitizeHtml: SanitizeHtml
  readonly newUuid: () => string
  /** Makes an unused id for a type. */
  readonly newId: (type: string) => string
  /** Ids of entities that refer to one. */
  readonly findReferrers: (id: string) => Promise<readonly string[]>
  /** The entities of a type that people created, by exact values of its code or name. */
  readonly findAuthorities: (type: string, key: string, values: readonly string[]) => Promise<readonly Entity[]>
  /**
   * Whether entities of stored authorities are looked up before they are used: a missing one made
   * the batch fail.
   */
  readonly verifies?: boolean
  /** The owners of identifiers, for those that are taken. */
  readonly findOwners: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** The last state of a deleted entity, to restore it. */
  readonly findDeleted?: (id: string) => Promise<DeletedEntity | undefined>
  /** Called for an entity that would be deleted, and stays. */
  readonly onRetained?: (entity: ExistingEntity) => void
  /** An authority record as it was before a person edited it, and the key of its authority. */
  readonly replaced?: { readonly key: string; readonly record: SourceAuthority }
  /** As in `EntityFacts`. */
  readonly changedInSource?: EntityFacts['changedInSource']
  /** The last version before a deletion. */
  readonly findLast: (deleted: ImportState['deleted']) => Promise<Entity | undefined>
}

export type AuthorityState = ImportState['target']

/** The authorities (persons, subjects, languages and the like) that drafts refer to. */
export interface Authorities {
  readonly byKey: ReadonlyMap<string, AuthorityState>
  /** Keys by the id of the entity. */
  readonly keyById: ReadonlyMap<string, string>
  /**
   * Where the last version of a deleted entity is, by id, for authorities whose entity was deleted.
   */
  readonly deleted: ReadonlyMap<string, ImportState['deleted']>
  /** Authorities whose entity exists and whose content changes. */
  readonly changed: readonly { readonly before: StoredAuthority; readonly after: StoredAuthority }[]
}

export const noAuthorities: Authorities = { byKey: new Map(), keyById: new Map(), deleted: new Map(), changed: [] }

export const mentionIdsOf = (name: string, record: Pick<StoredRecord, 'mentions'> | undefined) =>
  Array.from({ length: record?.mentions ?? 0 }, (_, place) => mentionId(name, place))

export function splitMention(id: string): [record: string, place: number] {
  const cut = id.lastIndexOf('#')
  return [id.slice(0, cut), Number(id.slice(cut + 1))]
}
