import { type Level, levels } from '#domain/entity/publication.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import type { Draft } from '../../description/description.ts'
import { describeRecord, type MarcDescription } from '../mapping/describe-record.ts'
import { readMarcEvidence } from '../mapping/evidence.ts'
import type { MarcRecord } from '../record.ts'

/*
 * The statements of a record: its values and relations as lines, by which records are compared.
 */

/** The description of a record, and the places of the works that an import makes of it. */
export interface ReadRecord extends MarcDescription {
  readonly made: ReadonlySet<number>
}

/** The same records are compared several times. */
const readings = new WeakMap<MarcRecord, ReadRecord>()
export function readOnce(record: MarcRecord): ReadRecord {
  const known = readings.get(record)
  if (known !== undefined) return known
  const description = describeRecord(record)
  const made = new Set(readMarcEvidence(record, description, '').works.map(each => each.described))
  const reading = { ...description, made }
  readings.set(record, reading)
  return reading
}

const [work, expression, publication] = levels

/** A value of a field at a level, as a line for comparing. */
export interface Statement {
  readonly level: Level
  /** The key of the field or the type of the relation, as in `ChangedFields`. */
  readonly name: string
  readonly line: string
  readonly index: number
  /** The codes of the subfields, as in `Origin`. */
  readonly part: string
  readonly isTitleOfPublication: boolean
  /**
   * Whether an import makes an entity of what it is about: not of a title that repeats the entry of
   * a work in other words.
   */
  readonly isMade: boolean
  /** The text of a field; undefined for a relation. */
  readonly text?: string
}

/**
 * The statements of a record; without the title of the publication, which stands for that of its
 * expression and its work if they have none of their own.
 */
export const statementsOf = (description: ReadRecord): Statement[] =>
  everythingSaidBy(description).filter(({ isTitleOfPublication }) => !isTitleOfPublication)

export function everythingSaidBy({ manifestation, expressions, works, isAggregate, made }: ReadRecord): Statement[] {
  const isSaid = (work: number) => work === 0 || isAggregate || works[work]?.evidence === 'analytic entry'
  const inWork = (level: Level, place: number, draft: Draft) =>
    isSaid(place) ? statementsIn(level, place, draft, made.has(place)) : []
  return [
    ...statementsIn(publication, 0, manifestation, true),
    ...expressions.flatMap(each => inWork(expression, each.work, each)),
    ...works.flatMap((each, place) => inWork(work, place, each))
  ]
}

/** A value as it is compared: an ISBN is the same with and without hyphens. */
const comparable = (key: string, value: unknown) =>
  key === 'isbn' ? (readIsbn(String(value))?.comparable ?? value) : value

/** The line of a value; the level of a work in a collection is `contained work`. */
export const lineOfValue = (level: string, key: string, value: unknown) => `${level} ${key} ${comparable(key, value)}`

function statementsIn(level: Level, place: number, { metadata, relations }: Draft, isMade: boolean): Statement[] {
  const kind = place === 0 ? level : `contained ${level}`
  const nameOf = (key: string) => (place === 0 ? key : `contained ${key}`)
  return [
    ...metadata.map(({ key, value, from }) => {
      const isTitleOfPublication = level !== publication && place === 0 && key === 'title' && from.tag === '245'
      const line = lineOfValue(kind, key, value)
      const { index, part } = from
      return { level, name: nameOf(key), line, index, part, isTitleOfPublication, isMade, text: String(value) }
    }),
    ...relations
      .filter(each => each.relation !== 'refCodeWordings')
      .map(({ relation, target, role, number, from }) => {
        const text = [
          ...target.metadata.map(each => each.value),
          number,
          role?.code,
          role?.code === 'oth' ? role.wording : ''
        ]
        return {
          level,
          name: nameOf(relation),
          line: `${kind} ${relation} ${target.type} ${text.join('|')}`,
          index: from.index,
          part: from.part,
          isTitleOfPublication: false,
          isMade
        }
      })
  ]
}

export function isSame(
  one: readonly Statement[] = [],
  other: readonly Statement[] = [],
  isCompared: (each: Statement) => boolean
): boolean {
  const lines = (of: readonly Statement[]) => new Set(of.filter(isCompared).map(each => each.line))
  const [first, second] = [lines(one), lines(other)]
  return first.size === second.size && [...first].every(each => second.has(each))
}
