import cluster from 'node:cluster'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { nameOfHolder, takeTask } from '#events/leadership.ts'
import type { Config } from '../config.ts'
import { settings } from '../config.ts'
import { buildService, type Libretto, openLibretto } from '../main.ts'
import type { Command } from './command.ts'
import { loadSample } from './sample.ts'

export const serve: Command = {
  summary: 'Starts the service.',
  usage: 'npx libretto serve [--workers 4]',
  options: {
    workers: { type: 'string', describe: 'Number of processes on one port, each with its own cache (1)' }
  },
  async run({ config, options }) {
    const workers = readWorkers(options.workers)
    if (workers > 1) return cluster.isPrimary ? runWorkers(config, workers) : runWorker(config)
    const libretto = await openLibretto(config, { followsModel: true })
    warn(libretto)
    const first = await prepareFirstStart(libretto)
    const app = await buildService(libretto)
    let address: string
    try {
      address = await listen(app, config)
    } catch (error) {
      await libretto[Symbol.asyncDispose]()
      throw error
    }
    const stopped = serveUntilStopped(libretto, app)
    // Printed last: a reader of this line may send a signal at once.
    console.log(welcome(config, address, first))
    await stopped
    return 0
  }
}

const warn = ({ warnings }: Libretto) => {
  for (const warning of warnings) console.error(warning)
}

type Service = Awaited<ReturnType<typeof buildService>>

async function listen(app: Service, config: Config): Promise<string> {
  try {
    return await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    throw new Error(explainListen(error, config), { cause: error })
  }
}

/** Runs background work until a signal arrives and everything is closed. */
async function serveUntilStopped(libretto: Libretto, app: Service): Promise<void> {
  libretto.startBackground(error => app.log.error({ err: error }, 'webhooks'))
  // Written now, not at the end: a process that is killed has no end, and the next start should be
  // quick too.
  flushCompileCache()
  using _deleting = deleteOldChanges(libretto)
  using _cleaning = cleanMedia(libretto)
  await untilStopped(libretto.config, async () => {
    await app.close()
    await libretto[Symbol.asyncDispose]()
  })
}

/** The result of the first start of a database. */
interface FirstStart {
  readonly tokenFile: string | undefined
  readonly hasTokens: boolean
  readonly loaded: number
  /** Whether the catalogue has the example of the sample. */
  readonly hasExample: boolean
}

const maxFirstStartTime = 60_000

/** A manifestation of the sample, as an example of a request. */
const example = 'M-REINEKE1999'

/**
 * Creates the first token and loads the sample, if the database is new. Of several processes that
 * start together one does; the others wait.
 */
async function prepareFirstStart(libretto: Libretto): Promise<FirstStart> {
  const { store, config } = libretto
  const [task, holder] = ['first start', nameOfHolder()]
  const until = performance.now() + maxFirstStartTime
  while (!(await takeTask(store, task, holder, maxFirstStartTime)) && performance.now() < until) await wait(100)
  try {
    const isFirstStart = await store.isNew()
    const tokenFile = await createFirstToken(libretto, isFirstStart)
    const hasTokens = (await store.listTokens()).length > 0
    const loaded = isFirstStart && wantsSample(config) ? await loadSample(libretto) : 0
    return { tokenFile, hasTokens, loaded, hasExample: (await store.findEntity(example)) !== undefined }
  } finally {
    await store.releaseLease(task, holder)
  }
}

function readWorkers(given: unknown): number {
  if (given === undefined) return 1
  const workers = /^\d{1,3}$/.test(String(given)) ? Number(given) : 0
  if (workers < 1) throw new Error(`--workers must be a whole number from 1 to 999, got "${given}"`)
  return workers
}

/**
 * Minimum milliseconds between two starts of a worker, so that a failing worker does not restart in
 * a loop.
 */
const minWorkerLife = 1000

