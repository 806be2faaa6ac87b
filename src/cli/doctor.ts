import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

import { fingerprintEntry } from '#auth/secret-key.ts'
import { checkFolder } from '#media/filesystem/folder-store.ts'
import { mediaFolderOf, openContents } from '#media/open-media.ts'
import { describeDatabase, findMissingTables } from '#store/open-store.ts'
import type { DatabaseState } from '#store/ports/administration.ts'
import { schemaVersion } from '#store/tables.ts'
import { type Config, httpAddress, publicUrlOf } from '../config.ts'
import { findSecretKey, keyFileOf, placeOfKey } from '../service-secrets.ts'
import { version } from '../version.ts'
import { type Command, jsonOption } from './command.ts'
import { printTable } from './print-table.ts'

/** A fact about the installation. A problem says what to do. */
interface Observation {
  readonly about: string
  readonly state: 'ok' | 'warning' | 'problem'
  readonly message: string
}

type Look = () => Promise<Observation[]> | Observation[]

const ok = (about: string, message: string): Observation => ({ about, state: 'ok', message })
const warning = (about: string, message: string): Observation => ({ about, state: 'warning', message })
const problem = (about: string, message: string): Observation => ({ about, state: 'problem', message })

/** Milliseconds that two clocks may differ. */
const maxDrift = 5000
/** Milliseconds to wait for a running service. */
const maxWait = 5000
/** Bytes that should be free on the disk of a database, however small it is. */
const minFree = 1e9

export const doctor: Command = {
  summary: 'Looks at the installation and says what to do; changes nothing. "check" looks at the records.',
  usage: 'npx libretto doctor [--json]',
  examples: [['npx libretto doctor', 'with the settings, and in the folder, of the service']],
  options: { json: jsonOption },
  async run({ config, options }) {
    const observations = await observe(config)
    if (options.json) console.log(JSON.stringify(observations))
    else
      printTable(
        ['', 'about', 'found'],
        observations.map(({ about, state, message }) => [state, about, message])
      )
    return observations.some(({ state }) => state === 'problem') ? 1 : 0
  }
}

async function observe(config: Config): Promise<Observation[]> {
  const observations = [ok('version', `Libretto ${version}, Node ${process.version}`), ...lookAtSettings(config)]
  const file = fileOf(config)
  let database: DatabaseState | undefined
  if (file !== undefined && !existsSync(file))
    observations.push(warning('database', `There is no database "${resolve(file)}"; "npx libretto serve" creates it`))
  else
    try {
      database = await describeDatabase(config.databaseUrl, fingerprintEntry)
      observations.push(...(await lookAtDatabase(config, database)))
    } catch (error) {
      observations.push(problem('database', `It cannot be read: ${(error as Error).message}`))
    }
  const looks: readonly Look[] = [
    () => lookAtKey(config, database),
    () => lookAtMedia(config),
    () => lookAtDisk(file),
    () => lookAtClock(database),
    () => lookAtService(config)
  ]
  for (const look of looks) observations.push(...(await look()))
  return observations
}

const fileOf = ({ databaseUrl }: Config) =>
  databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined

/** Looks for settings that contradict each other; a wrong one stops any command. */
function lookAtSettings(config: Config): Observation[] {
  const { publicUrl, trustProxy, host, anonymousAccess } = config
  const observations: Observation[] = []
  if (publicUrl?.startsWith('https:') && trustProxy.length === 0)
    observations.push(
      warning(
        'proxy',
        'PUBLIC_URL is https, so a proxy stands before the service, but TRUST_PROXY is not set: limits and logs take all clients for the proxy. Set it to the address of the proxy'
      )
    )
  if (!/^(?:127\.|localhost$|::1$)/.test(host) && publicUrl === undefined)
    observations.push(
      warning(
        'settings',
        `HOST is ${host}, but PUBLIC_URL is not set: addresses in answers begin with ${publicUrlOf(config)}`
      )
    )
  if (anonymousAccess.length > 0) observations.push(ok('settings', 'visitors may read (ANONYMOUS_ACCESS)'))
  return observations.length > 0 ? observations : [ok('settings', 'no contradictions')]
}

