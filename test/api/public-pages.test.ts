import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { type DefaultTreeAdapterTypes, parse } from 'parse5'

import { createFacetCounts } from '#pages/facet-counts.ts'
import { plainSite } from '#pages/site.ts'
import { sitemapIndex, sitemapPart } from '#pages/sitemap.ts'
import { loadSample } from '../../src/cli/sample.ts'

import { howMany } from '../support/records/chance.ts'
import { aPerson, aProduction, aVenue, createBook, metadata, relations } from '../support/records/entities.ts'
import { schemaOrgFaults } from '../support/oracles/schema-org.ts'
import { aPng, createMediafile } from '../support/records/media.ts'
import { start } from '../support/services/start.ts'

const nobody = { token: undefined }
const publicUrl = 'https://catalogue.example.org'
const service = await start({ after }, { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: publicUrl })
const author = await service.create(aPerson('Couperus, Louis'))
const book = await createBook(service, {
  work: { fields: { title: 'Eline Vere & <b>Co</b>' }, relations: relations({ refAuthors: author.id }) },
  manifestation: { fields: { title: 'Eline Vere', isbn: '978-90-9758-160-9', year_of_publication: '1889' } }
})

/** A page as a visitor gets it. */
const page = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  service.get(path, { ...nobody, headers })

