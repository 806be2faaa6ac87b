import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { byMaterial } from '#domain/record-types/subtypes.ts'
import { commonWord, rareWord, type Samples } from './catalogue-file.ts'
import { measure, postRequest } from './load.ts'
import { adminToken, type ServerProcess } from './processes.ts'

export interface AskedQuestion {
  readonly name: string
  readonly filters: readonly unknown[]
  readonly query?: string
}

const titleKey = ['catalog:1|properties.title.value']
export const manifestations = { type: 'type', value: 'manifestation' }
export const titled = (value: string) => ({ type: 'text', key: titleKey, value })
export const searched = (value: string) => ({ type: 'search', value })

const updatedAtAll = { type: 'date', key: ['catalog:1|audit.updated.at'], value: { min: '1970-01-02' } }
const newestFirst = 'order_by=date_updated&asc=0'

/** Questions of clients that keep a copy of the catalogue, about all records or all of a type. */
const synchronising: readonly AskedQuestion[] = [
  { name: 'everything updated since, newest first', filters: [updatedAtAll], query: newestFirst },
  { name: 'a type updated since, newest first', filters: [manifestations, updatedAtAll], query: newestFirst },
  { name: 'everything, newest first', filters: [], query: newestFirst },
  { name: 'everything, by date_updated', filters: [], query: 'order_by=date_updated' },
  { name: 'a type, newest first', filters: [manifestations], query: newestFirst },
  { name: 'a type, by date_created, newest first', filters: [manifestations], query: 'order_by=date_created&asc=0' }
]

const byWork = 'group_by=work&facets=type,relations.refAuthors.key,relations.refLanguages.key'

/** Choices at several levels of a work, as somebody who narrows a search makes them. */
const narrowings = [
  { name: 'an author and years, of one edition', by: ['author', 'years'] },
  { name: 'a language and years, of one edition', by: ['language', 'years'] },
  { name: 'a language, by work, with facets', by: ['language'], query: byWork },
  { name: 'years, by work, with facets', by: ['years'], query: byWork }
] as const

/** One question of each kind that `POST /entities/filter` answers. */
export function questionsAbout({ isbn, publisher, author, authorName, language, recently }: Samples): AskedQuestion[] {
  const related = (relation: string, value: string) => ({
    type: 'selection',
    key: [`catalog:1|properties.${relation}`],
    value: [value],
    match_exact: true
  })
  const updatedSince = { type: 'date', key: ['catalog:1|audit.updated.at'], value: { min: recently } }
  const years = {
    type: 'number',
    key: ['catalog:1|properties.year_of_publication.value'],
    value: { min: 1990, max: 1995 }
  }
  const chosen = {
    author: related('ref_authors.value', author),
    language: related('ref_languages.value', language),
    years
  }
  return [
    { name: 'a type', filters: [manifestations] },
    { name: 'a type, by title', filters: [manifestations], query: 'order_by=title' },
    {
      name: 'seven subtypes',
      filters: [{ type: 'selection', key: 'type', value: byMaterial('manifestation'), match_exact: true }]
    },
    { name: `title has a common word (${commonWord})`, filters: [manifestations, titled(commonWord)] },
    { name: 'the same, by title', filters: [manifestations, titled(commonWord)], query: 'order_by=title' },
    { name: `title has a rare word (${rareWord})`, filters: [manifestations, titled(rareWord)] },
    { name: 'title has two letters (no index)', filters: [manifestations, titled('qx')] },
    { name: 'title begins with', filters: [manifestations, titled('Gouden*')] },
    { name: 'an exact ISBN', filters: [related('isbn.value', isbn)] },
    { name: 'an author by id', filters: [manifestations, related('ref_authors.value', author)] },
    { name: 'the biggest publisher by id', filters: [related('ref_publishers.value', publisher)] },
    { name: 'the same, by title', filters: [related('ref_publishers.value', publisher)], query: 'order_by=title' },
    { name: 'an author by exact name', filters: [related('ref_authors.name', authorName)] },
    {
      name: 'an author by part of the name',
      filters: [
        manifestations,
        { type: 'text', key: ['catalog:1|properties.ref_authors.name'], value: authorName.slice(0, 8) }
      ]
    },
    { name: 'updated since', filters: [manifestations, updatedSince] },
    { name: 'updated since, by date_updated', filters: [manifestations, updatedSince], query: 'order_by=date_updated' },
    ...synchronising,
    ...narrowings.map(({ by, ...question }) => ({
      ...question,
      filters: [{ type: 'together', key: 'edition', value: by.map(each => chosen[each]) }]
    })),
    { name: 'a range of years', filters: [manifestations, years] },
    { name: 'a range of years, by title', filters: [manifestations, years], query: 'order_by=title' },
    { name: 'a type, count only', filters: [manifestations], query: 'limit=0' },
    { name: 'page 2000 by skip=40000', filters: [manifestations], query: 'skip=40000' }
  ]
}

