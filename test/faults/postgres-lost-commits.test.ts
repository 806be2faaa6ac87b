import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { CatalogueError } from '#domain/errors.ts'
import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { openStore } from '#store/open-store.ts'
import type { StoredEntity, WriteUnit } from '#store/ports/entities.ts'
import type { Store } from '#store/store.ts'
import { aRecord, insert, metadata, problemsIn, readIn, update, write } from '../contract/promises/contract-support.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { runStatement } from '../support/databases/database.ts'
import { startCluster } from '../support/databases/postgres-cluster.ts'
import { type CuttingProxy, startCuttingProxy } from '../support/databases/postgres-proxy.ts'
import { createDatabase, whyNoServer } from '../support/databases/postgres-server.ts'
import { pause, type ServerProcess, startServer } from '../support/services/server-process.ts'
import { assertNoneLost, changeShared, createShared } from '../support/records/shared-records.ts'
import { createSender, type SteadySender } from '../support/services/steady-clients.ts'
import type { Teardown } from '../support/machines/temporary-folder.ts'

/*
 * Two processes on one PostgreSQL, of which the first loses its connection at a COMMIT while the
 * second changes the same record. The first must be told what became of its own transaction,
 * whatever the second one wrote meanwhile.
 */

const model = createModel(builtInRecordTypes)
const titled = (title: string) => ({ metadata: metadata({ title }) })

describe('a connection that is lost at the COMMIT, while another process changes the same record', {
  skip: whyNoServer()
}, () => {
  it('before the server heard it: the write is refused as overtaken', async t => {
    const { first, second, proxy } = await openTwo(t)
    await decided(t, proxy, async id => {
      const record = aRecord(id)
      await write(second, insert(record))
      const cut = proxy.cutAt('before')
      const writing = settled(write(first, update(record, titled('first'))))
      await cut.done
      await write(second, update(record, titled('second')))
      proxy.release()
      const outcome = await writing
      assert.ok('refusal' in outcome, 'told that it was written')
      assert.equal(titleOf(await readIn(second, id)), 'second')
      if (isUnavailable(outcome.refusal)) return false
      assert.equal(outcome.refusal.code, 'version_mismatch')
      return true
    })
    assert.deepEqual(await problemsIn(second), [])
  })

  it('after the server committed: the write is confirmed, once', async t => {
    const { first, second, proxy } = await openTwo(t)
    await decided(t, proxy, async id => {
      const record = aRecord(id)
      await write(second, insert(record))
      const cut = proxy.cutAt('after')
      const writing = settled(write(first, update(record, titled('first'))))
      await cut.done
      await write(second, update(record, titled('second'), 2))
      proxy.release()
      const outcome = await writing
      assert.deepEqual([(await readIn(second, id)).version, titleOf(await readIn(second, id))], [3, 'second'])
      if ('refusal' in outcome && isUnavailable(outcome.refusal)) return false
      assert.ok('stored' in outcome, 'refused what was committed')
      assert.equal(outcome.stored[0]?.version, 2)
      return true
    })
    assert.deepEqual(await problemsIn(second), [])
  })

  for (const when of ['before', 'after'] as const)
    it(`${when} the server ${when === 'before' ? 'heard' : 'answered'} it: each request of the group is told its own end`, async t => {
      const { first, second, proxy } = await openTwo(t)
      await decided(t, proxy, async id => {
        const record = aRecord(id)
        await write(second, insert(record))
        const other = aRecord(`${id}-leading`)
        const created = aRecord(`${id}-created`)
        const keyed = aRecord(`${id}-keyed`)
        const cut = proxy.cutAt(when, 2)
        // While the first of these is written the others come in, and are one group.
        const units: WriteUnit[] = [
          { writes: [insert(other)], by: 'test' },
          { writes: [update(record, titled('first'))], by: 'test' },
          { writes: [insert(created)], by: 'test' },
          {
            writes: [insert(keyed)],
            by: 'test',
            once: { scope: 'test', key: id, fingerprint: id, note: null }
          },
          { writes: [], by: 'test', state: [{ kind: 'test', key: `${id}\n1`, value: 'kept' }] }
        ]
        const writing = units.map(unit => settled(first.write(unit)))
        await cut.done
        const [version, title] = when === 'before' ? [1, 'second'] : [2, 'third']
        await write(second, update(record, titled(title), version))
        proxy.release()
        const [, patch, creation, withKey, state] = await Promise.all(writing)
        assert.ok(patch && creation && withKey && state)
        if ([patch, creation, withKey, state].some(each => 'refusal' in each && isUnavailable(each.refusal)))
          return false
        if (when === 'before') {
          assert.ok('refusal' in patch, 'told that it was written')
          assert.equal(patch.refusal.code, 'version_mismatch')
        } else assert.ok('stored' in patch && patch.stored[0]?.version === 2)
        assert.equal(titleOf(await readIn(second, id)), title)
        for (const [outcome, content] of [
          [creation, created],
          [withKey, keyed]
        ] as const) {
          assert.ok('stored' in outcome)
          assert.deepEqual({ ...(await second.findEntity(content.id)) }, { ...outcome.stored[0] })
          assert.equal(outcome.stored[0]?.version, 1)
        }
        assert.ok('stored' in state)
        assert.equal((await second.findState('test', [`${id}\n1`])).get(`${id}\n1`), 'kept')
        return true
      })
      assert.deepEqual(await problemsIn(second), [])
    })

  it('leaves one row for each process, and none of processes that ended long ago', async t => {
    const { first, second, url } = await openTwo(t)
    for (const [number, store] of [first, second, first, second].entries())
      await write(store, insert(aRecord(`R-${number}`)))
    const markers = () => runStatement(url, 'SELECT writer, attempt FROM commit_markers')
    assert.equal((await markers()).length, 2)
    await runStatement(url, "UPDATE commit_markers SET at = at - interval '2 days'")
    await (await openStore(url, model))[Symbol.asyncDispose]()
    assert.deepEqual(await markers(), [])
  })
})

