import type { Catalogue } from '#catalogue/catalogue.ts'
import type { OpaqueTokens } from '#catalogue/lists/opaque-tokens.ts'
import { createTurns } from '#catalogue/take-turns.ts'
import { CatalogueError, forbidden } from '#domain/errors.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { element, type Xml } from '#formats/xml/write-xml.ts'
import { type DescribedRecord, describeRecords } from '../describe-records.ts'
import { type EmbeddingWriter, typesDescribed } from '../formats/format.ts'
import { harvestedFormats } from '../formats/registry.ts'
import { readTimeRange, toDatestamp } from './datestamps.ts'
import { OaiError, oaiError } from './errors.ts'
import { type OaiArguments, readArguments, type SentArguments, type Verb } from './read-arguments.ts'
import { type ListState, readToken, writeToken } from './resumption-token.ts'
import { listSets, setOf, typesInSet } from './sets.ts'
import { type RecordHeader, writeAnswer, writeFault, writeHeader, writeRecord } from './write-answer.ts'

/** The parts of an OAI-PMH repository. */
export interface OaiRepository {
  readonly catalogue: Catalogue
  readonly model: Model
  /** Beginning of the IRIs of records. */
  readonly publicUrl: string
  /** The name of the house, which an administrator may change while the service runs. */
  readonly nameNow: () => string
  readonly adminEmail: string
  /** Domain name in identifiers: `oai:<domain>:<id>`. */
  readonly domain: string
  /** Beginning of the public addresses of records; undefined where none is configured. */
  readonly recordUrl: string | undefined
  readonly pageSize: number
  readonly cursors: OpaqueTokens
  readonly now: () => number
}

export interface OaiRequest {
  readonly sent: SentArguments
  /** Address of the repository as the harvester sees it, and the root of the service. */
  readonly baseUrl: string
  readonly rootUrl: string
}

/**
 * Maximum milliseconds between the time stamp of a write and its visibility. A harvester continues
 * from the time of our answer; with the time of the clock it would skip a write that was stamped
 * before but not visible yet.
 */
const settlingTime = 10_000

type Answered = (Xml | undefined)[]

/**
 * Answers a request of OAI-PMH 2.0 as a document.
 * http://www.openarchives.org/OAI/openarchivesprotocol.html
 */
export async function answerOaiRequest(
  repository: OaiRepository,
  principal: Principal,
  request: OaiRequest
): Promise<string> {
  if (principal.readableTypes.length === 0 && !principal.readsEverything) throw forbidden('read')
  const { baseUrl, sent } = request
  const envelope = { baseUrl, answeredAt: new Date(repository.now() - settlingTime).toISOString() }
  let oaiRequest: OaiArguments
  try {
    oaiRequest = readArguments(sent)
  } catch (error) {
    if (!(error instanceof OaiError)) throw error
    // Invalid arguments are not repeated.
    return writeAnswer({ ...envelope, request: {} }, ...error.faults.map(writeFault))
  }
  const { identifier } = oaiRequest.values
  // In the schema it is a URI, as it is in the records; another one is not repeated.
  const isUri = identifier === undefined || URL.canParse(encodeURI(identifier))
  const echo = { verb: oaiRequest.verb, ...oaiRequest.values, ...(isUri ? {} : { identifier: undefined }) }
  try {
    const content = await answers[oaiRequest.verb](repository, principal, oaiRequest, request)
    return writeAnswer({ ...envelope, request: echo }, element(oaiRequest.verb, {}, ...content))
  } catch (error) {
    if (!(error instanceof OaiError)) throw error
    const isArgument = error.faults.some(({ code }) => code === 'badArgument')
    return writeAnswer({ ...envelope, request: isArgument ? {} : echo }, ...error.faults.map(writeFault))
  }
}

type Answer = (
  repository: OaiRepository,
  principal: Principal,
  oaiRequest: OaiArguments,
  request: OaiRequest
) => Promise<Answered>

