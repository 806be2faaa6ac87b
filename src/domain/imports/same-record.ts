import { isPrincipal, isQualified, type RecordEvidence, type WorkEvidence } from '../clustering/evidence.ts'
import { couldBeSame, personKey } from '../clustering/persons.ts'
import { isNearly } from '../clustering/title-key.ts'

/*
 * Whether two records are one record in two states. A control number tells that only together with
 * its agency: most libraries count from 1. Records that name no agency must agree on something
 * else, too.
 */

/**
 * What records with one number are compared by: the work that the whole record is about, and the
 * identifiers of the publication.
 */
export interface ComparedRecord {
  readonly work: Pick<WorkEvidence, 'names' | 'creators' | 'numbers'> | undefined
  readonly identifiers: readonly string[]
}

export const comparedRecord = (
  { works: [work] }: Pick<RecordEvidence, 'works'>,
  { identifiers }: { readonly identifiers: readonly string[] }
): ComparedRecord => ({ work, identifiers })

/**
 * Whether two records with one number are one: a standard number in common, or the title, and no
 * author who contradicts it.
 */
export function isSameRecord(one: ComparedRecord, other: ComparedRecord): boolean {
  const numbers = standardNumbers(one)
  if (standardNumbers(other).some(each => numbers.includes(each))) return true
  return haveOneTitle(one, other) && haveOneAuthor(one, other)
}

/** ISBN and ISSN, and numbers of other catalogues that say whose they are. */
const standardNumbers = ({ work, identifiers }: ComparedRecord) => [
  ...(work?.numbers ?? []),
  ...identifiers.filter(isQualified)
]

function haveOneTitle(one: ComparedRecord, other: ComparedRecord): boolean {
  const titles = (record: ComparedRecord) => (record.work?.names ?? []).filter(isPrincipal).map(each => each.key)
  const others = titles(other)
  return titles(one).some(title => others.some(each => isNearly(title, each)))
}

function haveOneAuthor(one: ComparedRecord, other: ComparedRecord): boolean {
  const [authors, others] = [one.work?.creators ?? [], other.work?.creators ?? []]
  if (authors.length === 0 || others.length === 0) return true
  return authors.some(author => others.some(each => couldBeSame(author, each)))
}

/** Title and author, as a text: two records of which it is the same are one. */
export function identityOf({ work }: ComparedRecord): string {
  const [author] = work?.creators ?? []
  const names = work?.names ?? []
  const title = names.find(each => each.kind === 'proper') ?? names.find(isPrincipal) ?? names[0]
  return `${title?.key ?? ''}\n${author === undefined ? '' : personKey(author)}`
}
