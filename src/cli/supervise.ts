import cluster from 'node:cluster'

import type { Config } from '../config.ts'
import { type Libretto, openLibretto } from '../main.ts'
import { prepareFirstStart, welcome } from './first-start.ts'
import { build, listen, type Served, serveUntilStopped, untilStopped, warn } from './serving.ts'

/* Processes that serve, and the one above them that replaces lost ones. */

/**
 * Minimum milliseconds between two starts of a worker, so that a failing worker does not restart in
 * a loop.
 */
const minWorkerLife = 1000

/** Maximum number of workers lost within `restartWindow` before the service gives up. */
const maxRestarts = 5

/** In milliseconds. */
const restartWindow = 60_000

/** The primary process: serves nothing itself and replaces lost workers. */
export async function runWorkers(config: Config, workers: number): Promise<number> {
  const libretto = await openLibretto(config, { followsModel: true })
  warn(libretto)
  const first = await prepareFirstStart(libretto)
  await libretto[Symbol.asyncDispose]()
  let isStopping = false
  let listening = 0
  let port: string | undefined
  const failed = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<string>()
  const lost = Promise.withResolvers<string>()
  let losses: number[] = []

  const startWorker = () => {
    // The port that the first workers were given, should that be any free one.
    const worker = cluster.fork(port === undefined ? {} : { PORT: port })
    const started = performance.now()
    worker.on('message', (message: WorkerMessage) => {
      if ('failure' in message) failed.resolve(message.failure)
      else if (++listening === workers) {
        port = new URL(message.address).port
        begun.resolve(message.address)
      }
    })
    worker.on('exit', (code, signal) => {
      if (isStopping) return
      if (listening < workers) {
        failed.resolve(`A worker ended before it was ready (${signal ?? code})`)
        return
      }
      const now = performance.now()
      const life = now - started
      losses = [...losses.filter(at => now - at < restartWindow), now]
      if (losses.length > maxRestarts) {
        lost.resolve(
          `${losses.length} workers ended within ${restartWindow / 1000} s, the last one with ${signal ?? `code ${code}`}. The service stops: see the messages above for the cause`
        )
        return
      }
      console.error(`Worker ${worker.process.pid} ended (${signal ?? `code ${code}`}); another is started`)
      setTimeout(() => isStopping || startWorker(), Math.max(0, minWorkerLife - life))
    })
  }
  for (let count = 0; count < workers; count++) startWorker()
  const living = () => Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined)
  const end = async () => {
    isStopping = true
    const ended = living().map(worker => new Promise<void>(resolve => worker.once('exit', () => resolve())))
    for (const worker of living()) worker.process.kill('SIGTERM')
    await Promise.all(ended)
  }

  const failure = await Promise.race([begun.promise.then(() => undefined), failed.promise])
  if (failure !== undefined) {
    await end()
    throw new Error(failure)
  }
  const stopped = untilStopped(config, end)
  console.log(welcome(config, await begun.promise, first))
  console.log(workers === 1 ? '1 worker' : `${workers} workers`)
  const reason = await Promise.race([stopped, lost.promise])
  if (reason === undefined) return 0
  await end()
  throw new Error(reason)
}

type WorkerMessage = { readonly address: string } | { readonly failure: string }

export async function runWorker(config: Config): Promise<number> {
  const tell = (message: WorkerMessage) => process.send?.(message)
  let libretto: Libretto
  let served: Served
  try {
    libretto = await openLibretto(config, { followsModel: true })
    served = await build(libretto)
    tell({ address: await listen(served.app, config) })
  } catch (error) {
    tell({ failure: error instanceof Error ? error.message : String(error) })
    return 1
  }
  // Control-C reaches every process of the terminal; the primary process decides when to stop, and
  // its workers stop when it is gone.
  process.on('SIGINT', () => {})
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  await serveUntilStopped(libretto, served)
  // The channel to the primary process would keep this one alive.
  process.disconnect?.()
  return 0
}