async function lookAtDatabase(config: Config, { engine, schema, records }: DatabaseState): Promise<Observation[]> {
  if (schema === undefined) return [warning('database', `${engine}: empty; "npx libretto serve" creates the catalogue`)]
  if (schema > schemaVersion)
    return [
      problem('database', `Its schema is ${schema}, this program knows up to ${schemaVersion}: use a newer Libretto`)
    ]
  if (schema < schemaVersion)
    return [
      warning('database', `Its schema is ${schema}; the next start makes it ${schemaVersion}. Make a backup first`)
    ]
  const missing = await findMissingTables(config.databaseUrl)
  return missing.length > 0
    ? missing.map(each => problem('database', each))
    : [ok('database', `${engine}, schema ${schema}, ${records} records`)]
}

function lookAtKey(config: Config, database: DatabaseState | undefined): Observation[] {
  const place = placeOfKey(config)
  const key = findSecretKey(config)
  const used = database?.entry
  if (used !== undefined && key?.fingerprint !== used)
    return [
      problem(
        'secret key',
        `The database was used with another key than that of ${place}. Copy the former file "secret-key" there, or set SECRET_KEY`
      )
    ]
  if (key === undefined) return [ok('secret key', `none yet; the first start creates ${place}`)]
  const isShared = config.secretKey === undefined && (statSync(keyFileOf(config)).mode & 0o077) !== 0
  return [
    isShared
      ? warning('secret key', `Others can read ${place}: chmod 600`)
      : ok('secret key', `in ${place}${used === undefined ? '' : ', the one of the database'}`)
  ]
}

async function lookAtMedia(config: Config): Promise<Observation[]> {
  const isBucket = config.mediaUrl?.startsWith('s3:') === true
  const folder = resolve(mediaFolderOf(config))
  try {
    if (!isBucket && !existsSync(folder))
      return [ok('media', `"${folder}" does not exist; the first upload creates it`)]
    await using contents = await openContents(config)
    await contents.check()
    if (config.mediaUploads !== undefined && existsSync(config.mediaUploads))
      await checkFolder(config.mediaUploads, 'MEDIA_UPLOADS')
    return [ok('media', `${isBucket ? 'the bucket of MEDIA_URL' : `"${folder}"`} can be written`)]
  } catch (error) {
    return [problem('media', (error as Error).message)]
  }
}

/** A backup, and an upgrade, need as much space as the database has. */
function lookAtDisk(file: string | undefined): Observation[] {
  if (file === undefined || !existsSync(dirname(file))) return []
  const { bavail, bsize } = statfsSync(dirname(file))
  const [free, size] = [bavail * bsize, existsSync(file) ? statSync(file).size : 0]
  const found = `${(free / 1e9).toFixed(1)} GB free, the database has ${(size / 1e9).toFixed(1)} GB`
  return [
    free < Math.max(minFree, size)
      ? warning('disk', `${found}: too little for a backup beside it and for growth`)
      : ok('disk', found)
  ]
}

function lookAtClock(database: DatabaseState | undefined): Observation[] {
  if (database === undefined) return []
  const now = Date.now()
  const drift = Math.abs(database.now - now)
  if (drift > maxDrift)
    return [problem('clock', `It differs from that of the database by ${Math.round(drift / 1000)} s; set both by NTP`)]
  const ahead = database.lastChange === undefined ? 0 : Date.parse(database.lastChange) - now
  if (ahead > maxDrift)
    return [
      problem('clock', `The last change is of ${database.lastChange}, which is in the future; set the clock by NTP`)
    ]
  return [ok('clock', new Date(now).toISOString())]
}

/** Asks a running service, at its own address and at the one for clients. */
async function lookAtService(config: Config): Promise<Observation[]> {
  const ask = async (address: string) => {
    const response = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(maxWait) })
    return { status: response.status, text: (await response.text()).slice(0, 200) }
  }
  const own = httpAddress(['0.0.0.0', '::'].includes(config.host) ? '127.0.0.1' : config.host, config.port)
  const found = await ask(own).catch(() => undefined)
  if (found === undefined) return [ok('service', `nothing answers at ${own}`)]
  const observations = [
    found.status === 200
      ? ok('service', `ready at ${own}; its index is built`)
      : problem('service', `not ready at ${own}: ${found.status} ${found.text}`)
  ]
  if (config.publicUrl === undefined) return observations
  const outside = await ask(publicUrlOf(config)).catch(error => (error as Error).message)
  if (typeof outside === 'string' || outside.status !== found.status)
    observations.push(
      problem(
        'proxy',
        `The service answers at ${own}, but not at PUBLIC_URL ${config.publicUrl} (${typeof outside === 'string' ? outside : outside.status}): look at the proxy`
      )
    )
  else observations.push(ok('proxy', `PUBLIC_URL ${config.publicUrl} reaches the service`))
  return observations
}
