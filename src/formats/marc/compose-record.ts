import type { Entity } from '#domain/entity/entity.ts'
import { table } from '#domain/table.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { numbersOf } from '#domain/entity/part-order.ts'
import { type Publication, type PublicationLevel, relatedBy } from '#domain/entity/publication.ts'
import { composeAgents, composeContained, hasMainEntry } from './compose/agents.ts'
import {
  asTerm,
  at,
  authorityParts,
  type ComposedField,
  dataField,
  givenIdentifiers,
  punctuate,
  relatedOnce,
  textOf,
  textsOf,
  type Whole,
  wholeOf
} from './compose/composer.ts'
import {
  changedAt,
  codeFor,
  composeChanged,
  composeFixedData,
  composeLeader,
  type Kind,
  kindOf
} from './compose/fixed-fields.ts'
import { composeItems } from './compose/items.ts'
import { composeLanguages } from './compose/languages.ts'
import { composeNotes } from './compose/notes.ts'
import { composeTitles } from './compose/titles.ts'
import { composeTopics } from './compose/topics.ts'
import { findLanguage } from '../description/languages.ts'
import { isOfSeries, seriesStatements } from '../description/series.ts'
import { splitOnce } from '../description/split-once.ts'
import { readQualified } from '../description/statements.ts'
import { clean, yearIn } from './mapping/values.ts'
import { carriers, contentTypes, mediaTypes } from './mapping/marc21-table.ts'
import type { ComposedRecord } from './composed-record.ts'

/** The agency of the numbers of composed records. */
export const ownAgency = 'Libretto'

export interface ComposeOptions {
  /** The agency of our control numbers (003). */
  readonly agency?: string
  /** Leaves out what the catalogue only implies: the media type (337) of a carrier. */
  readonly onlyStated?: boolean
}

/**
 * Writes a publication as a MARC 21 record: the tables of `mapping/` in reverse. `describeRecord`
 * reads the same content from it at the same levels, as far as MARC has a field for it;
 * docs/reference/marc-mapping.md lists the exceptions.
 */
export function composeRecord(
  publication: Publication,
  { agency = ownAgency, onlyStated = false }: ComposeOptions = {}
): ComposedRecord {
  const whole = wholeOf(publication)
  const kind = kindOf(whole)
  const { manifestation } = whole
  const agents = composeAgents(whole, kind.row.form)
  const languages = composeLanguages(whole)
  const titles = composeTitles(whole, {
    isTranslation: languages.isTranslation,
    hasMainEntry: hasMainEntry(agents),
    language: findLanguage(languages.texts[0] ?? '')?.name,
    languages: languages.texts
  })
  const fields: ComposedField[] = [
    ...at(
      [],
      [
        { tag: '001', value: manifestation.entity.id },
        { tag: '003', value: agency },
        { tag: '005', value: composeChanged(changedAt(publication)) },
        { tag: '008', value: composeFixedData(whole, kind, languages.code) },
        ...dataField('040', '  ', [
          ['a', agency],
          ['c', agency]
        ])
      ]
    ),
    ...languages.fields(titles.namesOriginal),
    ...agents,
    ...titles.fields,
    ...composeNumbers(whole),
    ...composeImprint(whole),
    ...composeForms(whole, kind, onlyStated),
    ...composeTopics(whole),
    ...composeNotes(whole),
    ...composeContained(whole, languages.texts, code => findLanguage(code)?.name),
    ...at([], composeItems(publication.items ?? []))
  ]
  // By tag, and within a tag in the order of the publication.
  const ordered = fields.sort((one, other) =>
    one.field.tag < other.field.tag ? -1 : one.field.tag > other.field.tag ? 1 : 0
  )
  return {
    record: { leader: composeLeader(kind, manifestation.entity), fields: ordered.map(each => each.field) },
    levels: ordered.map(each => each.levels),
    publication
  }
}

function composeNumbers({ manifestation: { entity }, works }: Whole): ComposedField[] {
  const isbns = textsOf(entity, 'isbn')
  const known = new Set(isbns.flatMap(each => readIsbn(each)?.comparable ?? []))
  const isIsbn = (identifier: string) => known.has(readIsbn(identifier.replace(/^urn:isbn:/i, ''))?.comparable ?? '')
  const others = givenIdentifiers(entity).filter(each => !isIsbn(each))
  return [
    ...at('manifestation', [
      ...composeIsbns(entity, isbns),
      ...textsOf(entity, 'ean').flatMap(each => dataField('024', '3 ', [['a', each]])),
      ...others.flatMap(each => {
        const scheme = /^(?:https?|urn):/i.exec(each)?.[0]
        if (scheme === undefined) return dataField('035', '  ', [['a', each]])
        return dataField('024', '7 ', [
          ['a', each],
          ['2', scheme.startsWith('urn') ? 'urn' : 'uri']
        ])
      })
    ]),
    ...at(
      'work',
      works.flatMap(work => dataField('758', '  ', authorityParts(work.entity)))
    )
  ]
}

