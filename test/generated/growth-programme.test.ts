import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, describe, it } from 'node:test'

import { allFormats, formatNames, harvestedFormats, searchedFormats } from '#protocols/formats/registry.ts'
import { createChance, isLong, seed, shuffle } from '../support/records/chance.ts'
import { centre } from '../support/records/hostile-shapes.ts'
import { createClient } from '../support/services/server-process.ts'
import { adminToken } from '../support/services/start.ts'
import { createAskedCatalogue } from './asked-catalogue.ts'
import { findAnswered, importShelf, unanswerable } from './drive-routes.ts'
import { differentTypes, grownRecords } from './grown-catalogue.ts'
import { grownRequests } from './grown-requests.ts'
import { GrowthRig } from './growth-rig.ts'
import {
  createRequestGenerator,
  type GeneratedRequest,
  type OpenApiDocument,
  type Operation,
  readOperations
} from './request-generator.ts'

/*
 * The cost of requests and records grows with their size, not faster. Requests grow in every path,
 * parameter, header and part of a body that the document of the running service has, and stored
 * records in every field, relation and language of the model, up to their limits. Callers with no
 * token, with one that reads and with one that writes send them. The processor time of all threads
 * of the real program is measured for the smallest and the largest size at first, and for those in
 * between when they look bad: 8 times the size may cost 16 times as much. Clocks decide nothing.
 */

/** Sizes of records, in eighths of the largest. */
const sizes = isLong ? [1, 2, 4, 8] : [1, 8]
/** `LONG_SHARE=0.1` tries a tenth of the parts of requests, and of the reads of records. */
const share = isLong ? Number(process.env.LONG_SHARE ?? 1) : 0
/** Numbers that the short tier tries: parts of requests to one operation, lists, records. */
const [shortParts, shortLists, shortRecords] = [2, 10, 1]
/** Characters. */
const maxRequest = isLong ? 1_000_000 : 150_000
/** Headers of one operation that are tried at most: all operations read them alike. */
const maxHeaders = 10
/** `GROWTH_OF=/sru` tries only the operations whose path begins so. */
const only = process.env.GROWTH_OF ?? ''

const chance = createChance(seed)
const some = <T>(list: readonly T[], short: number): T[] =>
  shuffle(list, chance).slice(0, Math.max(short, Math.ceil(list.length * share)))

const shortGrowths = ['texts of open tags', 'values', 'languages', 'relations']
const catalogue = {
  bytes: isLong ? 150_000 : 12_000,
  shapes: isLong ? 2_000 : 100,
  includes: (growth: string) => isLong || shortGrowths.includes(growth)
}

const skip = existsSync('/proc/self/schedstat') ? false : 'there is no /proc/self/schedstat'

