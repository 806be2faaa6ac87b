import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { createChance, howMany, repeatable, seed } from '../support/records/chance.ts'
import {
  aManifestation,
  anExpression,
  aPerson,
  aProduction,
  aVenue,
  aWork,
  relations
} from '../support/records/entities.ts'
import { type Answer, start, type TestService } from '../support/services/start.ts'

/*
 * An acknowledged write is seen by the next list, filter, get and WEM of every client. Answers are
 * cached, queries run in other threads and writes are grouped: each of these could cause a stale
 * answer.
 */

const rounds = howMany({ short: 1000, long: 100_000, onPostgres: 100 })
const clients = 16
const crowd = howMany({ short: 150, long: 10_000, onPostgres: 50 })
const works = howMany({ short: 300, long: 10_000, onPostgres: 150 })

describe('a write that was answered', () => {
  it('is seen by the next read, whichever way it is read', () =>
    repeatable(async after => {
      const service = await start({ after })
      const chance = createChance(seed)
      const shared = await service.create(aProduction({ title: 'shared 0' }))
      /** The newest version of the shared record that anybody was told of. */
      let sharedVersion = 1
      let round = 0

      const client = async (number: number) => {
        const own = await aShelf(service, number)
        while (round < rounds) {
          const word = `round ${++round} of client ${number}`
          const way = round % own.length
          const [write, read] = own[way] as Way
          isGood(await write(word))
          const shown = await read(word)
          assert.ok(shown.includes(word), `stale in way ${way}: "${word}" is not in ${shown.slice(0, 1000)}`)

          if (!chance.oneIn(4)) continue
          if (chance.oneIn(2)) {
            const written = await service.patch(`/entities/${shared.id}`, {
              metadata: [{ key: 'title', value: `shared ${word}` }]
            })
            isGood(written)
            sharedVersion = Math.max(sharedVersion, written.body.version)
          }
          const atLeast = sharedVersion
          const seen = chance.oneIn(2)
            ? ((await service.get(`/entities/${shared.id}`)).body as Entity)
            : ((await service.filter([{ type: 'id', value: shared.id }])).body.results[0] as Entity)
          assert.ok(seen.version >= atLeast, `version ${seen.version} was read after ${atLeast} was answered`)
        }
      }
      await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
      console.log(`${round} rounds of ${clients} clients (SEED=${seed})`)
    }))

  it('is seen in a WEM when it makes what was missing', () =>
    repeatable(async after => {
      const service = await start({ after })
      for (const name of ['PERS-late', 'urn:late']) {
        const work = await service.create(
          aWork('Late', { relations: relations({ refAuthors: name }) }),
          '?allow_dangling=1'
        )
        const expression = await service.create(anExpression(work.id))
        const manifestation = await service.create(aManifestation(expression.id))
        const url = `/entities/wem/${manifestation.id}`
        assert.equal((await service.get(url)).body.work.relations[name].label, 'missing')
        assert.equal((await service.get(url)).body.work.relations[name].label, 'missing')
        const isId = name.startsWith('PERS')
        await service.create(aPerson('Late, Anna', isId ? { id: name } : { identifiers: [name] }))
        assert.equal((await service.get(url)).body.work.relations[name].value, 'Late, Anna')
      }
    }))

  it('is no longer seen anywhere when it was a deletion', () =>
    repeatable(async after => {
      const service = await start({ after })
      for (let round = 0; round < 200; round++) {
        const venue = await service.create(aVenue(`Venue ${round}`, { identifiers: [`urn:venue:${round}`] }))
        assert.equal((await service.get(`/entities/urn:venue:${round}`)).status, 200)
        assert.equal((await service.delete(`/entities/${venue.id}`)).status, 204)
        for (const name of [venue.id, venue._id, `urn:venue:${round}`]) {
          assert.equal((await service.get(`/entities/${name}`)).status, 404)
        }
        const text = { type: 'text', key: 'properties.name.value', value: `Venue ${round}` }
        assert.equal((await service.filter([text])).body.count, 0)
        assert.deepEqual((await service.get(`/entities?ids=${venue.id}`)).body, [])
      }
    }))
})

describe(`an author of ${works} works`, () => {
  it('who is renamed has the new name in the next WEM of each, under another ETag', () =>
    repeatable(async after => {
      const service = await start({ after })
      const { catalogue, operator } = service.libretto
      const author = await service.create(aPerson('Before, Anna'))
      const create = async (body: unknown) => (await catalogue.entities.create(operator, body)).entity.id
      const ids: string[] = []
      const maker = async () => {
        while (ids.length < works) {
          const number = ids.push('') - 1
          const work = await create(aWork(`Work ${number}`, { relations: relations({ refAuthors: author.id }) }))
          ids[number] = await create(aManifestation(await create(anExpression(work))))
        }
      }
      await Promise.all(Array.from({ length: 128 }, maker))

      const before = new Map<string, Answer>()
      const cached = new Map<string, unknown>()
      const sample = pickSome(ids, Math.min(500, works))
      for (const id of ids) {
        const answer = await catalogue.publications.wem(operator, id)
        assert.ok(answer.body.includes('Before, Anna'))
        if (sample.includes(id)) cached.set(id, answer)
      }
      for (const [id, answer] of cached) {
        assert.equal(await catalogue.publications.wem(operator, id), answer, 'all of them are in the cache at once')
      }
      for (const id of sample) before.set(id, await service.get(`/entities/wem/${id}`))
      const again = await service.get(`/entities/wem/${sample[0]}`, {
        headers: { 'if-none-match': String(before.get(sample[0] ?? '')?.headers.etag) }
      })
      assert.equal(again.status, 304, 'nothing has changed yet')

      isGood(await service.patch(`/entities/${author.id}`, { metadata: [{ key: 'name', value: 'After, Bea' }] }))
      for (const id of sample) {
        const etag = String(before.get(id)?.headers.etag)
        const answer = await service.get(`/entities/wem/${id}`, { headers: { 'if-none-match': etag } })
        assert.equal(answer.status, 200, `the WEM of ${id} is said to be as before`)
        assert.equal(answer.body.work.relations[author.id].value, 'After, Bea')
        assert.notEqual(answer.headers.etag, etag)
        assert.ok(!answer.text.includes('Before, Anna'))
      }
    }))
})

