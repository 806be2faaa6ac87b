import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'

import { passMoments } from '#catalogue/entities/pass-moments.ts'
import { CatalogueError } from '#domain/errors.ts'
import { prepareBodyChecks } from '#http/body/validation.ts'
import { createRequestMetrics, type RequestMetrics } from '#http/observe/request-metrics.ts'
import { type Config, httpAddress } from '../config.ts'
import { buildService, type Libretto } from '../main.ts'
import { startWatchdog } from './watchdog.ts'

/** Prints the warnings of a start. */
export const warn = ({ warnings }: Libretto) => {
  for (const warning of warnings) console.error(warning)
}

export type Service = Awaited<ReturnType<typeof buildService>>

/** The application, with the counts of its requests. */
export interface Served {
  readonly app: Service
  /** Undefined where no port is set for metrics. */
  readonly metrics: RequestMetrics | undefined
}

export async function build(libretto: Libretto): Promise<Served> {
  const metrics = libretto.config.metricsPort === undefined ? undefined : createRequestMetrics()
  return { app: await buildService(libretto, metrics), metrics }
}

/** Lets Prometheus read metrics, on a port of their own. */
async function serveMetrics(libretto: Libretto, metrics: RequestMetrics): Promise<AsyncDisposable> {
  const { metricsHost: host, metricsPort: port = 0 } = libretto.config
  const [{ startMetricsServer }, { createMeasurement }] = await Promise.all([
    import('#http/observe/metrics-server.ts'),
    import('./measure-service.ts')
  ])
  const server = await startMetricsServer({ host, port }, createMeasurement(libretto, metrics))
  console.log(`Metrics: http://${host}:${server.port}/metrics`)
  return server
}

/**
 * Throws where the service could not listen, before a database and a token are created for it. The
 * port may be taken later all the same.
 */
export async function refuseWrongAddresses(config: Config): Promise<void> {
  const tryToListen = async (host: string, port: number) => {
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject).listen({ host, port, exclusive: true }, resolve)
    })
    await server[Symbol.asyncDispose]()
  }
  await tryToListen(config.host, config.port).catch(error => {
    throw new Error(explainListen(error, config), { cause: error })
  })
  if (config.metricsPort === undefined) return
  await tryToListen(config.metricsHost, 0).catch(error => {
    throw new Error(`METRICS_HOST: cannot listen at ${config.metricsHost}: ${error.message}`, { cause: error })
  })
}

/** Listens. Returns the address that the socket is bound to, which may be that of every network. */
export async function listen(app: Service, config: Config): Promise<string> {
  try {
    await app.listen({ port: config.port, host: config.host })
    const { address, port } = app.addresses()[0] as AddressInfo
    return httpAddress(address, port)
  } catch (error) {
    throw new Error(explainListen(error, config), { cause: error })
  }
}

/** Runs background work until a signal arrives and everything is closed. */
export async function serveUntilStopped(libretto: Libretto, { app, metrics }: Served): Promise<void> {
  libretto.startBackground(error => app.log.error({ err: error }, 'webhooks'))
  // Written now, not at the end: a process that is killed has no end, and the next start should be
  // quick too.
  flushCompileCache()
  prepareBodyChecks().then(flushCompileCache, error => app.log.error({ err: error }, 'the compiler of schemas'))
  using timers = new DisposableStack()
  // First of all: a reader of the address may send a signal at once.
  const stopped = untilStopped(libretto.config, async () => {
    // Nothing begins to work with a store that closes.
    timers.dispose()
    await app.close()
    await libretto[Symbol.asyncDispose]()
  })
  await using _measuring = metrics && (await serveMetrics(libretto, metrics))
  using _watching = startWatchdog()
  if (!timers.disposed) {
    for (const begin of [deleteOldChanges, deleteOldVersions, cleanMedia, followMoments]) timers.use(begin(libretto))
    timers.use(reportFinding(libretto, app))
  }
  await stopped
}