/** The JSON-LD of a page. */
const jsonLdIn = (text: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null')

/** Fails where a browser would have to correct the HTML. */
function assertSound(text: string) {
  const errors: string[] = []
  parse(text, { onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`) })
  assert.deepEqual(errors, [])
}

/** A text of a page, with the language and the direction of the elements around it. */
interface PageText {
  readonly text: string
  readonly lang: string | undefined
  readonly dir: string | undefined
}

/** The texts in the body of a page that readers see. */
function textsIn(document: string): PageText[] {
  const texts: PageText[] = []
  const walk = (node: DefaultTreeAdapterTypes.Node, around: Omit<PageText, 'text'>) => {
    if ('value' in node && node.value.trim() !== '') texts.push({ text: node.value.trim(), ...around })
    if (!('childNodes' in node) || ['head', 'script', 'style'].includes(node.nodeName)) return
    const attribute = (name: string) =>
      'attrs' in node ? node.attrs.find(each => each.name === name)?.value : undefined
    for (const child of node.childNodes)
      walk(child, { lang: attribute('lang') ?? around.lang, dir: attribute('dir') ?? around.dir })
  }
  walk(parse(document), { lang: undefined, dir: undefined })
  return texts
}

/** Letters of scripts that are written from right to left. */
const rightToLeft = /\p{Script=Hebrew}|\p{Script=Arabic}/u

/** A code in place of words: of a role, a language, a field, a relation, an icon, a token. */
const rawCode =
  /^\(?(?:aut|trl|edt|ill|ctb|act|drt|cmp|eng|dut|nld|fre|fra|ger|deu|heb)\)?$|\/icons\/|(?:import|token):|\bref[A-Z]|^[a-z]+_[a-z_]+$/

describe('The page of a record', () => {
  it('shows a work with its author and its editions', async () => {
    const { status, text, headers } = await page(`/record/${book.work}`)
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/html/)
    assertSound(text)
    assert.match(text, /<h1 dir="auto">Eline Vere &amp; &lt;b&gt;Co&lt;\/b&gt;<\/h1>/)
    assert.match(text, new RegExp(`href="/record/${author.id}" dir="auto">Louis Couperus</a>`))
    assert.match(text, new RegExp(`href="/record/${book.manifestation}"`))
    assert.match(text, /<b class="edition-year">1889<\/b>.*978-90-9758-160-9/)
    assert.match(text, new RegExp(`<link rel="canonical" href="${publicUrl}/record/${book.work}">`))
    const data = jsonLdIn(text)
    assert.equal(data['@context'], 'https://schema.org')
    assert.equal(data['@type'], 'CreativeWork')
    assert.equal(data.author.name, 'Couperus, Louis')
  })

  it('shows an edition with its expression and work, for reference managers too', async () => {
    const { text } = await page(`/record/${book.manifestation}`)
    assertSound(text)
    const coins = new URLSearchParams(/class="Z3988" title="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '')
    assert.equal(coins.get('rft.btitle'), 'Eline Vere')
    assert.equal(coins.get('rft.aulast'), 'Couperus')
    assert.equal(coins.get('rft.isbn')?.replaceAll('-', ''), '9789097581609')
    assert.equal(coins.get('rft.date'), '1889')
    assert.match(text, new RegExp(`href="/record/${book.work}"`))
    assert.match(text, /<meta property="og:type" content="book">/)
  })

  it('shows the copies that libraries hold of an edition', async () => {
    assert.doesNotMatch((await page(`/record/${book.manifestation}`)).text, /Where to find it/)
    const library = await service.create({
      type: 'library',
      metadata: metadata({ name: 'Branch <West>', address: 'Markt 1', city: 'Gent' })
    })
    await service.create({
      type: 'item',
      metadata: metadata({ shelf_mark: 'Cou 12', status: 'On loan' }),
      relations: relations({ refManifestation: book.manifestation, refLibrary: library.id })
    })
    const { text } = await page(`/record/${book.manifestation}`)
    assertSound(text)
    assert.match(
      text,
      /<h2>Where to find it<\/h2><ul>\s*<li>.*<a [^>]*>Branch &lt;West&gt;<\/a>.*Cou 12<\/span> · <span[^>]*>On loan</
    )
    assert.match(text, /href="https:\/\/www\.openstreetmap\.org\/search\?query=Markt\+1%2C\+Gent"/)
    assert.match((await page(`/record/${book.work}`)).text, />1 library, none on the shelf</)
    // The page of the library leads to what it has.
    const [, titles = ''] =
      /<a class="button" href="([^"]+)">All titles of this library \(copies: 1\)</.exec(
        (await page(`/record/${library.id}`)).text
      ) ?? []
    const found = await page(titles)
    assert.match(found.text, /1 result</)
    assert.match(found.text, new RegExp(`/record/${book.work}"`))
  })

  it('marks every text with its language, and text from right to left with its direction', async () => {
    const inLanguages = (key: string, values: Readonly<Record<string, string>>) =>
      Object.entries(values).map(([lang, value]) => ({ key, value, lang }))
    const known = {
      he: 'הגדה של פסח',
      ar: 'ألف ليلة وليلة',
      ja: '枕草子',
      nl: 'Vertellingen',
      'he-Hebr': 'לקט מאמרי רבותנו',
      'nl-BE': 'Tweede druk'
    }
    const { he, ar, ja, nl } = known
    const person = await service.create({ type: 'person', metadata: inLanguages('name', { he: 'שלום, מאיר' }) })
    const make = async (type: string, entries: object[], targets: Readonly<Record<string, string>>) =>
      (await service.create({ type, metadata: entries, relations: relations(targets) })).id
    const work = await make('work_word', inLanguages('title', { nl, he, ar, ja }), { refAuthors: person.id })
    const expression = await make('expression_word', inLanguages('title', { ar }), { refWork: work })
    const ofEdition = [
      ...inLanguages('title', { he }),
      ...inLanguages('subtitle', { 'he-Hebr': known['he-Hebr'] }),
      ...inLanguages('edition', { 'nl-BE': known['nl-BE'] })
    ]
    const manifestation = await make('manifestation_word', ofEdition, { refExpressions: expression })
    const languageOf = new Map([...Object.entries(known), ['he', 'שלום, מאיר']].map(([lang, text]) => [text, lang]))
    for (const id of [work, expression, manifestation, person.id])
      for (const path of [`/record/${id}`, `/nl/record/${id}`, `/find?q=${encodeURIComponent(he)}`]) {
        const texts = textsIn((await page(path)).text)
        const faults = texts.filter(
          ({ text, lang, dir }) =>
            (rightToLeft.test(text) && dir === undefined) || (languageOf.has(text) && languageOf.get(text) !== lang)
        )
        assert.deepEqual(faults, [], path)
        assert.ok(
          texts.some(({ text }) => rightToLeft.test(text)),
          path
        )
      }
    // The names in all languages are on the page, whatever the reader's.
    const shown = textsIn((await page(`/fr/record/${work}`)).text).map(({ text }) => text)
    for (const title of [nl, he, ar, ja]) assert.ok(shown.includes(title), title)
  })

  it('sets no cookie, like every page, feed and file for readers', async () => {
    const paths = [
      '/',
      '/en/',
      '/find',
      '/find?q=vere',
      '/nl/find?q=vere',
      '/find?q=nowhere',
      '/programme',
      '/libraries'
    ]
    const files = [
      '/feed.atom',
      '/feed.atom?q=vere',
      '/robots.txt',
      '/sitemap.xml',
      '/opensearch.xml',
      '/suggest?text=ve'
    ]
    const records = [book.work, book.manifestation, author.id, 'M-NOWHERE'].map(id => `/record/${id}`)
    for (const path of [...paths, ...files, ...records]) {
      const { status, headers } = await page(path, { accept: 'text/html,*/*' })
      assert.ok(status < 500, path)
      assert.equal(headers['set-cookie'], undefined, path)
    }
  })

  it('is in the language of the reader', async () => {
    const path = `/record/${book.manifestation}`
    assert.match(
      (await page(path, { 'accept-language': 'nl-BE,nl;q=0.9,en;q=0.5' })).text,
      /<html lang="nl">[\s\S]*Citeren/
    )
    assert.match((await page(`/fr${path}`, { 'accept-language': 'nl' })).text, /<html lang="fr">[\s\S]*Citer/)
    assert.match((await page(path, { 'accept-language': 'xx, *;q=0.1' })).text, /<html lang="en">/)
  })

  it('is 404 for a record that never was, 410 for a deleted one, and leads to where a record was merged', async () => {
    const gone = await service.create(aVenue('Gone'))
    await service.delete(`/entities/${gone.id}`)
    const [kept, merged] = [await service.create(aPerson('Kept, A')), await service.create(aPerson('Merged, B'))]
    const merge = await service.post(`/entities/${kept.id}/merge`, { victim_id: merged.id })
    assert.equal(merge.status, 200, merge.text)

    const missing = await page('/record/NO-SUCH')
    assert.equal(missing.status, 404)
    assert.match(missing.text, /<h1>Record not found<\/h1>/)
    assertSound(missing.text)
    const deleted = await page(`/record/${gone.id}`)
    assert.equal(deleted.status, 410)
    assert.match(deleted.text, /noindex/)
    const followed = await page(`/record/${merged.id}`)
    assert.equal(followed.status, 301)
    assert.equal(followed.headers.location, `/record/${kept.id}`)
  })

  it('is not sent again when it is unchanged', async () => {
    const first = await page(`/record/${book.work}`)
    const again = await page(`/record/${book.work}`, { 'if-none-match': String(first.headers.etag) })
    assert.equal(again.status, 304)
  })

  it('is kept in memory until anything changes, each address and language by itself', async () => {
    const before = await page(`/record/${author.id}`)
    const { length } = before.text
    const paths = [`/record/${author.id}`, '/', '/find?q=couperus', '/programme']
    for (const path of paths) assert.equal((await page(path)).text, (await page(path)).text)
    assert.notEqual((await page(`/nl/record/${author.id}`)).text, before.text)
    assert.notEqual((await page(`/record/${author.id}`, { 'accept-language': 'fr' })).text, before.text)
    assert.ok(service.libretto.parts.cache.measure().bytes > 2 * length)
    // A work by the author is no part of the record itself.
    const { id } = await service.create({
      type: 'work_word',
      metadata: metadata({ title: 'Noodlot' }),
      relations: relations({ refAuthors: author.id })
    })
    assert.match((await page(`/record/${author.id}`)).text, /Noodlot/)
    assert.match((await page('/find?q=couperus')).text, /Noodlot/)
    assert.equal((await page(`/record/${id}`)).status, 200)
    await service.delete(`/entities/${id}`)
    for (const _ of [1, 2]) assert.equal((await page(`/record/${id}`)).status, 410)
    assert.doesNotMatch((await page(`/record/${author.id}`)).text, /Noodlot/)
  })

  it('is made again at each whole minute, so that no show that has begun is the next one', async t => {
    const begin = Date.UTC(2027, 0, 10, 19)
    t.mock.timers.enable({ apis: ['Date'], now: begin - 100 })
    const house = await start(t, { ANONYMOUS_ACCESS: 'read' })
    const show = await house.create(aProduction({ title: 'On the minute' }))
    for (const at of [begin, begin + 86_400_000])
      await house.create({
        type: 'performance',
        metadata: metadata({ start: new Date(at).toISOString(), url: `https://tickets.example.org/${at}` }),
        relations: relations({ refProduction: show.id })
      })
    const read = async () => (await house.get(`/record/${show.id}`, nobody)).text
    const nextIn = (text: string) => /class="next-when">.*?<time datetime="(\d+-\d+-\d+)/s.exec(text)?.[1]
    const before = await read()
    assert.equal(nextIn(before), '2027-01-10')
    assert.ok(before.includes(`href="https://tickets.example.org/${begin}"`))
    t.mock.timers.setTime(begin)
    const after = await read()
    assert.equal(nextIn(after), '2027-01-11')
    assert.ok(!after.includes(`href="https://tickets.example.org/${begin}"`))
  })

  it('shows HTML of a record, and nothing of it that could run', async () => {
    const shown = await service.create(
      aProduction({ description: '<p>Fine <em>words</em></p><img src=x onerror=alert(1)><script>alert(1)</script>' })
    )
    const { text } = await page(`/record/${shown.id}`)
    assert.match(text, /<p>Fine <em>words<\/em><\/p>/)
    assert.doesNotMatch(text, /onerror|alert\(1\)/)
    assertSound(text)
  })

  it('cannot be left by JSON-LD that holds the end of a script', async () => {
    const odd = await service.create(aVenue('</script><script>alert(1)</script>'))
    const { text } = await page(`/record/${odd.id}`)
    assertSound(text)
    assert.doesNotMatch(text, /<script>alert/)
    assert.equal(jsonLdIn(text).name, '</script><script>alert(1)</script>')
  })
})

