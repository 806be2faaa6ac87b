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

const media = 'manifestation: media_type = '

/** Carriers with their media types, as RDA has them together (3.2 and 3.3). */
const mediaByCarrier: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['volume', 'sheet', 'card', 'roll', 'flipchart', 'object'].map(each => [each, 'unmediated'])),
  ...Object.fromEntries(['online resource', 'computer disc', 'computer card'].map(each => [each, 'computer'])),
  ...Object.fromEntries(['audio disc', 'audiocassette', 'audiotape reel'].map(each => [each, 'audio'])),
  ...Object.fromEntries(['videodisc', 'videocassette', 'videotape reel'].map(each => [each, 'video'])),
  ...Object.fromEntries(['microfiche', 'microfilm reel'].map(each => [each, 'microform'])),
  ...Object.fromEntries(
    ['film reel', 'film cassette', 'slide', 'overhead transparency'].map(each => [each, 'projected'])
  )
}

/**
 * Adds the media types that the carriers of a publication imply, if it has none: a composed record
 * says them (337), since RDA wants content, media and carrier together, and a reader cannot tell
 * that nobody wrote them.
 */
export function withMediaOfCarriers(lines: readonly string[]): readonly string[] {
  if (lines.some(each => each.startsWith(media))) return lines
  const carriers = lines.flatMap(each => /^manifestation: material_type = (.+)$/.exec(each)?.[1] ?? [])
  return [...lines, ...new Set(carriers.flatMap(each => mediaByCarrier[each] ?? []).map(each => `${media}${each}`))]
}

/** Returns the lines that only one of two descriptions has. */
export function difference(one: readonly string[], other: readonly string[]) {
  return { lost: one.filter(each => !other.includes(each)), added: other.filter(each => !one.includes(each)) }
}
