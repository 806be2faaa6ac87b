import type { Chance } from '../support/records/chance.ts'
import { aForm } from '../support/records/media.ts'
import type { GeneratedRequest, Surroundings } from './request-generator.ts'

/*
 * Requests that are large in every way that the interface allows, and a little larger: bytes,
 * entries, depth, columns, fields, clauses and tags. Many of them once held the main thread for
 * seconds, or exhausted the heap.
 */

/** Bytes of the largest bodies: a little less than the default limit, and a little more. */
const [almostTooLarge, tooLarge] = [1_040_000, 1_060_000]

type Maker = () => GeneratedRequest
type Tools = ReturnType<typeof createTools>

const json = 'application/json'
const formType = 'application/x-www-form-urlencoded'

/** Creates requests, and parts of their bodies. */
function createTools(chance: Chance, { tokens, ids, leftBehind, made }: Surroundings) {
  const anId = () => chance.pickOr(chance.oneIn(3) ? leftBehind : [...ids.values()].flat(), 'PR-1')
  const count = () => chance.pick([200, 1_000, 1_001, 10_000, 10_001, 50_000])
  const times = (number: number, make: (index: number) => string, separator = ',') =>
    Array.from({ length: number }, (_, index) => make(index)).join(separator)
  const send = (method: string, url: string, media?: string, body?: string | Buffer): GeneratedRequest => ({
    method,
    url,
    headers: {
      authorization: `Bearer ${chance.oneIn(4) ? chance.pickOr(tokens, '') : (tokens[0] ?? '')}`,
      ...(media === undefined ? {} : { 'content-type': media })
    },
    body: typeof body === 'string' ? body.slice(0, tooLarge) : body
  })
  const entry = (key: string, value: string) => `{"key":${JSON.stringify(key)},"value":${JSON.stringify(value)}}`
  const record = (type: string, metadata: string, more = '') => `{"type":"${type}","metadata":[${metadata}]${more}}`
  /** Creates most records only for show, so that the catalogue does not grow for ever. */
  const create = (body: string) => send('POST', `/entities${chance.oneIn(3) ? '' : '?dry_run=1'}`, json, body)
  const filter = (body: string) =>
    send('POST', `/${chance.pick(['entities/filter', 'mediafiles/filter', 'export', 'history/filter'])}`, json, body)
  const long = () =>
    chance.pick(['x', 'a ', 'é', '* ', '日本', '"', '<', 'ab-']).repeat(chance.pick([2_000, 60_000, 300_000]))

  const html = () => {
    const [opened, blocks] = [chance.pick([10, 300, 2_000]), chance.pick([10, 300, 2_000])]
    return chance.pick([
      `<p>${times(opened, index => `<b title=${index}>`, '')}${'<p>x'.repeat(blocks)}`,
      '<div>'.repeat(opened * 10),
      `<x>${'<y></y>'.repeat(opened * 20)}</x>`,
      `<a ${times(opened * 10, index => `a${index}=1`, ' ')}>`,
      '<table><tr><td>'.repeat(opened),
      '<svg><style><!--'.repeat(opened),
      `&${'amp;'.repeat(opened * 20)}`
    ])
  }
  const media = () => chance.pickOr(made.get('mediafiles') ?? [], 'nothing')
  return { anId, count, times, send, entry, record, create, filter, long, html, media }
}

