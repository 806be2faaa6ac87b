import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'

import { manifestationIds, prepareCatalogue, scratchFolder } from './catalogue-file.ts'
import { getRequest, inTurn, type Measured, measure } from './load.ts'
import { ownCheckout, type ServerProcess, startBare, startLibretto, usageOf } from './processes.ts'
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
  await using both = await openBesideBare(pathOf, await prepareCatalogue())
  const rows: string[][] = []
  for (const { label, next } of both.asked) {
    await both.ask(next, 2)
    const rounds: BesideBare[] = []
    for (let round = 0; round < options.rounds; round++) rounds.push(await both.ask(next, options.seconds))
    const ours = rounds.map(each => each.libretto)
    const theirs = rounds.map(each => each.bare)
    const shares = rounds.map(each => each.share)
    rows.push(
      row(label, 'bare', theirs, '', ''),
      row(label, 'libretto', ours, percent(median(shares)), percent(median(rounds.map(each => each.shareByCost))))
    )
    console.log(`${name}, ${label}: shares of the rounds ${shares.map(percent).join(', ')}`)
  }
  console.log(`\n${name}: answers of ${Math.round(both.bytes)} bytes on average`)
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

/** One round of the service and of the bare server. */
interface BesideBare {
  readonly libretto: Round
  readonly bare: Round
  /** The throughput of the service as a part of that of the bare server, and the same by cost. */
  readonly share: number
  readonly shareByCost: number
}

/** Starts a service and a bare server that has the answers of the service. */
export async function openBesideBare(pathOf: (id: string) => string, database: string, checkout = ownCheckout) {
  const ids = shuffled(manifestationIds(database))
  const requests = ids.map(id => getRequest(pathOf(id)))
  await using opening = new AsyncDisposableStack()
  const libretto = opening.use(await startLibretto(database, {}, { checkout }))
  const answers = join(scratchFolder(), 'answers')
  const bytes = await fetchAll(libretto, ids, requests, answers)
  const bare = opening.use(await startBare(answers))
  const servers = opening.move()
  return {
    bytes: bytes / ids.length,
    servers: [libretto, bare],
    asked: [
      { label: `hot, ${hotIds} ids`, next: inTurn(requests.slice(0, hotIds)) },
      { label: `cold, ${ids.length} ids`, next: inTurn(requests) }
    ],
    async ask(next: () => Buffer, seconds: number): Promise<BesideBare> {
      const theirs = await askWhileOtherSleeps(bare, libretto, next, seconds)
      const ours = await askWhileOtherSleeps(libretto, bare, next, seconds)
      const share = ours.measured.perSecond / theirs.measured.perSecond
      return { libretto: ours, bare: theirs, share, shareByCost: theirs.cost / ours.cost }
    },
    [Symbol.asyncDispose]: () => servers.disposeAsync()
  }
}

/** Measures a server for some seconds while the other one is asleep. */
async function askWhileOtherSleeps(
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
