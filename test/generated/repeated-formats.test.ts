import assert from 'node:assert/strict'
import { it } from 'node:test'

import { createTestDatabase, testStore } from '../support/databases/database.ts'
import { createChance, howMany, repeatable, seed } from '../support/records/chance.ts'
import { aRecord, createBook, metadata, relations } from '../support/records/entities.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { importPayload } from '../support/services/import-file.ts'
import { getOverSocket as get } from '../support/services/get-over-socket.ts'
import { listen } from '../support/services/listen.ts'
import { adminToken, start } from '../support/services/start.ts'

/*
 * Two services on one database answer the same requests again and again, in every format, while
 * records around them change. Each answer is compared with that to the same request with a header
 * that no stored answer has, which is always made.
 */

const rounds = howMany({ quick: 20, short: 120, long: 3000, onPostgres: 40 })

const formats = {
  accept: [
    'application/ld+json',
    'text/turtle',
    'text/html;q=0.1,application/n-triples;q=0.5,application/rdf+xml;q=0.4'
  ],
  format: ['schema', 'bibtex', 'ris', 'csl', 'marcxml', 'marc', 'mods', 'dc', 'marcauth', 'skos', 'libretto', 'csv']
}

const tide = (title: string, local: string) => ({
  tide1: `020 ## $a9789025701017
100 1# $aVerhoeven, Mila,$d1911-1984
245 14 $aThe tide :$b${title} /$cMila Verhoeven.
264 #1 $aGent :$bDe Kade,$c1951.
650 #0 $aTides
952 ## $a${local}`
})

it('An answer in any format is sent again only while it would be made the same', () =>
  repeatable(async after => {
    const DATABASE_URL = await createTestDatabase({ after })
    const services = [await start({ after }, { DATABASE_URL }), await start({ after }, { DATABASE_URL })] as const
    const ports = [await listen(services[0]), await listen(services[1])] as const
    const [service] = services
    const chance = createChance(seed)

    const create = async (...given: Parameters<typeof aRecord>) => (await service.create(aRecord(...given))).id
    const author = await create('person', { name: 'Anna Before' })
    const broader = await create('subject', { name: 'Water' })
    const subject = await create('subject', { name: 'Tides' }, { refBroader: broader })
    const book = await createBook(service, {
      work: { relations: relations({ refAuthors: author, refSubjects: subject }) }
    })
    const production = await create('production', { title: 'Hamlet' }, { refWork: book.work })
    const venue = await create('venue', { name: 'Hall' })
    await importPayload(service, marcFile(tide('a novel', '1')), { query: '?agency=TEST' })
    const imported = (await service.get(`/entities/${encodeURIComponent('(TEST)tide1')}`)).body.id as string

    let count = 0
    const library = await create('library', { name: 'Gent' })
    const items: string[] = []
    const read = await service.tokenWith('read')
    const limited = [
      await service.tokenWith('read:manifestation', 'read:expression', 'read:work'),
      await service.tokenWith('read:production:published')
    ] as const
    const word = () => `word ${++count}`
    const name = (id: string, key: string) => async () => {
      const { status, text } = await service.patch(`/entities/${id}`, { metadata: [{ key, value: word() }] })
      assert.equal(status, 200, text)
    }
    const writes: (() => Promise<unknown>)[] = [
      name(author, 'name'),
      name(broader, 'name'),
      name(book.work, 'title'),
      name(book.expression, 'title'),
      name(book.manifestation, 'title'),
      name(imported, 'title'),
      name(venue, 'name'),
      name(library, 'name'),
      // Records that refer to others for the first time, or no more.
      async () =>
        items.push(
          await create('item', { barcode: word() }, { refManifestation: book.manifestation, refLibrary: library })
        ),
      async () => items.length > 0 && service.delete(`/entities/${items.pop()}`),
      async () => create('performance', { start: '2027-01-01T20:00' }, { refProduction: production, refVenue: venue }),
      async () => createBook(service, { work: { relations: relations({ refAuthors: author }) } }),
      async () => create('work_word', { title: word() }, { refDerivedFrom: book.work }),
      async () => {
        const other = await create('expression_word', { title: word() }, { refWork: book.work })
        await create('manifestation_word', { title: word() }, { refExpressions: other })
      },
      // A source record that changes where the model has no place for it, and one that does.
      async () => importPayload(service, marcFile(tide('a novel', word())), { query: '?agency=TEST' }),
      async () => importPayload(service, marcFile(tide(word(), '1')), { query: '?agency=TEST' }),
      async () => {
        const victim = await create('person', { name: word() })
        const linked = await service.patch(`/entities/${book.expression}`, {
          relations: [
            { key: book.work, type: 'refWork' },
            { key: victim, type: 'refTranslators' }
          ]
        })
        const merged = await service.post(`/entities/${author}/merge`, { victim_id: victim })
        assert.deepEqual([linked.status, merged.status], [200, 200], `${linked.text} ${merged.text}`)
      },
      async () => service.create({ type: 'venue', metadata: metadata({ name: word() }) })
    ]

    const ids = [book.manifestation, book.work, author, subject, production, imported]
    const paths = [
      `/entities/wem/${book.manifestation}`,
      `/entities/wem/${imported}`,
      ...ids.map(id => `/entities/${id}`)
    ]
    const requests = paths.flatMap(path => [
      ...formats.accept.map(accept => ({ path, headers: { accept } })),
      ...formats.format.map(format => ({ path: `${path}?format=${format}`, headers: {} }))
    ])
    const stored = () => services.reduce((sum, { libretto }) => sum + libretto.parts.cache.sent.measure().entries, 0)
    const same = { again: 0, compared: 0 }
    const compare = async (port: number, token: string, { path, headers }: (typeof requests)[number]) => {
      const encoding: Record<string, string> = chance.oneIn(3) ? { 'accept-encoding': 'gzip' } : {}
      const all = { authorization: `Bearer ${token}`, ...headers, ...encoding }
      const before = stored()
      const found = await get(port, path, all)
      const made = await get(port, path, { ...all, 'x-made-anew': '1' })
      same.compared++
      if (found.status === 200 && stored() === before) same.again++
      assert.deepEqual(found, made, `${path} ${JSON.stringify(all)} on ${port}`)
    }

    const notStored: string[] = []
    for (const each of requests)
      for (const port of ports) {
        const before = stored()
        await compare(port, adminToken, each)
        await compare(port, adminToken, each)
        const { status } = await get(port, each.path, { authorization: `Bearer ${adminToken}`, ...each.headers })
        if (status === 200 && stored() === before) notStored.push(`${each.path} ${JSON.stringify(each.headers)}`)
      }
    // On PostgreSQL the state of imports is not compared again, so that formats of MARC are made.
    if (testStore === 'sqlite') assert.deepEqual([...new Set(notStored)], [])

    for (let round = 0; round < rounds; round++) {
      await chance.pick(writes as [(typeof writes)[0], ...typeof writes])()
      for (let times = 0; times < 12; times++) {
        const token = chance.oneIn(4) ? chance.pick([...limited]) : chance.oneIn(3) ? read : adminToken
        const asked = requests[chance.below(requests.length)] as (typeof requests)[number]
        await compare(ports[chance.below(2)] as number, token, asked)
      }
    }
    assert.ok(same.again > 0)
    console.log(`${same.compared} comparisons, ${stored()} stored at the end (SEED=${seed})`)
  }))
