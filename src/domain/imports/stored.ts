import type { Answer, ClusterLevel } from '../clustering/cluster-block.ts'
import type { WorkEvidence } from '../clustering/evidence.ts'
import type { Reason } from '../clustering/links.ts'

/*
 * The part of each record that an import stores, so that a later import can find again which works
 * the record belongs to, and what the entities would be without it. Authorities (the targets of
 * relations) are stored once each, under a key.
 */

export interface StoredRelation {
  readonly relation: string
  /** The key of a stored authority. */
  readonly target: string
  readonly role?: { readonly code: string; readonly wording: string }
}

export interface StoredDraft {
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: string | boolean }[]
  readonly relations: readonly StoredRelation[]
  readonly identifiers: readonly string[]
}

export interface StoredMention {
  readonly evidence: WorkEvidence
  readonly work: StoredDraft
  readonly expression: StoredDraft
  readonly titleRank: number
  readonly workId: string
  readonly expressionId: string
  /** Open review questions about this mention and another one. */
  readonly questions?: readonly StoredQuestion[]
}

export interface StoredQuestion {
  readonly level: ClusterLevel
  readonly other: string
  readonly reason: Reason
  readonly confidence: number
  readonly areJoined: boolean
  /** The import on whose list it stands. */
  readonly job: string
}

export interface StoredRecord {
  /** The import that wrote it last. */
  readonly job: string
  readonly manifestationId: string
  readonly manifestation: StoredDraft
  /** Tells whether a record that comes again is the same. */
  readonly digest: string
  readonly evidenceVersion: number
  readonly mentions: number
  readonly controlNumber?: string
  /**
   * The control number, where no agency is known: the record goes by a name that was made from it.
   */
  readonly number?: string
}

/** What people know a record by: `(agency)number`, or the number. */
export const shownName = (name: string, record: Pick<StoredRecord, 'number'> | undefined) => record?.number ?? name

export interface StoredAuthority {
  /** The entity, while there is one. */
  readonly id: string
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: string }[]
  readonly identifiers: readonly string[]
  readonly birthYear?: string
}

export interface StoredAnswer extends Answer {
  readonly by: string
  readonly at: string
}

/** A question as it stands on the list of an import. */
export interface ListedQuestion {
  readonly level: StoredAnswer['level']
  readonly one: string
  readonly other: string
  readonly reason: { readonly code: string; readonly shared?: string; readonly learnedFrom?: string }
  readonly confidence: number
  readonly areJoined: boolean
}

export interface SettledQuestion extends ListedQuestion {
  readonly verdict: StoredAnswer['verdict']
  readonly by: string
  readonly at: string
}

/** A mention that has no work and expression yet. */
export type UnplacedMention = Omit<StoredMention, 'workId' | 'expressionId' | 'questions'>

/**
 * Of several ways to write one target, the fullest: the longer of two texts, and of equally long
 * ones the first by its letters. So it does not matter in which order they came.
 */
export function joinTargets<T extends Omit<StoredAuthority, 'id'>>(known: T, other: Omit<StoredAuthority, 'id'>): T {
  if (saysAll(known, other)) return known
  const values = new Map(known.metadata.map(({ key, value }) => [key, value]))
  let isFuller = false
  for (const { key, value } of other.metadata) {
    const before = values.get(key)
    if (before !== undefined && !isFullerThan(value, before)) continue
    values.set(key, value)
    isFuller = true
  }
  const identifiers = [...new Set([...known.identifiers, ...other.identifiers])].sort()
  if (!isFuller && identifiers.length === known.identifiers.length) return known
  return { ...known, metadata: [...values].map(([key, value]) => ({ key, value })), identifiers }
}

/** Whether one says everything that the other does, as nearly all do that were named before. */
function saysAll(known: Omit<StoredAuthority, 'id'>, other: Omit<StoredAuthority, 'id'>): boolean {
  for (const { key, value } of other.metadata) {
    const before = known.metadata.findLast(each => each.key === key)?.value
    if (before === undefined || isFullerThan(value, before)) return false
  }
  const { identifiers } = known
  return (
    other.identifiers.every(each => identifiers.includes(each)) &&
    identifiers.every((each, place) => identifiers.indexOf(each) === place)
  )
}

const isFullerThan = (one: string, other: string) =>
  one.length > other.length || (one.length === other.length && one < other)
