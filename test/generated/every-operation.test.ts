import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { openStore } from '#store/open-store.ts'
import { createTestDatabase, testStore } from '../support/databases/database.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { assertNoneLost, createShared } from '../support/records/shared-records.ts'
import { startServer } from '../support/services/server-process.ts'
import { temporaryFolder } from '../support/services/start.ts'
import { createSender, readFeed, type SteadySender } from '../support/services/steady-clients.ts'
import { createWritingClient, differences, type Kind, kinds, type WritingClient } from './every-kind.ts'

/*
 * Several clients write in every way there is through two processes on one database, and read after
 * every answer what they wrote. In the end the dump of each process is compared with what all of
 * them were told.
 */

const operations = howMany({ short: 400, long: 200_000, onPostgres: 250 })
const clients = 6

describe(`clients that write in every way, through two processes on one database (${testStore})`, () => {
  it(`read their own writes after each of ${operations} operations, and find them all in a dump (seed ${seed})`, async t => {
    const { url, servers, senders } = await startTwo(t)
    const [sender] = senders
    const shared = await createShared(sender, 5)
    const team = createTeam(senders, shared)
    const { wrong, counts } = await work(team, operations)
    assert.deepEqual(wrong, [])
    t.diagnostic(`SEED=${seed} ${JSON.stringify(counts)}`)
    for (const kind of kinds) assert.ok((counts[kind] ?? 0) > 0, `"${kind}" was never done`)

    const [dump, other] = await Promise.all(senders.map(readDump))
    assert.equal(other, dump)
    assert.deepEqual(await findDifferences(sender, dump ?? '', team, shared), [])
    await assertNoneLost(
      sender,
      team.flatMap(({ acknowledged }) => acknowledged)
    )
    const known = team.flatMap(({ told }) => told.ofTypes('production'))
    const alone = known.values().filter(id => team.every(({ told }) => told.referringTo(id).length === 0))
    await plant(sender, [...alone.take(3)])
    const planted = await findDifferences(sender, await readDump(sender), team, shared)
    assert.equal(planted.length, 3, planted.join('\n'))
    for (const server of servers) assert.equal(await server.stop(), 0, server.complaints())
    await using store = await openStore(url, createModel(builtInRecordTypes))
    assert.deepEqual((await store.check()).problems, [])
  })

  // This setting allows what the clients must notice, on PostgreSQL only.
  if (testStore === 'postgres')
    it('notice a read that is stale', async t => {
      const { senders } = await startTwo(t, { STALENESS: '60000' })
      const team = createTeam(senders, await createShared(senders[0], 5))
      const { wrong } = await work(team, 5000)
      assert.notDeepEqual(wrong, [])
    })
})

/** Writes as somebody of whom the clients know nothing. */
async function plant(sender: SteadySender, [changed = '', other = '', third = '']: readonly string[]) {
  const patch = { metadata: [{ key: 'note', value: 'from another' }] }
  assert.equal((await sender.send('PATCH', `/entities/${changed}`, patch)).status, 200)
  const purge = `/entities/${other}?references=delete_parts`
  assert.ok((await sender.send('DELETE', purge)).status < 300)
  const created = { id: `${third}-new`, type: 'venue', metadata: [{ key: 'name', value: 'New' }] }
  assert.equal((await sender.send('POST', '/entities', created)).status, 201)
}

async function startTwo(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const url = await createTestDatabase(t)
  const media = join(temporaryFolder(t), 'media')
  const settings = { SAMPLE_DATA: '0', READERS: '1', MEDIA_URL: `file:${media}`, ...environment }
  const servers = [await startServer(t, url, settings), await startServer(t, url, settings)]
  const [first, second] = servers.map(({ port }) => createSender(port, clients))
  assert.ok(first && second)
  t.after(() => {
    first.close()
    second.close()
  })
  return { url, servers, senders: [first, second] as const }
}

const createTeam = (senders: readonly SteadySender[], shared: readonly string[]) =>
  Array.from({ length: clients }, (_, number) =>
    createWritingClient({ name: `C${number}`, number, senders, shared, chance: createChance(seed + number) })
  )

/** Lets the clients work until enough was done, each kind of it, or something is wrong. */
async function work(team: readonly WritingClient[], wanted: number) {
  const counts: Partial<Record<Kind, number>> = {}
  const wrong: string[] = []
  let done = 0
  const isEnough = () => done >= wanted && kinds.every(kind => counts[kind])
  await Promise.all(
    team.map(async client => {
      while (wrong.length === 0 && !isEnough()) {
        const act = await client.act()
        if (!act) continue
        done++
        counts[act.kind] = (counts[act.kind] ?? 0) + 1
        wrong.push(...act.wrong)
      }
    })
  )
  return { wrong, counts }
}

async function readDump(sender: SteadySender): Promise<string> {
  const { status, text } = await sender.send('GET', '/export?format=ndjson')
  assert.equal(status, 200, text)
  return text
}

/** Compares a dump, and the feed, with what all clients were told. */
async function findDifferences(
  sender: SteadySender,
  dump: string,
  team: readonly WritingClient[],
  shared: readonly string[]
): Promise<string[]> {
  const lines = dump.split('\n').filter(line => line !== '')
  const entities = lines.map(line => JSON.parse(line) as Entity).filter(({ identifiers }) => identifiers !== undefined)
  const found = new Map(entities.map(entity => [entity.id, entity]))
  const feed = new Map((await readFeed(sender)).map(({ subject, data }) => [subject, data.version]))
  const wrong: string[] = []
  for (const { told } of team) {
    for (const [id, known] of told.alive) {
      wrong.push(...differences(id, found.get(id), known))
      if (wrong.length === 0 && feed.get(id) !== known.version)
        wrong.push(`${id} has version ${feed.get(id)} in the feed`)
    }
  }
  const known = new Set([...team.flatMap(({ told }) => [...told.alive.keys()]), ...shared])
  const belonging = belongingTo(entities, new Set(team.flatMap(({ imported }) => [...imported().keys()])))
  for (const id of found.keys()) if (!known.has(id) && !belonging.has(id)) wrong.push(`${id} was never answered for`)
  return wrong
}

/**
 * Returns the ids of imported publications, of the records that they refer to, directly or not, and
 * of their items.
 */
function belongingTo(entities: readonly Entity[], imported: ReadonlySet<string>): ReadonlySet<string> {
  const byId = new Map(entities.map(entity => [entity.id, entity]))
  const roots = entities.filter(({ identifiers }) => identifiers.some(each => imported.has(each)))
  const items = entities.filter(({ relations }) =>
    relations.some(({ type, key }) => type === 'refManifestation' && roots.some(({ id }) => id === key))
  )
  const belonging = new Set<string>()
  const visit = (id: string) => {
    if (belonging.has(id)) return
    belonging.add(id)
    for (const { key } of byId.get(id)?.relations ?? []) visit(key)
  }
  for (const { id } of [...roots, ...items]) visit(id)
  return belonging
}
