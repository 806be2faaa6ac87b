import { join } from 'node:path'

import { type PostgresServer, startPostgresServer } from '../../test/support/databases/postgres-server.ts'
import { importFile, readBase, realFile, writeCopies } from '../import.ts'
import {
  connections,
  copyToBoth,
  createDatabase,
  keys,
  newRecord,
  processCounts,
  shuffled,
  worksOf
} from '../postgres.ts'
import { manifestationIds, scratchFolder } from '../support/catalogue-file.ts'
import { measure } from '../support/load.ts'
import { type ServerProcess, startLibretto } from '../support/processes.ts'
import type { RunOptions } from '../support/report.ts'
import { inTurns, type Versions } from './in-turns.ts'

/** Copies of the records that are imported. */
const importedTimes = 4

/** MARC records into empty databases, with all threads of the command and on all cores. */
export async function compareImports(versions: Versions, { rounds, manifestations }: RunOptions) {
  const base = await readBase()
  const file = join(scratchFolder(), 'records.mrc')
  const count = Math.min(manifestations, base.length * importedTimes)
  await writeCopies(base, count, file)
  console.log(`${count} records${realFile === undefined ? '' : ', copies of real ones'}`)
  await onPostgres(server =>
    inTurns(versions, { rounds: Math.min(2, rounds) }, async ({ checkout }, name) => {
      let imports = 0
      return {
        measure: async () => {
          imports++
          const url = await createDatabase(server.url, `import_${name}_${imports}`)
          const sqlite = await importFile(file, join(scratchFolder(), 'catalogue.db'), { runBy: [], checkout })
          const postgres = await importFile(file, url, { runBy: [], checkout })
          return {
            'SQLite: records/s': sqlite.rate,
            'SQLite: records for each s of processor': sqlite.processorRate,
            'SQLite: MB at most': sqlite.peak.all,
            'PostgreSQL: records/s': postgres.rate,
            'PostgreSQL: records for each s of processor': postgres.processorRate,
            'PostgreSQL: % of SQLite': (100 * postgres.rate) / sqlite.rate
          }
        }
      }
    })
  )
}

/** Reads and creates on PostgreSQL as a share of those on SQLite; creates by several processes. */
export async function comparePostgres(versions: Versions, { rounds, seconds, manifestations }: RunOptions) {
  await onPostgres(server =>
    inTurns(versions, { rounds, warms: true }, async ({ checkout, catalogue }, name) => {
      const path = await catalogue(manifestations)
      const { file, url } = await copyToBoth(path, server.url, `catalogue_${name}`, checkout)
      await using opening = new AsyncDisposableStack()
      const sqlite = opening.use(await startLibretto(file, {}, { checkout }))
      const postgres = opening.use(await startLibretto(url, keys, { checkout }))
      const works = worksOf(shuffled(manifestationIds(path)))
      const hot = works[0]?.next ?? newRecord
      const all = opening.move()
      const rateOf = async (service: ServerProcess, next: () => Buffer) =>
        (await measure({ port: service.port, connections, seconds, next })).perSecond
      return {
        servers: [sqlite, postgres],
        measure: async () => {
          // Changes of the round before are merged into the index first.
          for (const { port } of [sqlite, postgres]) await measure({ port, connections, seconds: 1, next: hot })
          const figures: Record<string, number> = {}
          let creates = Number.NaN
          for (const { name: work, next } of works) {
            postgres.pause()
            sqlite.resume()
            const base = await rateOf(sqlite, next)
            sqlite.pause()
            postgres.resume()
            if (next === newRecord) creates = base
            figures[`${work}: SQLite, requests/s`] = base
            if (next !== newRecord) figures[`${work}: % of SQLite`] = (100 * (await rateOf(postgres, next))) / base
          }
          postgres.pause()
          for (const workers of processCounts) {
            await using service = await startLibretto(url, keys, { checkout, workers })
            await rateOf(service, newRecord)
            figures[`create, ${workers} on PostgreSQL: % of one on SQLite`] =
              (100 * (await rateOf(service, newRecord))) / creates
          }
          return figures
        },
        [Symbol.asyncDispose]: () => all.disposeAsync()
      }
    })
  )
}

/** A server that waits for its disk, as in production. */
async function onPostgres(work: (server: PostgresServer) => Promise<unknown>) {
  const server = await startPostgresServer({ durable: true, settings: { shared_buffers: '512MB' } })
  try {
    await work(server)
  } finally {
    await server.stop()
  }
}
