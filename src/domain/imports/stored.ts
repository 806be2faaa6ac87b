import type { Answer, ClusterLevel } from '../clustering/cluster-block.ts'
import type { WorkEvidence } from '../clustering/evidence.ts'
import type { Reason } from '../clustering/links.ts'
import { letterKey } from '../clustering/title-key.ts'
import { isSameJson } from '../json.ts'
import { isBetterSpelling } from './authority-names.ts'

/*
 * The state that an import stores of each record, so that a later one can find its works again, and
 * the entities without it. Each authority is stored once and referred to by a key.
 */

/** A relation to a stored authority, by its key. */
export interface StoredRelation {
  readonly relation: string
  readonly target: string
  readonly role?: { readonly code: string; readonly wording: string }
  /** The place among the parts of the target. */
  readonly number?: string
}

export interface StoredStatement {
  readonly key: string
  readonly value: string | boolean
  readonly lang?: string
}

/** An entity as far as a record describes it. */
export interface StoredDraft {
  readonly type: string
  readonly metadata: readonly StoredStatement[]
  readonly relations: readonly StoredRelation[]
  readonly identifiers: readonly string[]
}

export interface StoredMention {
  readonly evidence: WorkEvidence
  readonly work: StoredDraft
  readonly expression: StoredDraft
  readonly titleRank: number
  /** Number of works in the record, at the mention of the whole record. */
  readonly parts?: number
  /** Whether the record names a work that this one is made after. */
  readonly isAdaptation?: true
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
  /** The number of mentions that an answer settles; absent in questions of earlier versions. */
  readonly settles?: number
  /** The import that lists it. */
  readonly job: string
}

/** A copy of a publication, as far as a record describes it. */
export interface StoredItem {
  /** The id of its entity. */
  readonly id: string
  /** Tells it from the other items of its record. */
  readonly key: string
  readonly draft: StoredDraft
  /** The positions of its fields in the source record. */
  readonly from?: readonly number[]
}

/** An item that may not have an entity yet. */
export type UnplacedItem = Omit<StoredItem, 'id'> & { readonly id?: string }

/** The items of a holdings record. */
export interface StoredHoldings {
  /** The import that wrote it last. */
  readonly job: string
  /** The name of the record of the publication. */
  readonly record: string
  readonly manifestationId: string
  readonly items: readonly StoredItem[]
  /** The holdings record itself; absent in those of earlier versions. */
  readonly source?: Pick<ImportedSource, 'form' | 'base64'>
}

/**
 * The relations between works, each with the kind of link by which a record names the other one,
 * and that by which the other names it. Only those of `basisLink` are not between serials.
 */
export const workLinks = {
  refPrecededBy: ['preceding', 'succeeding'],
  refSupplementTo: ['supplemented', 'supplement'],
  refTranslationOf: ['original', 'translation'],
  refBasedOn: ['based on', undefined]
} as const

/** The kind of link by which an adaptation names the work that it is made after. */
export const basisLink = 'based on'

type LinkKind = 'host' | NonNullable<(typeof workLinks)[keyof typeof workLinks][number]>

/** The kinds of links between records that become relations. */
export const linkKinds: readonly LinkKind[] = [
  'host',
  ...Object.values(workLinks).flatMap(([own, reverse]) => (reverse === undefined ? [own] : [own, reverse]))
]

/** Another record that a record names. */
export interface StoredLink {
  readonly kind: LinkKind
  /** The keys of the other record, the most certain first. */
  readonly keys: readonly string[]
  /** The place in the host: `vol. 3, p. 5-8`; the time of a relation between serials. */
  readonly number?: string
}

export interface StoredRecord {
  /** The import that wrote it last. */
  readonly job: string
  readonly manifestationId: string
  readonly manifestation: StoredDraft
  /** A digest that tells whether a repeated record is unchanged. */
  readonly digest: string
  readonly evidenceVersion: number
  /** The version of the description; records without one are older than the second. */
  readonly descriptionVersion?: number
  readonly mentions: number
  readonly items?: readonly StoredItem[]
  readonly links?: readonly StoredLink[]
  /** The keys by which links of other records find it. */
  readonly names?: readonly string[]
  readonly controlNumber?: string
  /** The control number, if no agency is known: the name of the record was made from it. */
  readonly number?: string
  /**
   * The options that it was read with, if they are not those of the import that wrote it last: the
   * record came with an export of another catalogue.
   */
  readonly readWith?: Readonly<Record<string, unknown>>
  /** The source record as last imported, where people have edited it here since. */
  readonly imported?: ImportedSource
}

/** A source record as received, and its digest. */
export interface ImportedSource {
  readonly form: string
  readonly base64: string
  readonly digest: string
}

/** The digest of a record as it was last imported. */
export const importedDigest = ({ digest, imported }: Pick<StoredRecord, 'digest' | 'imported'>) =>
  imported?.digest ?? digest

/** The name of a record for people: `(agency)number`, or the number. */
export const shownName = (name: string, record: Pick<StoredRecord, 'number'> | undefined) => record?.number ?? name

export interface StoredAuthority {
  /** The id of the entity, while there is one. */
  readonly id: string
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: string }[]
  /** Other forms of the name, in alphabetical order. */
  readonly variants?: readonly string[]
  readonly identifiers: readonly string[]
  readonly birthYear?: string
  /** The name in an authority record that people edited: no other spelling takes its place. */
  readonly editedName?: string
  /** Whether an authority record describes it: then it stays when no record refers to it. */
  readonly isRecord?: boolean
  /** The fields and relations that authority records give, by the name of the record. */
  readonly records?: Readonly<Record<string, AuthorityDetails>>
}

