import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { Config } from '../config.ts'
import { settings } from '../config.ts'
import { buildService, type Libretto, openLibretto } from '../main.ts'
import type { Command } from './command.ts'
import { loadSample } from './sample.ts'

export const serve: Command = {
  summary: 'Starts the service.',
  usage: 'npx libretto serve',
  options: {},
  async run({ config }) {
    const libretto = await openLibretto(config)
    const isFirstStart = await libretto.store.isNew()
    const tokenFile = await keepFirstToken(libretto)
    const loaded = isFirstStart && wantsSample(config) ? await loadSample(libretto) : 0
    const app = await buildService(libretto)
    let address: string
    try {
      address = await app.listen({ port: config.port, host: config.host })
    } catch (error) {
      await libretto[Symbol.asyncDispose]()
      throw new Error(explainListen(error, config), { cause: error })
    }
    libretto.dispatcher.start(error => app.log.error({ err: error }, 'webhooks'))
    using _forgetting = forgetOldChanges(libretto)
    const stopped = untilStopped(config, async () => {
      await app.close()
      await libretto[Symbol.asyncDispose]()
    })
    // Only now: whoever reads this may send a signal at once.
    console.log(welcome(config, address, tokenFile, loaded))
    await stopped
    return 0
  }
}

const hour = 3_600_000

/** Keeps the feed as long as the setting says: looks once an hour. */
function forgetOldChanges({ config, store }: Libretto): Disposable {
  const { changesKeptDays } = config
  const forget = () => {
    if (changesKeptDays === undefined) return
    store.forgetChanges(new Date(Date.now() - changesKeptDays * 24 * hour).toISOString()).catch(error => {
      console.error('Old changes could not be forgotten; it is tried again in an hour:', error)
    })
  }
  forget()
  const timer = setInterval(forget, hour)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** The sample goes into the default file of a first start only; never, unasked, into a database that somebody named. */
const wantsSample = (config: Config) => config.sampleData ?? config.databaseUrl === settings.databaseUrl.defaultText

/**
 * Makes the first admin token where there is none, and keeps it in a file that only its owner can read. Gives the path of the file, where there
 * is one.
 */
async function keepFirstToken({ config, store, tokens }: Libretto): Promise<string | undefined> {
  const file = tokenFileOf(config)
  if (config.adminToken !== undefined) return undefined
  if ((await store.listTokens()).length > 0) return file !== undefined && existsSync(file) ? file : undefined
  const { token } = await tokens.create({ name: 'first admin', scopes: ['admin'] }, 'operator')
  if (file === undefined) {
    console.log(`\nThe first admin token, shown this once:\n  ${token}\n`)
    return undefined
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
  console.log(`\nThe first admin token, shown this once:\n  ${token}`)
  return file
}

/** Beside the database file. */
function tokenFileOf({ databaseUrl }: Config): string | undefined {
  return databaseUrl.startsWith('sqlite:')
    ? join(dirname(databaseUrl.slice('sqlite:'.length)), 'admin-token')
    : undefined
}

function welcome(config: Config, address: string, tokenFile: string | undefined, loaded: number): string {
  const base = config.publicUrl ?? address
  const token = tokenFile === undefined ? '$TOKEN' : `$(cat ${tokenFile})`
  const where =
    config.adminToken !== undefined
      ? 'The admin token is the one in ADMIN_TOKEN.'
      : tokenFile === undefined
        ? 'Tokens: npx libretto token list'
        : `The admin token is in ${tokenFile}`
  return `
Libretto listens at ${base}
${loaded > 0 ? `The sample catalogue was loaded: ${loaded} records.\n` : ''}${where}
Try:
  curl -H "Authorization: Bearer ${token}" ${base}/entities/wem/M-REINEKE1999
The interface, to read: ${base}/docs
`
}

function explainListen(error: unknown, { host, port }: Config): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is in use. Stop what uses it, or choose another: PORT=8081 npm start`
  if (code === 'EACCES')
    return `Port ${port} may not be used without more rights. Choose one above 1023: PORT=8080 npm start`
  return `Cannot listen at ${host}:${port}: ${message}`
}

/** Waits for SIGTERM or SIGINT, then lets requests finish. A second signal, or the end of the grace, stops at once. */
async function untilStopped({ shutdownGrace }: Config, close: () => Promise<void>): Promise<void> {
  await new Promise<void>(resolve => {
    const stop = () => {
      process.once('SIGTERM', () => process.exit(1))
      process.once('SIGINT', () => process.exit(1))
      setTimeout(() => process.exit(1), shutdownGrace).unref()
      close().then(resolve, error => {
        console.error(error)
        process.exit(1)
      })
    }
    process.once('SIGTERM', stop)
    process.once('SIGINT', stop)
  })
}
