import type { Catalogue } from '#catalogue/catalogue.ts'
import type { EntityPage } from '#catalogue/lists/list-entities.ts'
import { createTurns } from '#catalogue/take-turns.ts'
import { CatalogueError, forbidden } from '#domain/errors.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { Filter } from '#domain/filter/filter.ts'
import { foldText } from '#domain/values/fold.ts'
import type { Model } from '#domain/record-types/model.ts'
import { byRelevance, type Order } from '#domain/filter/order.ts'
import type { Principal } from '#domain/permissions.ts'
import { familyOf, publicationTypes } from '#domain/record-types/families.ts'
import { nameMark, splitSearch } from '#domain/search/search.ts'
import { describeRecords } from '../describe-records.ts'
import { searchedFormats } from '../formats/registry.ts'
import { cqlToFilter, havingExactly, indexOf, rankingWords } from './cql-to-filter.ts'
import { type Diagnostic, SruError } from './diagnostics.ts'
import { explainNamespace, writeExplain } from './explain.ts'
import type { SruIndex } from './indexes.ts'
import { type CqlClause, type CqlNode, parseCql } from './parse-cql.ts'
import { readFacetLimit, type WantedFacet } from './read-facets.ts'
import { readRequest, type SentParameters, type SruRequest, wholeNumber } from './read-request.ts'
import { readSortBy, readSortKeys } from './read-sort.ts'
import { plainTerm } from './read-term.ts'
import {
  type ScannedTerm,
  type WrittenFacet,
  type WrittenRecord,
  writeDiagnostic,
  writeExplainAnswer,
  writeScanAnswer,
  writeSearchAnswer
} from './write-answer.ts'

/** The parts of an SRU server. */
export interface SruServer {
  readonly catalogue: Catalogue
  readonly model: Model
  /** Beginning of the IRIs of records. */
  readonly publicUrl: string
  /** The name of the house, which an administrator may change while the service runs. */
  readonly nameNow: () => string
  /** Beginning of the public addresses of records; undefined where none is configured. */
  readonly recordUrl: string | undefined
}

export interface SentSruRequest {
  readonly sent: SentParameters
  /**
   * The searched database: the types of a type, umbrella or family; publications when undefined.
   */
  readonly database: string | undefined
  /** Address of the server as the client sees it. */
  readonly baseUrl: string
}

const usualRecords = 10
const maxRecords = 100
const usualTerms = 20
const maxTerms = 100

/** The types of a database; undefined for an unknown one. */
export function typesInDatabase(model: Model, database: string | undefined): readonly string[] | undefined {
  if (database === undefined) return publicationTypes(model)
  if (database === 'all') return model.recordTypes.map(({ type }) => type)
  const named = model.typesNamed(database)
  const family = model.recordTypes.map(({ type }) => type).filter(type => familyOf(type) === database)
  const types = named.length > 0 ? named : family
  return types.length > 0 ? types : undefined
}

/** Answers a request of SRU 1.1, 1.2 or 2.0 as a document. http://www.loc.gov/standards/sru/ */
export async function answerSruRequest(
  server: SruServer,
  principal: Principal,
  sruRequest: SentSruRequest
): Promise<string> {
  if (principal.readableTypes.length === 0 && !principal.readsEverything) throw forbidden('read')
  const request = readRequest(sruRequest.sent)
  try {
    if ('error' in request) throw request.error
    if (request.operation === 'explain') return explain(server, request.version, sruRequest, [])
    const types = typesInDatabase(server.model, sruRequest.database) ?? []
    return request.operation === 'scan'
      ? await scan(server, principal, request, types)
      : await search(server, principal, request, types)
  } catch (error) {
    const { diagnostic } = toSruError(error)
    const { version, operation } = request
    if (operation === 'scan') return writeScanAnswer(version, [], [diagnostic])
    if (operation === 'explain') return explain(server, version, sruRequest, [diagnostic])
    const query = 'parameters' in request ? (request.parameters.query ?? '') : ''
    return writeSearchAnswer({ version, count: 0, records: [], isEscaped: false, query, diagnostics: [diagnostic] })
  }
}

/** Turns a query that takes too long into a diagnostic; other errors are not about the query. */
function toSruError(error: unknown): SruError {
  if (error instanceof SruError) return error
  if (error instanceof CatalogueError && error.code === 'query_timeout') return new SruError(47, error.message)
  throw error
}

function explain(
  { nameNow }: SruServer,
  version: SruRequest['version'],
  { baseUrl }: SentSruRequest,
  diagnostics: readonly Diagnostic[]
): string {
  const url = new URL(baseUrl)
  const database = {
    title: nameNow(),
    host: url.hostname,
    port: url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port,
    path: url.pathname.slice(1),
    pageSize: usualRecords,
    maxRecords
  }
  return writeExplainAnswer(
    version,
    { schema: explainNamespace, explain: writeExplain(version, database) },
    diagnostics
  )
}