export interface RepeatedQuestion extends AskedQuestion {
  /** Asked with the same words each time, so that what was counted once may be remembered. */
  readonly isRepeated?: boolean
}

export const facetsOfMany = [
  { name: 'facet of the types of all', filters: [], query: 'facets=type&limit=0' },
  { name: 'facet of the languages of all', filters: [], query: 'facets=properties.ref_languages.value&limit=0' },
  {
    name: 'facet of the years of all',
    filters: [],
    query: 'facets=properties.year_of_publication.value&limit=0'
  },
  {
    name: 'facet of the publishers of all manifestations',
    filters: [manifestations],
    query: 'facets=properties.ref_publishers.value&limit=0'
  }
] as const

/** Searches and facets as readers ask for them. */
export function searchesAbout({ isbn, authorName }: Samples): AskedQuestion[] {
  const [surname = ''] = authorName.split(' ').toReversed()
  const commonManifestations = [searched(commonWord), manifestations]
  return [
    { name: `a rare word (${rareWord})`, filters: [searched(rareWord)] },
    { name: `a common word (${commonWord})`, filters: [searched(commonWord)] },
    { name: 'two common words', filters: [searched(`${commonWord} liefde`)] },
    { name: 'a title with stop words', filters: [searched('de geschiedenis van het water')] },
    { name: 'an author', filters: [searched(authorName)] },
    { name: 'an author and a word', filters: [searched(`${surname} ${commonWord}`)] },
    { name: 'a beginning of three letters', filters: [searched('ges')] },
    { name: 'a word with a typo', filters: [searched('geschidenis')] },
    { name: 'two words with typos', filters: [searched('gschiedenis schadw')] },
    { name: 'an ISBN', filters: [searched(isbn)] },
    { name: 'a stop word (de)', filters: [searched('de')] },
    { name: 'a common word, among manifestations', filters: commonManifestations },
    { name: 'the same, with highlights', filters: commonManifestations, query: 'highlight=1' },
    {
      name: 'the same, with three facets',
      filters: commonManifestations,
      query: 'facets=type,properties.ref_languages.value,properties.year_of_publication.value'
    },
    ...facetsOfMany,
    { name: 'count only, a common word', filters: [searched(commonWord)], query: 'limit=0' }
  ]
}

/** Pages of results as the page of the staff asks for them, with summaries of the records. */
export const pagesOfResults = [
  { name: 'a type', filters: [manifestations], query: 'limit=20' },
  { name: 'a type, 100 records', filters: [manifestations], query: 'limit=100' },
  { name: `a rare word (${rareWord})`, filters: [searched(rareWord)], query: 'limit=20' },
  { name: `a rare word (${rareWord}), by work`, filters: [searched(rareWord)], query: 'limit=20&group_by=work' },
  { name: `a common word (${commonWord})`, filters: [searched(commonWord)], query: 'limit=20' },
  { name: `a common word (${commonWord}), by work`, filters: [searched(commonWord)], query: 'limit=20&group_by=work' },
  { name: 'works, by title', filters: [{ type: 'type', value: 'work' }], query: 'limit=20&order_by=title' }
] as const

/** Fields and relations that many records have, as a catalogue could be narrowed by. */
const manyFacets = [
  'type',
  ...['year', 'material_type', 'year_of_publication', 'content_type', 'literary_type', 'edition'],
  ...['ref_languages', 'ref_authors', 'ref_subjects', 'ref_places', 'ref_publishers', 'ref_genres'],
  ...['ref_target_audiences', 'ref_zizos', 'ref_sisos']
].map(name => (name === 'type' ? name : `properties.${name}.value`))

