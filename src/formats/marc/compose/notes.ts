import type { Entity } from '#domain/entity/entity.ts'
import { levels, type PublicationLevel, relatedBy } from '#domain/entity/publication.ts'
import { table } from '#domain/table.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { readLink } from '#domain/values/link.ts'
import { hostStatements, precedingTitles } from '../../description/linked-titles.ts'
import { readHost, readWithScheme } from '../../description/statements.ts'
import { marc21Table } from '../mapping/marc21-table.ts'
import { clean } from '../mapping/values.ts'
import { at, type ComposedField, dataField, type Part, punctuate, textsOf, type Whole } from './composer.ts'

/*
 * Fields that have a value of the catalogue in one subfield or two: notes, classes, numbers, links.
 */

/** Values in several subfields, or in another form, by their field or the way to read them. */
const divided: Readonly<Record<string, ((value: string) => readonly Part[]) | undefined>> = table({
  publisher_number: splitNumber,
  host: splitHost,
  link: splitLink,
  other_version: splitVersion,
  'with scheme': splitScheme,
  minutes: playingTime
})

/** Texts that related records give, too. */
const linked: Readonly<Record<string, typeof precedingTitles | undefined>> = table({
  host: hostStatements,
  preceding_title: precedingTitles
})

/** The rows of the mapping that are written as they are read. */
const rows = marc21Table.metadata.flatMap(({ tags: [tag = ''], written, gives, level, as }) => {
  if (written === undefined) return []
  const [indicators = '', code = ''] = written.split('$')
  const parts = divided[gives] ?? divided[as] ?? ((value: string): readonly Part[] => [[code, value]])
  return [{ key: gives, level, tag, indicators, parts, titles: linked[gives] }]
})

export function composeNotes(whole: Whole): ComposedField[] {
  return [...composeTexts(whole), ...composeWorkLinks(whole.work)]
}

/** The works that a work is a supplement to, a translation of, or made after. */
const linkTags = { refSupplementTo: '772', refTranslationOf: '765', refBasedOn: '787' } as const

const composeWorkLinks = (work: PublicationLevel | undefined): ComposedField[] =>
  Object.entries(linkTags).flatMap(([relation, tag]) =>
    relatedBy(work, relation).flatMap(({ entity, metadata }) =>
      at(
        levels[0],
        dataField(tag, relation === 'refBasedOn' ? '08' : '0 ', [
          ['i', relation === 'refBasedOn' ? 'Based on (work):' : undefined],
          ['t', textsOf(entity, 'title')[0]],
          ['g', textsOf({ metadata }, 'date')[0]]
        ])
      )
    )
  )

function composeTexts({ manifestation, expression, work }: Whole): ComposedField[] {
  const given = { work: work?.entity, expression: expression?.entity, manifestation: manifestation.entity }
  const keys = {
    work: keysOf(given.work),
    expression: keysOf(given.expression),
    manifestation: keysOf(manifestation.entity)
  }
  const fields: ComposedField[] = []
  for (const { key, level, tag, indicators, parts, titles } of rows) {
    const entity = given[level]
    // There are a hundred rows, and a record has values for some five.
    if (entity === undefined || (titles === undefined && !keys[level].has(key))) continue
    const values = titles?.(manifestation, work).map(clean) ?? textsOf(entity, key)
    const written = values.flatMap(value => dataField(tag, ownIndicators(key, value) ?? indicators, parts(value)))
    fields.push(...at(level, written))
  }
  return fields
}

const keysOf = (entity: Entity | undefined): ReadonlySet<string> => new Set(entity?.metadata.map(({ key }) => key))

/** `4195 ; Blue Note`: the number and its source. */
function splitNumber(value: string): Part[] {
  const [number, ...source] = value.split(' ; ')
  return punctuate([
    ['a', number],
    ['b', source.join(' ; ')]
  ])
}

/** The title of the host, and the part of it. */
function splitHost(value: string): Part[] {
  const { title, part } = readHost(value)
  return [
    ['t', title],
    ['g', part]
  ]
}

/** The title, and the ISBN or ISSN of another form or edition. */
function splitVersion(value: string): Part[] {
  const [title, ...numbers] = value.split(' ; ')
  return [['t', title], ...numbers.map((each): Part => [readIsbn(each) === undefined ? 'x' : 'z', each])]
}

function splitScheme(value: string): Part[] {
  const { number, scheme } = readWithScheme(value)
  return [
    ['a', number],
    ['2', scheme]
  ]
}

/** A number of a scheme that is not named (024) has an indicator of its own. */
const ownIndicators = (key: string, value: string) =>
  key === 'other_number' && readWithScheme(value).scheme === undefined ? '8 ' : undefined

/** Minutes as hours, minutes and seconds: `013000`. */
function playingTime(value: string): Part[] {
  const seconds = Math.round(Number(value) * 60)
  if (!(seconds > 0) || seconds >= 360_000) return []
  const digits = [seconds / 3600, (seconds / 60) % 60, seconds % 60]
  return [['a', digits.map(each => String(Math.floor(each)).padStart(2, '0')).join('')]]
}

/** The address, and the text after it. */
function splitLink(value: string): Part[] {
  const { address, text } = readLink(value)
  return [
    ['u', address],
    ['y', text]
  ]
}
