import { copyFileSync } from 'node:fs'
import { join } from 'node:path'

import { whileScanning } from '../filter.ts'
import { untilIndexed } from '../finding.ts'
import { newRecord } from '../postgres.ts'
import { manifestationIds, scratchFolder } from '../support/catalogue-file.ts'
import { bodyRequest, getRequest, inTurn, type Measured, measure } from '../support/load.ts'
import { startLibretto } from '../support/processes.ts'
import type { RunOptions } from '../support/report.ts'
import { openBesideBare } from '../support/share-of-bare.ts'
import { inTurns, type Versions } from './in-turns.ts'

const paths = { WEM: '/entities/wem/', get: '/entities/' } as const

/** WEM and get as a share of a bare server that sends the same bytes, and their cost. */
export async function compareReads(versions: Versions, { rounds, seconds, manifestations }: RunOptions) {
  await inTurns(versions, { rounds, warms: true }, async ({ checkout, catalogue }) => {
    const database = await catalogue(manifestations)
    await using opening = new AsyncDisposableStack()
    const opened: (readonly [name: string, Awaited<ReturnType<typeof openBesideBare>>])[] = []
    for (const [name, path] of Object.entries(paths))
      opened.push([name, opening.use(await openBesideBare(id => path + id, database, checkout))])
    const all = opening.move()
    return {
      servers: opened.flatMap(([, { servers }]) => servers),
      measure: async () => {
        const figures: Record<string, number> = {}
        for (const [name, { asked, ask }] of opened)
          for (const { label, next } of asked) {
            const { libretto, share, shareByCost } = await ask(next, seconds)
            figures[`${name}, ${label}: % of a bare server`] = 100 * share
            figures[`${name}, ${label}: % by cost`] = 100 * shareByCost
            figures[`${name}, ${label}: µs of processor`] = libretto.cost
          }
        return figures
      },
      [Symbol.asyncDispose]: () => all.disposeAsync()
    }
  })
}

/** Single writes, and gets while nothing else goes on and while others scan. */
export async function compareRequests(versions: Versions, options: RunOptions) {
  const { rounds, seconds, manifestations } = options
  await inTurns(versions, { rounds, warms: true }, async ({ checkout, catalogue }) => {
    const database = join(scratchFolder(), 'copy.db')
    copyFileSync(await catalogue(manifestations), database)
    const server = await startLibretto(database, { QUERY_DEADLINE: '10000' }, { checkout })
    await untilIndexed(server)
    const ids = manifestationIds(database).slice(0, 1000)
    const next = inTurn(ids.map(id => getRequest(`/entities/${id}`)))
    const gets = () => measure({ port: server.port, connections: 16, seconds, next })
    const writes = (request: () => Buffer) => measure({ port: server.port, connections: 1, seconds, next: request })
    return {
      servers: [server],
      measure: async () => {
        const [idle, scanned] = [await gets(), await whileScanning(server, gets)]
        // Last, because changes are merged into the index for a while after they are written.
        const [created, changed] = [await writes(newRecord), await writes(changesOf(ids))]
        return {
          ...timesOf('get by id, 16 connections', idle),
          ...timesOf('the same, while 4 clients scan for two letters', scanned),
          'the same, p99, times idle': scanned.p99 / idle.p99,
          ...timesOf('create a record, one connection', created),
          ...timesOf('change a record, one connection', changed)
        }
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()
    }
  })
}

const timesOf = (name: string, { p50, p99 }: Measured) => ({ [`${name}: p50 ms`]: p50, [`${name}: p99 ms`]: p99 })

/** Counted in all rounds: a value that a record has already would be no change. */
let changed = 0

/** Each record in turn gets another remark. */
const changesOf = (ids: readonly string[]) => () =>
  bodyRequest('PATCH', `/entities/${ids[changed++ % ids.length]}`, {
    metadata: [{ key: 'remark', value: `Change ${changed}` }]
  })