const answers: Readonly<Record<Verb, Answer>> = {
  Identify: identify,
  ListMetadataFormats: listMetadataFormats,
  ListSets: async ({ model, cursors }, principal, { values, verb }) => {
    // All sets fit into one answer, so there are no tokens.
    if (values.resumptionToken !== undefined) readToken(cursors, '', verb)
    return listSets(model, principal).map(({ spec, name }) =>
      element('set', {}, element('setSpec', {}, spec), element('setName', {}, name))
    )
  },
  ListIdentifiers: listRecords,
  ListRecords: listRecords,
  GetRecord: getRecord
}

async function identify(
  repository: OaiRepository,
  principal: Principal,
  _: OaiArguments,
  { baseUrl }: OaiRequest
): Promise<Answered> {
  const { catalogue, nameNow, adminEmail, domain, now } = repository
  const earliest = (await catalogue.lists.earliestStamp(principal)) ?? new Date(now() - settlingTime).toISOString()
  return [
    element('repositoryName', {}, nameNow()),
    element('baseURL', {}, baseUrl),
    element('protocolVersion', {}, '2.0'),
    element('adminEmail', {}, adminEmail),
    element('earliestDatestamp', {}, toDatestamp(earliest)),
    element('deletedRecord', {}, 'persistent'),
    element('granularity', {}, 'YYYY-MM-DDThh:mm:ssZ'),
    element(
      'description',
      {},
      element(
        'oai-identifier',
        { xmlns: 'http://www.openarchives.org/OAI/2.0/oai-identifier' },
        element('scheme', {}, 'oai'),
        element('repositoryIdentifier', {}, domain),
        element('delimiter', {}, ':'),
        element('sampleIdentifier', {}, `oai:${domain}:W-HAMLET`)
      )
    )
  ]
}

async function listMetadataFormats(
  repository: OaiRepository,
  principal: Principal,
  { values }: OaiArguments,
  { rootUrl }: OaiRequest
): Promise<Answered> {
  const { identifier } = values
  const type = identifier === undefined ? undefined : (await findRecord(repository, principal, identifier)).type
  return harvestedFormats
    .filter(({ of }) => type === undefined || typesDescribed(repository.model, of).includes(type))
    .map(({ oai: { prefix, schema, namespace } }) =>
      element(
        'metadataFormat',
        {},
        element('metadataPrefix', {}, prefix),
        element('schema', {}, schema.startsWith('/') ? `${rootUrl}${schema}` : schema),
        element('metadataNamespace', {}, namespace)
      )
    )
}

async function getRecord(repository: OaiRepository, principal: Principal, { values }: OaiArguments): Promise<Answered> {
  const { identifier = '', metadataPrefix = '' } = values
  const record = await findRecord(repository, principal, identifier)
  const format = findFormat(metadataPrefix)
  if (!typesDescribed(repository.model, format.of).includes(record.type))
    throw oaiError(
      'cannotDisseminateFormat',
      `"${identifier}" is not available as "${metadataPrefix}", which describes ${format.of}`
    )
  return writeRecords(repository, principal, [record], await format.load())
}

async function listRecords(
  repository: OaiRepository,
  principal: Principal,
  oaiRequest: OaiArguments
): Promise<Answered> {
  const { model, catalogue, pageSize } = repository
  const state = readListState(repository.cursors, oaiRequest)
  const format = findFormat(state.metadataPrefix)
  const described = typesDescribed(model, format.of)
  const types =
    state.set === undefined ? described : typesInSet(model, state.set).filter(each => described.includes(each))
  const { records, next } = await harvestPage(() =>
    catalogue.lists.harvest(principal, {
      types,
      ...state.range,
      limit: pageSize,
      ...(state.position ? { position: state.position } : {})
    })
  )
  if (records.length === 0) throw oaiError('noRecordsMatch', 'No records match')
  const content =
    oaiRequest.verb === 'ListRecords'
      ? await writeRecords(repository, principal, records, await format.load())
      : records.map(record => writeHeader(headerOf(repository, record)))
  const token =
    next && writeToken(repository.cursors, { ...state, position: next, given: state.given + records.length })
  // A list in parts ends with an empty token; a list that fits into one answer has none.
  if (token === undefined && !state.position) return content
  const given = state.given + records.length
  const attributes = {
    cursor: state.given,
    completeListSize: await listSize(repository, principal, state, types, next === undefined ? given : given + 1)
  }
  content.push(element('resumptionToken', attributes, ...(token === undefined ? [] : [token])))
  return content
}

