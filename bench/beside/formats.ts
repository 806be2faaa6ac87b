import { untilIndexed } from '../finding.ts'
import { measureExport } from '../export.ts'
import { openForms } from '../forms.ts'
import { harvest } from '../harvest.ts'
import { startLibretto, usageOf } from '../support/processes.ts'
import type { RunOptions } from '../support/report.ts'
import { inTurns, type Versions } from './in-turns.ts'

/** The formats of a WEM as a ratio to JSON that was asked for before. */
export async function compareForms(versions: Versions, { rounds, seconds }: RunOptions) {
  await inTurns(versions, { rounds, warms: true }, async ({ checkout }) => {
    const { servers, ask, [Symbol.asyncDispose]: close } = await openForms(checkout)
    return {
      servers,
      measure: async () => {
        const costs = await ask(seconds)
        const json = costs[0]?.again ?? Number.NaN
        const ratio = (cost: number | undefined) => cost && cost / json
        return Object.fromEntries([
          ['JSON: µs of processor', json],
          ...costs.flatMap(({ name, again, first }) => [
            [`${name}, again: × JSON`, ratio(again)],
            [`${name}, first made: × JSON`, ratio(first)]
          ])
        ])
      },
      [Symbol.asyncDispose]: close
    }
  })
}

const exported = ['ndjson', 'marcxml'] as const
const harvested = { libretto: '&set=bibliographic:manifestation', marcxml: '' } as const

/** Exports and harvests of publications, for each second of the clock and of processor time. */
export async function compareExports(versions: Versions, { rounds, manifestations }: RunOptions) {
  await inTurns(versions, { rounds }, async ({ checkout, catalogue }) => {
    const database = await catalogue(manifestations)
    const server = await startLibretto(database, { QUERY_DEADLINE: '30000' }, { checkout })
    await untilIndexed(server)
    return {
      servers: [server],
      measure: async () => {
        const figures: Record<string, number | undefined> = {}
        for (const format of exported) {
          const measured = await measureExport(database, format, manifestations, checkout)
          figures[`export in ${format}: publications/s`] = measured?.perSecond
          figures[`export in ${format}: for each s of processor`] = measured?.perProcessorSecond
        }
        for (const [prefix, set] of Object.entries(harvested)) {
          const [started, before] = [performance.now(), usageOf(server.pid).processor]
          const count = await harvest(server, prefix, set)
          const used = (usageOf(server.pid).processor - before) / 1000
          const perSecond = (count / (performance.now() - started)) * 1000
          figures[`harvest in ${prefix}: publications/s`] = count === 0 ? undefined : perSecond
          figures[`harvest in ${prefix}: for each s of processor`] = count === 0 ? undefined : count / used
        }
        return figures
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()
    }
  })
}
