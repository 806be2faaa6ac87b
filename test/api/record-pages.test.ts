import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { type DefaultTreeAdapterTypes, parse } from 'parse5'

import { loadSample } from '../../src/cli/sample.ts'
import { howMany, someOfEachType } from '../support/records/chance.ts'
import { aPerson, aProduction, createBook, metadata, relations } from '../support/records/entities.ts'
import { aPng, createMediafile } from '../support/records/media.ts'
import { schemaOrgFaults } from '../support/oracles/schema-org.ts'
import { createMany } from '../support/services/create-many.ts'
import { start } from '../support/services/start.ts'

/* The pages of records as a reader without a script gets them. */

const nobody = { token: undefined }
const publicUrl = 'https://catalogue.example.org'
const service = await start({ after }, { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: publicUrl })

const read = async (path: string) => {
  const answer = await service.get(path, nobody)
  assert.equal(answer.status, 200, `${path}: ${answer.text.slice(0, 300)}`)
  const errors: string[] = []
  parse(answer.text, { onParseError: ({ code }) => errors.push(code) })
  assert.deepEqual(errors, [], path)
  return answer.text
}

/** The texts of the elements with a class, in order. */
function textsOf(document: string, className: string): string[] {
  const found: string[] = []
  const textIn = (node: DefaultTreeAdapterTypes.Node): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textIn).join('') : ''
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    const classes = 'attrs' in node ? (node.attrs.find(({ name }) => name === 'class')?.value ?? '').split(' ') : []
    if (classes.includes(className)) found.push(textIn(node).replaceAll(/\s+/g, ' ').trim())
    if ('childNodes' in node) for (const child of node.childNodes) walk(child)
  }
  walk(parse(document))
  return found
}

const escaped = (text: string) => text.replaceAll("'", '&#39;')
const unescaped = (text: string) => text.replaceAll('&amp;', '&')

/** The links in the element with an id, with the next page of its own list. */
function linksIn(document: string, id: string): { paths: string[]; next: string | undefined } {
  const paths: string[] = []
  let next: string | undefined
  const walk = (node: DefaultTreeAdapterTypes.Node, isInside: boolean) => {
    const attribute = (name: string) =>
      'attrs' in node ? node.attrs.find(each => each.name === name)?.value : undefined
    const inside = isInside || attribute('id') === id
    const href = attribute('href')
    if (inside && href !== undefined) paths.push(href)
    if (inside && attribute('rel') === 'next') next = href?.split('#')[0]
    if ('childNodes' in node) for (const child of node.childNodes) walk(child, inside)
  }
  walk(parse(document), false)
  return { paths, next }
}

