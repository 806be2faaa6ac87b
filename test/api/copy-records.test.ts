import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { cataloguePresets } from '#domain/imports/foreign-catalogue.ts'
import { searchUrl } from '#imports/foreign-catalogues.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { createBook } from '../support/records/entities.ts'
import { assertProblem } from '../support/records/write-cases.ts'
import { listen } from '../support/services/listen.ts'
import { start, type Teardown } from '../support/services/start.ts'

/* Records copied from other catalogues by SRU. One of them is this service with the sample. */

const peer = await start({ after }, { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: 'https://peer.example' })
await loadSample(peer.libretto)
const sru = `http://127.0.0.1:${await listen(peer)}/sru`
const service = await start({ after }, { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1', WEBHOOK_TIMEOUT: '600000' })
service.libretto.startBackground(assert.ifError)
const { get, put } = service

const listed = (...catalogues: readonly { readonly name: string; readonly address: string }[]) =>
  put('/site', { catalogues })
const search = async (q: string) => {
  const { status, body, text } = await get(`/catalogues/records?q=${encodeURIComponent(q)}`)
  assert.equal(status, 200, text)
  return body
}
const isbnOf = async (id: string) =>
  (await peer.get(`/entities/${id}`)).body.metadata.find((each: { key: string }) => each.key === 'isbn').value

/** A server that answers every request in the same way. */
async function answering(t: Teardown, answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(answer ?? (() => {}))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const response = (records: string) =>
  `<?xml version="1.0"?><srw:searchRetrieveResponse xmlns:srw="http://www.loc.gov/zing/srw/"><srw:version>1.1</srw:version><srw:numberOfRecords>17</srw:numberOfRecords><srw:records>${records}</srw:records></srw:searchRetrieveResponse>`

describe('A search of other catalogues', () => {
  it('finds a record by its ISBN and by words, and shows what is here', async () => {
    await listed({ name: 'The peer', address: sru })
    assert.deepEqual((await get('/catalogues')).body, [{ name: 'The peer' }])
    const isbn = await isbnOf('M-HAMLETEN2016')
    const [{ name, count, records, error }] = await search(isbn)
    assert.deepEqual([name, count, error], ['The peer', 1, undefined])
    assert.match(records[0].title, /^Hamlet/)
    assert.deepEqual(records[0].here, [])
    assert.ok(records[0].publisher.length > 0 && records[0].year.length > 0)
    const [byWords] = await search('hamlet shakespeare')
    assert.ok(byWords.count > 1 && byWords.records.length > 1)
    const book = await createBook(service, { manifestation: { fields: { title: 'Ours', isbn } } })
    const [beside] = await search(isbn)
    assert.deepEqual(beside.records[0].here, [{ id: book.manifestation, type: 'manifestation_word', label: 'Ours' }])
  })

  it('gives a record that is imported like any other file, and is found here then', async () => {
    const [{ records }] = await search('hamlet shakespeare')
    const isOther = (each: { isbn: string[]; here: unknown[] }) => each.isbn.length > 0 && each.here.length === 0
    const record = records.find(isOther)
    const headers = { 'content-type': 'application/marcxml+xml' }
    const { body: job, text } = await service.call('POST', '/imports?name=peer&format=marcxml', {
      ...{ body: record.source, headers }
    })
    assert.ok(job.id, text)
    const read = async () => (await get(`/imports/${job.id}`)).body
    while (!['done', 'failed'].includes((await read()).state)) await sleep(20)
    const done = await read()
    assert.equal(done.state, 'done', JSON.stringify(done))
    const [again] = await search(record.isbn[0])
    assert.equal(again.records[0].here.length, 1)
  })

  it('tells of each catalogue why it gave nothing, and shows the others', async t => {
    const record =
      '<srw:record><srw:recordPacking>xml</srw:recordPacking><srw:recordData><mxc:record xmlns:mxc="info:lc/xmlns/marcxchange-v2" format="UNIMARC" type="Bibliographic"><mxc:leader>00000nam0 2200000   450 </mxc:leader><mxc:controlfield tag="001">FRBNF1</mxc:controlfield><mxc:datafield tag="010" ind1=" " ind2=" "><mxc:subfield code="a">978-2-07-036822-8</mxc:subfield></mxc:datafield><mxc:datafield tag="200" ind1="1" ind2=" "><mxc:subfield code="a">La peste</mxc:subfield><mxc:subfield code="f">Albert Camus</mxc:subfield></mxc:datafield></mxc:record></srw:recordData></srw:record>'
    const names = {
      unimarc: await answering(t, (_, reply) => reply.end(response(record))),
      diagnostic: await answering(t, (_, reply) =>
        reply.end(
          response(
            '</srw:records><srw:diagnostics><diagnostic xmlns="http://www.loc.gov/zing/srw/diagnostic/"><uri>info:srw/diagnostic/1/16</uri><message>Unsupported index</message></diagnostic></srw:diagnostics><srw:records>'
          )
        )
      ),
      page: await answering(t, (_, reply) => reply.end('<html><body>Maintenance</body></html>')),
      broken: await answering(t, (_, reply) => reply.writeHead(500).end()),
      moved: await answering(t, (_, reply) => reply.writeHead(302, { location: sru }).end()),
      endless: await answering(t, (asked, reply) => {
        const more = () => {
          while (reply.write('x'.repeat(65_536)));
        }
        reply.on('drain', more)
        asked.on('close', () => reply.destroy())
        more()
      }),
      inside: 'http://10.0.0.1/sru',
      nameless: 'http://localhost.:1/sru'
    }
    await listed(...Object.entries(names).map(([name, address]) => ({ name, address })))
    const answers = await search('peste')
    const of = new Map(answers.map((each: { name: string }) => [each.name, each]))
    const got = (name: string) => of.get(name) as { count: number; records: { title: string }[]; error?: string }
    assert.equal(got('unimarc').count, 17)
    assert.deepEqual(
      got('unimarc').records.map(({ title }) => title),
      ['La peste']
    )
    for (const [name, expected] of [
      ['diagnostic', /Unsupported index/],
      ['page', /not one of SRU/],
      ['broken', /status 500/],
      ['moved', /status 302/],
      ['endless', /more than 4000000 bytes/],
      ['inside', /Refused: 10\.0\.0\.1 is not a public address/]
    ] as const) {
      assert.match(got(name).error ?? '', expected, name)
      assert.deepEqual(got(name).records, [], name)
    }
    assert.ok(got('nameless').error)
  })

  it('does not wait for ever, and asks nobody inside the house unless the operator allows it', async t => {
    const asked: string[] = []
    const address = await answering(t, ({ url = '' }, reply) => {
      asked.push(url)
      reply.end(response(''))
    })
    const hasty = await start(t, { WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1', WEBHOOK_TIMEOUT: '10' })
    await hasty.put('/site', { catalogues: [{ name: 'Silent', address: await answering(t, () => {}) }] })
    assert.match((await hasty.get('/catalogues/records?q=x')).body[0].error, /^No response within 10 ms/)
    const strict = await start(t)
    await strict.put('/site', { catalogues: [{ name: 'Inside', address }] })
    const { body } = await strict.get('/catalogues/records?q=hamlet')
    assert.match(body[0].error, /^Refused: 127\.0\.0\.1 is not a public address/)
    assert.deepEqual(asked, [])
  })

  it('is for people who may import', async () => {
    const token = await service.tokenWith('read')
    for (const path of ['/catalogues', '/catalogues/records?q=x'])
      assertProblem(await get(path, { token }), 'forbidden')
    assertProblem(await get('/catalogues/records?q=%22'), 'invalid')
  })
})

describe('The address of a search', () => {
  const target = {
    name: 'X',
    address: 'https://x.example/sru?db=1',
    version: '1.1',
    schema: 'marcxml',
    isbn: 'bath.isbn',
    words: 'any all'
  } as const
  const queryOf = (text: string) => new URL(searchUrl(target, text)).searchParams.get('query')

  it('has an ISBN in one form, and words that cannot leave their quotes', () => {
    assert.equal(queryOf('0-306-40615-2'), 'bath.isbn="9780306406157"')
    assert.equal(queryOf('a "b" \\ or c=d'), 'any all "a" and any all "b" and any all "or" and any all "c=d"')
    assert.match(searchUrl(target, 'x'), /^https:\/\/x\.example\/sru\?db=1&version=1\.1&operation=searchRetrieve&/)
  })

  it('can be made for every catalogue that is offered', () => {
    for (const preset of cataloguePresets) assert.ok(URL.canParse(searchUrl(preset, 'hamlet')), preset.name)
  })
})