/** The primary process: serves nothing itself and replaces lost workers. */
async function runWorkers(config: Config, workers: number): Promise<number> {
  const libretto = await openLibretto(config, { followsModel: true })
  warn(libretto)
  const first = await prepareFirstStart(libretto)
  await libretto[Symbol.asyncDispose]()
  let isStopping = false
  let listening = 0
  const failed = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<string>()

  const startWorker = () => {
    const worker = cluster.fork()
    const started = performance.now()
    worker.on('message', (message: WorkerMessage) => {
      if ('failure' in message) failed.resolve(message.failure)
      else if (++listening === workers) begun.resolve(message.address)
    })
    worker.on('exit', (code, signal) => {
      if (isStopping) return
      if (listening < workers) {
        failed.resolve(`A worker ended before it was ready (${signal ?? code})`)
        return
      }
      const life = performance.now() - started
      console.error(`Worker ${worker.process.pid} ended; another is started`)
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
  console.log(`${workers} workers`)
  await stopped
  return 0
}

type WorkerMessage = { readonly address: string } | { readonly failure: string }

async function runWorker(config: Config): Promise<number> {
  const tell = (message: WorkerMessage) => process.send?.(message)
  let libretto: Libretto
  let app: Service
  try {
    libretto = await openLibretto(config, { followsModel: true })
    app = await buildService(libretto)
    tell({ address: await listen(app, config) })
  } catch (error) {
    tell({ failure: error instanceof Error ? error.message : String(error) })
    return 1
  }
  // Control-C reaches every process of the terminal; the primary process decides when to stop, and
  // its workers stop when it is gone.
  process.on('SIGINT', () => {})
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  await serveUntilStopped(libretto, app)
  // The channel to the primary process would keep this one alive.
  process.disconnect?.()
  return 0
}

const hour = 3_600_000

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

/** Removes bytes that no media file uses any more, and abandoned uploads. */
function cleanMedia({ media, leadership }: Libretto): Disposable {
  return everyHour(() => {
    if (!leadership.isHeld()) return
    media.cleanUp().catch(error => {
      console.error('Media files could not be cleaned up; the next attempt is in an hour:', error)
    })
  })
}

/** Runs a task once an hour, the first time when the leader is known. */
function everyHour(task: () => void): Disposable {
  const first = setTimeout(task, 5000)
  const timer = setInterval(task, hour)
  return {
    [Symbol.dispose]() {
      clearTimeout(first)
      clearInterval(timer)
    }
  }
}

/**
 * The sample is loaded only into the default file of a first start, never by default into a
 * configured database.
 */
const wantsSample = (config: Config) => config.sampleData ?? config.databaseUrl === settings.databaseUrl.defaultText

/**
 * Creates the first admin token of an empty database in a file that only its owner can read: it is
 * not printed, since output is stored in logs. Returns the path of the file, if there is one. A
 * database on a server has no folder: there `npx libretto token create` makes tokens.
 */
async function createFirstToken(
  { config, store, tokens }: Libretto,
  isFirstStart: boolean
): Promise<string | undefined> {
  const file = tokenFileOf(config)
  if (config.adminToken !== undefined || file === undefined) return undefined
  const hasTokens = (await store.listTokens()).length > 0
  if (hasTokens) return existsSync(file) ? file : undefined
  if (!isFirstStart || !(await isFirstTime(store))) return undefined
  const { token } = await tokens.create({ name: 'first admin', scopes: ['admin'] }, 'operator')
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
  return file
}

/**
 * Whether no first token was ever created here: a revoked one is not created again. Records that it
 * is being created.
 */
async function isFirstTime(store: Libretto['store']): Promise<boolean> {
  const [kind, key] = ['first start', 'token\nmade']
  if ((await store.findState(kind, [key])).has(key)) return false
  await store.write({ writes: [], by: 'operator', state: [{ kind, key, value: '' }] })
  return true
}

/** The token file is beside the database file. */
function tokenFileOf({ databaseUrl }: Config): string | undefined {
  return databaseUrl.startsWith('sqlite:')
    ? join(dirname(databaseUrl.slice('sqlite:'.length)), 'admin-token')
    : undefined
}

function welcome(config: Config, address: string, { tokenFile, hasTokens, loaded, hasExample }: FirstStart): string {
  const base = config.publicUrl ?? address
  const token = tokenFile === undefined ? '$TOKEN' : `$(cat ${tokenFile})`
  const where =
    config.adminToken !== undefined
      ? 'The admin token is the one in ADMIN_TOKEN.'
      : tokenFile !== undefined
        ? `The admin token is in ${tokenFile}`
        : hasTokens
          ? 'Tokens: npx libretto token list'
          : 'There is no API token. Create one: npx libretto token create --name admin --scope admin'
  return `
Libretto listens at ${base}
${loaded > 0 ? `The sample catalogue was loaded: ${loaded} records.\n` : ''}${where}
Try:
  curl -H "Authorization: Bearer ${token}" ${base}${hasExample ? `/entities/wem/${example}` : '/entities'}
Reference of the interface: ${base}/docs
`
}

function explainListen(error: unknown, { host, port }: Config): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is in use. Stop the other program, or choose another port: PORT=8081 npm start`
  if (code === 'EACCES') return `Port ${port} needs more privileges. Choose one above 1023: PORT=8080 npm start`
  return `Cannot listen at ${host}:${port}: ${message}`
}

/**
 * Waits for SIGTERM or SIGINT, then lets requests finish. A second signal, or the end of the grace
 * period, stops at once.
 */
async function untilStopped({ shutdownGrace }: Config, close: () => Promise<void>): Promise<void> {
  await new Promise<void>(resolve => {
    const stop = () => {
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
  })
}