/**
 * The size of a list, to show progress: an estimate, as the standard allows, since deleted records
 * are not counted. Undefined for a list limited by time, which would have to be walked.
 */
async function listSize(
  { catalogue }: OaiRepository,
  principal: Principal,
  { range }: ListState,
  types: readonly string[],
  atLeast: number
): Promise<number | undefined> {
  if (range.from !== undefined || range.until !== undefined) return undefined
  const { count } = await catalogue.lists.entities(principal, {
    filter: { kind: 'types', types },
    order: { items: [{ by: 'created' }], ascending: true },
    skip: 0,
    limit: 0,
    cursor: undefined
  })
  return Math.max(count, atLeast)
}

function readListState(cursors: OpaqueTokens, { verb, values }: OaiArguments): ListState {
  const { resumptionToken, metadataPrefix = '', from, until, set } = values
  if (resumptionToken !== undefined) return readToken(cursors, resumptionToken, verb)
  if (set !== undefined && !/^[\w.!~*'()-]+(?::[\w.!~*'()-]+)*$/.test(set))
    throw oaiError('badArgument', `"set" is not a valid set: "${set}"`)
  return {
    verb,
    metadataPrefix,
    ...(set === undefined ? {} : { set }),
    range: readTimeRange(from, until),
    given: 0
  }
}

/** A token of another catalogue, or from before a restored backup, is invalid. */
async function harvestPage<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.code !== 'cursor_expired') throw error
    throw oaiError('badResumptionToken', error.message)
  }
}

function findFormat(metadataPrefix: string) {
  const format = harvestedFormats.find(({ oai }) => oai.prefix === metadataPrefix)
  if (!format)
    throw oaiError(
      'cannotDisseminateFormat',
      `Unknown format "${metadataPrefix}"; available are ${harvestedFormats.map(({ oai }) => oai.prefix).join(', ')}`
    )
  return format
}

type FoundRecord = Awaited<ReturnType<Catalogue['lists']['harvest']>>['records'][number]

async function findRecord(repository: OaiRepository, principal: Principal, identifier: string): Promise<FoundRecord> {
  const before = `oai:${repository.domain}:`
  const found = identifier.startsWith(before)
    ? await repository.catalogue.lists.findHarvested(principal, identifier.slice(before.length))
    : undefined
  if (!found) throw oaiError('idDoesNotExist', `No record with the identifier "${identifier}"`)
  return found
}

const headerOf = ({ model, domain }: OaiRepository, { id, type, stamp, json }: FoundRecord): RecordHeader => ({
  identifier: `oai:${domain}:${id}`,
  stamp,
  set: setOf(model, type),
  isDeleted: json === null
})

async function writeRecords(
  repository: OaiRepository,
  principal: Principal,
  records: readonly FoundRecord[],
  writer: EmbeddingWriter<Xml>
): Promise<Xml[]> {
  const { catalogue, model } = repository
  const described = await describe(repository, principal, records, writer)
  const takeTurns = createTurns()
  const written: Xml[] = []
  for (const record of records) {
    await takeTurns()
    let now: FoundRecord | undefined = record
    let found = described.get(record.id)
    // Deleted, or deleted and restored, after the page was read: the current state is sent.
    for (let attempt = 0; now && now.json !== null && !found && attempt < maxAttempts; attempt++) {
      now = await catalogue.lists.findHarvested(principal, record.id)
      found = now && (await describe(repository, principal, [now], writer)).get(record.id)
    }
    if (!now) continue
    const metadata = now.json === null || !found ? undefined : writer.embed(model, found, 'oai')
    written.push(writeRecord(headerOf(repository, { ...now, json: metadata ? now.json : null }), metadata))
  }
  return written
}

const maxAttempts = 5

function describe(
  repository: OaiRepository,
  principal: Principal,
  records: readonly FoundRecord[],
  { needs }: EmbeddingWriter<Xml>
): Promise<ReadonlyMap<string, DescribedRecord>> {
  const entities = records.flatMap(({ json }) => (json === null ? [] : [JSON.parse(json) as Entity]))
  return describeRecords(repository, principal, entities, { recordUrl: repository.recordUrl, needs })
}
