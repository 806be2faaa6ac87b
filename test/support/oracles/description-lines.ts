import type { Draft, RecordDescription } from '#formats/description/description.ts'

/*
 * What a description says, in lines, so that two can be compared whatever the order and the fields
 * that things came from.
 */

export function saidBy(description: RecordDescription): string[] {
  const { manifestation, expressions, works, isAggregate } = description
  const isMade = (work: number) => work === 0 || isAggregate || works[work]?.evidence === 'analytic entry'
  const nameOf = (level: string, work: number) => (work === 0 ? level : `contained ${level}`)
  return [
    ...saidByDraft('manifestation', manifestation),
    ...expressions.flatMap(each => (isMade(each.work) ? saidByDraft(nameOf('expression', each.work), each) : [])),
    ...works.flatMap((each, work) => (isMade(work) ? saidByDraft(nameOf('work', work), each) : []))
  ].sort()
}

function saidByDraft(level: string, { type, metadata, relations, identifiers }: Draft): string[] {
  return [
    `${level}: ${type}`,
    ...metadata.map(({ key, value }) => `${level}: ${key} = ${key === 'isbn' ? bareIsbn(String(value)) : value}`),
    // The roles stand with the people who had them.
    ...relations
      .filter(each => each.relation !== 'refCodeWordings')
      .map(({ relation, target, role, number }) => {
        const details = [...(number === undefined ? [] : [number]), ...(role ? [role.code] : [])]
        const told = [...target.metadata.map(each => each.value), ...details, ...target.identifiers]
        return `${level}: ${relation} ${target.type} ${told.join(' | ')}`
      }),
    ...identifiers.map(each => `${level}: identifier ${each}`)
  ]
}

/** An ISBN is the same with hyphens and without. */
export const bareIsbn = (isbn: string) => isbn.replaceAll('-', '')

/** What one says and the other does not. */
export function difference(one: readonly string[], other: readonly string[]) {
  return {
    lost: one.filter(each => !other.includes(each)),
    added: other.filter(each => !one.includes(each))
  }
}