async function search(
  server: SruServer,
  principal: Principal,
  { version, parameters }: SruRequest,
  types: readonly string[]
): Promise<string> {
  const { query, queryType = 'cql', recordSchema, recordXPath } = parameters
  if (query === undefined) throw new SruError(7, 'query')
  if (queryType !== 'cql') throw new SruError(11, queryType)
  if (recordXPath !== undefined && recordXPath !== '') throw new SruError(72, recordXPath)
  const isEscaped = readEscaping(parameters, version)
  const schema = recordSchema === undefined || recordSchema === '' ? searchedFormats[0] : findSchema(recordSchema)
  if (!schema) throw new SruError(66, recordSchema ?? '')
  const start = wholeNumber(parameters, 'startRecord', 1, 1)
  const limit = Math.min(wholeNumber(parameters, 'maximumRecords', usualRecords, 0), maxRecords)
  const { root, sortKeys } = parseCql(query)
  const scope = { model: server.model, types }
  const filter: Filter = { kind: 'all', of: [{ kind: 'types', types }, cqlToFilter(scope, root)] }
  const requested = readSortBy(sortKeys) ?? readSortKeys(parameters.sortKeys ?? '')
  const order = requested ?? usualOrder(filter, root)
  const facets = readFacetLimit(parameters.facetLimit ?? '0')

  const page = await server.catalogue.lists.entities(principal, {
    filter,
    order,
    skip: start - 1,
    limit,
    cursor: undefined,
    ...(facets.length === 0
      ? {}
      : {
          facets: {
            of: facets.map(({ index }) => ({ name: nameOf(index), path: index.facet })),
            limit: Math.max(...facets.map(each => each.limit))
          }
        })
  })
  if (start > 1 && start > page.count) throw new SruError(61, String(start))
  const entities = page.entities.map(({ json }) => JSON.parse(json) as Entity)
  const writer = await schema.load()
  const described = await describeRecords(server, principal, entities, {
    recordUrl: server.recordUrl,
    needs: writer.needs
  })
  const takeTurns = createTurns()
  const write = ({ id }: Entity, index: number): WrittenRecord => {
    const found = described.get(id)
    const data = found && writer.embed(server.model, found, 'sru')
    const common = { id, position: start + index }
    if (data === undefined) {
      // A diagnostic replaces the record.
      const diagnostic = writeDiagnostic(version, { number: found ? 67 : 64, details: id })
      return {
        ...common,
        schema: 'info:srw/schema/1/diagnostics-v1.1',
        data: isEscaped ? diagnostic.markup : diagnostic
      }
    }
    const isMarkup = typeof data !== 'string'
    return { ...common, schema: schema.sru.identifier, data: isEscaped && isMarkup ? data.markup : data }
  }
  const records: WrittenRecord[] = []
  for (const [index, entity] of entities.entries()) {
    records.push(write(entity, index))
    await takeTurns()
  }
  const next = start + entities.length
  return writeSearchAnswer({
    version,
    count: page.count,
    records,
    isEscaped,
    query,
    diagnostics: [],
    ...(next <= page.count ? { next } : {}),
    ...(parameters.facetLimit === undefined
      ? {}
      : { facets: facets.map(each => writtenFacet(each, page.facets ?? {})) })
  })
}

/** The format of a record schema, by any of its names. */
const findSchema = (name: string) =>
  searchedFormats.find(({ sru }) => [sru.name, sru.identifier, ...(sru.otherNames ?? [])].includes(name))

const nameOf = ({ set, name }: SruIndex) => `${set}.${name}`

const writtenFacet = ({ index, limit }: WantedFacet, counted: NonNullable<EntityPage['facets']>): WrittenFacet => ({
  title: index.title,
  index: nameOf(index),
  terms: (counted[nameOf(index)] ?? [])
    .slice(0, limit)
    .map(({ value, label, count }) => ({ term: label ?? value, count }))
})

/** The best match comes first in a search for words; otherwise the order of creation. */
function usualOrder(filter: Filter, root: CqlNode): Order {
  if (splitSearch(filter)) return byRelevance
  const words = rankingWords(root)
  if (words.length === 0) return { items: [{ by: 'created' }], ascending: true }
  return { ...byRelevance, search: { words, name: nameMark(words.map(({ word }) => word)) } }
}

/**
 * Whether records are escaped text. In 2.0 `recordPacking` has another meaning, with one supported
 * value.
 */
function readEscaping(parameters: SruRequest['parameters'], version: SruRequest['version']): boolean {
  const name = version === '2.0' ? 'recordXMLEscaping' : 'recordPacking'
  const packing = version === '2.0' ? parameters.recordPacking : undefined
  if (packing !== undefined && packing !== 'packed') throw new SruError(71, packing)
  const escaping = parameters[name] ?? 'xml'
  if (escaping !== 'xml' && escaping !== 'string') throw new SruError(71, escaping)
  return escaping === 'string'
}