const recordRequests = (
  { anId, count, times, send, entry, record, create, long, html }: Tools,
  chance: Chance
): readonly Maker[] => [
  () =>
    create(
      record(
        'production',
        times(count(), index => entry(`k${index}`, 'v'))
      )
    ),
  () => create(record('production', entry('title', long()))),
  () => create(record('production', `${entry('title', 'x')},${entry('description_short', html())}`)),
  () => create(record('production', `{"key":"title","value":[${times(count(), String)}]}`)),
  () => create(record('production', `{"key":"title","value":[${'9e999,'.repeat(150_000)}1]}`)),
  () =>
    create(record('production', entry('title', 'x'), `,"identifiers":[${times(count(), index => `"h-${index}"`)}]`)),
  () =>
    create(
      record(
        'production',
        entry('title', 'x'),
        `,"relations":[${times(count(), () => `{"type":"refVenues","key":"${anId()}"}`)}]`
      )
    ),
  () => create('{"a":'.repeat(chance.pick([31, 33, 5_000, 200_000]))),
  () => create(`${'['.repeat(almostTooLarge / 2)}${']'.repeat(almostTooLarge / 2)}`),
  () => create(`{${times(count(), index => `"m${index}":0`)}}`),
  () => create(`"${'\\u0000'.repeat(170_000)}"`),
  () => create(' '.repeat(chance.pick([almostTooLarge, tooLarge]))),
  () =>
    send('PUT', `/entities/${anId()}`, json, `{"metadata":[${times(count(), index => entry('name', `v${index}`))}]}`),
  () =>
    send(
      'PATCH',
      `/entities/${anId()}?dry_run=1`,
      'application/json-patch+json',
      `[{"op":"add","path":"/a","value":{}},${times(15, n => `{"op":"copy","from":"/a","path":"${'/a'.repeat(2 ** n + 1)}"}`)}]`
    ),
  () =>
    send(
      'PATCH',
      `/entities/${anId()}?dry_run=1`,
      'application/json-patch+json',
      `[${times(count(), () => '{"op":"test","path":"/metadata/0/key","value":"name"}')}]`
    ),
  () =>
    send(
      'POST',
      `/entities/${anId()}/metadata?dry_run=1`,
      json,
      `[${times(count(), index => entry(`k${index}`, 'v'))}]`
    ),
  () => send('DELETE', '/entities?dry_run=1', json, `{"ids":[${times(count(), index => `"X-${index}"`)}]}`),
  () => send('POST', '/entities/wem', json, `{"ids":[${times(count(), () => '"M-1"')}]}`)
]

const batchRequests = ({ count, times, send, entry, record }: Tools, chance: Chance): readonly Maker[] => [
  () => send('POST', '/entities/batch?dry_run=1', json, `[${times(count(), () => '{}')}]`),
  () =>
    send(
      'POST',
      `/entities/batch?dry_run=1&atomic=${chance.below(2)}`,
      'application/x-ndjson',
      times(chance.pick([250, 3_000]), () => `{"op":"create","entity":${record('person', entry('name', 'x'))}}`, '\n')
    ),
  () => send('POST', '/entities/batch?dry_run=1', 'application/x-ndjson', `[${'{},'.repeat(300_000)}{}]`),
  () => send('PUT', '/entities?dry_run=1', 'text/csv', `id,${times(count(), index => `c${index}`)}\n`),
  () =>
    send(
      'PUT',
      '/entities?dry_run=1',
      'text/csv',
      `id,type,name\n${times(count(), index => `,person,n${index}`, '\n')}`
    ),
  () => send('PUT', '/entities?dry_run=1', 'text/csv', `id,type,name\n,person,"${'""'.repeat(300_000)}`),
  () => send('PUT', '/entities?dry_run=1', 'text/csv', Buffer.from('69642c747970650aefbbbf226162630a', 'hex')),
  () => send('POST', '/batch?dry_run=1', json, `[${times(count(), () => record('person', entry('name', 'x')))}]`)
]

const searchRequests = ({ anId, count, times, send, filter, long }: Tools, chance: Chance): readonly Maker[] => [
  () => filter(`[${times(count(), () => '{"type":"type","value":"person"}')}]`),
  () => filter(`[{"type":"text","key":"properties.title.value","value":${JSON.stringify(long())}}]`),
  () => filter(`[{"type":"search","value":${JSON.stringify(long().slice(0, 5_000))}}]`),
  () => filter(`[{"type":"search","value":"${times(chance.pick([30, 60, 900]), index => `w${index}*`, ' ')}"}]`),
  () => filter(`[{"type":"id","value":[${times(count(), index => `"X-${index}"`)}]}]`),
  () => filter(`[{"type":"selection","key":"type","value":[${times(count(), index => `"${index}"`)}]}]`),
  () => filter('[{"type":"type","value":"x","or":'.repeat(30)),
  () => filter(`[${times(64, () => `{"type":"text","key":["id","identifiers"],"value":"*${'a*'.repeat(15)}"}`)}]`),
  () => send('GET', `/entities?ids=${times(count(), index => `X${index}`).slice(0, 30_000)}`),
  () =>
    send(
      'GET',
      `/entities?limit=1000&facets=${times(30, index => `properties.f${index}.value`)}&order_by=title,name,id`
    ),
  () => send('GET', `/entities?${times(3_000, index => `p${index}=1`, '&').slice(0, 30_000)}`),
  () => send('GET', `/suggest?q=${encodeURIComponent(long().slice(0, 3_000))}`),
  () => send('GET', `/entities/${anId()}/history?limit=1000`),
  () => send('GET', `/export?format=${chance.pick(['marc21', 'csv', 'turtle', 'jsonld', 'bibtex', 'mods'])}`),
  () => send('GET', `/export?format=csv&columns=${times(900, index => `properties.c${index}.value`)}`)
]