/** Follows the links to the next page of a list, and collects the ids of records in it. */
async function walkList(path: string, section: string): Promise<{ ids: string[]; canonical: string[] }> {
  const [ids, canonical]: [string[], string[]] = [[], []]
  for (let at: string | undefined = path; at !== undefined; ) {
    const text: string = await read(at)
    const { paths, next }: ReturnType<typeof linksIn> = linksIn(text, section)
    ids.push(...paths.flatMap(each => /^\/record\/([^/?#]+)$/.exec(each)?.[1] ?? []))
    canonical.push(/rel="canonical" href="([^"]+)"/.exec(text)?.[1] ?? '')
    at = next
  }
  return { ids, canonical }
}

const aNight = (id: string, start: string, to: Readonly<Record<string, string>>, fields: object = {}) => ({
  id,
  type: 'performance',
  metadata: metadata({ start, ...fields }),
  relations: relations(to)
})

const venueIn = (name: string, city: string, country = 'BE') =>
  service.create({ type: 'venue', metadata: metadata({ name, city, country }) })

describe('The page of a production', () => {
  it('has the next performance with its tickets before everything else, and states in words', async () => {
    const company = await service.create({ type: 'company', metadata: metadata({ name: 'The Company' }) })
    const [gent, leuven] = [await venueIn('Silo', 'Gent'), await venueIn('Kade', 'Leuven')]
    const by = { refCompanies: company.id }
    const show = await service.create(
      aProduction(
        { title: 'A show', duration: 145, age_category: '14+', price: ['28.00 EUR Standard', '14.50 EUR Student'] },
        { relations: relations(by) }
      )
    )
    await service.create(aProduction({ title: 'Another show' }, { relations: relations(by) }))
    const at = (venue: string) => ({ refProduction: show.id, refVenues: venue })
    const url = 'https://tickets.example.org/1'
    await createMany(service, [
      aNight('PF-PAST', '2020-01-01T20:00:00Z', at(gent.id), { url }),
      aNight('PF-NEXT', '2090-01-10T19:00:00Z', at(gent.id), { url }),
      aNight('PF-SOLD', '2090-02-11T19:00:00Z', at(leuven.id), { url, status: 'sold_out' }),
      aNight('PF-OFF', '2090-02-12T19:00:00Z', at(leuven.id), { url, status: 'cancelled' }),
      aNight('PF-MOVED', '2090-02-19T19:00:00Z', at(leuven.id), {
        ...{ url, status: 'moved', former_start: '2090-02-13T19:00:00Z', accessibility: 'sign_language' }
      })
    ])
    const { mediafile } = await createMediafile(service, aPng(40, 60), 'posters', show.id)

    const text = await read(`/record/${show.id}`)
    const [next = ''] = textsOf(text, 'next-night')
    assert.match(
      next,
      /Next performance Tuesday 10 January 2090, 20:00 Silo Gent · €14\.50 . €28\.00\s?Tickets Add to calendar$/
    )
    const [calendar = ''] = /[^"]*calendar\.ics\?from[^"]*/.exec(text) ?? []
    const { text: events } = await service.get(unescaped(calendar), nobody)
    assert.deepEqual(events.match(/BEGIN:VEVENT/g)?.length, 1, events)
    assert.match(events, /DTSTART[^\n]*20900110T/)
    assert.ok(text.indexOf('class="next-night"') < text.indexOf('<h2>'))
    assert.match(
      text,
      new RegExp(`<figure class="record-picture"><img src="/mediafiles/${mediafile}/thumbnail\\?width=640"`)
    )
    assert.deepEqual(textsOf(text, 'facts-short').join(), '2 h 2514+Price: Standard: €28.00Price: Student: €14.50')
    const nights = textsOf(text, 'night')
    assert.equal(nights.length, 4)
    assert.match(nights[0] ?? '', /^Tue 10 20:00Silo Gent\s?Tickets$/)
    assert.match(nights[1] ?? '', /Sold out$/)
    assert.match(nights[2] ?? '', /Cancelled$/)
    assert.match(nights[3] ?? '', /Sign language.*Moved from 13 Feb.*Tickets$/)
    assert.match(text, /<h3>January 2090<\/h3>.*<h3>February 2090<\/h3>/s)
    assert.match(text, /Also by The Company<\/h2>.*Another show/s)
    assert.match(text, new RegExp(`/entities/${show.id}/calendar\\.ics`))
    assert.match(text, new RegExp(`/entities/${show.id}/press-kit\\.zip`))

    const inGent = await read(`/record/${show.id}?city=Gent`)
    assert.equal(textsOf(inGent, 'night').length, 1)
    assert.match(inGent, new RegExp(`rel="canonical" href="${publicUrl}/record/${show.id}"`))
    assert.match(textsOf(text, 'chips').join(), /All citiesGent 1Leuven 3/)
    const earlier = await read(`/record/${show.id}?when=past`)
    assert.deepEqual(textsOf(earlier, 'night').length, 1)
    assert.equal((await service.get(`/record/${show.id}?dates=-1`, nobody)).status, 400)
  })

  it('has its people by role and the play that it plays, with its editions', async () => {
    const person = await service.create(aPerson('Haverhals, Ilse'))
    const { work } = await createBook(service, { work: { fields: { title: 'The old play' } } })
    const show = await service.create({
      type: 'production',
      metadata: metadata({ title: 'The new show', description: '<p>Come and <em>see</em></p>' }),
      relations: [
        { type: 'refAuthors', key: person.id, metadata: [{ key: 'role', value: 'director' }] },
        { type: 'refWorks', key: work }
      ]
    })
    const text = await read(`/record/${show.id}`)
    assert.match(textsOf(text, 'cast').join(), /director\s?Ilse Haverhals/)
    assert.match(textsOf(text, 'plays').join(), /The old play.*1 edition/)
    assert.match(text, /<section class="reading"><h2>About the show<\/h2>.*<em>see<\/em>/)
  })

  it('shows every performance of many, in pages that have their own addresses', async () => {
    const show = await service.create(aProduction({ title: 'A long run' }))
    const nights = Array.from({ length: 300 }, (_, at) =>
      aNight(`PF-RUN${at}`, new Date(Date.UTC(2090, 0, 1, 19) + at * 86_400_000).toISOString(), {
        refProduction: show.id
      })
    )
    // Those that were created first are the last.
    await createMany(service, nights.toReversed())
    const { ids, canonical } = await walkList(`/record/${show.id}`, 'dates')
    assert.deepEqual(
      ids.filter(each => each.startsWith('PF-')),
      nights.map(({ id }) => id)
    )
    assert.equal(new Set(canonical).size, 3)
    const text = await read(`/record/${show.id}`)
    assert.match(text, /All dates <span class="count">300<\/span>/)
    // Search engines are told of the first performances that the page shows.
    const [, described = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? []
    const days = [...described.matchAll(/"startDate":"(\d{4}-\d\d-\d\d)/g)].map(([, day = '']) => day)
    assert.equal(days.length, 24)
    assert.deepEqual([days.toSorted()[0], days.toSorted().at(-1)], ['2090-01-01', '2090-01-24'])
  })
})

describe('The page of a work', () => {
  it('tells translations apart by language and translator, and says where editions are', async () => {
    const language = (name: string, code: string) =>
      service.create({ type: 'language', metadata: metadata({ name, code }) })
    const [dutch, english] = [await language('Dutch', 'dut'), await language('English', 'eng')]
    const translators = await Promise.all(
      ['Oldenkamp, Marit', 'Burgersdijk, L.A.J.'].map(name => service.create(aPerson(name)))
    )
    const publisher = await service.create({ type: 'publisher', metadata: metadata({ name: 'Zaallicht' }) })
    const library = await service.create({ type: 'library', metadata: metadata({ name: 'West' }) })
    const work = await service.create({
      type: 'work_word',
      metadata: metadata({ title: 'Hamlet' }),
      relations: relations({ refLanguages: english.id })
    })
    const edition = async (of: object[], year: string) => {
      const expression = await service.create({
        type: 'expression_word',
        metadata: metadata({ title: 'Hamlet' }),
        relations: [{ type: 'refWork', key: work.id }, ...of]
      })
      return service.create({
        type: 'manifestation_word',
        metadata: metadata({ title: 'Hamlet', year_of_publication: year }),
        relations: relations({ refExpressions: expression.id, refPublishers: publisher.id })
      })
    }
    const inDutch = { type: 'refLanguages', key: dutch.id }
    const by = (at: number) => ({
      ...{ type: 'refAuthors', key: translators[at]?.id },
      metadata: [{ key: 'role', value: 'translator' }]
    })
    const first = await edition([inDutch, by(0)], '2019')
    await edition([inDutch, by(1)], '1974')
    await edition([{ type: 'refLanguages', key: english.id }], '2016')
    for (const status of ['Available', 'On loan'])
      await service.create({
        type: 'item',
        metadata: metadata({ status }),
        relations: relations({ refManifestation: first.id, refLibrary: library.id })
      })

    const text = await read(`/record/${work.id}`)
    const groups = textsOf(text, 'expression')
    assert.equal(groups.length, 3)
    assert.match(groups[0] ?? '', /^English — original.*2016Zaallicht/)
    assert.ok(
      groups.some(each =>
        /^Dutch — translated by Marit Oldenkamp.*2019Zaallicht.*1 library, 1 on the shelf$/.test(each)
      ),
      groups.join('\n')
    )
    assert.ok(groups.some(each => /^Dutch — translated by L\.A\.J\. Burgersdijk/.test(each)))
    assert.deepEqual(textsOf(text, 'work-lead'), ['3 editions in 2 languages, at 1 library, 1 on the shelf'])
    assert.match(textsOf(await read(`/record/${translators[0]?.id}`), 'results').join(), /Hamlet \(translator\) Dutch$/)
    // A status that says nothing of the shelf promises nothing.
    for (const [status, expected] of [
      ['Réservé', '1 library, none on the shelf'],
      ['In transit', '1 library, none on the shelf'],
      ['Special collection', '1 library'],
      [undefined, '1 library']
    ] as const) {
      const { manifestation } = await createBook(service, { work: { fields: { title: 'Somewhere' } } })
      await service.create({
        type: 'item',
        metadata: metadata(status === undefined ? {} : { status }),
        relations: relations({ refManifestation: manifestation, refLibrary: library.id })
      })
      const { relations: to } = (await service.get(`/entities/${manifestation}`)).body as {
        relations: { key: string }[]
      }
      const [above] = ((await service.get(`/entities/${to[0]?.key}`)).body as { relations: { key: string }[] })
        .relations
      const [edition = ''] = textsOf(await read(`/record/${above?.key}`), 'edition')
      assert.ok(edition.endsWith(expected), `${status}: ${edition}`)
    }
    assert.deepEqual(textsOf(text, 'chips'), ['All 3Dutch 2English 1'])
    assert.equal(textsOf(await read(`/record/${work.id}?in=${dutch.id}`), 'edition').length, 2)
    // The role of the translator is told once on the page of the edition.
    assert.equal((await read(`/record/${first.id}`)).match(/\(translator\)/g)?.length, 1)
    // Languages are called by their names in the language of the reader.
    assert.deepEqual(textsOf(await read(`/de/record/${work.id}`), 'chips'), ['Alle 3Niederländisch 2Englisch 1'])
    assert.deepEqual(textsOf(await read(`/fr/record/${work.id}`), 'chips'), ['Toutes 3Néerlandais 2Anglais 1'])
  })

  it('counts editions in each language of the work, not of others in the same book', async () => {
    const [eng, dut, fre] = await Promise.all(
      ['eng', 'dut', 'fre'].map(code => service.create({ type: 'language', metadata: metadata({ name: code, code }) }))
    )
    const aWork = () => service.create({ type: 'work_word', metadata: metadata({ title: 'Bound together' }) })
    const [work, other] = [await aWork(), await aWork()]
    const expression = (refWork: string, refLanguages = '') =>
      service.create({
        type: 'expression_word',
        metadata: metadata({ title: 'Bound together' }),
        relations: relations({ refWork, refLanguages })
      })
    const [english, dutch] = [await expression(work.id, eng?.id), await expression(work.id, dut?.id)]
    const elsewhere = await expression(other.id, fre?.id)
    const edition = (...of: { id: string }[]) =>
      service.create({
        type: 'manifestation_word',
        metadata: metadata({ title: 'Bound together' }),
        relations: of.map(({ id }) => ({ type: 'refExpressions', key: id }))
      })
    const chips = async () => textsOf(await read(`/record/${work.id}`), 'chips').join()
    await edition(english)
    await edition(english)
    await edition(dutch, elsewhere)
    assert.equal(await chips(), 'All 3English 2Dutch 1')
    // In two languages.
    await edition(dutch, english)
    assert.equal(await chips(), 'All 4English 3Dutch 2')
  })

  it('counts the copies of an edition that has many as it counts a few', async () => {
    const { work, expression, manifestation: few } = await createBook(service)
    const { id: many } = await service.create({
      type: 'manifestation_word',
      metadata: metadata({ title: 'Hamlet' }),
      relations: relations({ refExpressions: expression })
    })
    const libraries = ['One', 'Two', 'Three'].map(name => ({
      ...{ id: `LIB-${name}`, type: 'library', metadata: metadata({ name }) }
    }))
    const copy = (id: string, refManifestation: string, at: number, status: string) => ({
      ...{ id, type: 'item', metadata: metadata({ status }) },
      relations: relations({ refManifestation, refLibrary: libraries[at % 3]?.id ?? '' })
    })
    await createMany(service, [
      ...libraries,
      ...Array.from({ length: 25 }, (_, at) => copy(`IT-MANY${at}`, many, at, at < 2 ? 'Available' : 'On loan')),
      ...['On loan', 'Available'].map((status, at) => copy(`IT-FEW${at}`, few, at, status))
    ])
    const shown = textsOf(await read(`/record/${work}`), 'available')
    assert.deepEqual(shown.toSorted(), ['2 libraries, 1 on the shelf', '3 libraries, 2 on the shelf'])
    const [lead] = textsOf(await read(`/record/${work}`), 'work-lead')
    assert.match(lead ?? '', /at 3 libraries, 3 on the shelf$/)
  })

  it('has editions, productions and related works in lists that all go on', async () => {
    const work = await service.create({ type: 'work_word', metadata: metadata({ title: 'Much printed' }) })
    const expression = await service.create({
      type: 'expression_word',
      metadata: metadata({ title: 'Much printed' }),
      relations: relations({ refWork: work.id })
    })
    const numbers = Array.from({ length: 130 }, (_, at) => at)
    await createMany(service, [
      ...numbers.map(at => ({
        ...{ id: `M-MUCH${at}`, type: 'manifestation_word' },
        metadata: metadata({ title: `Print ${at}`, year_of_publication: String(1800 + at) }),
        relations: relations({ refExpressions: expression.id })
      })),
      ...numbers.map(at => ({
        ...{ id: `PR-MUCH${at}`, type: 'production', metadata: metadata({ title: `Staging ${at}` }) },
        relations: relations({ refWorks: work.id })
      })),
      ...numbers.map(at => ({
        ...{ id: `W-MUCH${at}`, type: 'work_word', metadata: metadata({ title: `Sequel ${at}` }) },
        relations: relations({ refRelatedWorks: work.id })
      }))
    ])
    for (const [section, prefix] of [
      ['editions', 'M-MUCH'],
      ['shows', 'PR-MUCH'],
      ['refRelatedWorks-work', 'W-MUCH']
    ] as const) {
      const { ids, canonical } = await walkList(`/record/${work.id}`, section)
      const listed = ids.filter(each => each.startsWith(prefix))
      assert.deepEqual(new Set(listed), new Set(numbers.map(at => `${prefix}${at}`)), section)
      assert.equal(new Set(canonical).size, canonical.length, section)
    }
  })
})

describe('The page of a person', () => {
  it('has the name as people write it', async () => {
    for (const [filed, written] of [
      ['Shakespeare, William', 'William Shakespeare'],
      ['Gogh, Vincent van', 'Vincent van Gogh'],
      ["Alembert, Jean le Rond d'", "Alembert, Jean le Rond d'"],
      ["Annunzio, Gabriele d'", "Gabriele d'Annunzio"],
      ['King, Martin Luther, Jr.', 'Martin Luther King, Jr.'],
      ['Чехов, Антон Павлович', 'Антон Павлович Чехов'],
      // Titles and places are no given names, and names without capitals have their own order.
      ['Elizabeth II, Queen of Great Britain', 'Elizabeth II, Queen of Great Britain'],
      ['Thomas, Aquinas, Saint', 'Thomas, Aquinas, Saint'],
      ['Jean, de Meung', 'Jean, de Meung'],
      ['Pan, Peter (1904)', 'Pan, Peter (1904)'],
      ['村上, 春樹', '村上, 春樹'],
      ['Voltaire', 'Voltaire']
    ] as const) {
      const { id } = await service.create(aPerson(filed))
      assert.match(await read(`/record/${id}`), new RegExp(`<h1[^>]*>${RegExp.escape(escaped(written))}</h1>`))
    }
    const company = await service.create({ type: 'company', metadata: metadata({ name: 'Bremt, Zoon' }) })
    assert.match(await read(`/record/${company.id}`), /<h1[^>]*>Bremt, Zoon<\/h1>/)
  })

  it('lists every work, each kind by itself, by title or by year', async () => {
    const person = await service.create(aPerson('Prolific, Anna'))
    const works = Array.from({ length: 501 }, (_, at) => ({
      ...{ id: `W-PRO${at}`, type: 'work_word' },
      metadata: metadata({ title: `Title ${String(at).padStart(3, '0')}`, year: String(2400 - at) }),
      relations: relations({ refAuthors: person.id })
    }))
    const show = {
      ...{ id: 'PR-PRO', type: 'production', metadata: metadata({ title: 'On stage' }) },
      relations: [{ type: 'refAuthors', key: person.id, metadata: [{ key: 'role', value: 'translator' }] }]
    }
    await createMany(service, [...works, show])
    const text = await read(`/record/${person.id}`)
    assert.match(text, /Works <span class="count">501<\/span>/)
    assert.match(text, /1 to 50 of 501/)
    assert.match(text, /On stage<\/a> <span class="role">\(translator\)/)
    const { ids } = await walkList(`/record/${person.id}`, 'refAuthors-work')
    assert.deepEqual(
      ids.filter(each => each.startsWith('W-')),
      works.map(({ id }) => id)
    )
    const byYear = await read(`/record/${person.id}?sort=year`)
    assert.ok(byYear.indexOf('W-PRO500') < byYear.indexOf('W-PRO499'))
  })
})

describe('The page of an edition', () => {
  it('tells every fact once, and classes under the names of their schemes', async () => {
    const [language, title, zizo] = [
      await service.create({ type: 'language', metadata: metadata({ name: 'Dutch', code: 'dut' }) }),
      await service.create({ type: 'title', metadata: metadata({ title: 'The only name' }) }),
      await service.create({ type: 'zizo', metadata: [...metadata({ title: 'Plays' }), { key: 'code', value: ['P'] }] })
    ]
    const refLanguages = language.id
    const { manifestation } = await createBook(service, {
      work: {
        fields: { title: 'The only name' },
        relations: relations({ refLanguages, refTitles: title.id, refZizos: zizo.id })
      },
      expression: { fields: { title: 'The only name', content_type: 'tekst' }, relations: relations({ refLanguages }) },
      manifestation: { fields: { title: 'The only name' }, relations: relations({ refLanguages }) }
    })
    const text = await read(`/record/${manifestation}`)
    assert.equal(text.match(/<dt>Languages<\/dt>/g)?.length, 1)
    const side = textsOf(text, 'record-side').join()
    assert.match(side, /^Dutch — original\s?WorkThe only name\s?ShelfZIZO Plays/)
    assert.doesNotMatch(side, /Uniform title|Expression|tekst/)
  })
})

describe('The page of a season or a venue', () => {
  it('has its shows as posters with the days that they are played there', async () => {
    const [here, elsewhere] = [await venueIn('Here', 'Gent'), await venueIn('Elsewhere', 'Leuven')]
    const season = await service.create({
      type: 'season',
      metadata: metadata({ name: 'Season 2090', start_date: '2090-01-01', end_date: '2090-12-31' })
    })
    const show = await service.create(
      aProduction(
        { title: 'A touring show', age_category: '8+' },
        {
          relations: [
            { type: 'refSeasons', key: season.id },
            ...[here, elsewhere].map(({ id }) => ({ type: 'refVenues', key: id }))
          ]
        }
      )
    )
    const at = (venue: string) => ({ refProduction: show.id, refVenues: venue })
    await createMany(service, [
      aNight('PF-TOUR1', '2089-10-12T19:00:00Z', at(elsewhere.id)),
      aNight('PF-TOUR2', '2090-01-11T19:00:00Z', at(here.id)),
      aNight('PF-TOUR3', '2090-01-16T19:00:00Z', at(here.id)),
      aNight('PF-TOUR4', '2090-03-14T19:00:00Z', at(elsewhere.id))
    ])
    const postersOf = async (id: string) => textsOf(await read(`/record/${id}`), 'posters')
    assert.match((await postersOf(here.id)).join(), /A touring show11 . 16 Jan 20908\+$/)
    assert.match((await postersOf(season.id)).join(), /A touring show11 Jan . 14 Mar 20908\+$/)
    assert.match((await postersOf(elsewhere.id)).join(), /A touring show12 Oct 2089 . 14 Mar 20908\+$/)
    assert.match(await read(`/record/${season.id}`), /<p class="quiet">1 January 2090 – 31 December 2090<\/p>/)
  })

  it('has the shows that are played next on its first page, and those that are over on its last', async () => {
    const season = await service.create({ type: 'season', metadata: metadata({ name: 'Full' }) })
    const show = (id: string, premiere_date: string) => ({
      ...{ id, type: 'production', metadata: metadata({ title: id, premiere_date }) },
      relations: relations({ refSeasons: season.id })
    })
    const past = Array.from({ length: 24 }, (_, at) => show(`PR-OVER${at}`, `20${10 + (at % 12)}-01-01`))
    await createMany(service, [
      ...[show('PR-LATER', '2091-05-01'), ...past, show('PR-SOON', '2001-01-01'), show('PR-LAST', '2091-04-01')],
      aNight('PF-SOON', '2090-03-01T19:00:00Z', { refProduction: 'PR-SOON' }),
      aNight('PF-LAST', '2091-06-01T19:00:00Z', { refProduction: 'PR-LAST' })
    ])
    const { ids } = await walkList(`/record/${season.id}`, 'shows')
    assert.equal(ids.length, 27)
    assert.deepEqual(ids.slice(0, 3), ['PR-SOON', 'PR-LATER', 'PR-LAST'])
  })
})

describe('A programme', () => {
  it('has the performances of a day, the weekend or a week by the clocks of the venues', async () => {
    const season = await service.create({ type: 'season', metadata: metadata({ name: 'Season 2090' }) })
    const venue = await venueIn('Harbor Hall', 'Boston', 'US')
    await service.patch(`/entities/${venue.id}`, {
      metadata: [...metadata({ name: 'Harbor Hall', city: 'Boston', country: 'US', time_zone: 'America/New_York' })]
    })
    const here = await venueIn('Silo', 'Gent')
    const show = await service.create(
      aProduction({ title: 'Week show', age_category: '6+' }, { relations: relations({ refSeasons: season.id }) })
    )
    await createMany(service, [
      // On Thursday in Europe, but still on Wednesday in Boston.
      aNight('PF-BOSTON', '2090-03-16T00:30:00Z', { refProduction: show.id, refVenues: venue.id }),
      aNight('PF-SATURDAY', '2090-03-18T19:00:00Z', { refProduction: show.id, refVenues: here.id }),
      aNight('PF-NEXTWEEK', '2090-03-23T19:00:00Z', { refProduction: show.id, refVenues: here.id })
    ])
    const shown = async (query: string) =>
      [...(await read(`/programme?of=${season.id}&${query}`)).matchAll(/night-when" href="\/record\/([^"]+)"/g)].map(
        ([, id]) => id
      )
    // A Wednesday.
    const date = 'date=2090-03-15'
    assert.deepEqual(await shown(`when=today&${date}`), ['PF-BOSTON'])
    assert.deepEqual(await shown(`when=weekend&${date}`), ['PF-SATURDAY'])
    assert.deepEqual(await shown(`when=week&${date}`), ['PF-BOSTON', 'PF-SATURDAY'])
    assert.deepEqual(await shown('when=week&date=2090-03-20'), ['PF-NEXTWEEK'])
    assert.deepEqual(await shown(`when=week&city=Gent&${date}`), ['PF-SATURDAY'])
    assert.deepEqual(await shown(`when=week&age=12%2B&${date}`), [])
    assert.equal((await service.get('/programme?of=NO-SUCH', nobody)).status, 404)
    for (const wrong of ['when=never', 'date=soon', 'date=2090-13-01', 'dates=-1'])
      assert.equal((await service.get(`/programme?${wrong}`, nobody)).status, 400, wrong)
    const text = await read(`/record/${season.id}`)
    assert.match(text, /Shows <span class="count">1<\/span>/)
    assert.match(text, new RegExp(`/programme\\?when=weekend&amp;of=${season.id}`))
    assert.deepEqual((await read(`/record/${here.id}`)).match(/class="night-when"/g)?.length, 2)
  })

  it('says where it shows only the first of very many performances', async () => {
    const show = await service.create(aProduction({ title: 'Marathon' }))
    const at = (number: number) => new Date(Date.UTC(2091, 0, 8) + number * 60_000).toISOString()
    await createMany(
      service,
      Array.from({ length: 5001 }, (_, number) => aNight(`PF-MANY-${number}`, at(number), { refProduction: show.id }))
    )
    const week = await read('/programme?when=week&date=2091-01-08')
    assert.match(week, /Only the first 5,000 performances are shown/)
    assert.doesNotMatch(await read('/programme?when=today&date=2091-01-11'), /Only the first/)
  })
})

describe('A publication', () => {
  it('can be cited, by people and by reference managers', async () => {
    const [author, translator] = [
      await service.create(aPerson('Multatuli, Eduard')),
      await service.create(aPerson('Edwards, Roy'))
    ]
    const publisher = await service.create({ type: 'publisher', metadata: metadata({ name: 'Penguin' }) })
    const { work, manifestation } = await createBook(service, {
      work: { fields: { title: 'Max Havelaar', year: '1860' }, relations: relations({ refAuthors: author.id }) },
      expression: {
        fields: { title: 'Max Havelaar' },
        relations: [{ type: 'refAuthors', key: translator.id, metadata: [{ key: 'role', value: 'translator' }] }]
      },
      manifestation: {
        fields: { title: 'Max Havelaar', year_of_publication: '1987', isbn: '978-90-9758-160-9' },
        relations: relations({ refPublishers: publisher.id })
      }
    })
    assert.ok(work)
    const text = await read(`/record/${manifestation}`)
    const page = `${publicUrl}/record/${manifestation}`
    const expected = [
      'APAMultatuli, E. (1987). Max Havelaar (R. Edwards, Trans.). Penguin. (Original work published 1860).',
      'MLAMultatuli, Eduard. Max Havelaar. Translated by Roy Edwards, Penguin, 1987.',
      'ChicagoMultatuli, Eduard. Max Havelaar. Translated by Roy Edwards. Penguin, 1987.',
      `ISO 690MULTATULI, Eduard. Max Havelaar. Translated by Roy Edwards. Penguin, 1987. ISBN 9789097581609. Available from: ${page}.`
    ]
    const [cited = ''] = textsOf(text, 'cite')
    for (const each of expected) assert.ok(cited.includes(each), `${each} is not in ${cited}`)
    for (const tag of [
      'author" content="Multatuli, Eduard',
      'translator" content="Edwards, Roy',
      'isbn" content="9789097581609'
    ])
      assert.ok(text.includes(`<meta name="citation_${tag}">`), tag)
    const coins = new URLSearchParams(unescaped(/class="Z3988" title="([^"]*)"/.exec(text)?.[1] ?? ''))
    assert.deepEqual(coins.getAll('rft.contributor'), ['Edwards, Roy'])
    assert.match(text, /href="mailto:\?subject=Max%20Havelaar&amp;body=https/)
  })
})

describe('Every record of the sample', () => {
  it('has what search engines require of its kind, with its page and picture', async t => {
    const sample = await start(t, { ANONYMOUS_ACCESS: 'read', PUBLIC_URL: publicUrl })
    await loadSample(sample.libretto)
    const library = await sample.create({
      type: 'library',
      metadata: metadata({ name: 'West', address: 'Markt 1', city: 'Gent', country: 'BE' })
    })
    const { mediafile } = await createMediafile(sample, aPng(40, 60), 'posters', 'PR-HAMLET')
    const { body } = await sample.post('/entities/filter?limit=1000', [])
    const all = body.results as { id: string; type: string; metadata: { key: string }[] }[]
    const ofEachType = howMany({ quick: 10, short: 1000, long: 1000, onPostgres: 10 })
    const records = someOfEachType(all, ofEachType)
    const faults: string[] = []
    const described = new Set<unknown>()
    let events = 0
    for (const { id, type, metadata: fields } of records) {
      if (!/^(?:production|performance|manifestation|work|library|venue)/.test(type)) continue
      const { text } = await sample.get(`/record/${id}`, nobody)
      const json = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? 'null'
      const data = JSON.parse(json) as { '@graph'?: Record<string, unknown>[] } & Record<string, unknown>
      const root = data['@graph']?.[0] ?? data
      const kinds = [root['@type']].flat()
      for (const kind of kinds) described.add(kind)
      faults.push(...schemaOrgFaults(data).map(fault => `${id}: ${fault}`))
      if (root.url !== `${publicUrl}/record/${id}`) faults.push(`${id}: url ${String(root.url)}`)
      if (root['@id'] !== `${publicUrl}/entities/${id}`) faults.push(`${id}: @id ${String(root['@id'])}`)
      if (text.match(/rel="canonical"/g)?.length !== 1) faults.push(`${id}: canonical`)
      const required = kinds.includes('Book')
        ? ['name', 'author']
        : kinds.includes('Library') || kinds.includes('PerformingArtsTheater')
          ? ['name', 'address']
          : type === 'performance'
            ? [
                'name',
                'startDate',
                'location',
                'eventStatus',
                ...(fields.some(({ key }) => key === 'url') ? ['offers'] : [])
              ]
            : ['name']
      // A collection of folk tales has no author.
      root.author ??= root.creator ?? root.contributor ?? root.editor
      for (const name of required) if (root[name] === undefined) faults.push(`${type} ${id} has no ${name}`)
      if (type === 'performance') {
        events++
        const [place] = [root.location].flat() as Record<string, unknown>[]
        if (place?.name === undefined || place.address === undefined) faults.push(`${id}: its place has no address`)
      }
    }
    assert.ok(events >= Math.min(ofEachType, 50), String(events))
    for (const kind of ['Book', 'TheaterEvent', 'PerformingArtsTheater', 'Library'])
      assert.ok(described.has(kind), `${kind}: ${[...described].join()}`)
    assert.deepEqual(faults, [])
    const { text } = await sample.get('/record/PR-HAMLET', nobody)
    assert.match(text, new RegExp(`"image":"${publicUrl}/mediafiles/${mediafile}/thumbnail\\?width=1280"`))
    assert.match((await sample.get(`/record/${library.id}`, nobody)).text, /"@type":"Library"/)
    const sitemap = (await sample.get('/sitemap-1.xml', nobody)).text
    assert.match(
      sitemap,
      new RegExp(
        `/record/PR-HAMLET</loc>\\s*<lastmod>[^<]+</lastmod>\\s*<image:image>\\s*<image:loc>${publicUrl}/mediafiles/${mediafile}`
      )
    )
  })
})