describe('a commit whose wait for the standby is cut short', { skip: whyNoServer() }, () => {
  it('is not confirmed before the standby has it', async t => {
    const cluster = await startCluster(t)
    const store = await openStore(cluster.url, model)
    t.after(() => store[Symbol.asyncDispose]())
    const record = aRecord('A')
    await write(store, insert(record))
    cluster.standby.process.freeze()
    const writing = settled(write(store, update(record, titled('on one disk'))))
    const waiting = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
    // Bounded by the time that a test may take.
    while ((await cluster.run(waiting)).length === 0);
    await cluster.run(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`)
    const outcome = await writing
    assert.ok('refusal' in outcome, 'confirmed although only one server has it')
    assert.ok(isUnavailable(outcome.refusal))
    assert.match(outcome.refusal.message, /not known/)
    // As it was said: it is on the primary, and nobody was promised anything.
    assert.equal(titleOf(await readIn(store, 'A')), 'on one disk')
    cluster.standby.process.thaw()
  })
})

describe('two processes on a database that breaks at random', () => {
  const rounds = howMany({ short: 12, long: 5000, onPostgres: 12 })

  it(`lose no acknowledged write of the records they share, through ${rounds} breaks`, {
    skip: whyNoServer()
  }, async t => {
    const cluster = await startCluster(t, { isSynchronous: false })
    const proxies = await Promise.all([1, 2].map(() => startCuttingProxy(t, cluster.primary.url)))
    const services: ServerProcess[] = []
    for (const proxy of proxies)
      services.push(await startServer(t, proxy.url, { SAMPLE_DATA: '0', QUERY_DEADLINE: '2000' }))
    const senders = services.map(({ port }) => createSender(port, 8))
    t.after(() => {
      for (const sender of senders) sender.close()
    })
    const [sender] = senders as [SteadySender]
    const chance = createChance(seed)
    const ids = await createShared(sender, 3)
    let isOver = false
    const changing = Promise.all(
      Array.from({ length: 8 }, (_, number) =>
        changeShared(senders, ids, `C${number}`, { isOver: () => isOver, chance: createChance(seed + number) })
      )
    )
    changing.catch(() => {})
    const broken: Record<string, number> = {}
    for (let round = 0; round < rounds; round++) {
      const how = chance.pick(['cut before', 'cut before', 'cut after', 'backends killed', 'restarted'])
      broken[how] = (broken[how] ?? 0) + 1
      const proxy = proxies[chance.below(2)] as CuttingProxy
      if (how === 'backends killed') await cluster.cutConnections()
      else if (how === 'restarted') {
        await cluster.killPrimary()
        await cluster.startPrimary()
      } else {
        const { done } = proxy.cutAt(how === 'cut before' ? 'before' : 'after', 1 + chance.below(3))
        await Promise.race([done, changing, pause(5000)])
        await pause(chance.below(200))
        proxy.release()
      }
      await Promise.race([changing, pause(chance.below(150))])
    }
    isOver = true
    const acknowledged = (await changing).flat()
    t.diagnostic(`${acknowledged.length} acknowledged writes; ${JSON.stringify(broken)}; SEED=${seed}`)
    assert.ok(acknowledged.length > rounds, 'hardly anything was written')
    await untilAnswered(sender)
    await assertNoneLost(sender, acknowledged)
    const statuses = new Set(senders.flatMap(each => [...each.statuses.keys()]))
    assert.deepEqual(
      [...statuses].filter(status => ![200, 201, 503].includes(status)),
      []
    )
  })
})

async function untilAnswered(sender: SteadySender) {
  const giveUp = performance.now() + 60_000
  while ((await sender.send('GET', '/entities?limit=1')).status !== 200) {
    if (performance.now() > giveUp) assert.fail('the service does not recover')
    await pause(50)
  }
}

type Settled = { readonly stored: readonly (StoredEntity | undefined)[] } | { readonly refusal: CatalogueError }

/** The end of a write, either way. Anything but a refusal of ours fails the test. */
const settled = (writing: Promise<readonly (StoredEntity | undefined)[]>): Promise<Settled> =>
  writing.then(
    stored => ({ stored }),
    (refusal: unknown) => {
      if (refusal instanceof CatalogueError) return { refusal }
      throw refusal
    }
  )

const isUnavailable = ({ code }: CatalogueError) => code === 'unavailable'

const titleOf = ({ metadata }: { readonly metadata: readonly { readonly value?: unknown }[] }) => metadata[0]?.value

async function openTwo(t: Teardown) {
  const url = await createDatabase(t)
  const second = await openStore(url, model)
  const proxy = await startCuttingProxy(t, url)
  const first = await openStore(proxy.url, model)
  const stores: readonly Store[] = [first, second]
  t.after(async () => {
    await Promise.all(stores.map(store => store[Symbol.asyncDispose]()))
  })
  return { first, second, proxy, url }
}

/**
 * Repeats a trial, each time with another record, until it was decided in time: on a machine that
 * is busy enough a writer may give up before it has a new connection, and says then that it does
 * not know.
 */
async function decided(
  t: { diagnostic(words: string): void },
  proxy: CuttingProxy,
  trial: (id: string) => Promise<boolean>
) {
  for (let tries = 1; tries <= 10; tries++) {
    if (await trial(`R-${tries}`)) return t.diagnostic(`decided by trial ${tries}`)
    proxy.release()
  }
  assert.fail('the writer never learned what became of its transaction')
}
