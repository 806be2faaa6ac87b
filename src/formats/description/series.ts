import { memoize } from '#domain/memoize.ts'
import { letterKey } from '#domain/clustering/title-key.ts'
import { series } from '#domain/record-types/related.ts'
import { valuesOf } from '#domain/entity/entity.ts'
import { numbersOf } from '#domain/entity/part-order.ts'
import { type PublicationLevel, relatedBy, type RelatedEntity } from '#domain/entity/publication.ts'
import type { AuthorityDraft, Origin, RelationDraft, Statement } from './description.ts'
import { keyOf, titleKey } from './keys.ts'
import { splitOnce } from './split-once.ts'
import { readSeries } from './statements.ts'

/** A series as a record names it. */
export interface SeriesName {
  readonly title: string
  readonly number?: string | undefined
  readonly issn?: string | undefined
  readonly identifiers?: readonly string[]
  /** Other forms of its title in the same record. */
  readonly variants?: readonly string[]
  readonly from: Origin
}

/**
 * Titles that any number of publishers give to their series. Without the name of the body that
 * issues it, such a series is no record: its volumes would stand with those of others.
 */
const generic = new Set(
  [
    ...['bulletin', 'bulletins', 'publication', 'publications', 'report', 'reports', 'paper', 'papers', 'memoir'],
    ...['memoirs', 'monograph', 'monographs', 'monograph series', 'working paper', 'working papers', 'research report'],
    ...['occasional paper', 'occasional papers', 'occasional publication', 'discussion paper', 'technical report'],
    ...['technical paper', 'technical note', 'technical memorandum', 'research paper', 'research papers', 'circular'],
    ...['special publication', 'special report', 'special paper', 'proceedings', 'transactions', 'miscellaneous'],
    ...['new series', 'series', 'document', 'documents', 'leaflet', 'pamphlet', 'handbook', 'handbooks', 'studies'],
    ...['collection', 'reeks', 'nieuwe reeks', 'publicatie', 'publicaties', 'rapport', 'rapporten', 'verhandelingen'],
    ...['mededelingen', 'bijdragen', 'cahier', 'cahiers', 'schriften', 'schriftenreihe', 'reihe', 'abhandlungen'],
    ...['mitteilungen', 'beihefte', 'memoires', 'travaux', 'nouvelle serie', 'catalogue', 'catalog', 'house document']
  ].map(keyOf)
)

/** Characters of the title of a series; longer ones are notes. */
export const maxTitleLength = 400

/** The relation of a publication to a series; undefined if the title does not identify one. */
export function seriesRelation(name: SeriesName): RelationDraft | undefined {
  if (name.title.length > maxTitleLength) return undefined
  const target = seriesAuthority(name)
  if (target === undefined) return undefined
  const number = (name.number ?? '')
    .slice(0, maxTitleLength)
    .replaceAll(/[[\]]/g, '')
    .replace(/(?<![\s,;:/=.])[\s,;:/=.]+$/, '')
    .trim()
  return { relation: 'refSeries', target, ...(number === '' ? {} : { number }), from: name.from }
}

/** The title of a series, its key, and the same title in other languages; a few series recur. */
const partsOfTitle = memoize(1000, text => {
  // After an equals sign the same title follows in another language.
  const [name = '', ...parallel] = (text.includes('=') ? text.split(/(?<!\s)\s+=\s+/) : [text]).map(seriesTitle)
  const key = seriesKey(name)
  return { name, parallel, key, isGeneric: key === '' || generic.has(key) || !/\p{L}/u.test(name) }
})

function seriesAuthority({ title, issn, identifiers = [], variants = [] }: SeriesName): AuthorityDraft | undefined {
  const { name, parallel, key, isGeneric } = partsOfTitle(title)
  if (isGeneric) return undefined
  const number = issnIn(issn)
  const others =
    parallel.length + variants.length === 0
      ? []
      : [...new Set([...parallel, ...variants.map(seriesTitle)])].filter(
          each => each !== '' && letterKey(each) !== letterKey(name)
        )
  return {
    type: series.type,
    metadata: [{ key: 'name', value: name }, ...(number === undefined ? [] : [{ key: 'issn', value: number }])],
    ...(others.length === 0 ? {} : { variants: others.sort() }),
    identifiers,
    key
  }
}

