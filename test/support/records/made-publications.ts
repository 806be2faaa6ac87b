import assert from 'node:assert/strict'

import { keyOf } from '#formats/description/keys.ts'
import type { MetadataEntry } from '#domain/entity/entity.ts'
import type { Publication, PublicationLevel, RelatedEntity } from '#domain/entity/publication.ts'
import type { Chance } from './chance.ts'
import { anEntityOf } from './publications.ts'
import { bareIsbn } from '../oracles/description-lines.ts'

/* Publications made of plain words, at random or by hand, and what they say. */

let made = 0
const entries = (metadata: Readonly<Record<string, string | readonly string[] | undefined>>): MetadataEntry[] =>
  Object.entries(metadata).flatMap(([key, value]) =>
    value === undefined ? [] : [value].flat().map(each => ({ key, value: each }))
  )
export const level = (
  type: string,
  id: string,
  metadata: Readonly<Record<string, string | readonly string[] | undefined>>,
  related: readonly RelatedEntity[] = []
): PublicationLevel => ({ entity: anEntityOf(type, id, entries(metadata)), related })
export const related = (
  relation: string,
  type: string,
  metadata: Readonly<Record<string, string | undefined>>,
  role?: string,
  identifiers: readonly string[] = []
): RelatedEntity => ({
  type: relation,
  metadata: role === undefined ? [] : [{ key: 'role', value: role }],
  entity: anEntityOf(type, `T${made++}`, entries(metadata), identifiers)
})
const aSeries = (name: string, issn: string | undefined, number: string | undefined): RelatedEntity => ({
  ...related('refSeries', 'series', { name, issn }),
  metadata: number === undefined ? [] : [{ key: 'number', value: number }]
})
const language = (code: string, name: string) => related('refLanguages', 'language', { name, code })

export const dutch = language('nld', 'Dutch')
export const english = language('eng', 'English')

const words = [
  'storm',
  'zee',
  'Ängste',
  'война',
  '東京',
  'of',
  'X.',
  'Mr. Y',
  '(1900)',
  "l'été",
  'naïve',
  '& co',
  '3',
  'no-one'
] as const
const aText = (chance: Chance) =>
  `${chance.pick(['A', 'De', 'Große', 'Ночь', 'Z'])} ${Array.from({ length: 1 + chance.below(4) }, () => chance.pick(words)).join(' ')} ${chance.pick(['end', 'eind', 'конец', '99', 'B.'])}`

const languages = [
  english,
  dutch,
  language('fra', 'French'),
  language('deu', 'German'),
  language('grc', 'Ancient Greek')
] as const
const authorRoles = {
  work: ['aut', 'cmp', 'librettist', 'director'],
  expression: ['trl', 'illustrator', 'nrt', 'vertaler'],
  manifestation: ['printer', 'pbl']
} as const

/** Fields of words in a note or a class of their own. */
const noteKeys = ['summary', 'contents', 'note', 'performers', 'credits', 'thesis', 'access', 'lcc', 'udc'] as const

/** Dates and numbers, some with what is written beside them. */
function imprintOf(chance: Chance): Parameters<typeof level>[2] {
  const year = String(1500 + chance.below(520))
  const some = (value: string) => (chance.oneIn(2) ? value : undefined)
  return {
    ...(chance.oneIn(2)
      ? { isbn: ['978-90-9711-408-1', '90-9758-014-5'], isbn_qualifier: some('9789097114081 (paperback)') }
      : {}),
    ...(chance.oneIn(2)
      ? { year_of_publication: year, publication_date: some(`[${year}?]`), copyright_date: some('©1998') }
      : {}),
    distribution: some(aText(chance)),
    media_type: some(chance.pick(['audio', 'unmediated', 'paper tape']))
  }
}

