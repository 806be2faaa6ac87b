import { measure, postRequest } from './support/load.ts'
import { findSamples, prepareCatalogue } from './support/catalogue-file.ts'
import { startLibretto, type ServerProcess, usageOf } from './support/processes.ts'
import { adversaries, pagesOfResults, questionsAbout, searchesAbout, tryOnce } from './support/questions.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

/** In milliseconds: the longest time of a question that is asked again, and how long it is. */
const maxRepeated = 1000
const repeatedFor = 500

/** A service on a catalogue: how soon it finds, and how long each question takes through it. */
export async function run({ manifestations: size, rounds, database: given }: RunOptions) {
  const database = given ?? (await prepareCatalogue(size))
  const started = performance.now()
  await using service = await startLibretto(database, { QUERY_DEADLINE: '60000' })
  const peak = await untilIndexed(service)
  const took = (performance.now() - started) / 1000
  console.log(`the index was ready ${took.toFixed(1)} s after the start; at most ${peak} MB meanwhile`)
  const samples = findSamples(database)
  const rows: string[][] = []
  for (const { name, filters, query = '' } of [...questionsAbout(samples), ...searchesAbout(samples), ...adversaries]) {
    const { count, status, took, processor } = await timesOf(service, requestOf(filters, query), rounds)
    rows.push([name, count, ...(status === 200 ? [took, processor].map(each => each.toFixed(1)) : ['refused', ''])])
  }
  printTable(['question', 'matches', 'ms', 'ms of processor'], rows)
  await compareSummaries(service, rounds)
  console.log(`memory after all questions: ${usageOf(service.pid).memory.toFixed(0)} MB`)
}

const requestOf = (filters: readonly unknown[], query: string) => postRequest(`/entities/filter?${query}`, filters)

/** Pages of results with summaries beside the same pages without, in turns. */
async function compareSummaries(service: ServerProcess, rounds: number) {
  const rows: string[][] = []
  for (const { name, filters, query = '' } of pagesOfResults) {
    const [plain, summarised]: [number[], number[]] = [[], []]
    for (let round = 0; round <= rounds; round++)
      for (const [times, include] of [[plain, ''] as const, [summarised, '&include=summary'] as const])
        times.push((await askFor(service, requestOf(filters, query + include), 3)).processor)
    // The first of each reads records that are not in memory yet.
    const [without, with_] = [median(plain.slice(1)), median(summarised.slice(1))]
    rows.push([name, without.toFixed(2), with_.toFixed(2), (with_ / without).toFixed(2)])
  }
  printTable(['page of results', 'ms of processor', 'with summaries', 'ratio'], rows)
}

/** Sends a request on one connection again and again; gives times for each answer. */
async function askFor({ port, pid }: ServerProcess, request: Buffer, least: number) {
  const before = usageOf(pid).processor
  const end = performance.now() + repeatedFor
  const goOn = (answers: number) => answers < least || performance.now() < end
  const { p50, requests: answers } = await measure({ port, connections: 1, seconds: 0, next: () => request, goOn })
  return { took: p50, processor: (usageOf(pid).processor - before) / answers }
}

/** Waits for the index; gives the most memory that was seen meanwhile, in megabytes. */
export async function untilIndexed({ port, pid }: ServerProcess): Promise<string> {
  let peak = 0
  for (;;) {
    const health = (await (await fetch(`http://127.0.0.1:${port}/health/ready`)).json()) as { indexing?: unknown }
    peak = Math.max(peak, usageOf(pid).memory)
    if (health.indexing === undefined) return peak.toFixed(0)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

/**
 * The median time of requests on one open connection, by the clock, and the processor time of the
 * service for each, after others that are not counted: at least `rounds` of each, and as many as
 * there is time for.
 */
export async function timesOf(service: ServerProcess, request: Buffer, rounds: number) {
  const first = await tryOnce(service.port, request)
  // The first reads what is not in memory yet. A question that takes this long is asked once more.
  if (first.status !== 200) return { ...first, processor: Number.NaN }
  const least = first.took > maxRepeated ? 1 : Math.max(3, rounds)
  await askFor(service, request, least)
  return { ...first, ...(await askFor(service, request, least)) }
}