describe('The processor time of the service', { skip }, () => {
  const cleanUps: (() => void | Promise<void>)[] = []
  const t = { after: (cleanUp: () => void | Promise<void>) => void cleanUps.unshift(cleanUp) }
  let rig: GrowthRig
  let document: OpenApiDocument
  let records: readonly string[] = []

  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp()
  })

  it('of writes, and of the next start, grows with what is stored', async () => {
    rig = new GrowthRig(t, sizes)
    const empty = await rig.startAll()
    records = await rig.storeAll(size => grownRecords(size / 8, catalogue))
    const types = new Set(records.map(each => each.split('-')[1]))
    const missing = differentTypes.filter(({ type }) => !types.has(type)).map(({ type }) => type)
    assert.deepEqual(missing, [], 'no grown record of these types is stored: mend test/generated/grown-catalogue.ts')
    await rig.judgeStarts('after a kill, without a snapshot of the index', false, empty)
    if (isLong) await rig.judgeStarts('after a stop', true, empty)
    rig.assertNoFaults()
  })

  it('of an answer grows with what is stored, in every format and for every caller', async () => {
    const [service] = rig.services
    assert.ok(service)
    const client = createClient(service.server.port)
    document = JSON.parse((await client.call('GET', '/openapi.json')).text) as OpenApiDocument
    client.close()
    const operations = readOperations(document).filter(({ path }) => path.startsWith(only))
    await rig.makeTokens()
    for (const { name, request } of some(readsOfAll(operations), shortLists))
      await rig.judgeStored(name, () => request(''))
    const ids = records.filter(each => /^GROWN-|^PR-S0-|^PR-CENTRE$/.test(each))
    for (const { name, request } of readsOfOne(operations))
      for (const id of some(ids, shortRecords))
        await rig.judgeStored(name.replace(/\{(?!collection)\w+\}/, id), () => request(id))
    const readable = allFormats.filter(({ reads }) => reads !== undefined && '/imports'.startsWith(only))
    for (const { name, reads, mediaType } of some(readable, 0))
      await rig.judgeStored(`importing an export in ${name}`, async ({ server }) => {
        const { text } = await createClient(server.port).call('GET', `/export?format=${name}`)
        const headers = { 'content-type': mediaType }
        return { method: 'POST', url: `/imports?format=${reads}&preview=1`, headers, body: Buffer.from(text) }
      })
    rig.assertNoFaults()
  })

  it('of an answer grows with the request, in every part of it and for every caller', async () => {
    const [service] = rig.services
    assert.ok(service)
    const admin = createClient(service.server.port)
    t.after(admin.close)
    const world = await createAskedCatalogue((method, url, body) => admin.call(method, url, body))
    await importShelf(admin, world)
    const generator = createRequestGenerator(document, chance, world)
    const unanswered: string[] = []
    let [tried, accepted] = [0, 0]
    for (const operation of generator.operations) {
      if (!operation.path.startsWith(only)) continue
      const name = `${operation.method} ${operation.path}`
      const isAnswerable = !(name in unanswerable)
      const base = isAnswerable
        ? await findAnswered(operation, generator, async request => {
            const answer = await rig.send(service, request, adminToken)
            await world.note(request, answer, answer.headers)
            return answer.status
          })
        : undefined
      if (isAnswerable && base === undefined) unanswered.push(name)
      const request = withoutEffect(operation, base ?? generator.requestFor(operation, 0))
      const grown = Map.groupBy(grownRequests(document, operation, request), each => each.name.startsWith('header'))
      // Each import starts a thread, which costs more than all other requests of the short tier.
      const parts = operation.path === '/imports' && operation.method === 'POST' ? 0 : shortParts
      const headers = some(grown.get(true) ?? [], parts === 0 ? 0 : chance.below(2)).slice(0, maxHeaders)
      for (const each of [...headers, ...some(grown.get(false) ?? [], parts)]) {
        tried++
        const largest = Math.min(each.largest, maxRequest)
        if (await rig.judgeRequest(service, name, { ...each, largest })) accepted++
      }
    }
    console.log(`${tried} parts of requests grown; ${accepted} of them accepted in some size`)
    assert.deepEqual(unanswered, [], 'no generated request succeeds: mend test/generated/request-generator.ts')
    rig.assertNoFaults()
  })

  it('ends with the answers: no thread works past its deadline, and the service is ready', async () => {
    console.log(rig.describe())
    for (const service of rig.services) {
      await rig.assertIdle(service)
      const client = createClient(service.server.port)
      assert.equal((await client.call('GET', '/health/ready')).status, 200)
      client.close()
      // A busy machine lets queries wait until their deadline, or an import until the next request.
      const isPatient = /"code":"(?:unavailable|query_timeout)"|it is attempted again/
      const complaints = service.server.complaints().split('\n')
      assert.deepEqual(
        complaints.filter(line => line !== '' && !isPatient.test(line)),
        []
      )
    }
  })
})

const get = (url: string): GeneratedRequest => ({ method: 'GET', url, headers: {}, body: undefined })

const post = (url: string, body: unknown): GeneratedRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body)
})

/** A request about a stored record, or about all of them. */
interface Read {
  readonly name: string
  request(id: string): GeneratedRequest
}

