import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

import { parse } from 'parse5'

import { createTestDatabase, testStore } from '../support/databases/database.ts'
import { aVenue, metadata } from '../support/records/entities.ts'
import { startServer } from '../support/services/server-process.ts'
import { type Answer, start, temporaryFolder } from '../support/services/start.ts'

/*
 * Every error at the address of a page for visitors is a page in the language of the reader,
 * whatever part of the service refused the request. Programs get problems as everywhere.
 */

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const service = await start({ after }, { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: 'https://catalogue.example.org/sub' })
await service.create({ ...aVenue(), id: 'VE-1' })

const visit = (path: string, { accept = browser, language = 'en', method = 'GET', of = service } = {}) =>
  of.call(method, path, { token: undefined, isSentOnce: true, headers: { accept, 'accept-language': language } })

/** Fails unless an answer is a sound page in a language. Returns its heading. */
function headingOf({ status, headers, text }: Answer, expected: number, language = 'en'): string {
  assert.equal(status, expected, text)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8', text)
  const faults: string[] = []
  parse(text, { onParseError: ({ code }) => faults.push(code) })
  assert.deepEqual(faults, [])
  assert.match(text, new RegExp(`<html lang="${language}"`))
  assert.match(text, /<meta name="robots" content="noindex">/)
  assert.match(String(headers.vary), /Accept-Language/)
  assert.match(String(headers['content-security-policy']), /script-src 'self'/)
  assert.doesNotMatch(text, /href="(?:\/\/|[^"]*[?&](?:amp;)?lang=[^"]*lang=)/)
  return /<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? ''
}

const problemType = /^application\/problem\+json/
const long = 'x'.repeat(501)
const cases: readonly [
  path: string,
  status: number,
  heading: string,
  options?: { accept?: string; method?: string }
][] = [
  ['/nothing', 404, 'Page not found'],
  ['/works/and/more?x=%22%3E%3Cb%3E', 404, 'Page not found'],
  ['/.//evil.example/', 404, 'Page not found'],
  ['/assets/none.js', 404, 'Page not found'],
  ['/sitemap-9999.xml', 404, 'Page not found'],
  ['/record/NOPE', 404, 'Record not found'],
  ['/find', 405, 'Page not found', { method: 'POST' }],
  [`/find?q=${long.repeat(10)}`, 400, 'The address is not valid'],
  ['/find?cursor=old', 400, 'The address is not valid'],
  ['/find?q=a&q=b', 400, 'The address is not valid'],
  ['/?lang=nl&lang=fr', 400, 'The address is not valid'],
  ['/record/VE-1?skip=-1', 400, 'The address is not valid'],
  ['/%zz', 400, 'The address is not valid'],
  [`/record/${long}`, 400, 'The address is not valid'],
  ['/feed.atom', 406, 'The address is not valid', { accept: 'text/html' }],
  ['/sitemap.xml', 406, 'The address is not valid', { accept: 'text/html' }]
]

describe('An error of a page for visitors', () => {
  for (const [path, status, heading, options] of cases)
    it(`is a page: ${options?.method ?? 'GET'} ${path.slice(0, 40)} is ${status}`, async () => {
      assert.equal(headingOf(await visit(path, options), status), heading)
    })

  it('is written in the language of the reader', async () => {
    const titles = {
      nl: 'Pagina niet gevonden',
      fr: 'Page introuvable',
      de: 'Seite nicht gefunden',
      en: 'Page not found'
    }
    for (const [language, title] of Object.entries(titles)) {
      assert.equal(headingOf(await visit('/nothing', { language }), 404, language), title)
      for (const path of [`/nothing?lang=${language}`, `/${language}/nothing`])
        assert.equal(headingOf(await visit(path, { language: 'nl' }), 404, language), title)
    }
  })

  it('is a problem for programs, and at the paths of the interface', async () => {
    for (const accept of ['*/*', 'application/json'])
      for (const path of ['/nothing', '/record/VE-1?skip=-1']) {
        const { headers, body } = await visit(path, { accept })
        assert.match(String(headers['content-type']), problemType, path)
        assert.match(body.code, /^(?:no_such_path|bad_request|not_acceptable)$/)
      }
    for (const path of ['/entities?limit=-1', '/entities/NOPE/tree', '/entities/a/b/c/d', '/tokens', '/health/nothing'])
      assert.match(String((await visit(path)).headers['content-type']), problemType, path)
  })

  it('is a problem where there are no such pages', async t => {
    const closed = await start(t)
    assert.equal((await visit('/nothing', { of: closed })).body.code, 'no_such_path')
  })

  it('is a page also where an address sent too many requests', async t => {
    const limited = await start(t, { ANONYMOUS_ACCESS: 'read', ADDRESS_RATE_LIMIT: '1/60' })
    await visit('/opensearch.xml', { of: limited })
    const answer = await visit('/', { of: limited, language: 'nl' })
    assert.equal(headingOf(answer, 429, 'nl'), 'Te veel verzoeken')
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
  })

  it('is a page also where the service fails or its database is away', async t => {
    const broken = await start(t, { ANONYMOUS_ACCESS: 'read' })
    await broken.libretto.store[Symbol.asyncDispose]()
    for (const path of ['/', '/find?q=hamlet', '/record/W-1']) {
      const answer = await visit(path, { of: broken })
      const heading = headingOf(answer, answer.status)
      assert.ok(answer.status === 500 || answer.status === 503, `${path}: ${answer.status}`)
      assert.match(heading, answer.status === 500 ? /^Something went wrong$/ : /^The catalogue is not available$/)
      assert.match(answer.text, new RegExp(`Number of this request: ${answer.headers['x-request-id']}<`))
    }
  })
})

describe('While the index is built', () => {
  it('readers see a page that says so and reloads, and the service stays ready', async t => {
    const [url, folder] = [await createTestDatabase(t), temporaryFolder(t)]
    await fill(url)
    if (testStore === 'sqlite') rmSync(`${url.slice('sqlite:'.length)}.index`, { force: true })
    // The thread that builds the index begins when a file is there.
    const [held, begin] = [join(folder, 'held.mjs'), join(folder, 'begin')]
    writeFileSync(
      held,
      `import { existsSync } from 'node:fs'
       import { workerData } from 'node:worker_threads'
       if (workerData !== null && typeof workerData === 'object' && 'mayReadSnapshot' in workerData)
         while (!existsSync(${JSON.stringify(begin)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)`
    )
    const server = await startServer(t, url, {
      ...{ ANONYMOUS_ACCESS: 'read', QUERY_DEADLINE: '1000', LOG_LEVEL: 'fatal' },
      NODE_OPTIONS: `--import=${pathToFileURL(held).href}`
    })
    const read = async (path: string): Promise<Answer> => {
      const answer = await fetch(server.url + path, { headers: { accept: browser } })
      const [headers, text] = [Object.fromEntries(answer.headers), await answer.text()]
      return { status: answer.status, headers, text, body: undefined }
    }
    let answer = await read('/find')
    while (headingOf(answer, 503) !== 'The catalogue is being prepared') answer = await read('/find')
    assert.match(answer.text, /Searching works again in a few minutes\. This page reloads by itself\./)
    assert.match(answer.text, /<meta name="libretto-reload" content="10">/)
    assert.match(answer.text, /<noscript><meta http-equiv="refresh" content="10"><\/noscript>/)
    assert.match(String(answer.headers['retry-after']), /^\d+$/)
    const ready = await read('/health/ready')
    assert.equal(ready.status, 200)
    assert.deepEqual(Object.keys(JSON.parse(ready.text)), ['status', 'indexing'])

    writeFileSync(begin, '')
    while (answer.status !== 200) answer = await read('/find')
    assert.equal(headingOf(await read('/nothing'), 404), 'Page not found')
  })
})

/** Stores more records than are indexed within a query, so that the index is built beside them. */
async function fill(url: string) {
  const filled = await start({ after: () => {} }, { DATABASE_URL: url })
  const lines = Array.from({ length: 1100 }, (_, number) => ({
    ...{ op: 'create', type: 'genre', id: `GEN-${number}` },
    metadata: metadata({ name: `Genre ${number}` })
  }))
  const answer = await filled.post('/entities/batch?atomic=1', lines)
  assert.equal(answer.status, 200, answer.text.slice(0, 500))
  await filled.app.close()
  await filled.libretto[Symbol.asyncDispose]()
}
