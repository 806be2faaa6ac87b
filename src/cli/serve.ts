import cluster from 'node:cluster'

import { openLibretto } from '../main.ts'
import { type Command, UsageError } from './command.ts'
import { prepareFirstStart, welcome } from './first-start.ts'
import { build, listen, refuseWrongAddresses, serveUntilStopped, warn } from './serving.ts'
import { runWorker, runWorkers } from './supervise.ts'

export const serve: Command = {
  summary: 'Starts the service.',
  usage: 'npx libretto serve [--workers 4]',
  examples: [
    ['npx libretto serve', 'on port 8080 of this machine; the first start creates the database'],
    ['PORT=8081 DATABASE_URL=sqlite:catalogue.db npx libretto serve', 'on another port, with another file'],
    ['npx libretto serve --workers 4', 'four processes on one port']
  ],
  options: {
    workers: {
      type: 'string',
      describe: 'Number of processes on one port, each with its own cache; a lost process is replaced'
    }
  },
  async run({ config, options }) {
    const workers = readWorkers(options.workers)
    if (cluster.isPrimary) await refuseWrongAddresses(config)
    if (workers !== undefined) return cluster.isPrimary ? runWorkers(config, workers) : runWorker(config)
    const libretto = await openLibretto(config, { followsModel: true })
    warn(libretto)
    const first = await prepareFirstStart(libretto)
    const served = await build(libretto)
    let address: string
    try {
      address = await listen(served.app, config)
    } catch (error) {
      await libretto[Symbol.asyncDispose]()
      throw error
    }
    const stopped = serveUntilStopped(libretto, served)
    // Printed last: a reader of this line may send a signal at once.
    console.log(welcome(config, address, first))
    await stopped
    return 0
  }
}

/** The number of workers; undefined for a service without a process above it. */
function readWorkers(given: unknown): number | undefined {
  if (given === undefined) return undefined
  const workers = /^\d{1,3}$/.test(String(given)) ? Number(given) : 0
  if (workers < 1) throw new UsageError(`--workers must be a whole number from 1 to 999, got "${given}"`)
  return workers
}