/** The addresses of an operation: without parameters, and with each value of each choice. */
function choicesOf({ parameters, path }: Operation): string[] {
  const required = parameters.filter(each => each.in === 'query' && each.required).map(({ name }) => `${name}=x`)
  const choices = parameters
    .filter(each => each.in === 'query')
    .flatMap(({ name, schema }) => ((schema.enum ?? []) as string[]).map(value => [...required, `${name}=${value}`]))
  return [required, ...choices].map(each => (each.length === 0 ? path : `${path}?${each.join('&')}`))
}

const readsOfAll = (operations: readonly Operation[]): Read[] => [
  ...operations
    .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    .flatMap(operation => choicesOf(operation).map(url => ({ name: `GET ${url}`, request: () => get(url) }))),
  ...[
    ...harvestedFormats.map(({ oai }) => `/oai?verb=ListRecords&metadataPrefix=${oai?.prefix}`),
    ...searchedFormats.map(({ sru }) => `/sru?query=value&maximumRecords=100&recordSchema=${sru?.name}`),
    ...['/sru?operation=scan&scanClause=title', '/suggest?q=val', '/reconcile?query=value'],
    ...['/entities?limit=1000&facets=type,properties.note.value,properties.ref_other.value&order_by=title'],
    ...['/', '/find?q=value', '/find?q=record', '/feed.atom?q=value', '/sitemap.xml']
  ]
    .filter(url => url.startsWith(only))
    .map(url => ({ name: `GET ${url}`, request: () => get(url) })),
  ...['/entities/filter?highlight=1&limit=100', '/entities/filter?facets=properties.note_x.value']
    .filter(url => url.startsWith(only))
    .map(url => ({ name: `POST ${url}`, request: () => post(url, [{ type: 'search', value: 'value' }]) }))
]

const readsOfOne = (operations: readonly Operation[]): Read[] => [
  ...operations
    .filter(({ method, path }) => method === 'GET' && path.includes('{'))
    .flatMap(operation =>
      choicesOf(operation).map(url => ({
        name: `GET ${url}`,
        request: (id: string) => get(url.replace('{collection}', 'entities').replaceAll(/\{\w+\}/g, id))
      }))
    ),
  ...[
    ...harvestedFormats.map(({ oai }) => `/oai?verb=GetRecord&metadataPrefix=${oai?.prefix}&identifier=oai:localhost:`),
    ...searchedFormats.map(({ sru }) => `/sru?recordSchema=${sru?.name}&query=rec.identifier=`),
    ...['/entities?ids=', '/reconcile/preview?id=', '/record/']
  ]
    .filter(url => url.startsWith(only))
    .map(url => ({ name: `GET ${url}{id}`, request: (id: string) => get(`${url}${id}`) })),
  ...formatNames
    .map(format => `/export?format=${format}`)
    .filter(url => url.startsWith(only))
    .map(url => ({ name: `POST ${url}`, request: (id: string) => post(url, [{ type: 'id', value: [id] }]) })),
  ...operations
    .filter(({ method, path, parameters }) => {
      return method !== 'GET' && path.includes('/{id}') && parameters.some(({ name }) => name === 'dry_run')
    })
    .map(({ method, path }) => ({
      name: `${method} ${path}`,
      request: (id: string) => ({
        ...post(`${path.replaceAll(/\{\w+\}/g, id)}?dry_run=1`, bodyFor(path)),
        method
      })
    }))
]

/** A small change, which is made to a large record. */
const bodyFor = (path: string): unknown => {
  if (path.endsWith('/metadata')) return [{ key: 'note', value: 'x' }]
  if (path.endsWith('/relations')) return [{ type: 'refOther', key: centre }]
  if (path.endsWith('/merge')) return { victim_id: centre }
  return path.endsWith('/revert') ? { version: 1 } : { metadata: [{ key: 'note', value: 'x' }] }
}

/** The request for show, where the operation can be. */
function withoutEffect({ parameters, path }: Operation, request: GeneratedRequest): GeneratedRequest {
  const name = path === '/imports' ? 'preview' : 'dry_run'
  if (!parameters.some(each => each.name === name)) return request
  const [address = '', query = ''] = request.url.split('?')
  const others = query.split('&').filter(each => each !== '' && !each.startsWith(`${name}=`))
  return { ...request, url: `${address}?${[...others, `${name}=1`].join('&')}` }
}