/** 020, each with its qualifiers: binding, volume, publisher. */
function composeIsbns(entity: Entity, isbns: readonly string[]) {
  const qualified = textsOf(entity, 'isbn_qualifier').map(readQualified)
  const same = (one: string, other: string) =>
    (readIsbn(one)?.comparable ?? one) === (readIsbn(other)?.comparable ?? other)
  const qualifiersOf = (isbn: string) =>
    qualified.flatMap(({ number, qualifiers }) =>
      same(number, isbn) ? qualifiers.map(each => ['q', each] as const) : []
    )
  return [
    // Without hyphens, as in MARC; an invalid ISBN is left out here too.
    ...isbns.map(each =>
      readIsbn(each) === undefined ? (['z', each] as const) : (['a', each.replaceAll(/[^\dXx]/g, '')] as const)
    ),
    ...textsOf(entity, 'cancelled_isbn').map(each => ['z', each] as const),
    ...(qualified.some(each => each.number === '') ? [['a', ''] as const] : [])
  ].flatMap(([code, isbn]) => dataField('020', '  ', [[code, isbn], ...qualifiersOf(isbn)]))
}

function composeImprint({ manifestation }: Whole): ComposedField[] {
  const { entity } = manifestation
  const names = (type: string) => relatedOnce([manifestation], type).flatMap(each => textOf(each, 'name') ?? [])
  const places = names('refPlaces')
  const imprint = punctuate([
    ...places.map(each => ['a', each, ' ;'] as const),
    ...names('refPublishers').map(each => ['b', each, ' :'] as const),
    ['c', dateOf(manifestation), ',']
  ])
  return at('manifestation', [
    ...dataField('264', ' 1', imprint),
    ...textsOf(entity, 'extent').flatMap(each => dataField('300', '  ', extentParts(each))),
    ...composeSeries(manifestation)
  ])
}

/** The date as it is written, unless it contradicts the year. */
function dateOf(manifestation: PublicationLevel): string | undefined {
  const year = textOf(manifestation, 'year_of_publication')
  const dates = textsOf(manifestation.entity, 'publication_date')
  const fits = (date: string) => [year, undefined].includes(yearIn(date))
  return dates.find(each => year === undefined || fits(each)) ?? year
}

/** 490 as the publication has it, and 830 as the catalogue knows the series. */
function composeSeries(manifestation: PublicationLevel) {
  const series = relatedBy(manifestation, 'refSeries')
  return [
    ...seriesStatements(manifestation).flatMap(each => {
      const own = series.filter(one => isOfSeries(each, one))
      return dataField('490', own.length > 0 ? '1 ' : '0 ', seriesParts(clean(each), own.flatMap(numbersOf)))
    }),
    ...series.flatMap(each => {
      const numbers = numbersOf(each).map(clean)
      return (numbers.length === 0 ? [undefined] : numbers).flatMap(number =>
        dataField('830', ' 0', [
          ...punctuate([
            ['a', textOf(each, 'name')],
            ['x', textOf(each, 'issn'), ','],
            ['v', number, ' ;']
          ]),
          ...authorityParts(each.entity)
        ])
      )
    })
  ]
}

/** `125 p. : ill. ; 21 cm.`: extent, other details, dimensions. */
function extentParts(extent: string) {
  const [pages, rest = ''] = splitOnce(extent, / : /)
  const [details, size] = splitOnce(rest, / ; /)
  if (size === undefined) return punctuate([['a', extent]])
  return punctuate([
    ['a', pages],
    ['b', details, ' :'],
    ['c', size, ' ;']
  ])
}

/** The title and the number of a statement: after a semicolon, or a number that the series has. */
function seriesParts(series: string, numbers: readonly string[]) {
  const number = numbers.find(each => series.endsWith(` ${each}`))
  const title = number === undefined ? '' : series.slice(0, -number.length - 1)
  if (/[,:]$/.test(title)) return [['a', title] as const, ['v', number] as const]
  const found = /^(.+) ; ([^;]+)$/.exec(series)
  return found === null
    ? punctuate([['a', series]])
    : punctuate([
        ['a', found[1]],
        ['v', found[2], ' ;']
      ])
}

/** Media types by the first letter of the code of a carrier; films (m) are projected. */
const mediaByCode: Readonly<Record<string, string>> = table({ ...mediaTypes, m: mediaTypes.g })
const mediaOf = (carrier: string | undefined) => mediaByCode[carrier?.slice(0, 1) ?? '']

/** 336, 337, 338. A word outside of RDA has no code. */
function composeForms({ manifestation, expressions }: Whole, kind: Kind, onlyStated: boolean): ComposedField[] {
  const given = [...new Set(expressions.flatMap(({ entity }) => textsOf(entity, 'content_type')))]
  const contents = kind.contentType === undefined ? given : [...new Set([kind.contentType, ...given])]
  const materials = textsOf(manifestation.entity, 'material_type')
  const named = textsOf(manifestation.entity, 'media_type')
  const implied = onlyStated ? [] : materials.flatMap(each => mediaOf(codeFor(carriers, each)) ?? [])
  const media = named.length > 0 ? named : [...new Set(implied)]
  return [
    ...at(
      'expression',
      contents.flatMap(each => termField('336', each, codeFor(contentTypes, each), 'rdacontent'))
    ),
    ...at('manifestation', [
      ...media.flatMap(each => termField('337', each, codeFor(mediaTypes, each), 'rdamedia')),
      ...materials.flatMap(each => termField('338', each, codeFor(carriers, each), 'rdacarrier'))
    ])
  ]
}

const termField = (tag: string, word: string, code: string | undefined, scheme: string) =>
  dataField(tag, '  ', [
    ['a', asTerm(word)],
    ['b', code],
    ['2', code === undefined ? undefined : scheme]
  ])
