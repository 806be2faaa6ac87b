import { isPrincipal, isQualified, type RecordEvidence, type WorkEvidence } from '../clustering/evidence.ts'
import { couldBeSame, datedName } from '../clustering/persons.ts'
import { isNearly } from '../clustering/title-key.ts'

/*
 * Decides whether two records are one record in two states. A control number is enough only
 * together with its agency: most libraries count from 1. Records without an agency must agree on
 * something else, too.
 */

/**
 * The facts for comparing records with one number: the work of the whole record, and the
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
 * Tests whether two records with one number are one: they share a standard number, or the title
 * without contradicting authors.
 */
export function isSameRecord(one: ComparedRecord, other: ComparedRecord): boolean {
  const numbers = standardNumbers(one)
  if (standardNumbers(other).some(each => numbers.includes(each))) return true
  return haveOneTitle(one, other) && haveOneAuthor(one, other)
}

/** ISBN and ISSN, and numbers of other catalogues that name their agency. */
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

/** Title and author as one text: records with an equal text are one. */
export function identityOf({ work }: ComparedRecord): string {
  const [author] = work?.creators ?? []
  const names = work?.names ?? []
  const title = names.find(each => each.kind === 'proper') ?? names.find(isPrincipal) ?? names[0]
  return `${title?.key ?? ''}\n${author === undefined ? '' : datedName(author)}`
}