/** The fields and relations that an authority record gives. */
export interface AuthorityDetails {
  readonly metadata: StoredAuthority['metadata']
  readonly relations: readonly StoredRelation[]
  /** The authority record itself; absent in those of earlier versions. */
  readonly source?: Pick<ImportedSource, 'form' | 'base64'>
  /** The authority record as last imported, where people have edited it here since. */
  readonly imported?: Pick<ImportedSource, 'form' | 'base64'>
}

export interface StoredAnswer extends Answer {
  /** The entity that a person merged into another; the answer holds while it is merged. */
  readonly merged?: string
  /** The manifestation that a person separated from others of its work. */
  readonly split?: string
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
  readonly settles?: number
}

export interface SettledQuestion extends ListedQuestion {
  readonly verdict: StoredAnswer['verdict']
  readonly by: string
  readonly at: string
}

/** A mention that has no work and expression yet. */
export type UnplacedMention = Omit<StoredMention, 'workId' | 'expressionId' | 'questions'>

/**
 * Joins several spellings of one authority. The best spelling is its name, and spellings with other
 * letters are its variant names; of other texts the longer one wins, and of equally long ones the
 * first in alphabetical order. The order of arrival does not matter.
 */
export function joinAuthorities<T extends Omit<StoredAuthority, 'id'>>(
  known: T,
  other: Omit<StoredAuthority, 'id'>
): T {
  if (saysAll(known, other)) return known
  const values = new Map<string, string>()
  const editedName = other.editedName ?? known.editedName
  for (const { key, value } of [...known.metadata, ...other.metadata]) {
    const before = values.get(key)
    if (isSpelling(key) || (key === titleKey && before !== undefined && before === editedName)) continue
    if (before === undefined || (key === titleKey && value === editedName) || isFullerThan(value, before))
      values.set(key, value)
  }
  const identifiers = [...new Set([...known.identifiers, ...other.identifiers])].sort()
  const metadata = [
    ...spellingsOf([...known.metadata, ...other.metadata], editedName),
    ...[...values].map(([key, value]) => ({ key, value }))
  ]
  const variants = [...new Set([...(known.variants ?? []), ...(other.variants ?? [])])].sort()
  return {
    ...known,
    metadata,
    ...(variants.length === 0 ? {} : { variants }),
    identifiers,
    ...(other.isRecord ? { isRecord: true } : {}),
    ...(editedName === undefined ? {} : { editedName }),
    // A record that is imported again replaces what it said before.
    ...(other.records === undefined ? {} : { records: { ...known.records, ...other.records } })
  }
}

const nameKey = 'name'
const titleKey = 'title'
export const variantKey = 'non_preferred_name'
const isSpelling = (key: string) => key === nameKey || key === variantKey

type Metadata = StoredAuthority['metadata']

/**
 * The name and the variant names: of spellings with the same letters only the best one. A name that
 * people gave is the best.
 */
function spellingsOf(metadata: Metadata, editedName: string | undefined): Metadata {
  const isBetter = (one: string, other: string) =>
    one === editedName || (other !== editedName && isBetterSpelling(one, other))
  const best = new Map<string, string>()
  for (const { key, value } of metadata) {
    if (!isSpelling(key)) continue
    const letters = letterKey(value)
    const before = best.get(letters)
    if (before === undefined || isBetter(value, before)) best.set(letters, value)
  }
  const [name, ...variants] = [...best.values()].sort((one, other) => (isBetter(one, other) ? -1 : 1))
  return name === undefined
    ? []
    : [{ key: nameKey, value: name }, ...variants.map(value => ({ key: variantKey, value }))]
}

/** Tests whether one has all that the other has, as nearly all repeated names do. */
function saysAll(known: Omit<StoredAuthority, 'id'>, other: Omit<StoredAuthority, 'id'>): boolean {
  for (const { key, value } of other.metadata) {
    const own = known.metadata.filter(each => each.key === key)
    if (own.some(each => each.value === value)) continue
    if (!isSpelling(key)) {
      const before = own.at(-1)?.value
      if (key === titleKey && before !== undefined && before === known.editedName) continue
      if (before === undefined || isFullerThan(value, before)) return false
      continue
    }
    const letters = letterKey(value)
    const same = known.metadata.find(each => isSpelling(each.key) && letterKey(each.value) === letters)?.value
    const isBetter = same !== undefined && same !== known.editedName && isBetterSpelling(value, same)
    if (same === undefined || isBetter) return false
  }
  const { identifiers } = known
  return (
    (other.editedName === undefined || other.editedName === known.editedName) &&
    (!other.isRecord || known.isRecord === true) &&
    Object.entries(other.records ?? {}).every(([name, each]) => isSameJson(each, known.records?.[name])) &&
    (other.variants ?? []).every(each => known.variants?.includes(each)) &&
    other.identifiers.every(each => identifiers.includes(each)) &&
    identifiers.every((each, place) => identifiers.indexOf(each) === place)
  )
}

/**
 * Returns an authority without the names, dates and identifiers that one of its records stated,
 * before an edit of this record.
 */
export function withoutStatements<T extends Omit<StoredAuthority, 'id'>>(
  known: T,
  said: Pick<StoredAuthority, 'metadata' | 'variants' | 'identifiers'>
): T {
  const isSaid = ({ key, value }: Metadata[number]) =>
    said.metadata.some(each => each.key === key && (each.value === value || key !== variantKey))
  return {
    ...known,
    metadata: known.metadata.filter(each => !isSaid(each)),
    variants: (known.variants ?? []).filter(each => !said.variants?.includes(each)),
    identifiers: known.identifiers.filter(each => !said.identifiers.includes(each))
  }
}

const isFullerThan = (one: string, other: string) =>
  one.length > other.length || (one.length === other.length && one < other)
