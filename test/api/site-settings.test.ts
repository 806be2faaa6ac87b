import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { createTestDatabase } from '../support/databases/database.ts'
import { assertProblem } from '../support/records/write-cases.ts'
import { start } from '../support/services/start.ts'

/* The settings of the site, which an administrator changes while the service runs. */

const nobody = { token: undefined }
const examples = join(import.meta.dirname, '../../deploy/sites')
const environment = {
  DATABASE_URL: await createTestDatabase({ after }),
  ANONYMOUS_ACCESS: 'read',
  PUBLIC_URL: 'https://catalogue.example.org',
  SITE: join(examples, 'theatre.json')
}
const service = await start({ after }, environment)
const { get, put } = service
const remove = service.delete
const svg = (text: string) => `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"></svg>'
const settings = {
  name: 'Het <Nieuwe> Huis',
  logo: svg(drawing),
  colours: { brand: '#14532d' },
  contact: ['Kade 1'],
  links: [{ text: { nl: 'Colofon', en: 'Imprint' }, address: '/record/X' }],
  languages: ['nl', 'fr'],
  start: [{ block: 'text', text: 'Welkom' }]
}

describe('The settings of the site', () => {
  it('are those of the file at first, with its files inside', async () => {
    const { body, headers } = await get('/site')
    assert.equal(body.source, 'file')
    assert.equal(headers.etag, '"file"')
    assert.deepEqual({ ...body.settings, logo: 0 }, { ...JSON.parse(readFileSync(environment.SITE, 'utf8')), logo: 0 })
    assert.equal(body.settings.logo, svg(readFileSync(join(examples, 'theatre.svg'), 'utf8')))
    assert.ok(body.presets.length >= 5)
  })

  it('replace those of the file as a whole, in every page at once, until they are deleted', async t => {
    t.after(() => remove('/site'))
    const before = (await get('/', nobody)).text
    const stored = await put('/site', settings)
    assert.equal(stored.status, 200, stored.text)
    assert.equal(stored.body.source, 'database')
    assert.deepEqual(stored.body.settings, settings)
    const { text } = await get('/', { ...nobody, headers: { 'accept-language': 'de' } })
    assert.match(text, /<html lang="nl"[\s\S]*<title>Het &lt;Nieuwe&gt; Huis<\/title>/)
    assert.match(text, /Welkom[\s\S]*<a href="\/record\/X">Colofon</)
    assert.match(text, /Kade 1/)
    assert.doesNotMatch(text, /delinde\.example|hreflang="de"/)
    const files = [...new Set([...text.matchAll(/"(\/site\/[^"]*)"/g)].map(([, file = '']) => file))]
    assert.deepEqual(files.map(each => each.replace(/.*-/, '')).toSorted(), ['logo.svg'])
    for (const file of files) assert.equal((await get(file, nobody)).status, 200, file)
    assert.match((await get('/feed.atom', nobody)).text, /<title>Het &lt;Nieuwe&gt; Huis: /)
    assert.match((await get('/sign-in', nobody)).text, /<title>Het &lt;Nieuwe&gt; Huis|not built/)
    const browser = { ...nobody, headers: { accept: 'text/html' } }
    assert.match((await get('/nothing', browser)).text, /Het &lt;Nieuwe&gt; Huis/)
    assert.equal((await get('/de/', browser)).status, 404)

    assert.equal((await remove('/site')).body.source, 'file')
    assert.equal((await get('/', nobody)).text, before)
    assert.equal((await get('/de/', browser)).status, 200)
  })

  it('are the same in every process', async t => {
    t.after(() => remove('/site'))
    const other = await start(t, environment)
    other.libretto.startBackground(assert.ifError)
    await put('/site', settings)
    while (!(await other.get('/', nobody)).text.includes('Kade 1')) await sleep(20)
    assert.equal((await other.get('/de/', { ...nobody, headers: { accept: 'text/html' } })).status, 404)
    // One that starts later has them from the beginning.
    const later = await start(t, environment)
    assert.match((await later.get('/', nobody)).text, /Kade 1/)
  })

  it('are not changed over the head of somebody else', async t => {
    t.after(() => remove('/site'))
    const { headers } = await put('/site', settings, { headers: { 'if-match': '"file"' } })
    assertProblem(await put('/site', {}, { headers: { 'if-match': '"file"' } }), 'version_mismatch')
    assertProblem(await remove('/site', { headers: { 'if-match': '"file"' } }), 'version_mismatch')
    const again = await put('/site', { ...settings, name: 'B' }, { headers: { 'if-match': String(headers.etag) } })
    assert.equal(again.status, 200)
    assert.notEqual(again.headers.etag, headers.etag)
  })

  it('are refused with every fault, its place, and a colour that can be read', async () => {
    const refused = await put('/site', {
      name: '',
      colours: { brand: '#ffcc00' },
      logo: 'theatre.svg',
      typefaces: { text: 'data:font/woff2;base64,AAAA' },
      links: [{ text: 'A', address: 'javascript:1' }],
      catalogues: [
        { name: 'X', address: 'ftp://x.example/' },
        { name: 'Y', address: 'https://y', isbn: 'a"b' }
      ]
    })
    assertProblem(refused, 'invalid')
    const faults = refused.body.errors as { pointer: string; message: string }[]
    assert.deepEqual(faults.map(({ pointer }) => pointer).toSorted(), [
      ...['/catalogues/0/address', '/catalogues/1/isbn', '/colours/brand', '/links/0/address'],
      ...['/logo', '/name', '/typefaces/text']
    ])
    const colour = faults.find(({ pointer }) => pointer === '/colours/brand')
    assert.match(colour?.message ?? '', /text needs 4\.5:1\. "#[0-9a-f]{6}" would do/)
    for (const body of [[], 'x', 7]) assert.equal((await put('/site', JSON.stringify(body))).status, 400)
    assert.equal((await get('/site')).body.source, 'file')
  })

  it('have templates of MARC records, which are checked and listed', async t => {
    t.after(() => remove('/site'))
    assert.deepEqual((await get('/templates')).body, [])
    const templates = [{ name: 'Thesis', lines: 'LDR 00000nam a2200000 i 4500\n245 10 $a :$b /$c\n502 ## $b$c$d' }]
    assert.equal((await put('/site', { ...settings, templates })).status, 200)
    assert.deepEqual((await get('/templates')).body, templates)
    for (const lines of ['', 'no field', '245 10 aTitle', 'LDR short', '500 ## $a\n'.repeat(201)]) {
      const refused = await put('/site', { templates: [{ name: 'Bad', lines }] })
      assert.equal(refused.status, 400, lines)
      assert.match(refused.text, /templates\[0\]\.lines/)
    }
    assert.match((await put('/site', { templates: [{ lines: '245 10 $a' }] })).text, /templates\[0\]\.name/)
    assert.deepEqual((await get('/templates')).body, templates)
  })

  it('are for administrators, who are named in the log', async () => {
    const editor = await service.tokenWith('read', 'write', 'delete')
    for (const answer of [
      await get('/site', { token: editor }),
      await put('/site', settings, { token: editor }),
      await remove('/site', { token: editor })
    ])
      assertProblem(answer, 'forbidden')
    await put('/site', settings)
    await remove('/site')
    const [reset, change] = (await get('/audit?limit=2')).body.acts
    assert.deepEqual([change.act, change.by, reset.act], ['site.change', 'token:admin', 'site.reset'])
    assert.deepEqual(change.details, { members: Object.keys(settings) })
  })
})
