import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { getRequest, inTurn, measure } from './support/load.ts'
import { adminToken, type ServerProcess, startLibretto, usageOf } from './support/processes.ts'
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
  const folder = mkdtempSync(join(tmpdir(), 'libretto-forms-'))
  try {
    await using libretto = await startLibretto(join(folder, 'sample.db'), { SAMPLE_DATA: '1' })
    const ids = await manifestations(libretto)
    const costs = new Map<string, number[]>()
    const kinds = asked.flatMap(([name, accept]) => [
      { name: `${name}, again`, accept },
      { name: `${name}, first`, accept: `${accept}\r\nX-Made-Anew: 1` }
    ])
    for (let round = 0; round <= options.rounds; round++) {
      for (const { name, accept } of kinds) {
        const next = inTurn(ids.map(id => accepting(`/entities/wem/${id}`, accept)))
        const before = usageOf(libretto.pid).processor
        const { requests } = await measure({ port: libretto.port, connections: 16, seconds: options.seconds, next })
        const cost = ((usageOf(libretto.pid).processor - before) * 1000) / requests
        // The first round warms up.
        if (round > 0) costs.set(name, [...(costs.get(name) ?? []), cost])
      }
    }
    const costOf = (name: string) => median(costs.get(name) ?? [])
    const usual = costOf(`${asked[0][0]}, again`)
    printTable(
      ['Asked for', 'server µs/request', 'beside JSON', 'made: µs/request', 'beside JSON'],
      asked.map(([name]) => {
        const [again, first] = [costOf(`${name}, again`), costOf(`${name}, first`)]
        const beside = (cost: number) => `${(cost / usual).toFixed(2)} ×`
        return [name, again.toFixed(1), beside(again), first.toFixed(1), beside(first)]
      })
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function manifestations({ port }: ServerProcess): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${port}/entities?type=manifestation&limit=1000`, {
    headers: { authorization: `Bearer ${adminToken}` }
  })
  return ((await response.json()) as { id: string }[]).map(({ id }) => id)
}

const accepting = (path: string, accept: string) =>
  Buffer.from(getRequest(path).toString().replace('Accept: application/json', `Accept: ${accept}`))
