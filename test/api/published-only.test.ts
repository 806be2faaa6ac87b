import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

import { aPerson, aProduction, aRecord, aVenue, createBook, idsOf, relations } from '../support/records/entities.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { createMediafile, getBytes } from '../support/records/media.ts'
import { pathsToProbe, type Probe } from '../support/services/probe-paths.ts'
import { type Answer, start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

/*
 * A token that reads only published productions. For it the others are not there, nor what is a
 * part of them: whatever they hold, and whatever becomes of them, no answer changes by a byte.
 */

// Small pages: what is hidden could show in their number.
const service = await start({ after }, { OAI_PAGE_SIZE: '5' })
const published = { status: 'published', description_short: '<p>Short</p>' }
const types = ['performance', 'mediafile', 'venue', 'company', 'person', 'work', 'expression', 'manifestation', 'genre']
const token = await service.tokenWith('read:production:published', ...types.map(type => `read:${type}`))
const get = (url: string) => service.get(url, { token })

/** Words that stand only in what the token may not read. */
const secrets = ['Nachtegaal', 'Zonnebloem', 'Vuurtoren']

const venue = await service.create(aVenue('Stadsschouwburg'))
const author = await service.create(aPerson('Vondel, Joost van den'))
const book = await createBook(service, {
  work: { fields: { title: 'Gijsbrecht' }, relations: relations({ refAuthors: author.id }) }
})
const shown = await service.create(
  aProduction(
    { title: 'Gijsbrecht', ...published },
    { relations: relations({ refVenues: venue.id, refWorks: book.work }) }
  )
)
const hidden = await service.create(
  aProduction(
    { title: `Secret ${secrets[0]}`, subtitle: 'concept' },
    {
      relations: relations({ refVenues: venue.id, refWorks: book.work, refAuthors: author.id }),
      identifiers: ['secret-name']
    }
  )
)
const archived = await service.create(
  aProduction(
    { title: `Archived ${secrets[0]}`, status: 'archived' },
    { relations: relations({ refVenues: venue.id }) }
  )
)
const shownPerformance = await service.create(
  aRecord('performance', { start: '2026-12-01T20:00:00Z' }, { refProduction: shown.id, refVenues: venue.id })
)
const hiddenPerformance = await service.create(
  aRecord('performance', { start: '2026-12-02T20:00:00Z' }, { refProduction: hidden.id, refVenues: venue.id })
)
const shownMedia = (await createMediafile(service, Buffer.from('shown'), 'posters', shown.id)).mediafile
const hiddenMedia = (await createMediafile(service, Buffer.from('hidden'), 'posters', hidden.id)).mediafile
/** Points, by relations that no table names, to one that is there and to one that is not. */
const linked = await service.create(
  aPerson('Regisseur', { relations: relations({ refDirected: [shown.id, hidden.id], refMedia: hiddenMedia }) })
)
/** Was a concept before it was published. */
const grown = await service.create(aProduction({ title: `Earlier ${secrets[1]}` }))
await service.patch(`/entities/${grown.id}`, {
  metadata: [
    { key: 'title', value: 'Gegroeid' },
    { key: 'status', value: 'published' },
    { key: 'description_short', value: 'x' }
  ]
})
/** Was published, and is no more. */
const withdrawn = await service.create(aProduction({ title: `Withdrawn ${secrets[2]}`, ...published }))
await service.patch(`/entities/${withdrawn.id}`, { metadata: [{ key: 'status', value: 'concept' }] })

describe('A scope to read published productions', () => {
  it('can be given to a token, and to none that writes', async () => {
    for (const scopes of [
      ['read:production:published', 'write'],
      ['read:production:published', 'admin'],
      ['read:production:published', 'delete:venue']
    ])
      assertProblem(await service.post('/tokens', { name: 'x', scopes }), 'invalid')
    for (const scope of [
      'read:production:nonsense',
      'write:production:published',
      'read:venue:published',
      'read:production:published:x',
      'read::published'
    ])
      assertProblem(await service.post('/tokens', { name: 'x', scopes: [scope] }), 'invalid')
    assert.equal(
      (await service.post('/tokens', { name: 'x', scopes: ['read:production:published', 'read:production:archived'] }))
        .status,
      201
    )
  })

  it('is nothing beside a scope to read them all', async () => {
    const all = await service.tokenWith('read:production', 'read:production:published')
    assert.equal((await service.get(`/entities/${hidden.id}`, { token: all })).status, 200)
  })
})

describe('With a token for published productions', () => {
  it('the others are not found by any name', async () => {
    for (const { id, _id } of [hidden, archived, withdrawn])
      for (const name of [id, _id]) assertProblem(await get(`/entities/${name}`), 'not_found')
    assertProblem(await get('/entities/secret-name'), 'not_found')
    assert.equal((await get(`/entities/${shown.id}`)).status, 200)
  })

  it('the answer is the one for a name that nothing has', async () => {
    const unknown = await get('/entities/PR-UNKNOWN00')
    const secret = await get(`/entities/${hidden.id}`)
    assert.equal(secret.text.replaceAll(hidden.id, 'PR-UNKNOWN00'), unknown.text)
  })

  it('lists and counts are without them', async () => {
    const { body, headers } = await get('/entities?type=production')
    assert.deepEqual(idsOf(body), [shown.id, grown.id])
    assert.equal(headers['x-total-count'], '2')
    const named = await service.post('/entities/filter', [{ type: 'id', value: [hidden.id, shown.id] }], { token })
    assert.deepEqual(idsOf(named.body), [shown.id])
  })

  it('their parts are not there either', async () => {
    for (const id of [hiddenPerformance.id, hiddenMedia]) assertProblem(await get(`/entities/${id}`), 'not_found')
    assertProblem(await get(`/mediafiles/${hiddenMedia}/content`), 'not_found')
    assert.equal((await getBytes(service, `/mediafiles/${shownMedia}/content`, { token })).bytes.toString(), 'shown')
    assert.deepEqual(idsOf((await get('/entities?type=performance,mediafile')).body), [shownPerformance.id, shownMedia])
  })

  it('nothing points to them, and no filter finds by them', async () => {
    assert.deepEqual((await get(`/entities/${linked.id}`)).body.relations, relations({ refDirected: shown.id }))
    const references = (await get(`/entities/${venue.id}/references`)).body
    assert.deepEqual(
      references.results.map((each: { id: string }) => each.id),
      [shown.id, shownPerformance.id]
    )
    assert.equal(references.count, 2)
    for (const key of ['relations.refDirected.key', 'properties.ref_directed.name', 'relations.refMedia.key']) {
      const found = await service.post(
        '/entities/filter',
        [{ type: 'text', key, value: key.endsWith('name') ? '*Secret*' : `*${hidden.id}*` }],
        { token }
      )
      assert.equal(found.body.count, 0, key)
    }
    assert.equal(
      (await service.post('/entities/filter', [{ type: 'text', key: 'relations.refMedia.key', value: '*' }], { token }))
        .body.count,
      0
    )
  })

  it('they do not count in the growth of the catalogue', async () => {
    const { body } = await get('/growth')
    const counts = new Map<string, number>()
    for (const { type, count } of body.growth as { type: string; count: number }[])
      counts.set(type, (counts.get(type) ?? 0) + count)
    for (const type of ['production', 'performance', 'mediafile', 'venue'])
      assert.equal(counts.get(type), (await get(`/entities?envelope=1&type=${type}`)).body.count, type)
    assert.ok(!counts.has('subject'))
  })

  it('no suggestion, facet or highlight tells of them', async () => {
    for (const q of ['secret', 'archived', ...secrets])
      assert.deepEqual((await get(`/suggest?q=${q}`)).body.suggestions, [], q)
    const suggested = (await get('/suggest?q=gijs')).body.suggestions as { id: string }[]
    assert.ok(suggested.some(({ id }) => id === shown.id))
    const query =
      'facets=properties.title.value,relations.refDirected.key,properties.ref_directed.name&facet_limit=1000'
    const { body } = await service.post(
      `/entities/filter?highlight=1&${query}`,
      [{ type: 'search', value: 'regisseur' }],
      {
        token
      }
    )
    assert.deepEqual(body.facets['relations.refDirected.key'], [{ value: shown.id, label: 'Gijsbrecht', count: 1 }])
    assert.deepEqual(body.facets['properties.ref_directed.name'], [{ value: 'Gijsbrecht', count: 1 }])
    const all = await service.post(`/entities/filter?limit=1000&${query}`, [], { token })
    for (const text of [JSON.stringify(body), all.text])
      for (const secret of [hidden.id, archived.id, ...secrets]) assert.ok(!text.includes(secret), secret)
  })

  it('of one that was a concept before, only what was published is told', async () => {
    const history = (await get(`/entities/${grown.id}/history`)).body
    assert.equal(history.count, 1)
    assert.equal(history.results[0].version, 2)
    assert.doesNotMatch(JSON.stringify(history), new RegExp(secrets[1] ?? ''))
    assertProblem(await get(`/entities/${grown.id}?version=1`), 'not_found')
    assert.equal((await get(`/entities/${grown.id}?version=2`)).status, 200)
    assertProblem(await get(`/entities/${withdrawn.id}?version=1`), 'not_found')
    assertProblem(await get(`/entities/${withdrawn.id}/history`), 'not_found')
  })

  it('the feed tells of a withdrawal as a deletion, and of the rest nothing', async () => {
    const { changes } = (await get('/changes?limit=1000')).body
    const of = (id: string) => changes.filter((each: { subject: string }) => each.subject === id)
    for (const id of [hidden.id, archived.id, hiddenPerformance.id, hiddenMedia]) assert.deepEqual(of(id), [])
    assert.deepEqual(
      of(withdrawn.id).map((each: { type: string }) => each.type),
      ['entity.deleted']
    )
    assert.equal(of(grown.id).length, 1)
    for (const secret of secrets) assert.doesNotMatch(JSON.stringify(changes), new RegExp(secret))
    const deletions = (await get('/changes?limit=1000&types=entity.deleted')).body.changes
    assert.deepEqual(
      deletions.map((each: { subject: string }) => each.subject),
      [withdrawn.id]
    )
  })

  it('the feed is the same for one of them as for what never was, page by page', async () => {
    const walk = async (query: string) => {
      const pages: unknown[] = []
      let since = ''
      for (let more = true; more; ) {
        const { body } = await get(`/changes?limit=1&since=${since}&${query}`)
        pages.push(body.changes.map((each: { id: string }) => each.id))
        since = body.cursor
        more = body.more
      }
      return { pages, since }
    }
    const nothing = await walk('ids=PR-UNKNOWN00')
    for (const name of [hidden.id, hidden._id, archived.id, hiddenPerformance.id, hiddenMedia, 'secret-name'])
      assert.deepEqual(await walk(`ids=${name}`), nothing, name)
    // One page for each change that is told, and none for others.
    const told = (await get('/changes?limit=1000&types=production')).body.changes.length
    assert.equal((await walk('types=production')).pages.length, told)
  })

  it('nothing can be written', async () => {
    assertProblem(await service.post('/entities', aVenue(), { token }), 'forbidden')
    assertProblem(await service.patch(`/entities/${shown.id}`, {}, { token }), 'forbidden')
    assertProblem(await service.delete(`/entities/${shown.id}`, { token }), 'forbidden')
  })

  it('one that is published appears, with its parts, and goes again', async () => {
    const production = await service.create(aProduction({ title: 'Later', description_short: 'x' }))
    const performance = await service.create(
      aRecord('performance', { start: '2027-01-01T20:00:00Z' }, { refProduction: production.id })
    )
    const isThere = async () => (await get(`/entities/${performance.id}`)).status === 200
    const states: boolean[] = [await isThere()]
    for (const status of ['published', 'archived', 'published', 'concept']) {
      await service.patch(`/entities/${production.id}`, { metadata: [{ key: 'status', value: status }] })
      states.push(await isThere())
    }
    assert.deepEqual(states, [false, true, false, true, false])
    await service.delete(`/entities/${performance.id}`)
    await service.delete(`/entities/${production.id}`)
  })
})

describe('A harvest with a token for published productions', () => {
  it('dates a record by the last change of what the token sees of it', async () => {
    const own = await createBook(service)
    const other = await createBook(service)
    const refer = (id: string) =>
      service.call('POST', `/entities/${id}/relations`, { body: [{ type: 'refMediafiles', key: hiddenMedia }] })
    // One refers to what is hidden itself, the other by its work.
    assert.equal((await refer(own.manifestation)).status, 201)
    assert.equal((await refer(other.work)).status, 201)
    const lastChange = async (id: string) => {
      const { body } = await service.get(`/entities/${id}`)
      return `${body.audit.updated.at.slice(0, 19)}Z`
    }
    const before = await lastChange(other.work)
    // Harvests are by the second.
    let after = before
    for (; after <= before; await sleep(50)) {
      await service.patch(`/entities/${hiddenMedia}`, { metadata: [{ key: 'title', value: `At ${Date.now()}` }] })
      after = await lastChange(hiddenMedia)
    }
    for (const id of [own.manifestation, other.manifestation]) {
      const harvested = async (query: string, by?: string) => {
        const url = `/oai?verb=ListIdentifiers&metadataPrefix=oai_dc&set=bibliographic:manifestation${query}`
        const { text } = await service.get(url, by === undefined ? {} : { token: by })
        return new RegExp(`:${id}</identifier><datestamp>(.*?)</datestamp>`).exec(text)?.[1]
      }
      const seen = id === own.manifestation ? await lastChange(id) : before
      assert.equal(await harvested(`&from=${after}`), after)
      assert.equal(await harvested(`&from=${seen}`, token), seen)
      assert.equal(await harvested(`&from=${seen}&until=${seen}`, token), seen)
      assert.equal(await harvested(`&from=${after}`, token), undefined)
    }
  })
})

describe('Whatever the other productions hold', () => {
  const probes = howMany({ quick: 80, short: 400, long: 100_000, onPostgres: 200 })
  let all: readonly Probe[]

  before(async () => {
    all = await makeProbes(probes)
  })

  it(`${probes} answers are the same, byte by byte`, async () => {
    // Digests, since the answers of the long tier would fill the memory.
    const digests: string[] = []
    let good = 0
    for (const probe of all) {
      const answer = await send(probe)
      digests.push(hash('sha256', answer))
      if (answer.startsWith('200')) good++
      // Some answers say what was asked.
      for (const secret of secrets)
        assert.ok(!answer.includes(secret) || JSON.stringify(probe).includes(secret), answer.slice(0, 500))
    }
    for (const round of [1, 2]) {
      await change(round)
      for (const [index, probe] of all.entries())
        assert.equal(hash('sha256', await send(probe)), digests[index], `Round ${round}: ${JSON.stringify(probe)}`)
    }
    assert.ok(good > probes / 3, `only ${good} probes were answered`)
  })

  it('every route is probed, public, or refused to such a token', async () => {
    const { paths } = (await service.get('/openapi.json')).body as {
      paths: Record<string, Record<string, { security?: unknown[] }>>
    }
    const asked = (await allProbes()).map(({ method = 'GET', url }) => `${method} ${url.split('?')[0]}`)
    const unknown: string[] = []
    for (const [path, methods] of Object.entries(paths))
      for (const [name, { security }] of Object.entries(methods)) {
        const method = name.toUpperCase()
        const pattern = new RegExp(`^${method} ${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
        if (security?.length === 0 || asked.some(each => pattern.test(each))) continue
        const answer = await service.call(method, path.replace(/\{\w+\}/g, hidden.id), { token, body: {} })
        if (answer.status !== 403) unknown.push(`${method} ${path}: ${answer.status}`)
      }

    assert.deepEqual(unknown, [], 'add probes for these to test/support/services/probe-paths.ts')
  })

  /** Puts other things into what the token may not read: texts, statuses, relations, parts. */
  async function change(round: number) {
    const fields = {
      title: `Other ${round}`,
      subtitle: `Secret ${secrets[round]}`,
      // Published, but not yet or no more.
      ...published,
      ...(round === 1
        ? { publish_at: '2099-01-01T00:00:00Z' }
        : { publish_at: '2000-01-01T00:00:00Z', withdraw_at: '2001-01-01T00:00:00Z' })
    }
    for (const { id } of [hidden, archived, withdrawn]) {
      const metadata = Object.entries(fields).map(([key, value]) => ({ key, value }))
      assert.equal((await service.patch(`/entities/${id}`, { metadata })).status, 200)
    }
    await service.patch(`/entities/${hiddenPerformance.id}`, {
      metadata: [{ key: 'start', value: `202${round}-01-01T20:00:00Z` }]
    })
    await service.patch(`/entities/${hiddenMedia}`, { metadata: [{ key: 'title', value: `Secret ${secrets[round]}` }] })
    await service.call('PUT', `/mediafiles/${hiddenMedia}/content`, {
      body: Buffer.from(`other ${round}`),
      headers: { 'content-type': 'text/plain' }
    })
    const extra = await service.create(
      aProduction(
        { title: `Extra ${secrets[round]}` },
        { relations: relations({ refVenues: venue.id, refAuthors: author.id }) }
      )
    )
    await service.create(
      aRecord('performance', { start: '2026-12-03T20:00:00Z' }, { refProduction: extra.id, refVenues: venue.id })
    )
    await createMediafile(service, Buffer.from(`extra ${round}`), 'trailer', extra.id)
    // One that goes again leaves no trace either.
    const gone = await service.create(
      aProduction({ title: `Gone ${secrets[round]}` }, { relations: relations({ refVenues: venue.id }) })
    )
    await service.delete(`/entities/${gone.id}`)
  }

  /**
   * Everything that can be seen of an answer but the moment it was made at, and how far the feed as
   * a whole is.
   */
  /** Sends a probe, and goes on to the next pages of its answer. */
  async function send(probe: Probe, pages = 3): Promise<string> {
    const { method = 'GET', url, body, headers = {}, isAnonymous } = probe
    const bearer = isAnonymous ? undefined : token
    const answer: Answer = await service.call(method, url, {
      token: bearer,
      headers,
      ...(body === undefined ? {} : { body })
    })
    // A ticket says when it was made, and is never the same.
    if (url === '/tickets' && answer.status === 201) return '201'
    const { etag, link, 'x-total-count': total, 'content-type': type } = answer.headers
    // Going on in the order of change, a cursor says how far the feed was when it was made.
    const isByChange = url.includes('date_updated')
    const plain = (part: unknown) => (isByChange ? String(part).replace(/cursor=[\w-]+/g, 'cursor=') : String(part))
    const text = plain(answer.text)
      .replace(/"cursor":"[0-9a-f]{16}-\d+"/g, '"cursor":""')
      .replace(/<responseDate>[^<]*/g, '<responseDate>')
      .replace(/DTSTAMP:\w+/g, 'DTSTAMP:')
      // The address of a download holds a ticket.
      .replace(/ticket=[\w.-]+/g, 'ticket=')
      // It says how far the feed was when the harvest began.
      .replace(/(<resumptionToken[^>]*>)[^<]+/g, '$1')
      .replace(/ resumptionToken="[^"]*"/g, '')
    const next = pages > 1 ? nextOf(url, answer) : undefined
    const rest = next === undefined ? '' : await send({ ...probe, url: next }, pages - 1)
    return [answer.status, etag, plain(link), total, type, text, rest].join('\n')
  }
})

/** The address of the next page of a list, a history or a harvest. */
function nextOf(url: string, { body, text }: Answer): string | undefined {
  if (typeof body?.next === 'string' && !url.includes('date_updated')) return body.next
  const [, token] = /<resumptionToken[^>]*>([^<]+)</.exec(text) ?? []
  const [, verb] = /verb=(\w+)/.exec(url) ?? []
  return token === undefined || verb === undefined ? undefined : `/oai?verb=${verb}&resumptionToken=${token}`
}

async function etagsOf(...ids: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(ids.map(id => service.get(`/entities/${id}`)))
  return answers.map(answer => String(answer.headers.etag))
}

/** The ids that are probed. */
const probedIds = () =>
  [hidden, archived, withdrawn, grown, shown, hiddenPerformance, shownPerformance, venue, author, linked]
    .flatMap(each => [each.id, each._id])
    .concat(hiddenMedia, shownMedia, book.work, book.manifestation, 'secret-name')

/** A probe along every path, with every identifier and word. */
async function allProbes(): Promise<Probe[]> {
  const { paths } = (await service.get('/openapi.json')).body as { paths: Record<string, Record<string, unknown>> }
  const readable = Object.entries(paths).flatMap(([path, methods]) => ('get' in methods ? [path] : []))
  const ticketFor = async (body: unknown) => (await service.post('/tickets', body, { token })).body as string
  return pathsToProbe({
    readable,
    ids: probedIds(),
    words: [...secrets, 'Secret', 'Archived', 'Regisseur', 'Gijsbrecht', hidden.id],
    media: [hiddenMedia, shownMedia],
    oaiPrefix: String(/oai:[^:<]+:/.exec((await get('/oai?verb=Identify')).text)),
    etags: await etagsOf(hidden.id, archived.id, hiddenPerformance.id, hiddenMedia),
    tickets: [
      await ticketFor({ mediafile_id: shownMedia, expires_in: 3600 }),
      await ticketFor({ entity_id: venue.id, expires_in: 3600 })
    ]
  })
}

async function makeProbes(count: number): Promise<Probe[]> {
  const { below: chance } = createChance(seed)
  const pick = <T>(list: readonly T[]): T => list[chance(list.length)] as T
  const ids = probedIds()
  const fixed = await allProbes()
  const keys = [
    ...['title', 'subtitle', 'status', 'start', 'name', 'sha256', 'size', 'posters_files'].map(
      key => `properties.${key}.value`
    ),
    ...['ref_production', 'ref_productions', 'ref_venues', 'ref_works', 'ref_directed', 'ref_media'].flatMap(key => [
      `properties.${key}.value`,
      `properties.${key}.name`
    ]),
    ...[
      'type',
      'id',
      'identifiers',
      'audit.updated.at',
      'audit.created.by',
      'relations.refDirected.key',
      'catalog:1|properties.title.value'
    ]
  ]
  const values = [
    ...secrets,
    'Secret',
    'concept',
    'archived',
    'published',
    'Other 1',
    '*',
    '',
    'G*',
    '*e*',
    hidden.id,
    hiddenMedia,
    'production'
  ]
  const orders = ['', 'title', 'status', 'date_updated', 'id', 'type', 'posters_files', 'subtitle', 'start']
  const facets = ['type', 'properties.status.value', 'properties.ref_venues.value', 'properties.title.value']
  const filter = (): unknown => {
    const key = pick(keys)
    const value = pick(values)
    const common = { ...(chance(4) === 0 ? { match_not: true } : {}), ...(chance(6) === 0 ? { operator: 'or' } : {}) }
    const or = chance(8) === 0 ? { or: [{ type: 'text', key: pick(keys), value: pick(values) }] } : {}
    const forms: unknown[] = [
      { type: 'text', key, value, ...common, ...or },
      { type: 'selection', key, value: [value, pick(values)], match_exact: chance(2) === 0, ...common, ...or },
      { type: 'type', value: pick(['production', 'performance', 'mediafile', 'person', 'work']), ...common },
      { type: 'id', value: [pick(ids), pick(ids)], ...common },
      { type: 'search', value, ...common },
      { type: 'date', key, value: { min: '2020-01-01', max: '2030-01-01' }, ...common },
      { type: 'number', key, value: { min: 0, max: chance(20) }, ...common },
      { type: 'boolean', key, value: chance(2) === 0, ...common },
      { type: 'readiness', value: pick(['ready', 'incomplete', 'contradictory']), ...common }
    ]
    return pick(forms)
  }
  const random = (): Probe => {
    const query = `limit=${pick([0, 1, 2, 20])}&skip=${pick([0, 0, 1, 5])}&order_by=${pick(orders)}&asc=${chance(2)}`
    if (chance(5) === 0)
      return { url: `/entities?${query}&type=${pick(['', 'production', 'performance', 'mediafile', 'person'])}` }
    const faceted = chance(4) === 0 ? `&facets=${pick(facets)}` : ''
    return {
      method: 'POST',
      url: `/entities/filter?${query}${faceted}`,
      body: Array.from({ length: 1 + chance(3) }, filter)
    }
  }
  // Two of three ask along every path, the rest at random.
  const most = Math.ceil((2 * count) / 3)
  const step = Math.max(1, fixed.length / most)
  const spread = Array.from(
    { length: Math.min(most, fixed.length) },
    (_, index) => fixed[Math.floor(index * step)] as Probe
  )
  return [...spread, ...Array.from({ length: count - spread.length }, random)]
}