/** A publication with one text; words and relations at random. */
export function randomPublication(chance: Chance): Publication {
  const maybe = <T>(make: () => T) => (chance.oneIn(2) ? make() : undefined)
  const text = () => aText(chance)
  const year = () => String(1500 + chance.below(520))
  const named = (relation: string, type: string) =>
    Array.from({ length: chance.below(3) }, () => related(relation, type, { name: text() }))
  const authors = (of: keyof typeof authorRoles) =>
    Array.from({ length: chance.below(3) }, () => {
      const isPerson = !chance.oneIn(3)
      const name =
        isPerson && chance.oneIn(2)
          ? `${chance.pick(['Maes', 'Ó Briain', 'Пушкин'])}, ${chance.pick(['J.', 'An', 'L. A. J.'])} ${run++}`
          : `${text()} ${run++}`
      const dates = isPerson ? maybe(() => `${year()}-`) : undefined
      const role = chance.pick(authorRoles[of] as readonly [string, ...string[]])
      return related(
        'refAuthors',
        isPerson ? 'person' : 'corporation',
        { name, life_dates: dates },
        role,
        chance.oneIn(4) ? [`http://viaf.org/viaf/${run}`] : []
      )
    })
  const some = <T>(from: readonly T[]) => from.filter(() => chance.oneIn(3))
  const spoken = some(languages)
  const [material, content] = chance.pick<readonly [string, string]>([
    ['word', 'word'],
    ['music', 'music'],
    ['music', 'word'],
    ['map', 'map'],
    ['footage', 'footage'],
    ['computer_file', 'computer_file'],
    ['mixed_material', 'mixed_material'],
    ['serial', 'serial']
  ])
  return {
    manifestation: level(
      `manifestation_${material}`,
      'M',
      {
        title: text(),
        subtitle: maybe(text),
        responsibility: maybe(text),
        ...imprintOf(chance),
        issn: maybe(() => '1234-5679'),
        ean: maybe(() => '5412345678908'),
        edition: maybe(text),
        extent: maybe(() => `${run} p. : ill. ; 20 cm`),
        material_type: maybe(() => chance.pick(['volume', 'online resource', 'paperback'])),
        series_statement: maybe(() => `${text()} ; ${run}`),
        ...Object.fromEntries(noteKeys.map(key => [key, maybe(text)])),
        lccn: maybe(() => `85${run}`),
        dewey: maybe(() => `823.${run}`),
        publisher_number: maybe(() => `${run} ; ${text()}`),
        cancelled_isbn: maybe(() => '9789097114081'),
        cancelled_issn: maybe(() => '1234-567X'),
        host: maybe(() => `${text()} ; vol. ${run}, p. 1-9`),
        preceding_title: maybe(text),
        parallel_title: maybe(text),
        other_title: maybe(text),
        succeeding_title: maybe(text),
        duration: maybe(() => String(1 + chance.below(900))),
        link: chance.oneIn(2)
          ? [`https://example.org/${run}`, `http://example.org/text/${run} Full text (PDF)`]
          : undefined
      },
      [
        ...named('refPublishers', 'publisher'),
        ...(chance.oneIn(3)
          ? [
              aSeries(
                text(),
                maybe(() => '2049-3630'),
                maybe(() => String(run))
              )
            ]
          : []),
        ...named('refPlaces', 'place'),
        ...some(spoken),
        ...authors('manifestation')
      ]
    ),
    expressions: [
      {
        ...level(`expression_${content}`, 'E', { title: text(), year: maybe(year) }, [
          ...spoken,
          ...authors('expression')
        ]),
        work: level(
          `work_${content}`,
          'W',
          {
            title: text(),
            original_title: maybe(text),
            literary_type: maybe(() => [text(), 'drama']),
            year: maybe(year),
            scale: maybe(() => [`Scale 1:${run}`, `Scale 1:${run + 1}`]),
            coordinates: maybe(() => [`(E 4°${run % 60}/N 51°)`, `(E 5°${run % 60}/N 51°)`]),
            work_number: maybe(() => `op. ${run}`)
          },
          [
            ...authors('work'),
            ...named('refSubjects', 'subject'),
            ...named('refSubjects', 'person'),
            ...named('refSubjects', 'corporation'),
            ...(chance.oneIn(3) ? [related('refSubjects', 'title', { title: text() })] : []),
            ...named('refGenres', 'genre'),
            ...named('refPlaces', 'place'),
            ...named('refTimes', 'time'),
            ...named('refTargetAudiences', 'target_audience'),
            ...(chance.oneIn(3) ? [related('refUniformTitles', 'title', { title: text() })] : []),
            ...(chance.oneIn(3) ? [related('refSisos', 'siso', { code: `85${run}.1` })] : []),
            ...some(languages)
          ]
        )
      }
    ]
  }
}
let run = 0

/** An other title that repeats the title proper, the subtitle or a parallel title is not one. */
const isTold = ({ metadata }: PublicationLevel['entity'], { key, value }: MetadataEntry) =>
  key === 'other_title' &&
  metadata.some(
    each => ['title', 'subtitle', 'parallel_title'].includes(each.key) && lettersOf(each.value) === lettersOf(value)
  )

const lettersOf = (value: unknown) =>
  String(value)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/**
 * Returns the lines that a description of the publication must have: its own facts, and those that
 * MARC cannot distinguish from them.
 */
