import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

import fc from 'fast-check'

import { openStore } from '#store/open-store.ts'
import { createModel } from '#domain/record-types/model.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createTestDatabase, runStatement } from '../support/databases/database.ts'
import { createChance, howMany, repeatable, seed } from '../support/records/chance.ts'
import { linesWithoutIds } from '../support/records/import-content.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { program } from '../support/services/program.ts'
import { recordLines } from '../support/records/random-shelves.ts'
import { runCli } from '../support/services/run-cli.ts'
import { compileCache } from '../support/services/server-process.ts'
import { temporaryFolder } from '../support/services/start.ts'
import { hangLimit } from '../support/machines/hang-limit.ts'

/*
 * An import by command is killed again and again while it works; the same command goes on with it,
 * and in the end nobody can tell.
 */

const kills = howMany({ short: 6, long: 100, onPostgres: 5 })
const batch = 10

describe('an import that is killed', () => {
  it(`${kills} times comes to the same end as one that is not`, t =>
    repeatable(async () => {
      const records = fc.sample(recordLines, { seed, numRuns: (kills + 12) * batch })
      const shelf = Object.fromEntries(records.map((lines, index) => [`k${String(index).padStart(4, '0')}`, lines]))
      const file = join(temporaryFolder(t), 'records.mrc')
      writeFileSync(file, marcFile(shelf))
      const [whole, cut] = [await createTestDatabase(t), await createTestDatabase(t)]
      const command = ['import', file, '--json', '--create-database', '--batch', String(batch)]
      const undisturbed = await runCli(command, { env: { DATABASE_URL: whole } })
      assert.equal(undisturbed.code, 0, undisturbed.err)

      const chance = createChance(seed)
      let killedAtWork = 0
      for (let round = 0; round < kills; round++)
        killedAtWork += (await killAtWork(cut, command, chance.below(60))) ? 1 : 0
      assert.ok(killedAtWork > kills / 2, `Only ${killedAtWork} of ${kills} kills came while it was at work`)
      const last = await runCli(command, { env: { DATABASE_URL: cut } })
      assert.equal(last.code, 0, last.err)
      const job = JSON.parse(last.out)
      const { counts } = JSON.parse(undisturbed.out)
      assert.deepEqual([job.state, job.handled, job.counts.created], ['done', records.length, counts.created])

      const [one, other] = [await linesIn(whole), await linesIn(cut)]
      assert.deepEqual(other, one)
      t.diagnostic(`${killedAtWork} of ${kills} kills at work; ${one.length} entities`)
    }))
})

/**
 * Starts the import, kills it a moment after it has written another batch, and says whether it was
 * still at work then.
 */
async function killAtWork(databaseUrl: string, command: readonly string[], moment: number): Promise<boolean> {
  const before = await handledIn(databaseUrl)
  const child = spawn(process.execPath, [program, ...command], {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: databaseUrl, NODE_COMPILE_CACHE: compileCache },
    stdio: 'ignore'
  })
  const exit = once(child, 'exit')
  const deadline = Date.now() + hangLimit
  while (child.exitCode === null && Date.now() < deadline && (await handledIn(databaseUrl)) <= before) await delay(5)
  await delay(moment)
  const isAtWork = child.exitCode === null
  child.kill('SIGKILL')
  await exit
  return isAtWork
}

async function handledIn(databaseUrl: string): Promise<number> {
  try {
    const rows = await runStatement(
      databaseUrl,
      `SELECT value FROM papers WHERE kind = 'import job' AND key LIKE 'all%'`
    )
    return Math.max(0, ...rows.map(({ value }) => (JSON.parse(String(value)) as { handled: number }).handled))
  } catch {
    // Before the first start there are no tables.
    return 0
  }
}

async function linesIn(databaseUrl: string): Promise<string[]> {
  await using store = await openStore(databaseUrl, createModel(builtInRecordTypes))
  assert.deepEqual((await store.check()).problems, [])
  return await linesWithoutIds(store)
}
