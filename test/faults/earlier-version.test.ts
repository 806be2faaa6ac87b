import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { openStore } from '#store/open-store.ts'
import { digestOfService } from '../support/databases/catalogue-digest.ts'
import { createTestDatabase, testStore } from '../support/databases/database.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { assertNoneLost, changeShared, createShared } from '../support/records/shared-records.ts'
import { startServer } from '../support/services/server-process.ts'
import { temporaryFolder, type Teardown } from '../support/services/start.ts'
import { createSender } from '../support/services/steady-clients.ts'

/*
 * The last release and the present version on one database, at the same time, and one after the
 * other. An upgrade stops all processes first; while both have the same schema, nothing is lost if
 * one was forgotten, and an operator may go back.
 */

const writes = howMany({ short: 100, long: 20_000, onPostgres: 100 })
const root = resolve(import.meta.dirname, '../..')
const release = findRelease()

describe(`the last release beside this version (${testStore})`, {
  skip: release === undefined ? 'the repository has no history with a release' : false
}, () => {
  it(`loses no write of ${writes}, nor does this version, and reads what this one wrote`, async t => {
    const file = unpack(t, release ?? '')
    const url = await createTestDatabase(t)
    const settings = { SAMPLE_DATA: '0', READERS: '1' }
    const earlier = await startServer(t, url, settings, file)
    const present = await startServer(t, url, settings)
    const senders = [earlier, present].map(({ port }) => createSender(port, 4))
    t.after(() => {
      for (const sender of senders) sender.close()
    })
    const [one = assert.fail()] = senders
    const shared = await createShared(one, 3)
    let isOver = false
    const changing = Array.from({ length: 4 }, (_, number) =>
      changeShared(senders, shared, `S${number}`, { isOver: () => isOver, chance: createChance(seed + number) })
    )
    const working = Promise.all(changing)
    working.catch(() => {})
    const count = () => senders.reduce((sum, { statuses }) => sum + (statuses.get(200) ?? 0), 0)
    while (count() < writes) await Promise.race([working, new Promise(resume => setTimeout(resume, 20))])
    isOver = true
    const acknowledged = (await working).flat()
    for (const sender of senders) await assertNoneLost(sender, acknowledged)
    assert.deepEqual(await digestOfService(earlier.url), await digestOfService(present.url))
    assert.equal(await earlier.stop(), 0)
    const changed = await one.send('PATCH', '/entities/SHARED-0', { metadata: [] }).catch(() => undefined)
    assert.equal(changed, undefined, 'the earlier version has stopped')
    const digest = await digestOfService(present.url)
    assert.equal(await present.stop(), 0)
    {
      await using store = await openStore(url, createModel(builtInRecordTypes))
      assert.deepEqual((await store.check()).problems, [])
    }
    const again = await startServer(t, url, settings, file)
    assert.deepEqual(await digestOfService(again.url), digest)
  })
})

/** The commit of the last release, where the repository has its history. */
function findRelease(): string | undefined {
  try {
    const found = execFileSync('git', ['log', '-1', '--format=%H', '--grep=^Release [0-9]'], { cwd: root })
    return String(found).trim() || undefined
  } catch {
    return undefined
  }
}

/** Unpacks the sources of a commit, with the packages of this one, and returns its program. */
function unpack(t: Teardown, commit: string): string {
  const folder = temporaryFolder(t)
  const packed = execFileSync('git', ['archive', commit, 'src', 'package.json', 'web', 'client'], {
    cwd: root,
    maxBuffer: 1 << 30
  })
  execFileSync('tar', ['-x', '-C', folder], { input: packed })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'src', 'cli', 'libretto.ts')
}