function explainListen(error: unknown, { host, port }: Config): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is in use. Stop the other program, or choose another port: PORT=8081 npm start`
  if (code === 'EACCES') return `Port ${port} needs more privileges. Choose one above 1023: PORT=8080 npm start`
  return `Cannot listen at ${host}:${port} (HOST, PORT): ${message}`
}

/** Logs when the index in memory is built, and its faults. */
function reportFinding({ store }: Libretto, { log }: Service): Disposable {
  let known = { isReady: true, outages: 0, faults: 0, failures: 0 }
  const report = () => {
    const { isReady, building, outages, records, isFromSnapshot, faults, fault, snapshot } = store.findingState()
    const { failures, failure } = snapshot
    const isBegun = outages > known.outages
    if (isBegun) log.info('index: being built; lists and searches are refused until it is ready')
    if (building) log.debug(building, 'index: records read')
    if (isReady && (isBegun || !known.isReady)) log.info({ records, isFromSnapshot }, 'index: ready')
    if (faults > known.faults) log.error({ err: fault }, 'index: it failed and is built again')
    if (failures > known.failures)
      log.error({ err: failure }, 'index: its snapshot could not be saved; the next attempt is in a minute')
    known = { isReady, outages, faults, failures }
  }
  report()
  const timer = setInterval(report, reportInterval)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Milliseconds between two reports. */
const reportInterval = 5000

const minute = 60_000
const hour = 60 * minute

/** Deletes old changes from the feed, as the setting says. */
function deleteOldChanges({ config, store, leadership }: Libretto): Disposable {
  const { changesKeptDays } = config
  return everyHour(() => {
    if (changesKeptDays === undefined || !leadership.isHeld()) return
    store.deleteChanges(new Date(Date.now() - changesKeptDays * 24 * hour).toISOString()).catch(error => {
      console.error('Old changes could not be deleted; the next attempt is in an hour:', error)
    })
  })
}

/** Deletes replaced versions, as the setting says; a few records in each transaction. */
function deleteOldVersions({ config, store, leadership }: Libretto): Disposable {
  const { versionsKeptDays } = config
  let isRunning = false
  const run = async (before: string) => {
    for (let after: string | undefined = ''; after !== undefined && leadership.isHeld(); )
      after = (await store.deleteVersions(before, after)).next
  }
  return everyHour(() => {
    if (versionsKeptDays === undefined || isRunning || !leadership.isHeld()) return
    isRunning = true
    run(new Date(Date.now() - versionsKeptDays * 24 * hour).toISOString())
      .catch(error => console.error('Old versions could not be deleted; the next attempt is in an hour:', error))
      .finally(() => {
        isRunning = false
      })
  })
}

/** Removes bytes that no media file uses any more, and abandoned uploads. */
function cleanMedia({ media, leadership }: Libretto): Disposable {
  return everyHour(() => {
    if (!leadership.isHeld()) return
    media.cleanUp().catch(error => {
      console.error('Media files could not be cleaned up; the next attempt is in an hour:', error)
    })
  })
}

/** Tells change feeds of moments of publication and withdrawal that have passed. */
function followMoments({ parts, operator, leadership }: Libretto): Disposable {
  return repeat(() => {
    if (!leadership.isHeld()) return
    passMoments(parts, operator, Date.now()).catch(error => {
      // Such as an index that is being built, which is reported by itself.
      if (error instanceof CatalogueError && error.isExpected) return
      console.error('Moments of publication could not be looked up; the next attempt is in a minute:', error)
    })
  }, minute)
}

const everyHour = (task: () => void) => repeat(task, hour)

/** Runs a task at intervals, the first time when the leader is known. */
function repeat(task: () => void, interval: number): Disposable {
  const first = setTimeout(task, 5000)
  const timer = setInterval(task, interval)
  return {
    [Symbol.dispose]() {
      clearTimeout(first)
      clearInterval(timer)
    }
  }
}

/**
 * Waits for SIGTERM, SIGINT or the end of the npm that started the service, then lets requests
 * finish. A second signal, or the end of the grace period, stops at once.
 */
export async function untilStopped({ shutdownGrace, npmProcess }: Config, close: () => Promise<void>): Promise<void> {
  await new Promise<void>(resolve => {
    const stop = () => {
      clearInterval(watchingNpm)
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.removeListener(signal, stop)
      process.once('SIGTERM', () => process.exit(1))
      if (cluster.isPrimary) process.once('SIGINT', () => process.exit(1))
      setTimeout(() => process.exit(1), shutdownGrace).unref()
      close().then(resolve, error => {
        console.error(error)
        process.exit(1)
      })
    }
    process.once('SIGTERM', stop)
    if (cluster.isPrimary) process.once('SIGINT', stop)
    // npm and the shell that it starts end at SIGTERM without passing it on.
    const stopWithNpm = () => process.ppid !== npmProcess && stop()
    const watchingNpm =
      npmProcess !== undefined && cluster.isPrimary ? setInterval(stopWithNpm, npmInterval) : undefined
  })
}

/** Milliseconds between two looks whether npm still runs. */
const npmInterval = 500