export function expectedOf({ manifestation, expressions }: Publication): string[] {
  const [expression] = expressions
  const work = expression?.work
  assert.ok(expression && work)
  const value = ({ entity }: PublicationLevel, key: string) => entity.metadata.find(each => each.key === key)?.value
  const codes = (of: PublicationLevel) =>
    of.related
      .filter(each => each.type === 'refLanguages')
      .map(({ entity }) => entity.metadata.map(each => each.value).join(' | '))
  const languageLine = (name: string, told: string) =>
    `${name}: refLanguages language ${told} | urn:iso:std:iso:639:-3:${told.slice(-3)}`
  const title = String(value(manifestation, 'title'))
  const given = work.related.find(each => each.type === 'refUniformTitles')?.entity.metadata[0]?.value
  const original = value(work, 'original_title')
  const spoken = codes(expression)
  const originals = codes(work)
  const isOther = originals.length !== spoken.length || originals.some(each => !spoken.includes(each))
  const hasTranslator = expression.related.some(each => ['trl', 'vertaler'].includes(String(each.metadata[0]?.value)))
  // The title of a work is a uniform title in MARC if it differs from that of its publication and
  // of its original, or if the text has a year.
  const isNamed = ![title, original].includes(value(work, 'title')) || value(expression, 'year') !== undefined
  const uniform = given ?? (isNamed ? value(work, 'title') : undefined)
  const isTranslation =
    hasTranslator ||
    original !== undefined ||
    (originals.length > 0 && originals.some(each => !spoken.includes(each))) ||
    (originals.length > 0 && spoken.length > 0 && isOther)
  const of = (name: string, { entity, related: others }: PublicationLevel, leftOut: readonly string[]) => [
    `${name}: ${entity.type}`,
    ...entity.metadata
      .filter(each => !leftOut.includes(each.key) && !isTold(entity, each))
      .map(each => `${name}: ${each.key} = ${each.key === 'isbn' ? bareIsbn(String(each.value)) : each.value}`),
    ...others.flatMap(({ type, entity: target, metadata }) => {
      if (type === 'refLanguages' || type === 'refUniformTitles') return []
      const role = metadata[0] === undefined ? [] : [roleCodes[String(metadata[0].value)] ?? String(metadata[0].value)]
      return [
        `${name}: ${type} ${target.type} ${[...target.metadata.map(each => each.value), ...role, ...target.identifiers.slice(2)].join(' | ')}`
      ]
    })
  ]
  // A statement about a series stands for the series, and a series for a statement.
  const statements = manifestation.entity.metadata.filter(each => each.key === 'series_statement')
  const series = manifestation.related.filter(each => each.type === 'refSeries')
  const nameOf = ({ entity }: RelatedEntity) => String(entity.metadata[0]?.value)
  // A title of the text or of the work that no other title says has a field that says so.
  const others = ['parallel_title', 'other_title'].map(key => value(manifestation, key))
  const known = new Set([title, uniform, original, ...others].map(each => keyOf(String(each ?? ''))))
  const titleOf = (level: PublicationLevel, otherwise: unknown) => {
    const own = String(value(level, 'title'))
    if (known.has(keyOf(own))) return otherwise
    known.add(keyOf(own))
    return own
  }
  const titleOfText = titleOf(expression, title)
  return [
    ...of('manifestation', manifestation, []),
    ...statements.map(each => `manifestation: refSeries series ${String(each.value).replace(' ; ', ' | ')}`),
    ...series.map(each =>
      [`manifestation: series_statement = ${nameOf(each)}`, ...each.metadata.map(({ value }) => value)].join(' ; ')
    ),
    ...spoken.map(each => languageLine('manifestation', each)),
    ...of('expression', expression, ['title']),
    `expression: title = ${titleOfText}`,
    ...spoken.map(each => languageLine('expression', each)),
    ...of('work', work, ['title', 'original_title']),
    `work: title = ${titleOf(work, uniform ?? original ?? title)}`,
    ...(uniform === undefined ? [] : [`work: refUniformTitles title ${uniform}`]),
    ...(original !== undefined
      ? [`work: original_title = ${original}`]
      : isTranslation && uniform !== undefined
        ? [`work: original_title = ${uniform}`]
        : []),
    ...(originals.length > 0 ? originals : isTranslation ? [] : spoken).map(each => languageLine('work', each))
  ].sort()
}
const roleCodes: Readonly<Record<string, string>> = {
  librettist: 'lbt',
  director: 'drt',
  illustrator: 'ill',
  vertaler: 'trl',
  printer: 'prt'
}