async function scan(
  server: SruServer,
  principal: Principal,
  { version, parameters }: SruRequest,
  types: readonly string[]
): Promise<string> {
  const { scanClause } = parameters
  if (scanClause === undefined) throw new SruError(7, 'scanClause')
  const { root } = parseCql(scanClause)
  if (root.kind !== 'clause') throw new SruError(10, 'A scan clause has one index and one term')
  const index = indexOf(root)
  if (!index.scan) throw new SruError(16, root.index)
  const limit = Math.min(wholeNumber(parameters, 'maximumTerms', usualTerms, 1), maxTerms)
  const position = wholeNumber(parameters, 'responsePosition', 1, 0)
  if (position > limit + 1) throw new SruError(120, String(position))
  const from = foldText(plainTerm(root.term))
  const list = (backwards: boolean, wanted: number) =>
    listCounted(server, principal, root, types, { from, backwards, wanted })
  // One more on either side shows whether the list begins or ends there.
  const backward = await list(true, Math.max(0, position - 1) + 1)
  const forward = await list(false, Math.max(0, limit - Math.max(0, position - 1)) + 2)
  const [before, after] = [backward.terms.reverse(), forward.terms]
  const firstShown = Math.max(0, before.length - Math.max(0, position - 1))
  // With position 0 the term stands just before the list.
  const behind = position === 0 ? after.filter(({ value }) => foldText(value) !== from) : after
  const all = [...before, ...behind]
  if (all.length === 0 && (backward.isCut || forward.isCut))
    throw new SruError(47, `None of the next ${maxScanned} terms has a record; begin at another term`)
  const shown = all.slice(firstShown, firstShown + limit)
  const terms = shown.map((term, at): ScannedTerm => {
    const isFirst = firstShown + at === 0 && !backward.isCut
    const isLast = firstShown + at === all.length - 1 && !forward.isCut
    return { ...term, where: isFirst && isLast ? 'only' : isFirst ? 'first' : isLast ? 'last' : undefined }
  })
  return writeScanAnswer(version, terms, [])
}

/** Maximum terms to inspect in one direction: many may have no record in the database. */
const maxScanned = 500

/** A number of terms from a position on. */
interface ScanRange {
  readonly from: string
  readonly backwards: boolean
  readonly wanted: number
}

/** Terms from a position on that have records in the database, with their counts. */
async function listCounted(
  { catalogue, model }: SruServer,
  principal: Principal,
  clause: CqlClause,
  types: readonly string[],
  { from, backwards, wanted }: ScanRange
): Promise<{ readonly terms: ScannedTerm[]; readonly isCut: boolean }> {
  const { scan } = indexOf(clause)
  const relation = scan?.relation
  const scanned =
    relation === undefined
      ? types
      : [
          ...new Set(
            model.recordTypes
              .flatMap(each => each.relations[relation]?.to ?? [])
              .flatMap(name => model.typesNamed(name))
          )
        ]
  const found: ScannedTerm[] = []
  let place = from
  let looked = 0
  while (found.length < wanted) {
    const lists = await Promise.all(
      (scan?.keys ?? []).map(key =>
        catalogue.lists.terms(principal, { key, types: scanned, from: place, backwards, limit: wanted + 1 })
      )
    )
    const merged = lists.flat().sort((one, other) => compare(one.folded, other.folded) * (backwards ? -1 : 1))
    const terms = merged.filter((term, at) => term.folded !== merged[at - 1]?.folded)
    for (const { folded, text } of terms) {
      if (found.length === wanted) break
      if (looked++ === maxScanned) return { terms: found, isCut: true }
      const count = await countOf(text)
      if (count > 0) found.push({ value: text, display: text, count, where: undefined })
      place = folded
    }
    if (terms.length <= 1 || lists.every(list => list.length <= wanted)) break
    // Forward reading begins with the last term, which is counted already; backward reading leaves
    // it out.
    if (!backwards) place = `${place}\u0001`
  }
  return { terms: found, isCut: false }

  async function countOf(text: string): Promise<number> {
    const scope = { model, types }
    const term = text.replaceAll(/[\\*?^]/g, '\\$&')
    const equal: CqlClause = { ...clause, relation: { name: '==', modifiers: [] }, term }
    const index = indexOf(clause)
    const having = index.kind === 'text' ? havingExactly(scope, index, text) : cqlToFilter(scope, equal)
    const filter: Filter = { kind: 'all', of: [{ kind: 'types', types }, having] }
    const order = { items: [{ by: 'created' as const }], ascending: true }
    return (await catalogue.lists.entities(principal, { filter, order, skip: 0, limit: 0, cursor: undefined })).count
  }
}

const compare = (one: string, other: string) => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.compare(b)
}