const protocolRequests = ({ anId, times, send }: Tools, chance: Chance): readonly Maker[] => [
  () =>
    send(
      'POST',
      chance.pick(['/oai', '/sru', '/reconcile']),
      formType,
      'a&'.repeat(chance.pick([100, 30_000, 500_000]))
    ),
  () => send('POST', '/sru', formType, `query=${'('.repeat(chance.pick([50, 20_000]))}a`),
  () => send('POST', '/sru', formType, `query=${times(chance.pick([60, 3_000]), () => 'dc.title%3Da', '+or+')}`),
  () => send('POST', '/sru', formType, `query=%22${'*a'.repeat(20_000)}%22`),
  () =>
    send(
      'POST',
      '/reconcile',
      formType,
      `queries={${times(chance.pick([50, 1_000]), index => `"q${index}":{"query":"show ${index}"}`)}}`
    ),
  () => send('POST', '/reconcile', formType, `queries={"q":{"query":"${'word '.repeat(12_000)}"}}`),
  () =>
    send(
      'POST',
      '/reconcile',
      formType,
      `extend=${encodeURIComponent(
        `{"ids":[${times(1_000, () => `"${anId()}"`)}],"properties":[${times(20, () => '{"id":"refAuthors"}')}]}`
      )}`
    ),
  () => send('POST', '/oai', formType, `verb=ListRecords&resumptionToken=${'A'.repeat(60_000)}`)
]

const fileRequests = ({ anId, count, times, send, media }: Tools, chance: Chance): readonly Maker[] => [
  () => send('POST', '/imports?format=csv&preview=1', 'text/csv', `id,${times(count(), index => `c${index}`)}\n`),
  () =>
    send(
      'POST',
      '/imports?preview=1',
      'application/marc',
      Buffer.alloc(chance.pick([100, 100_000, almostTooLarge]), '00026')
    ),
  () => send('POST', '/imports?preview=1', 'application/marcxml+xml', `<collection>${'<record>'.repeat(50_000)}`),
  () => send('PUT', `/mediafiles/${media()}/content`, 'image/png', Buffer.alloc(chance.pick([0, 2_000_000]), 1)),
  () => {
    const fields = Object.fromEntries(
      Array.from({ length: chance.pick([20, 3_000]) }, (_, index) => [`f${index}`, 'x'])
    )
    const { body, headers } = aForm(fields, { filename: 'n'.repeat(5_000), bytes: Buffer.alloc(10) })
    return send('POST', `/entities/${anId()}/mediafiles`, headers['content-type'], body)
  }
]

const headerRequests = ({ anId, times, send, entry, record, create, media }: Tools): readonly Maker[] => [
  () => withHeader(send('GET', `/entities/${anId()}`), 'if-none-match', times(6_000, () => '"x"').slice(0, 25_000)),
  () => withHeader(send('GET', `/entities/${anId()}`), 'accept', times(3_000, () => 'a/b;q=0.1').slice(0, 25_000)),
  () => withHeader(send('GET', `/entities/${anId()}`), 'authorization', `Bearer ${'a.'.repeat(12_000)}`),
  () =>
    withHeader(
      send('GET', `/mediafiles/${media()}/content`),
      'range',
      `bytes=${times(4_000, index => `${index}-`).slice(0, 25_000)}`
    ),
  () => withHeader(create(record('person', entry('name', 'x'))), 'idempotency-key', 'k'.repeat(20_000)),
  () => withHeader(send('GET', '/entities'), 'accept-encoding', times(3_000, () => 'gzip;q=0.5').slice(0, 25_000))
]

export function createHostileSizes(chance: Chance, surroundings: Surroundings) {
  const tools = createTools(chance, surroundings)
  const makers = [
    ...recordRequests(tools, chance),
    ...batchRequests(tools, chance),
    ...searchRequests(tools, chance),
    ...protocolRequests(tools, chance),
    ...fileRequests(tools, chance),
    ...headerRequests(tools)
  ]
  return { next: () => chance.pickOr(makers, makers[0] as Maker)(), count: makers.length }
}

const withHeader = (request: GeneratedRequest, name: string, value: string): GeneratedRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value }
})
