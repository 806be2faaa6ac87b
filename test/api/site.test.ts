import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { contrastOf, inkOn, minContrast, readableIn, surfaces } from '#pages/colours.ts'
import { languages } from '#pages/phrases.ts'
import { readSite } from '#pages/read-site.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { aProduction, aVenue, createBook, metadata, relations } from '../support/records/entities.ts'
import { aPng, createMediafile } from '../support/records/media.ts'
import { start, temporaryFolder } from '../support/services/start.ts'

/* The public pages as the site of a house: its name, look, languages and first page. */

const nobody = { token: undefined }
const publicUrl = 'https://catalogue.example.org'
const examples = join(import.meta.dirname, '../../deploy/sites')
const theatre = await start(
  { after },
  { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: publicUrl, SITE: join(examples, 'theatre.json') }
)
await loadSample(theatre.libretto)

/** The values of an attribute of all elements that match. */
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, value = '']) => value)
const canonicalOf = (text: string) => all(text, /<link rel="canonical" href="([^"]*)"/g)[0] ?? ''
const alternatesOf = (text: string) =>
  new Map(
    [...text.matchAll(/hreflang="([\w-]+)" href="(https:[^"]*)"/g)].map(([, lang = '', href = '']) => [lang, href])
  )
const pathOf = (address: string) => address.replaceAll('&amp;', '&').slice(publicUrl.length)