describe('a cache that is far too small for what is asked', () => {
  it('shows in each WEM what its author is called now, whatever was dropped to make room', () =>
    repeatable(async after => {
      // Room for some 500 answers, and as many authors.
      const service = await start({ after }, { CACHE_MEGABYTES: '1' })
      const { catalogue, operator } = service.libretto
      const chance = createChance(seed)
      const create = async (body: unknown) => (await catalogue.entities.create(operator, body)).entity.id
      const books: { author: string; name: string; id: string }[] = []
      const maker = async () => {
        while (books.length < crowd) {
          const book = { author: '', name: `author ${books.length}`, id: '' }
          books.push(book)
          book.author = await create(aPerson(book.name))
          const work = await create(aWork('Work', { relations: relations({ refAuthors: book.author }) }))
          book.id = await create(aManifestation(await create(anExpression(work))))
        }
      }
      await Promise.all(Array.from({ length: 64 }, maker))

      for (let round = 0; round < crowd * 4; round++) {
        // Half of the questions are for a tenth of the books, so that some answers are kept while
        // others go.
        const book = books[chance.below(chance.oneIn(2) ? crowd / 10 : crowd)]
        assert.ok(book)
        if (chance.oneIn(20)) {
          book.name = `author of round ${round}`
          const change = { metadata: [{ key: 'name', value: book.name }] }
          await catalogue.entities.patch(operator, book.author, { form: 'lists', body: change }, {})
        }
        const { body } = await catalogue.publications.wem(operator, book.id)
        assert.equal(JSON.parse(body).work.relations[book.author].value, book.name)
      }
    }))
})

type Way = readonly [write: (word: string) => Promise<Answer>, read: (word: string) => Promise<string>]

/** Records of one client's own, and the ways to write to them and read what was written. */
async function aShelf(service: TestService, number: number): Promise<readonly Way[]> {
  const author = await service.create(aPerson(`author ${number}`))
  const work = await service.create(aWork(`work ${number}`, { relations: relations({ refAuthors: author.id }) }))
  const expression = await service.create(anExpression(work.id))
  const manifestation = await service.create(aManifestation(expression.id))
  const show = await service.create(aProduction({ title: `show ${number}` }, { identifiers: [`urn:show:${number}`] }))
  const setTitle = (id: string) => (word: string) =>
    service.patch(`/entities/${id}`, { metadata: [{ key: 'title', value: word }] })
  const wem = async () => (await service.get(`/entities/wem/${manifestation.id}`)).text
  const exactly = (value: string) => ({
    type: 'selection',
    key: ['properties.title.value'],
    value: [value],
    match_exact: true
  })
  return [
    [setTitle(show.id), async () => (await service.get(`/entities/${show.id}`)).text],
    [
      setTitle(show.id),
      async () => (await service.get('/entities?type=production&order_by=date_updated&asc=0&limit=1000')).text
    ],
    [setTitle(show.id), async word => (await service.filter([exactly(word)])).text],
    [
      word => service.patch(`/entities/${author.id}`, { metadata: [{ key: 'name', value: word }] }),
      async () => {
        assert.equal((await service.filter([{ type: 'id', value: author.id }])).body.count, 1)
        return wem()
      }
    ],
    [setTitle(show.id), async () => (await service.get(`/entities/urn:show:${number}`)).text],
    [setTitle(work.id), wem],
    [
      setTitle(show.id),
      async word => (await service.filter([{ type: 'text', key: 'properties.title.value', value: `*${word}` }])).text
    ],
    [setTitle(manifestation.id), wem],
    [setTitle(show.id), async () => (await service.get(`/entities/${show.id}/metadata`)).text],
    [setTitle(work.id), async () => (await service.get(`/entities/${work.id}/tree`)).text]
  ]
}

function isGood(answer: Answer) {
  assert.equal(answer.status, 200, answer.text)
}

/** Returns a number of different values, chosen by the seed. */
function pickSome(from: readonly string[], count: number): string[] {
  const chance = createChance(seed)
  const rest = [...from]
  return Array.from({ length: count }, () => rest.splice(chance.below(rest.length), 1)[0] ?? '')
}
