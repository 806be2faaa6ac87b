import { hash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { nameOfHolder, takeTask } from '#events/leadership.ts'
import type { Config } from '../config.ts'
import { describeSettings, readModelFile, settings } from '../config.ts'
import { version } from '../version.ts'
import { isPageBuilt, type Libretto } from '../main.ts'
import { loadSample } from './sample.ts'
import { loadSamplePictures } from './sample-pictures.ts'

/** The result of the first start of a database. */
export interface FirstStart {
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
export async function prepareFirstStart(libretto: Libretto): Promise<FirstStart> {
  const { store, config } = libretto
  const [task, holder] = ['first start', nameOfHolder()]
  const until = performance.now() + maxFirstStartTime
  while (!(await takeTask(store, task, holder, maxFirstStartTime)) && performance.now() < until) await wait(100)
  try {
    await recordSettings(libretto)
    const isFirstStart = await store.isNew()
    const tokenFile = await createFirstToken(libretto, isFirstStart)
    const hasTokens = (await store.listTokens()).length > 0
    const loaded = isFirstStart && wantsSample(config) ? await loadSample(libretto) : 0
    if (loaded > 0) await loadSamplePictures(libretto)
    return { tokenFile, hasTokens, loaded, hasExample: (await store.findEntity(example)) !== undefined }
  } finally {
    await store.releaseLease(task, holder)
  }
}

/** Logs version, settings and model, where they differ from those of the last start. */
async function recordSettings({ audit, config }: Libretto) {
  const model = config.model === undefined ? null : hash('sha256', JSON.stringify(readModelFile(config.model)))
  const details = { version, model, settings: describeSettings(config) }
  await audit.recordChange({ by: 'operator', act: 'settings.change', details })
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
  { config, store, tokens, audit }: Libretto,
  isFirstStart: boolean
): Promise<string | undefined> {
  const file = tokenFileOf(config)
  if (config.adminToken !== undefined || file === undefined) return undefined
  const hasTokens = (await store.listTokens()).length > 0
  if (hasTokens) return existsSync(file) ? file : undefined
  if (!isFirstStart || !(await isFirstTime(store))) return undefined
  const [name, scopes] = ['first admin', ['admin']]
  const details = { name, scopes, expires_at: null }
  const { token } = await tokens.create({ name, scopes }, 'operator', ({ id }) =>
    audit.describe({ by: 'operator', act: 'token.create', subject: id, details })
  )
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

/** The text that is printed when the service listens at an address. */
export function welcome(
  config: Config,
  address: string,
  { tokenFile, hasTokens, loaded, hasExample }: FirstStart
): string {
  // A client on this machine reaches a socket of every network by the loopback address.
  const base = address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  const token = tokenFile === undefined ? '$TOKEN' : `$(cat ${tokenFile})`
  const where =
    config.adminToken !== undefined
      ? 'The admin token is the one in ADMIN_TOKEN.'
      : tokenFile !== undefined
        ? `The admin token is in ${tokenFile}`
        : hasTokens
          ? 'Tokens: npx libretto token list'
          : 'There is no API token. Create one: npx libretto token create --name admin --scope admin'
  const isOpen = !/^http:\/\/(?:127\.|\[::1\])/.test(address)
  const lines = [
    `Libretto listens at ${address}`,
    isOpen && openToNetwork,
    config.publicUrl !== undefined && `Its address for clients (PUBLIC_URL) is ${config.publicUrl}`,
    !isPageBuilt() && 'The web page was not built: stop, run "npm run build", and start again, or use "npm start".',
    loaded > 0 && `The sample catalogue was loaded: ${loaded} records.`,
    where,
    'Try:',
    `  curl -H "Authorization: Bearer ${token}" ${base}${hasExample ? `/entities/wem/${example}` : '/entities'}`,
    `Reference of the interface: ${base}/docs`
  ]
  return `\n${lines.filter(line => line !== false).join('\n')}\n`
}

const openToNetwork =
  'Other machines can reach this address, and what they send is not encrypted, tokens included. Let them use a proxy with TLS, and only the proxy this address.'