const letters = 'a b c d e f g h i j k l m n o p q r s t u v w x y z'
const stopWords = 'de het een van the en of and in a'
const paragraph = 'de stilte van het water en de schaduw over een oude stad in het licht van de laatste zomer '
  .repeat(6)
  .slice(0, 512)
const many = (filter: unknown) => Array.from({ length: 64 }, () => filter)
const contains = (value: string) => ({ type: 'text', key: ['properties.title.value'], value })
/** Fields that a type declares, as only those may be counted; most of them are in no record. */
const declaredFacets = [...new Set(builtInRecordTypes.flatMap(({ fields }) => Object.keys(fields)))]
  .filter(key => key !== 'title')
  .slice(-15)
  .map(key => `properties.${key}.value`)

export const stopWordWithFacets = {
  name: 'a stop word with sixteen facets',
  filters: [searched('de')],
  query: `facets=${manyFacets.join()}`
}

/** Questions that are meant to be as costly as can be. */
export const adversaries: readonly AskedQuestion[] = [
  { name: 'one letter', filters: [searched('a')] },
  { name: 'two letters', filters: [searched('de')] },
  { name: 'all letters', filters: [searched(letters)] },
  { name: 'ten stop words', filters: [searched(stopWords)] },
  { name: 'a word of 512 letters', filters: [searched('x'.repeat(512))] },
  { name: 'a paragraph of 512 characters', filters: [searched(paragraph)] },
  {
    name: 'sixteen words with typos',
    filters: [searched('gschiedenis schadw herinering koningn detectve '.repeat(4))]
  },
  { name: '64 searches for a stop word', filters: many(searched('de')) },
  { name: '64 searches for a paragraph', filters: many(searched(paragraph)) },
  { name: '64 searches with typos', filters: many(searched('gschiedenis schadw')) },
  { name: 'all but a stop word', filters: [{ ...searched('de'), match_not: true }] },
  { name: 'a stop word, by title', filters: [searched('de')], query: 'order_by=title' },
  { name: 'contains one letter', filters: [contains('e')] },
  { name: 'contains 512 characters', filters: [contains('x'.repeat(512))] },
  { name: '64 times contains two letters', filters: many(contains('qx')) },
  stopWordWithFacets,
  { name: 'sixteen facets that there are, of everything', filters: [], query: `limit=0&facets=${manyFacets.join()}` },
  {
    name: 'sixteen facets of everything',
    filters: [],
    query: `limit=0&facets=${['properties.title.value', ...declaredFacets].join()}`
  }
]

/** The cursor behind the first 40,000 manifestations, or near the end where there are fewer. */
export async function findDeepCursor({ port }: ServerProcess): Promise<string> {
  let path = '/entities/filter?limit=1000'
  for (let page = 0; page < 40; page++) {
    const { next } = await askOnce(port, postRequest(path, [manifestations]))
    if (next === undefined) break
    path = next
  }
  return new URLSearchParams(path.split('?')[1]).get('cursor') ?? ''
}

/** Asks once, and gives the body. */
export async function askOnce(port: number, request: Buffer): Promise<{ count: number; next?: string }> {
  let answer: { count: number; next?: string } | undefined
  await measure({
    port,
    connections: 1,
    seconds: 1,
    next: () => request,
    goOn: () => false,
    onBody: body => {
      answer = JSON.parse(body.toString())
    }
  })
  if (!answer) throw new Error('No answer')
  return answer
}

export interface Tried {
  readonly status: number
  readonly count: string
  readonly took: number
}

/** Asks once; any answer will do. */
export async function tryOnce(port: number, request: Buffer): Promise<Tried> {
  const [head = '', body] = request.toString().split('\r\n\r\n')
  const [method = 'GET', path = '/'] = head.split(' ')
  const started = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body } : {})
  })
  const json = (await answer.json()) as { count?: number; suggestions?: unknown[] }
  const count = json.count ?? json.suggestions?.length
  return { status: answer.status, count: count === undefined ? '' : String(count), took: performance.now() - started }
}
