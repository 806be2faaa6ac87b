import type { Answer, ClusterLevel } from '../clustering/cluster-block.ts'
import type { WorkEvidence } from '../clustering/evidence.ts'
import type { Reason } from '../clustering/links.ts'

/*
 * The state that an import stores of each record, so that a later one can find its works again, and
 * the entities without it. Each authority is stored once and referred to by a key.
 */

/** A relation to a stored authority, by its key. */
export interface StoredRelation {
  readonly relation: string
  readonly target: string
  readonly role?: { readonly code: string; readonly wording: string }
}

/** An entity as far as a record describes it. */
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
  /** Open questions about this and another mention. */
  readonly questions?: readonly StoredQuestion[]
}

export interface StoredQuestion {
  readonly level: ClusterLevel
  readonly other: string
  readonly reason: Reason
  readonly confidence: number
  readonly areJoined: boolean
  /** The import that lists it. */
  readonly job: string
}

export interface StoredRecord {
  /** The import that wrote it last. */
  readonly job: string
  readonly manifestationId: string
  readonly manifestation: StoredDraft
  /** A digest that tells whether a repeated record is unchanged. */
  readonly digest: string
  readonly evidenceVersion: number
  readonly mentions: number
  readonly controlNumber?: string
  /** The control number, if no agency is known: the name of the record was made from it. */
  readonly number?: string
}

/** The name of a record for people: `(agency)number`, or the number. */
export const shownName = (name: string, record: Pick<StoredRecord, 'number'> | undefined) => record?.number ?? name

export interface StoredAuthority {
  /** The id of the entity, while there is one. */
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

/** A question in the list of an import. */
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
 * Joins several spellings of one authority: the longer of two texts wins, and of equally long ones
 * the first in alphabetical order, so that the order of arrival does not matter.
 */
export function joinAuthorities<T extends Omit<StoredAuthority, 'id'>>(
  known: T,
  other: Omit<StoredAuthority, 'id'>
): T {
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

/** Tests whether one has all that the other has, as nearly all repeated names do. */
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