describe('A house without a file', () => {
  it('shows nothing of what is not there', async t => {
    const plain = await start(t, { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: publicUrl })
    assert.doesNotMatch((await plain.get('/', nobody)).text, /<section/)
    await createBook(plain, { work: { fields: { title: 'A book' } } })
    const { text } = await plain.get('/', nobody)
    assert.deepEqual(all(text, /<h2>([^<]*)</g), ['New titles'])
    assert.match(text, /<a href="\/record\/[^"]*" dir="auto">A book</)
  })

  it('features the next show that has a poster, with tickets where they are sold', async t => {
    const plain = await start(t, { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: publicUrl })
    const show = await plain.create(aProduction({ title: 'Poster play', age_category: '8+' }))
    await createMediafile(plain, aPng(40, 60), 'posters', show.id)
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    for (const [days, fields] of [
      [1, { url: 'https://tickets.example/1' }],
      [2, { url: 'https://tickets.example/2', status: 'sold_out' }],
      [3, { url: 'mailto:box@example.org' }]
    ] as const)
      await plain.create({
        type: 'performance',
        metadata: metadata({ start: at(days), ...fields }),
        relations: relations({ refProduction: show.id })
      })
    const { text } = await plain.get('/de/', nobody)
    assert.match(
      text,
      /<section class="hero">[\s\S]*Poster play[\s\S]*href="https:\/\/tickets\.example\/1"[^>]*>Karten</
    )
    assert.match(text, new RegExp(`<meta property="og:image" content="${publicUrl}/de/record/${show.id}/card.jpg">`))
    assert.match(text, /<meta property="og:locale" content="de_DE">[\s\S]*twitter:card" content="summary_large_image"/)
    assert.deepEqual(all(text, /<h2>([^<]+)</g), ['Diese Woche', 'Produktionen'])
    assert.equal(all(text, /(tickets\.example\/1)"/g).length, 2)
    assert.match(text, /chip-bad">Ausverkauft</)
    assert.doesNotMatch(text, /tickets\.example\/2|mailto:/)
  })
})

describe('The example of a theatre', () => {
  it('has its logo, colours, menus, contact and blocks, in the language of the reader', async () => {
    const { text, headers } = await theatre.get('/nl/', nobody)
    assert.match(
      text,
      /<a class="brand" href="\/nl\/"><img class="logo" src="\/site\/[0-9a-f]{12}-theatre\.svg" alt=""/
    )
    assert.match(text, /<a href="\/nl\/programme">Programma</)
    assert.match(text, /<a href="mailto:tickets@delinde\.example">/)
    assert.match(text, /<a href="https:\/\/delinde\.example\/privacy">Privacy</)
    assert.match(text, /<h2><a href="\/nl\/record\/PR-HAMLET"[^>]*>Hamlet</)
    assert.match(text, /<h2>Lees eerst het stuk<\/h2><a href="\/nl\/find\?type=work&amp;q=shakespeare">/)
    assert.equal(headers['set-cookie'], undefined)
    assert.doesNotMatch(text, /\sstyle=|\son\w+=|<script(?![^>]*(?:src=|ld\+json))/)
    // The policy allows the styles that stand in the document, and no other.
    const styles = all(text, /<style>(.*?)<\/style>/gs)
    assert.match(styles[0] ?? '', /--accent:light-dark\(#8a2033,#[0-9a-f]{6}\)/)
    const allowed = styles.map(each => `'sha256-${createHash('sha256').update(each).digest('base64')}'`)
    const [, policy = ''] = /style-src ([^;]*)/.exec(String(headers['content-security-policy'])) ?? []
    assert.deepEqual(policy.split(' ').toSorted(), ["'self'", ...allowed].toSorted())
  })

  it('has files that may be kept for ever, in which nothing runs', async () => {
    const { text } = await theatre.get('/', nobody)
    const files = [...new Set(all(text, /"(\/site\/[^"]*)"/g))]
    assert.deepEqual(files.map(each => each.replace(/.*-/, '')).toSorted(), ['theatre.svg'])
    for (const file of files) {
      const { status, headers } = await theatre.get(file, nobody)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'image/svg+xml')
      assert.match(String(headers['cache-control']), /immutable/)
      assert.match(String(headers['content-security-policy']), /default-src 'none';.*sandbox/)
      assert.equal(headers['x-content-type-options'], 'nosniff')
    }
    for (const name of ['theatre.json', '..%2Ftheatre.json', '..%2F..%2Fpackage.json'])
      assert.equal((await theatre.get(`/site/${name}`, nobody)).status, 404, name)
  })
})

describe('The example of a library', () => {
  it('starts with a search, and shows no productions', async t => {
    const scopes = ['work', 'expression', 'manifestation', 'person', 'language'].map(each => `read:${each}`).join(',')
    const library = await start(t, {
      ...{ ANONYMOUS_ACCESS: scopes, PUBLIC_URL: publicUrl },
      SITE: join(examples, 'library.json')
    })
    await loadSample(library.libretto)
    const { text } = await library.get('/fr/', nobody)
    assert.match(text, /<div class="welcome"><h1>Stadsbibliotheek Leuven<\/h1><p class="lead">Tout ce qui/)
    assert.deepEqual(all(text, /<h2>([^<]*)</g), ['Nouveautés', 'Théâtre', 'Une carte pour tous'])
    assert.doesNotMatch(text, /class="hero"|class="week"|PR-/)
  })
})

describe('The language of a page', () => {
  const paths = ['/', '/find', '/find?q=hamlet', '/record/W-HAMLET', '/record/PR-HAMLET', '/record/M-HAMLETEN2016']

  it('is in its address: canonical and alternate addresses agree, and links keep it', async () => {
    for (const path of paths) {
      const set = alternatesOf((await theatre.get(path, nobody)).text)
      assert.deepEqual([...set.keys()].toSorted(), [...languages, 'x-default'].toSorted(), path)
      for (const [language, address] of set) {
        const { text, status } = await theatre.get(pathOf(address), nobody)
        assert.equal(status, 200, address)
        assert.equal(canonicalOf(text), address)
        assert.deepEqual(alternatesOf(text), set, address)
        if (language === 'x-default') continue
        assert.match(text, new RegExp(`<html lang="${language}"`))
        const links = all(text.replaceAll(/<nav class="languages".*?<\/nav>/gs, ''), /(?:href|action)="(\/[^"]*)"/g)
        const pages = links.filter(each => !/^\/(?:assets|site|entities|mediafiles|sign-in)\b/.test(each))
        assert.deepEqual(
          pages.filter(each => !each.startsWith(`/${language}/`)),
          [],
          address
        )
        assert.ok(pages.length > 5, address)
      }
    }
  })

  it('does not depend on the browser where the address names it', async () => {
    const headers = { 'accept-language': 'fr' }
    const dutch = await theatre.get('/nl/find', { ...nobody, headers })
    assert.match(dutch.text, /<html lang="nl"/)
    assert.doesNotMatch(String(dutch.headers.vary), /Accept-Language/)
    const french = await theatre.get('/find', { ...nobody, headers })
    assert.match(french.text, /<html lang="fr"/)
    assert.match(String(french.headers.vary), /Accept-Language/)
    // The first of the house, where the reader has none of its languages.
    assert.match((await theatre.get('/', { ...nobody, headers: { 'accept-language': 'ja' } })).text, /<html lang="nl"/)
  })

  it('was a parameter in older addresses, which lead to the new ones', async () => {
    for (const [older, newer] of [
      ['/?lang=nl', '/nl/'],
      ['/find?q=a%26b&lang=fr', '/fr/find?q=a%26b'],
      ['/record/W-HAMLET?lang=de-AT', '/de/record/W-HAMLET'],
      ['/feed.atom?lang=en&q=x', '/en/feed.atom?q=x'],
      ['/nl/find?lang=fr', '/fr/find'],
      ['/find?lang=xx', '/find']
    ] as const) {
      const { status, headers } = await theatre.get(older, nobody)
      assert.deepEqual([status, headers.location], [301, newer], older)
    }
  })

  it('is one that the house offers, and of pages alone', async t => {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'site.json'), JSON.stringify({ languages: ['de', 'fr'] }))
    const some = await start(t, {
      ...{ ANONYMOUS_ACCESS: 'read', PUBLIC_URL: `${publicUrl}/sub` },
      SITE: join(folder, 'site.json')
    })
    const { text } = await some.get('/', { ...nobody, headers: { 'accept-language': 'nl' } })
    assert.match(text, /<html lang="de"[\s\S]*<a class="brand" href="\/sub\/">/)
    assert.match((await some.get('/fr', nobody)).text, /<html lang="fr"[\s\S]*<a class="brand" href="\/sub\/fr\/">/)
    for (const path of ['/nl/', '/de/entities', '/de/sign-in', '/dex/find'])
      assert.equal((await some.get(path, { ...nobody, headers: { accept: 'text/html' } })).status, 404, path)
    assert.equal((await some.get('/find?lang=fr', nobody)).headers.location, '/sub/fr/find')
  })

  it('leads from a merged record to the other one in the same language', async () => {
    const [stays, goes] = [await theatre.create(aVenue('Stays')), await theatre.create(aVenue('Goes'))]
    await theatre.post(`/entities/${stays.id}/merge`, { victim_id: goes.id })
    const { headers } = await theatre.get(`/nl/record/${goes.id}`, nobody)
    assert.equal(headers.location, `/nl/record/${stays.id}`)
  })
})

describe('A later page of a work', () => {
  it('is canonical to itself', async () => {
    const { text } = await theatre.get('/nl/record/W-HAMLET?skip=5', nobody)
    assert.equal(canonicalOf(text), `${publicUrl}/nl/record/W-HAMLET?skip=5`)
    assert.equal(alternatesOf(text).get('fr'), `${publicUrl}/fr/record/W-HAMLET?skip=5`)
  })
})

describe('A colour of the house', () => {
  it('can be read on every surface of both themes, or is refused with one that can', () => {
    const look = readFileSync(join(import.meta.dirname, '../../web/src/styles/look.css'), 'utf8')
    const grounds = [...look.matchAll(/--(?:p\w+|card|sunken): light-dark\((#\w{6}), (#\w{6})\)/g)]
    assert.equal(grounds.length, 4)
    const steps = ['00', '40', '80', 'c0', 'ff']
    const colours = steps.flatMap(red => steps.flatMap(green => steps.map(blue => `#${red}${green}${blue}`)))
    for (const colour of colours) {
      assert.ok(contrastOf(inkOn(colour), colour) >= minContrast, colour)
      for (const [theme, at] of [
        ['light', 1],
        ['dark', 2]
      ] as const)
        for (const ground of grounds)
          assert.ok(
            contrastOf(readableIn(theme, colour), ground[at] ?? '') >= minContrast,
            `${colour} on ${ground[at]}`
          )
    }
    assert.equal(contrastOf('#000000', '#ffffff'), 21)
    assert.ok(contrastOf('#767676', '#ffffff') > 4.5 && contrastOf('#777777', '#ffffff') < 4.5)
    assert.ok(contrastOf(surfaces.light, surfaces.dark) > 10)
  })
})

describe('A file with a fault', () => {
  const faults: readonly [json: unknown, expected: RegExp][] = [
    [[], /the file must be an object with name, description, logo/],
    [{ colour: 'red' }, /the file has the unknown member "colour"; it may have name, /],
    [{ name: '' }, /name must be a text, got ""/],
    [{ name: 7 }, /name must be a text, got 7/],
    [
      { description: { es: 'Hola' } },
      /description must be a text, or an object with a text for en, nl, fr, de, got \{"es"/
    ],
    [{ colours: {} }, /colours\.brand is missing/],
    [{ colours: { brand: 'red' } }, /colours\.brand must be a colour such as #8a2b3a, got "red"/],
    [
      { colours: { brand: '#ffcc00' } },
      /colours\.brand "#ffcc00" has a contrast of 1\.\d:1 on the light page; text needs 4\.5:1\. "#[0-9a-f]{6}" would do/
    ],
    [{ colours: { brand: { light: '#8a2033', dark: '#333333' } } }, /colours\.brand\.dark "#333333" has a contrast of/],
    [{ colours: { brand: '#8a2033', accent: 'blue' } }, /colours\.accent must be a colour/],
    [{ colours: { brand: '#8a2033', text: '#000000' } }, /colours has the unknown member "text"/],
    [{ logo: 'logo.gif' }, /logo must be a file ending in \.svg or \.png, got "logo\.gif"/],
    [{ logo: 'none.png' }, /logo "none\.png" cannot be read: ENOENT/],
    [{ logo: 'text.png' }, /logo "text\.png" must be a PNG picture/],
    [{ logo: 'text.svg' }, /logo "text\.svg" must be an SVG picture with a viewBox/],
    [{ logo: 'large.png' }, /logo "large\.png" has 200001 bytes; at most 200000 are allowed/],
    [{ typefaces: { titles: 'text.woff2' } }, /typefaces\.titles "text\.woff2" is no WOFF2 file/],
    [{ typefaces: { body: 'text.woff2' } }, /typefaces has the unknown member "body"; it may have titles, text/],
    [{ contact: 'Street 1' }, /contact must be a list of at most 30/],
    [{ contact: [1] }, /contact\[0\] must be a text/],
    [{ links: [{ text: 'A' }] }, /links\[0\]\.address must be a path such as \/find\?q=hamlet/],
    [{ links: [{ text: 'A', address: 'javascript:alert(1)' }] }, /links\[0\]\.address must be a path/],
    [{ navigation: [{ text: 'A', address: '//evil.example' }] }, /navigation\[0\]\.address must be a path/],
    [{ navigation: ['A'] }, /navigation\[0\] must be an object with text, address/],
    [{ languages: ['en', 'es'] }, /languages\[1\] must be one of en, nl, fr, de, got "es"/],
    [{ start: ['weeks'] }, /start\[0\]\.block must be one of featured, week, shows, new, shelf, text, got "weeks"/],
    [{ start: [1] }, /start\[0\] must be the name of a block/],
    [
      { start: [{ block: 'week', record: 'X' }] },
      /start\[0\] has the unknown member "record"; it may have block, title/
    ],
    [{ start: [{ block: 'shelf', address: '/find' }] }, /start\[0\]\.title is missing/],
    [
      { start: [{ block: 'shelf', title: 'A', address: '/record/X' }] },
      /start\[0\]\.address must be the address of a search/
    ],
    [{ start: [{ block: 'text' }] }, /start\[0\]\.text is missing/]
  ]

  it('keeps the service from starting, with the member and the reason', t => {
    const folder = temporaryFolder(t)
    const path = join(folder, 'site.json')
    for (const name of ['text.png', 'text.svg', 'text.woff2']) writeFileSync(join(folder, name), 'text')
    writeFileSync(join(folder, 'large.png'), Buffer.alloc(200_001))
    for (const [json, expected] of faults) {
      writeFileSync(path, JSON.stringify(json))
      assert.throws(() => readSite(path, 'X'), expected, JSON.stringify(json))
    }
    writeFileSync(path, '{"name": 1, "logo": 2, "start": [3]}')
    assert.throws(
      () => readSite(path, 'X'),
      /^Error: SITE: "[^"]*site\.json": name .*\nSITE: "[^"]*": logo .*\nSITE: "[^"]*": start\[0\] /
    )
    writeFileSync(path, '{')
    assert.throws(() => readSite(path, 'X'), /SITE: "[^"]*site\.json" cannot be read: /)
    assert.throws(() => readSite(join(folder, 'none.json'), 'X'), /SITE: "[^"]*none\.json" cannot be read: ENOENT/)
  })
})
