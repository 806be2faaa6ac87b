import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'

import { manifestationIds, prepareCatalogue, scratchFolder } from './catalogue-file.ts'
import { getRequest, inTurn, type Measured, measure } from './load.ts'
import { type ServerProcess, startBare, startLibretto, usageOf } from './processes.ts'
import { createChance } from './random.ts'
import { median, printTable, type RunOptions } from './report.ts'

const connections = 16
const hotIds = 1000

interface Round {
  readonly measured: Measured
  /** Processor time of the server for one request, in microseconds, all its threads together. */
  readonly cost: number
  /** How much of one core the client took; near 1 the client is what is measured. */
  readonly clientBusy: number
}

/**
 * Compares a path of the service with a bare server that sends the same bytes, in turns, one of
 * them asleep while the other is asked.
 *
 * Hot ids are asked for again and again, as a front page does; cold ones are all there are, in no
 * order, far more than the cache holds.
 */
export async function compareWithBare(name: string, pathOf: (id: string) => string, options: RunOptions) {
  const database = await prepareCatalogue()
  const ids = shuffled(manifestationIds(database))
  const requests = ids.map(id => getRequest(pathOf(id)))

  await using libretto = await startLibretto(database)
  const answers = join(scratchFolder(), 'answers')
  const bytes = await fetchAll(libretto, ids, requests, answers)
  await using bare = await startBare(answers)

  const rows: string[][] = []
  for (const [label, asked] of [
    [`hot, ${hotIds} ids`, requests.slice(0, hotIds)],
    [`cold, ${ids.length} ids`, requests]
  ] as const) {
    const next = inTurn(asked)
    await askWhileOtherSleeps(bare, libretto, next, 2)
    await askWhileOtherSleeps(libretto, bare, next, 2)
    const ours: Round[] = []
    const theirs: Round[] = []
    for (let round = 0; round < options.rounds; round++) {
      theirs.push(await askWhileOtherSleeps(bare, libretto, next, options.seconds))
      ours.push(await askWhileOtherSleeps(libretto, bare, next, options.seconds))
    }
    const shares = ours.map((each, index) => each.measured.perSecond / (theirs[index] as Round).measured.perSecond)
    const costs = ours.map((each, index) => (theirs[index] as Round).cost / each.cost)
    rows.push(
      row(label, 'bare', theirs, '', ''),
      row(label, 'libretto', ours, percent(median(shares)), percent(median(costs)))
    )
    console.log(`${name}, ${label}: shares of the rounds ${shares.map(percent).join(', ')}`)
  }
  console.log(`\n${name}: ${ids.length} answers of ${Math.round(bytes / ids.length)} bytes on average`)
  printTable(
    [
      '',
      'server',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'server µs/request',
      'client busy',
      'share of bare',
      'share by cost'
    ],
    rows
  )
}

/** Measures a server for some seconds while the other one is asleep. */
export async function askWhileOtherSleeps(
  awake: ServerProcess,
  asleep: ServerProcess,
  next: () => Buffer,
  seconds: number
): Promise<Round> {
  asleep.pause()
  awake.resume()
  const before = usageOf(awake.pid).processor
  const clientBefore = process.cpuUsage()
  const measured = await measure({ port: awake.port, connections, seconds, next })
  const client = process.cpuUsage(clientBefore)
  const used = usageOf(awake.pid).processor - before
  asleep.resume()
  return {
    measured,
    cost: (used * 1000) / measured.requests,
    clientBusy: (client.user + client.system) / ((measured.requests / measured.perSecond) * 1_000_000)
  }
}

const row = (label: string, server: string, rounds: readonly Round[], share: string, costShare: string) => [
  label,
  server,
  String(Math.round(median(rounds.map(each => each.measured.perSecond)))),
  median(rounds.map(each => each.measured.p50)).toFixed(2),
  median(rounds.map(each => each.measured.p99)).toFixed(2),
  median(rounds.map(each => each.cost)).toFixed(1),
  percent(median(rounds.map(each => each.clientBusy))),
  share,
  costShare
]

const percent = (share: number) => `${Math.round(share * 100)} %`

/**
 * Asks for everything once and keeps it for the bare server, a line each. Gives the bytes of all
 * bodies.
 */
async function fetchAll(
  { port }: ServerProcess,
  ids: readonly string[],
  requests: readonly Buffer[],
  file: string
): Promise<number> {
  const idOf = new Map(requests.map((request, index) => [request, ids[index]]))
  const output = createWriteStream(file)
  let bytes = 0
  await measure({
    port,
    connections,
    seconds: 600,
    next: inTurn(requests),
    goOn: answers => answers <= requests.length - connections,
    onBody: (body, request) => {
      const id = idOf.get(request)
      if (id === undefined) return
      idOf.delete(request)
      bytes += body.length
      output.write(`${id}\t${body.toString()}\n`)
    }
  })
  output.end()
  await once(output, 'finish')
  if (idOf.size > 0) throw new Error(`${idOf.size} answers were not fetched`)
  return bytes
}

function shuffled(list: readonly string[]): string[] {
  const chance = createChance(1)
  const result = [...list]
  for (let last = result.length - 1; last > 0; last--) {
    const other = chance.below(last + 1)
    const kept = result[last] as string
    result[last] = result[other] as string
    result[other] = kept
  }
  return result
}
