import type { MemberLink } from '#domain/clustering/cluster-block.ts'
import { mentionId } from '#domain/clustering/evidence.ts'
import type { SanitizeHtml } from '#domain/editing/check-fields.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { DeletedEntity } from '#domain/imports/decide-entities.ts'
import type { FindAuthority } from '#domain/imports/derive.ts'
import type { StoredRecord, StoredAuthority, UnplacedMention } from '#domain/imports/stored.ts'
import type { RecordOutcome } from '#domain/imports/job.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { ImportState } from '../state/import-state.ts'

/* What the steps of placing records hand to each other. */

/** A record as an import wants it from now on; without `next` when it goes. */
export interface RecordChange {
  readonly name: string
  readonly next: NextRecord | undefined
}

export interface NextRecord {
  readonly record: Omit<StoredRecord, 'manifestationId'>
  readonly mentions: readonly UnplacedMention[]
  readonly source: ImportState['source']
  /** Everything it names, by key. */
  readonly targets: ReadonlyMap<string, Omit<StoredAuthority, 'id'>>
  /** A name that the manifestation answers to beside its id. */
  readonly identifier: string | undefined
  /** Where it was before an import made it go that is now taken back. */
  readonly manifestationId?: string
}

export interface Placing extends Planner {
  readonly job: string
  /** While an import is taken back: where mentions were before it. */
  readonly hints?: ReadonlyMap<string, { readonly workId: string; readonly expressionId: string }>
  /** While an import is taken back: whether a record of it is still to go, or to be put back. */
  readonly isPending?: (record: string) => boolean
  /** Keeps how things were, so that the import can be taken back. */
  readonly noteUndo?: (undo: ImportState['undo']) => void
}

/** What became of a record. */
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
  /** Why it is with others; undefined where it is the first, or alone. */
  readonly link: MemberLink | undefined
}

export interface Planner {
  readonly job: string
  readonly model: Model
  readonly sanitizeHtml: SanitizeHtml
  readonly newUuid: () => string
  /** An id that nobody has, for a type. */
  readonly newId: (type: string) => string
  /** Ids of entities that point to one. */
  readonly findReferrers: (id: string) => Promise<readonly string[]>
  /** The entities that match. */
  readonly ask: (filter: Filter) => Promise<readonly Entity[]>
  /**
   * Whether targets are looked for in the catalogue although they should be there: one that was not
   * made the batch fail.
   */
  readonly verifies?: boolean
  /** The names among these that somebody has, and who. */
  readonly findOwners: (names: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** A deleted entity as it was last, to bring it back. */
  readonly findDeleted?: (id: string) => Promise<DeletedEntity | undefined>
  /** The version that was the last before a deletion. */
  readonly findLast: (deleted: ImportState['deleted']) => Promise<Entity | undefined>
}

/** What drafts point to, and where it is. */
export interface Targets {
  readonly find: FindAuthority
  /** Whether the id is of a target that there is no entity for yet, and the target. */
  findMissing(id: string): { readonly key: string; readonly target: StoredAuthority } | undefined
  /** Of those that are missing, the ones that were there once, by id. */
  readonly deleted: ReadonlyMap<string, ImportState['deleted']>
  /** Those that are there and are written otherwise from now on. */
  readonly changed: readonly {
    readonly key: string
    readonly before: StoredAuthority
    readonly after: StoredAuthority
  }[]
  /** The key of a target, by the id of its entity. */
  keyOf(id: string): string | undefined
  /** Says that the entity is there from now on. */
  made(key: string): void
}

export const mentionIdsOf = (name: string, record: Pick<StoredRecord, 'mentions'> | undefined) =>
  Array.from({ length: record?.mentions ?? 0 }, (_, place) => mentionId(name, place))

export function splitMention(id: string): [record: string, place: number] {
  const cut = id.lastIndexOf('#')
  return [id.slice(0, cut), Number(id.slice(cut + 1))]
}
