import { join } from 'node:path'

import { scratchFolder } from './support/catalogue-file.ts'
import { getRequest, inTurn, measure } from './support/load.ts'
import { adminToken, ownCheckout, type ServerProcess, startLibretto, usageOf } from './support/processes.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

/** The values of `Accept` that are tried; all others are compared with the first. */
const asked = [
  ['JSON, as nearly everybody asks', 'application/json'],
  ['JSON, one wish among several', 'application/json, text/plain, */*'],
  ['JSON, as a browser asks', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['JSON-LD', 'application/ld+json'],
  ['Turtle', 'text/turtle'],
  ['N-Triples', 'application/n-triples'],
  ['RDF/XML', 'application/rdf+xml'],
  ['BibTeX', 'application/x-bibtex'],
  ['MARCXML', 'application/marcxml+xml']
] as const

/**
 * Measures the cost of choosing a format, and of other formats beside JSON: the WEM of every
 * manifestation of the sample catalogue, alternating. Answers are sent again as they were sent
 * before; `first` asks for each with a header that is not known, so that they are made.
 */
export async function run(options: RunOptions) {
  await using opened = await openForms()
  const rounds: FormCost[][] = []
  // The first round warms up.
  for (let round = 0; round <= options.rounds; round++) rounds.push(await opened.ask(options.seconds))
  const costOf = (place: number, of: 'again' | 'first') =>
    median(rounds.slice(1).map(costs => costs[place]?.[of] ?? Number.NaN))
  const usual = costOf(0, 'again')
  printTable(
    ['Asked for', 'server µs/request', 'beside JSON', 'made: µs/request', 'beside JSON'],
    opened.asked.map((name, place) => {
      const [again, first] = [costOf(place, 'again'), costOf(place, 'first')]
      const beside = (cost: number) => `${(cost / usual).toFixed(2)} ×`
      return [name, again.toFixed(1), beside(again), first.toFixed(1), beside(first)]
    })
  )
}

/** Processor time of a request in microseconds; undefined for a format that is not offered. */
export interface FormCost {
  readonly name: string
  readonly again: number | undefined
  readonly first: number | undefined
}

/** Starts a service on the sample catalogue whose formats can be measured round by round. */
export async function openForms(checkout = ownCheckout) {
  const libretto = await startLibretto(join(scratchFolder(), 'sample.db'), { SAMPLE_DATA: '1' }, { checkout })
  const ids = await manifestations(libretto)
  const costOf = async (accept: string, seconds: number) => {
    const next = inTurn(ids.map(id => accepting(`/entities/wem/${id}`, accept)))
    const before = usageOf(libretto.pid).processor
    const { requests } = await measure({ port: libretto.port, connections: 16, seconds, next })
    return ((usageOf(libretto.pid).processor - before) * 1000) / requests
  }
  return {
    servers: [libretto],
    asked: asked.map(([name]) => name),
    async ask(seconds: number): Promise<FormCost[]> {
      const costs: FormCost[] = []
      for (const [name, accept] of asked) {
        const isOffered = await offers(libretto, `/entities/wem/${ids[0]}`, accept)
        const again = isOffered ? await costOf(accept, seconds) : undefined
        costs.push({ name, again, first: isOffered ? await costOf(`${accept}\r\nX-Made-Anew: 1`, seconds) : undefined })
      }
      return costs
    },
    [Symbol.asyncDispose]: () => libretto[Symbol.asyncDispose]()
  }
}

async function offers({ port }: ServerProcess, path: string, accept: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${adminToken}`, accept }
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  return status === 200
}

async function manifestations({ port }: ServerProcess): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${port}/entities?type=manifestation&limit=1000`, {
    headers: { authorization: `Bearer ${adminToken}` }
  })
  return ((await response.json()) as { id: string }[]).map(({ id }) => id)
}

const accepting = (path: string, accept: string) =>
  Buffer.from(getRequest(path).toString().replace('Accept: application/json', `Accept: ${accept}`))
