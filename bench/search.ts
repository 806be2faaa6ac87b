import { commonWord, findSamples, manifestationIds, prepareCatalogue } from './support/catalogue-file.ts'
import { getRequest, inTurn, type Measured, measure, postRequest } from './support/load.ts'
import { type ServerProcess, startLibretto } from './support/processes.ts'
import {
  adversaries,
  askOnce,
  facetsOfMany,
  type RepeatedQuestion,
  searched,
  searchesAbout,
  tryOnce
} from './support/questions.ts'
import { printTable, type RunOptions } from './support/report.ts'

/**
 * Measures searches, suggestions and facets: the ratio of their 95th percentile to that of a get by
 * id in the same run. Then sends queries that are as costly as possible, none of which may exceed
 * the deadline.
 */
export async function run({ seconds, manifestations: size }: RunOptions) {
  const database = await prepareCatalogue(size)
  {
    // A long deadline, so that queries above the usual one are measured too.
    await using patient = await startLibretto(database, { QUERY_DEADLINE: '60000' })
    await measureSearches(patient, database, seconds)
  }
  await using libretto = await startLibretto(database)
  await measureAdversaries(libretto)
}

/** In milliseconds, as the service has it by default. */
const deadline = 2000

/** As many as there are reader threads: more would only queue. */
const askers = 2

/**
 * The same question in as many words as it takes for nothing to be remembered: facets are, as long
 * as nothing is written.
 */
function requestsFor({ filters, query = '', isRepeated }: RepeatedQuestion): Buffer[] {
  const isVaried = query.includes('facets=') && !isRepeated
  return Array.from({ length: isVaried ? 80 : 1 }, (_, index) =>
    postRequest(`/entities/filter?${query}${isVaried ? `&facet_limit=${20 + index}` : ''}`, filters)
  )
}

async function measureSearches(libretto: ServerProcess, database: string, seconds: number) {
  const samples = findSamples(database)
  const gets = inTurn(
    manifestationIds(database)
      .slice(0, 1000)
      .map(id => getRequest(`/entities/${id}`))
  )
  const ask = (next: () => Buffer, most = seconds / 2) =>
    measure({ port: libretto.port, connections: askers, seconds: most, next })
  const questions: RepeatedQuestion[] = [
    ...searchesAbout(samples),
    { ...facetsOfMany[0], name: 'facet of the types of all again, remembered', isRepeated: true }
  ]
  const requests = questions.map(question => ({ name: question.name, next: inTurn(requestsFor(question)) }))
  const add = (name: string, request: Buffer) => requests.push({ name, next: () => request })
  add('page 50 of a common word, by cursor', await pageDeep(libretto.port))
  add('suggestions for three letters', getRequest('/suggest?q=ges'))
  add('suggestions for a typo', getRequest('/suggest?q=geschidenis'))

  await ask(gets)
  const base = await ask(gets)
  const rows = [['get by id', '', ...figures(base), '1']]
  for (const { name, next } of requests) {
    const first = await tryOnce(libretto.port, next())
    // A question that is near the deadline may pass it when two ask at once.
    const measured = first.status === 200 ? await ask(next).catch(() => undefined) : undefined
    rows.push(
      measured
        ? [name, first.count, ...figures(measured), (measured.p95 / base.p95).toFixed(0)]
        : [name, first.count, 'passes the deadline', '', '', '']
    )
  }
  console.log(`${askers} connections; the ratio is of the 95th percentile to that of get by id`)
  printTable(['question', 'matches', 'requests/s', 'p50 ms', 'p95 ms', 'ratio'], rows)
}

const figures = ({ perSecond, p50, p95 }: Measured) => [perSecond.toPrecision(3), p50.toFixed(2), p95.toFixed(2)]

async function pageDeep(port: number): Promise<Buffer> {
  let path = '/entities/filter?limit=20'
  for (let page = 1; page < 50; page++) {
    const { next } = await askOnce(port, postRequest(path, [searched(commonWord)]))
    if (next === undefined) break
    path = next
  }
  return postRequest(path, [searched(commonWord)])
}

/** Costly queries. By the clock of the client, each is answered or refused before the deadline. */
async function measureAdversaries({ port }: ServerProcess) {
  const rows: string[][] = []
  let isLate = false
  for (const { name, filters, query = '' } of adversaries) {
    // Each a little different, so that none has the answer of another.
    const limit = query.includes('facets=') ? 'facet_limit' : 'limit'
    const requests = Array.from({ length: 9 }, (_, index) =>
      postRequest(`/entities/filter?${query}&${limit}=${20 + index}`, filters)
    )
    const [alone, ...crowd] = requests.map(request => () => tryOnce(port, request))
    if (!alone) continue
    const tried = await alone()
    const answers = await Promise.all(crowd.map(ask => ask()))
    const slowest = Math.max(...answers.map(({ took }) => took))
    isLate ||= tried.took > deadline || slowest > deadline
    const answered = answers.filter(({ status }) => status === 200).length
    const refused = answers.filter(({ status }) => status === 503).length
    if (answered + refused < answers.length) throw new Error(`${name}: ${answers.map(({ status }) => status).join()}`)
    rows.push([name, String(tried.status), tried.count, tried.took.toFixed(0), String(answered), slowest.toFixed(0)])
  }
  console.log(`The deadline is ${deadline} ms; 503 is what a question gets that would pass it. By the asker's clock:`)
  printTable(['question', 'status', 'matches', 'ms', 'answered of eight at once', 'slowest ms'], rows)
  console.log(isLate ? 'Some were late.' : 'None was late.')
  if (isLate) process.exitCode = 1
}