describe('The numbers beside the filters of a large search', () => {
  it('are kept for a minute, each search and filter by itself', () => {
    let now = 0
    const counts = createFacetCounts(() => now)
    const [dutch, english] = [[{ value: 'LANG-NLD', count: 2 }], [{ value: 'LANG-ENG', count: 1 }]]
    counts.keep('/find', 'refLanguages', dutch)
    counts.keep('/find?q=x', 'refLanguages', english)
    assert.equal(counts.find('/find', 'refLanguages'), dutch)
    assert.equal(counts.find('/find?q=x', 'refLanguages'), english)
    assert.equal(counts.find('/find', 'refGenres'), undefined)
    now = 59_999
    assert.equal(counts.find('/find', 'refLanguages'), dutch)
    now = 60_000
    assert.equal(counts.find('/find', 'refLanguages'), undefined)
    for (let at = 0; at < 3000; at++) counts.keep(`/find?q=${at}`, 'refLanguages', dutch)
    assert.equal(counts.find('/find?q=0', 'refLanguages'), undefined)
    assert.equal(counts.find('/find?q=2999', 'refLanguages'), dutch)
  })
})

describe('The results', () => {
  it('show one entry for a work, with its author, and find an edition where nothing else matches', async () => {
    const found = await page('/find?q=eline+vere')
    assertSound(found.text)
    const results = /<ol class="results"[^>]*>(.*?)<\/ol>/s.exec(found.text)?.[1] ?? ''
    assert.match(found.text, />1 result</)
    assert.match(results, new RegExp(`/record/${book.work}`))
    assert.match(results, /Louis Couperus<\/span> · 1889</)
    assert.match(results, new RegExp(`<summary>1 edition</summary><ul><li><a href="/record/${book.manifestation}"`))
    assert.match(results, /made-cover tone-\d" aria-hidden="true"><span class="made-title"/)
    assert.match((await page('/nl/find?q=eline+vere')).text, />1 resultaat<.*>1 uitgave</s)
    assert.match((await page('/find?q=9789097581609')).text, new RegExp(`/record/${book.manifestation}"`))
  })

  it('have made covers of the same colour as on the pages of the records and of their author', async () => {
    const colours = new Map<string, Set<string>>()
    const paths = [
      '/find?q=eline+vere',
      `/record/${book.work}`,
      `/record/${book.manifestation}`,
      `/record/${author.id}`
    ]
    for (const path of paths)
      for (const [, tone = '', name = ''] of (await page(path)).text.matchAll(
        /tone-(\d)" aria-hidden="true"><span class="made-title"[^>]*>([^<]+)/g
      ))
        colours.set(name, (colours.get(name) ?? new Set()).add(`${tone} ${path}`))
    const [[name, tones] = ['', new Set<string>()]] = [...colours].sort(([, one], [, other]) => other.size - one.size)
    assert.ok(tones.size >= 3, `${name}: ${[...tones].join()}`)
    for (const [, found] of colours) assert.equal(new Set([...found].map(each => each[0])).size, 1, [...found].join())
  })

  it('are narrowed by a facet', async () => {
    const { text } = await page(`/find?q=eline&by=refAuthors:${author.id}`)
    assert.match(text, new RegExp(`/record/${book.work}`))
    assert.match(text, /aria-current="true"><span dir="auto">Louis Couperus/)
    assert.match((await page(`/find?q=eline&by=refAuthors:${book.work}`)).text, /No records found/)
  })

  it('are narrowed by facets of a work and of its editions together', async () => {
    const publisher = await service.create({ type: 'publisher', metadata: metadata({ name: 'Veen <&>' }) })
    const { work } = await createBook(service, {
      work: { fields: { title: 'Noodlot' }, relations: relations({ refAuthors: author.id }) },
      expression: { fields: { title: 'Noodlot' } },
      manifestation: { fields: { title: 'Noodlot' }, relations: relations({ refPublishers: publisher.id }) }
    })
    const { text } = await page(`/find?q=couperus&by=refAuthors:${author.id},refPublishers:${publisher.id}`)
    assertSound(text)
    assert.match(text, />1 result</)
    assert.match(text, new RegExp(`/record/${work}"`))
    assert.equal(text.match(/<details open>/g)?.length, 2)
  })

  it('are narrowed by years and sorted by a form that keeps the rest of the search', async () => {
    const years = { old: '1901', recent: '2011' }
    for (const [name, year] of Object.entries(years))
      await createBook(service, {
        work: { fields: { title: `Yearbook ${name}` } },
        manifestation: { fields: { title: `Yearbook ${name}`, year_of_publication: year } }
      })
    const { text } = await page(`/find?q=yearbook&type=manifestation&from=1900&sort=year`)
    assertSound(text)
    assert.ok(text.indexOf('Yearbook recent') < text.indexOf('Yearbook old'))
    assert.match(text, /<input type="hidden" name="q" value="yearbook"><input type="hidden" name="type" value="mani/)
    assert.match(text, /name="from" value="1900"/)
    assert.match(text, /<option value="year" selected>Year, newest first</)
    const { text: later } = await page('/find?q=yearbook&type=manifestation&from=2000&to=&sort=relevance')
    assert.match(later, />1 result</)
    assert.doesNotMatch(later, /Not understood/)
  })

  it('offer a status where there are several, and show the poster of a production', async t => {
    const [shown] = await Promise.all(
      ['published', 'concept'].map(status =>
        service.create(aProduction({ title: `Statusplay ${status}`, status, description_short: '<p>Come</p>' }))
      )
    )
    const { mediafile } = await createMediafile(service, aPng(40, 60), 'posters', shown?.id)
    const { text } = await page('/find?q=statusplay')
    assert.match(text, /status=concept"/)
    assert.match(text, new RegExp(`<img class="thumbnail" src="/mediafiles/${mediafile}/thumbnail\\?width=160"`))
    assert.match((await page('/find?q=statusplay&by=status:concept')).text, />1 result</)

    const some = await start(t, { ANONYMOUS_ACCESS: 'read:production:published', PUBLIC_URL: publicUrl })
    for (const status of ['published', 'concept'])
      await some.create(aProduction({ title: 'Statusplay', status, description_short: '<p>Come</p>' }))
    const limited = await some.get('/find?q=statusplay', nobody)
    assert.match(limited.text, />1 result</)
    assert.doesNotMatch(limited.text, /[?;]status=/)
    assert.match((await some.get('/find?q=statusplay&by=status:concept', nobody)).text, /No records found/)
  })

  it('of everything have each record that is no part of another once, and count them', async t => {
    for (const scope of ['read', 'read:manifestation,read:expression,read:performance']) {
      const house = await start(t, { ANONYMOUS_ACCESS: scope })
      const made = async (
        type: string,
        fields: Readonly<Record<string, unknown>>,
        to: Readonly<Record<string, string | string[]>> = {}
      ) => (await house.create({ type, metadata: metadata(fields), relations: relations(to) })).id
      const works = [await made('work_word', { title: 'B' }), await made('work_word', { title: 'A' })]
      const texts = await Promise.all(works.map(refWork => made('expression_word', { title: 'Z' }, { refWork })))
      await made('manifestation_word', { title: 'Y' }, { refExpressions: texts })
      const first = await made('manifestation_word', { title: '0' }, { refExpressions: texts[0] ?? '' })
      await made('item', { shelf_mark: 'V' }, { refManifestation: first })
      const show = await made('production', { title: 'D' })
      await made('performance', { start: '2090-01-01T20:00:00Z' }, { refProduction: show })
      await made('person', { name: 'E' })
      const { text } = await house.get('/find', nobody)
      const shown = [...text.matchAll(/<li>(?:<span class="entry-cover">.*?)?<div><a href="\/record\/([^"]+)"/g)]
      // The grouped list of another order has the same records.
      const other = (await house.get('/find?sort=newest', nobody)).text
      const grouped = [...other.matchAll(/<li>(?:<span class="entry-cover">.*?)?<div><a href="\/record\/([^"]+)"/g)]
      const ids = (found: typeof shown) => found.map(([, id]) => id).toSorted()
      assert.ok(shown.length >= 3, scope)
      assert.deepEqual(ids(shown), ids(grouped), scope)
      const countIn = (page: string) => /role="status">([^<]+)</.exec(page)?.[1]
      assert.equal(countIn(text), countIn(other), scope)
      assert.equal(countIn(text), `${shown.length} results`, scope)
      if (scope === 'read')
        assert.deepEqual(
          shown.slice(0, 3).map(([, id]) => id),
          [...works.toReversed(), show]
        )
    }
  })

  it('escape what was searched for', async () => {
    const { text } = await page(`/find?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    assertSound(text)
    assert.doesNotMatch(text, /<script>alert/)
  })
})

describe('A catalogue with books and stages', () => {
  it('describes every kind of record to search engines as schema.org has it', async t => {
    const sample = await start(t, { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: publicUrl })
    await loadSample(sample.libretto)
    const { body } = await sample.post('/entities/filter?limit=1000', [])
    const kinds = Map.groupBy(body.results as { id: string; type: string }[], each => each.type)
    assert.ok(kinds.size > 15, `${kinds.size} kinds`)
    const faults: string[] = []
    for (const { id, type } of [...kinds.values()].flatMap(each => each.slice(0, 3))) {
      const { text } = await sample.get(`/record/${id}`, nobody)
      faults.push(...schemaOrgFaults(jsonLdIn(text)).map(fault => `${type} ${id}: ${fault}`))
      assert.doesNotMatch(text, /import:|token:/, id)
      // Codes are for machines: only the page of a term shows its own.
      const isTerm = sample.libretto.model.fieldOf(type, 'code') !== undefined
      faults.push(...textsIn(text).flatMap(each => (!isTerm && rawCode.test(each.text) ? [`${id}: ${each.text}`] : [])))
    }
    assert.deepEqual(faults, [])

    // The sitemap has each of them once, in parts. A performance is on the page of its show.
    const { catalogue, model } = sample.libretto
    const wanted = [...kinds].flatMap(([type, records]) =>
      model.findType(type)?.partOf === undefined ? records.map(({ id }) => id) : []
    )
    const parts = {
      ...{ catalogue, model, publicUrl, timeZone: 'Europe/Brussels', now: Date.now, site: plainSite('X') },
      facetCounts: createFacetCounts(Date.now),
      areCardsDrawn: async () => false
    }
    const visitor = { ...parts, principal: sample.libretto.operator }
    const size = 100
    const index = await sitemapIndex(visitor, size)
    const listed: string[] = []
    const numbers = [...index.matchAll(/sitemap-(\d+)\.xml/g)].map(([, number]) => Number(number))
    assert.equal(numbers.length, Math.ceil(wanted.length / size))
    for (const number of numbers)
      listed.push(
        ...[...((await sitemapPart(visitor, number, size)) ?? '').matchAll(/\/record\/([^<]+)</g)].map(([, id]) =>
          decodeURIComponent(id ?? '')
        )
      )
    assert.deepEqual(listed.toSorted(), wanted.toSorted())
  })

  it('is found faulty where it is: unknown classes and properties, values of the wrong kind', () => {
    const faulty = {
      '@context': 'https://schema.org',
      '@type': 'Book',
      ...{ name: 'A', isbn: '1', startDate: '2026-01-01', shelf: 'B', datePublished: 'long ago' },
      author: { '@type': 'Place', name: 'C' },
      workExample: { '@type': 'Tome' }
    }
    const faults = schemaOrgFaults(faulty)
    for (const expected of [/no startDate/, /unknown property shelf/, /long ago/, /a Place is none/, /class Tome/])
      assert.ok(
        faults.some(fault => expected.test(fault)),
        `${expected}: ${faults.join('; ')}`
      )
  })

  it('names roles in the language of the reader, and times by the clock of the venue', async () => {
    const venue = await service.create({
      type: 'venue',
      metadata: metadata({ name: 'The Globe', country: 'GB' })
    })
    const show = await service.create(aProduction({ title: 'A far show' }))
    const performance = await service.create({
      type: 'performance',
      metadata: metadata({ start: '2090-07-16T20:30:00+02:00' }),
      relations: relations({ refProduction: show.id, refVenues: venue.id })
    })
    for (const id of [performance.id, show.id]) {
      const { text } = await page(`/record/${id}`)
      assert.match(text, /19:30/, id)
      // The clock is told once where it is not that of the catalogue.
      if (id === show.id) assert.equal(text.match(/local time in London/g)?.length, 1)
      assert.doesNotMatch(text.replaceAll(/<script.*?<\/script>/gs, ''), />[^<]*2090-07-16T/, id)
    }
    // A venue may state its zone; a show of this week is on the first page and in a feed.
    const hall = await service.create({
      type: 'venue',
      metadata: metadata({ name: 'Harbor Hall', country: 'US', time_zone: 'America/New_York' })
    })
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const soon = await service.create({
      type: 'performance',
      metadata: metadata({ start: `${tomorrow}T12:34` }),
      relations: relations({ refProduction: show.id, refVenues: hall.id })
    })
    const local = /12:34 \(local time in New York\)/
    assert.match((await page('/find?q=a+far+show')).text, / · next: [^<]*12:34 \(local time in New York\)</)
    assert.match((await page('/')).text, />12:34<[\s\S]*local time in New York</)
    for (const path of [`/record/${soon.id}`, '/find?type=performance', '/feed.atom?type=performance'])
      assert.match((await page(path)).text, local, path)
    assert.match((await page(`/record/${soon.id}`)).text, new RegExp(`"startDate":"${tomorrow}T12:34:00-0[45]:00"`))
    assert.match(
      (await page(`/nl/record/${performance.id}`)).text,
      /<h1 dir="auto">A far show · .*plaatselijke tijd in London/
    )
    const play = await service.create({
      type: 'work_word',
      metadata: metadata({ title: 'A translated play' }),
      relations: [{ type: 'refAuthors', key: author.id, metadata: [{ key: 'role', value: 'trl' }] }]
    })
    assert.match((await page(`/fr/record/${play.id}`)).text, /\(traducteur\)/)
  })
})

describe('For search engines and feed readers there are', () => {
  it('a sitemap of every record, in parts', async () => {
    const index = await page('/sitemap.xml')
    assert.match(index.text, new RegExp(`<loc>${publicUrl}/sitemap-1.xml</loc>`))
    const part = await page('/sitemap-1.xml')
    for (const id of Object.values(book)) assert.match(part.text, new RegExp(`<loc>${publicUrl}/record/${id}</loc>`))
    assert.equal((await page('/sitemap-2.xml')).status, 404)
  })

  it('a sitemap in parts of a large catalogue, with each record once and no hidden one', async t => {
    const open = await start(t, { ANONYMOUS_ACCESS: 'read:venue', PUBLIC_URL: publicUrl })
    const count = howMany({ quick: 100, short: 600, long: 100_000, onPostgres: 600 })
    const batch = 1000
    for (let first = 0; first < count; first += batch) {
      const numbers = Array.from({ length: Math.min(batch, count - first) }, (_, index) => first + index)
      const made = await open.post(
        '/entities/batch?atomic=1',
        numbers.flatMap(number => [
          { op: 'create', id: `VENUE-${number}`, type: 'venue', metadata: metadata({ name: `Hall ${number}` }) },
          // One in ten places of the order is a record that visitors may not read.
          ...(number % 10 === 0
            ? [{ op: 'create', id: `HIDDEN-${number}`, type: 'person', metadata: metadata({ name: `P ${number}` }) }]
            : [])
        ])
      )
      assert.equal(made.status, 200, made.text.slice(0, 300))
    }
    const index = await open.get('/sitemap.xml', nobody)
    const parts = [...index.text.matchAll(/<loc>https:\/\/catalogue\.example\.org(\/sitemap-\d+\.xml)<\/loc>/g)]
    assert.equal(parts.length, Math.max(1, Math.ceil(count / 10_000)))
    const listed: string[] = []
    for (const [, path] of parts) {
      const { status, text } = await open.get(path ?? '', nobody)
      assert.equal(status, 200)
      assert.ok(!text.includes('HIDDEN-'))
      const ids = [...text.matchAll(/\/record\/([^<]+)</g)].map(([, id]) => id ?? '')
      // The limits of the format: 50,000 addresses and 50 MiB.
      assert.ok(ids.length <= 50_000 && Buffer.byteLength(text) <= 50 * 2 ** 20)
      listed.push(...ids)
    }
    assert.equal(new Set(listed).size, listed.length)
    assert.deepEqual(new Set(listed), new Set(Array.from({ length: count }, (_, number) => `VENUE-${number}`)))
  })

  it('rules, a description of the search, and feeds', async () => {
    assert.match((await page('/robots.txt')).text, new RegExp(`Sitemap: ${publicUrl}/sitemap.xml`))
    assert.match(
      (await page('/opensearch.xml')).text,
      /template="https:\/\/catalogue.example.org\/find\?q=\{searchTerms\}"/
    )
    assert.match((await page('/feed.atom')).text, /<entry>/)
    assert.match((await page('/feed.atom?q=eline')).text, new RegExp(`/record/${book.work}"`))
    assert.doesNotMatch((await page('/feed.atom?q=nosuchword')).text, /<entry>/)
  })

  it('titles of feeds and pages with the words and filters of the search', async () => {
    const titleOf = async (path: string) =>
      /<title>.*?: (.*?)(?: · Libretto)?<\/title>/.exec((await page(path)).text)?.[1]
    const narrowed = `q=vere&type=work,person&authors=${author.id}&event_type=talk,workshop&from=1880&to=1890&view=records`
    const english = 'vere · Works · People · People: Louis Couperus · Kind of event: Talk, Workshop · years: 1880–1890'
    assert.equal(await titleOf(`/feed.atom?${narrowed}`), english)
    assert.equal(await titleOf(`/find?${narrowed}`), english)
    assert.equal(
      await titleOf(`/nl/feed.atom?related=refAuthors:${author.id}&ids=A,B`),
      'Personen: Louis Couperus · Mijn lijst'
    )
    assert.equal(await titleOf('/nl/feed.atom?authors=NOBODY'), 'Personen: NOBODY')
    assert.equal(await titleOf('/nl/feed.atom?view=records'), 'Zoeken')
  })
})

describe('A visitor', () => {
  it('reads records in every way, without the names of those who wrote them', async () => {
    const { work, manifestation } = book
    for (const path of [
      `/entities/${work}`,
      `/entities/${work}?format=jsonld`,
      `/entities/wem/${manifestation}`,
      `/entities/${work}/tree`,
      `/entities/${work}/history`,
      `/entities/${author.id}/references`,
      '/entities?type=work',
      '/suggest?q=eli',
      '/export?format=ndjson'
    ]) {
      assert.match((await service.get(path)).text, /Eline|WORK|work|W-/, path)
      const answer = await page(path)
      assert.equal(answer.status, 200, `${path}: ${answer.text.slice(0, 200)}`)
      assert.doesNotMatch(answer.text, /token:/, path)
    }
    const filtered = await service.post('/entities/filter', [{ type: 'search', value: 'eline' }], nobody)
    assert.equal(filtered.status, 200)
    assert.doesNotMatch(filtered.text, /token:/)
    assert.match((await service.get(`/entities/${work}`)).text, /token:/)
  })

  it('is sent from a record to its page by a browser, and gets data otherwise', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
    const answer = await page(`/entities/${book.work}`, browser)
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.location, `${publicUrl}/record/${book.work}`)
    assert.equal((await page(`/entities/${book.work}`, { accept: '*/*' })).status, 200)
    assert.equal((await service.get(`/entities/${book.work}`, { headers: browser })).status, 200)
  })

  it('writes nothing, and sees nothing of the administration', async () => {
    for (const [method, path] of [
      ['POST', '/entities'],
      ['PATCH', `/entities/${book.work}`],
      ['DELETE', `/entities/${book.work}`],
      ['GET', '/me'],
      ['GET', '/tokens'],
      ['GET', '/webhooks'],
      ['GET', '/imports'],
      ['GET', '/changes'],
      ['POST', '/tickets']
    ] as const) {
      const answer = await service.call(method, path, {
        ...nobody,
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} })
      })
      assert.equal(answer.status, 401, `${method} ${path}: ${answer.status}`)
    }
  })
})