/** Tests for a title that tells nothing without the name of its publisher. */
export const isGenericTitle = (title: string) => generic.has(seriesKey(title))

/** The key of a series: the article at its beginning does not count, in any language. */
export const seriesKey = memoize(1000, title => titleKey(title, 0, undefined))

/**
 * A title without brackets around it, punctuation after it and the statement of responsibility. A
 * title that many bodies use has the body in brackets: `Bulletin (Geological Survey)`.
 */
export const seriesTitle = memoize(1000, (text): string => {
  const whole = bare(/^[[(][^[\]()]*[\])][\s.,;:]*$/.test(text.trim()) ? text.replaceAll(/[[\]()]/g, '') : text)
  const [title, body] = splitOnce(whole, /(?<!\s)\s+\/\s+/)
  return body === undefined ? whole : generic.has(seriesKey(title)) ? `${title} (${body})` : bare(title)
})

function bare(text: string): string {
  const open = /[\s,;:/=]/.test(text.at(-1) ?? '') ? text.replace(/(?<![\s,;:/=])[\s,;:/=]+$/, '') : text
  const isStop = open.endsWith('.') && /(?:\p{L}{3}|\d)\.$/u.test(open.slice(-7))
  return (isStop ? open.slice(0, -1) : open).trim()
}

/** An ISSN with its hyphen; undefined if the text has none. */
function issnIn(text: string | undefined): string | undefined {
  const [, first, last] = /(?<!\d)(\d{4})[-‐‑–\s]?(\d{3}[\dXx])(?![\dXx])/.exec(text ?? '') ?? []
  return first === undefined ? undefined : `${first}-${last?.toUpperCase()}`
}

/** The series of statements that no relation of the same record names yet. */
export function seriesOfStatements(
  metadata: readonly Statement[],
  relations: readonly RelationDraft[]
): RelationDraft[] {
  const known = new Set(relations.filter(each => each.relation === 'refSeries').map(each => each.target.key))
  return metadata
    .filter(({ key, value }) => key === 'series_statement' && String(value).length <= maxTitleLength)
    .flatMap(({ value, from }) => seriesRelation({ ...readSeries(String(value)), from }) ?? [])
    .filter(({ target }) => !known.has(target.key))
}

/** Tests whether a statement names a related series, by any of its names. */
export function isOfSeries(statement: string, { entity }: RelatedEntity): boolean {
  if (statement.length > maxTitleLength) return false
  const names = ['name', 'non_preferred_name']
    .flatMap(key => valuesOf(entity, key))
    .map(each => seriesKey(String(each)))
  // A statement may name several series, one after the other.
  const named = [statement, ...statement.split(/[.,;:/=()[\]]/)].map(each => ` ${seriesKey(each)} `)
  return (
    names.includes(seriesKey(seriesTitle(readSeries(statement).title))) ||
    names.some(name => name !== '' && named.some(each => each.startsWith(` ${name} `)))
  )
}

/**
 * The statements of a publication about its series: its own, and one for each related series that
 * none of them names.
 */
export function seriesStatements(level: PublicationLevel): string[] {
  const own = valuesOf(level.entity, 'series_statement').map(String)
  const others = relatedBy(level, 'refSeries').filter(each => !own.some(statement => isOfSeries(statement, each)))
  return [
    ...own,
    ...others.flatMap(each => {
      const name = String(valuesOf(each.entity, 'name')[0] ?? '')
      const numbers = numbersOf(each)
      return numbers.length === 0 ? [name] : numbers.map(number => `${name} ; ${number}`)
    })
  ].filter(each => each !== '')
}
