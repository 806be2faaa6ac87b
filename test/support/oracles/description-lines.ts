import type { Draft, RecordDescription } from '#formats/description/description.ts'

/*
 * Writes a description as lines, so that two can be compared regardless of the order and the fields
 * that values came from.
 */

export function descriptionLines(description: RecordDescription): string[] {
  const { manifestation, expressions, works, isAggregate } = description
  const isMade = (work: number) => work === 0 || isAggregate || works[work]?.evidence === 'analytic entry'
  const nameOf = (level: string, work: number) => (work === 0 ? level : `contained ${level}`)
  return [
    ...linesOfDraft('manifestation', manifestation),
    ...expressions.flatMap(each => (isMade(each.work) ? linesOfDraft(nameOf('expression', each.work), each) : [])),
    ...works.flatMap((each, work) => (isMade(work) ? linesOfDraft(nameOf('work', work), each) : []))
  ].sort()
}

function linesOfDraft(level: string, { type, metadata, relations, identifiers }: Draft): string[] {
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

/** The media type (337), which is also written for a carrier that implies one. */
const isOfCarrier = (line: string) => line.startsWith('manifestation: media_type = ')

/** Returns the lines that only one of two descriptions has. */
export function difference(one: readonly string[], other: readonly string[]) {
  return {
    lost: one.filter(each => !other.includes(each)),
    added: other.filter(each => !one.includes(each) && (!isOfCarrier(each) || one.some(isOfCarrier)))
  }
}