describe('Records that visitors may not read', () => {
  it('are on no page', async t => {
    const scopes = 'read:production:published,read:performance,read:venue'
    const open = await start(t, { ANONYMOUS_ACCESS: scopes, PUBLIC_URL: publicUrl })
    const venue = await open.create(aVenue('Hall'))
    const hidden = await open.create(
      aProduction({ title: 'Secretplay', status: 'concept' }, { relations: relations({ refVenues: venue.id }) })
    )
    const shown = await open.create(
      aProduction(
        { title: 'Openplay', status: 'published', description_short: '<p>Come</p>' },
        { relations: relations({ refVenues: venue.id }) }
      )
    )
    const person = await open.create(aPerson('Secretperson'))
    const begin = new Date(Date.now() + 86_400_000).toISOString()
    const performance = await open.create({
      type: 'performance',
      metadata: metadata({ start: begin }),
      relations: relations({ refProduction: hidden.id, refVenues: venue.id })
    })
    const secrets = [hidden.id, person.id, performance.id, 'Secretplay', 'Secretperson']
    const paths = [
      '/',
      '/find',
      '/find?q=secretplay',
      '/find?type=all',
      '/find?type=person',
      '/feed.atom',
      '/feed.atom?type=all'
    ]
    paths.push('/sitemap.xml', '/sitemap-1.xml', `/record/${venue.id}`, `/record/${shown.id}`)
    for (const path of paths) {
      const { text, status } = await open.get(path, nobody)
      assert.equal(status, 200, `${path}: ${text.slice(0, 300)}`)
      const body = path.includes('q=') ? text.replaceAll('secretplay', '') : text
      for (const secret of secrets) assert.ok(!body.includes(secret), `${path} shows ${secret}`)
    }
    const never = await open.get('/record/NO-SUCH', nobody)
    for (const id of [hidden.id, person.id, performance.id]) {
      const { status, text } = await open.get(`/record/${id}`, nobody)
      assert.equal(status, 404)
      assert.equal(text.replaceAll(id, 'NO-SUCH'), never.text)
    }
    assert.match((await open.get(`/record/${venue.id}`, nobody)).text, /Openplay/)
  })

  it('make no pages where visitors may read nothing', async t => {
    const closed = await start(t)
    assert.match((await closed.get('/robots.txt', nobody)).text, /Disallow: \/$/m)
    assert.equal((await closed.get('/sitemap.xml', nobody)).status, 404)
    assert.equal((await closed.get(`/entities/${book.work}`, nobody)).status, 401)
  })
})
