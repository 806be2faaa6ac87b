import { timesOf, untilIndexed } from '../finding.ts'
import { findSamples } from '../support/catalogue-file.ts'
import { postRequest } from '../support/load.ts'
import { type ServerProcess, startLibretto } from '../support/processes.ts'
import { adversaries, pagesOfResults, questionsAbout, searchesAbout } from '../support/questions.ts'
import { median, type RunOptions } from '../support/report.ts'
import { inTurns, type Version, type Versions } from './in-turns.ts'

interface Question {
  readonly name: string
  readonly filters: readonly unknown[]
  readonly query?: string
}

/** Processor time of every question of `filter.ts` and `search.ts`. */
export async function compareQuestions(versions: Versions, options: RunOptions) {
  const ratios = await inTurns(versions, { rounds: Math.min(2, options.rounds) }, async version => {
    const samples = findSamples(await version.catalogue(options.manifestations))
    return ask(version, options, [...questionsAbout(samples), ...searchesAbout(samples), ...adversaries])
  })
  console.log(`this / other: median ${median(ratios).toFixed(2)} of ${ratios.length} questions\n`)
}

/** Pages of results with summaries beside those of the other version, which are without. */
export async function compareSummaries(versions: Versions, options: RunOptions) {
  await inTurns(versions, { rounds: Math.min(2, options.rounds) }, (version, name) =>
    ask(
      version,
      options,
      pagesOfResults.map(page => (name === 'own' ? { ...page, query: `${page.query}&include=summary` } : page))
    )
  )
}

/** Each question several times in a round; one that is refused has no figure. */
async function ask({ checkout, catalogue }: Version, options: RunOptions, questions: readonly Question[]) {
  const database = await catalogue(options.manifestations)
  const server: ServerProcess = await startLibretto(database, { QUERY_DEADLINE: '10000' }, { checkout })
  await untilIndexed(server)
  return {
    servers: [server],
    measure: async () => {
      const figures: Record<string, number | undefined> = {}
      for (const { name, filters, query = '' } of questions) {
        const request = postRequest(`/entities/filter?${query}`, filters)
        const { status, processor } = await timesOf(server, request, options.rounds)
        figures[`${name}: ms of processor`] = status === 200 ? processor : undefined
      }
      return figures
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()
  }
}
