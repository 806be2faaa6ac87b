import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readMarc } from '#formats/marc/read-marc.ts'
import { isDataField, type MarcField, type MarcRecord } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { findTestFile, notMeasured } from '../test/support/records/test-data.ts'
import { manifestationIds, scratchFolder } from './support/catalogue-file.ts'
import { getRequest, inTurn, type Load, type Measured, measure } from './support/load.ts'
import { madeRecords } from './support/made-records.ts'
import { adminToken, ownCheckout, programIn, startLibretto, urlOf } from './support/processes.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

const onOneCore = existsSync('/usr/bin/taskset') ? ['/usr/bin/taskset', '-c', '0'] : []
const reader = fileURLToPath(new URL('./support/read-alone.ts', import.meta.url))
/** A file of real records, when TEST_DATA names a folder that has one. */
export const realFile = findTestFile('marc21/bibs.mrc')

/**
 * Importing a file through the command line, on one core, into an empty catalogue: records a
 * second, as a ratio to reading the same file alone, and how much memory it takes as the file
 * grows. Where other programs want the core too, records for each second of processor time say
 * more. `--manifestations` is how many records the largest file has.
 */
export async function run({ manifestations }: RunOptions) {
  const folder = scratchFolder()
  const rows: string[][] = []
  const base = await readBase()
  const sizes = [base.length, ...[4, 29].map(times => base.length * times)].filter(
    (size, index) => index === 0 || size <= manifestations * 1.1
  )
  for (const size of sizes) {
    const file = join(folder, 'records.mrc')
    await writeCopies(base, size, file)
    const alone = readAlone(file)
    const imported = await importFile(file, join(folder, 'catalogue.db'))
    rows.push([
      `${size} records`,
      (statSync(file).size / 1e6).toFixed(0),
      alone.toFixed(0),
      imported.rate.toFixed(0),
      imported.processorRate.toFixed(0),
      (alone / imported.processorRate).toFixed(1),
      ...[imported.peak.all, imported.peak.own, imported.peak.files].map(each => each.toFixed(0))
    ])
    for (const name of ['', '-wal', '-shm']) rmSync(join(folder, `catalogue.db${name}`), { force: true })
    rmSync(file)
  }
  console.log(
    realFile === undefined ? `made records; real ones ${notMeasured}` : 'real records, copies under other names'
  )
  printTable(
    [
      '',
      'MB',
      'records/s read alone',
      'records/s imported',
      'for each s of processor',
      'read : imported',
      'peak RSS MB',
      'its own MB',
      'of files MB'
    ],
    rows
  )
  await readMeanwhile(base, folder)
}

/**
 * Gets by id, hot ids over 16 connections, while the same server does nothing else, and while it
 * imports a file that was sent to it.
 */
async function readMeanwhile(base: readonly MarcRecord[], folder: string) {
  const database = join(folder, 'meanwhile.db')
  const file = join(folder, 'records.mrc')
  await writeCopies(base.slice(0, 2_000), 2_000, file)
  await importFile(file, database)
  await writeCopies(base, base.length, file)
  const paths = manifestationIds(database)
    .slice(0, 1000)
    .map(id => getRequest(`/entities/${id}`))
  await using server = await startLibretto(database)
  const gets = (load: Partial<Load>) =>
    measure({ port: server.port, connections: 16, seconds: 3, next: inTurn(paths), ...load })
  await gets({ seconds: 1 })
  const idle = [await gets({}), await gets({}), await gets({})]
  const ask = async (path: string, init: RequestInit = {}) => {
    const type = init.body ? { 'content-type': 'application/marc' } : {}
    const headers = { authorization: `Bearer ${adminToken}`, ...type }
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { ...init, headers })
    return (await response.json()) as { id: string; state: string; records_per_second: number }
  }
  const { id } = await ask('/imports', { method: 'POST', body: new Uint8Array(readFileSync(file)) })
  const isOver = async () => !['waiting', 'running'].includes((await ask(`/imports/${id}`)).state)
  const busy: Measured[] = []
  while (!(await isOver())) busy.push(await gets({ seconds: 2 }))
  const quiet = median(idle.map(each => each.p99))
  const row = (name: string, of: readonly Measured[]) => {
    const p99 = median(of.map(each => each.p99))
    return [name, median(of.map(each => each.p50)).toFixed(2), p99.toFixed(2), (p99 / quiet).toFixed(1)]
  }
  printTable(
    ['get by id, meanwhile', 'p50 ms', 'p99 ms', 'times idle'],
    [row('nothing', idle), row(`${base.length} records are imported`, busy)]
  )
  console.log(`the import went at ${(await ask(`/imports/${id}`)).records_per_second} records/s beside them`)
  for (const name of ['', '-wal', '-shm']) rmSync(`${database}${name}`, { force: true })
}

/** Real records where there are some, else made ones. */
export const readBase = async () => (realFile === undefined ? [...madeRecords(7_000)] : readAll(realFile))

async function readAll(file: string): Promise<MarcRecord[]> {
  const records: MarcRecord[] = []
  for await (const reading of readMarc(createReadStream(file)))
    if (reading.outcome === 'record') records.push(reading.record)
  return records
}

/** Records for each second of processor time when a file is read and nothing is done with it. */
function readAlone(file: string): number {
  const [command = '', ...rest] = [...onOneCore, process.execPath, reader, file]
  return Number(execFileSync(command, rest, { encoding: 'utf8' }))
}

/**
 * Copies of records with numbers, people and titles of their own: as a catalogue grows, so do its
 * authors and works, not each of them.
 */
export async function writeCopies(base: readonly MarcRecord[], size: number, file: string) {
  const out = createWriteStream(file)
  for (let number = 0; number < size; number++) {
    const record = base[number % base.length]
    if (record === undefined) continue
    const copy = Math.floor(number / base.length)
    const bytes = writers.iso2709.write(copy === 0 ? record : renamed(record, copy))
    if (!out.write(bytes)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

function renamed({ leader, fields }: MarcRecord, copy: number): MarcRecord {
  const mark = [...String(copy)].map(digit => 'abcdefghij'[Number(digit)]).join('')
  const rename = (field: MarcField): MarcField => {
    if (!isDataField(field)) return field.tag === '001' ? { ...field, value: `${field.value}-${copy}` } : field
    if (!/^(?:[167](?:00|10|11|30)|24[05])$/.test(field.tag)) return field
    const subfields = field.subfields.map(({ code, value }) => ({
      code,
      value: code === 'a' || code === 't' ? value.replace(/^([^\s,.]+)/, `$1${mark}`) : value
    }))
    return { ...field, subfields }
  }
  return { leader, fields: fields.map(rename) }
}

/** Imports a file into a database, which SQLite creates: the rates of the command. */
export async function importFile(file: string, database: string, { runBy = onOneCore, checkout = ownCheckout } = {}) {
  const [command = '', ...rest] = [
    ...runBy,
    process.execPath,
    programIn(checkout),
    'import',
    file,
    '--create-database',
    '--json'
  ]
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: urlOf(database) },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  const peak = { all: 0, own: 0, files: 0 }
  let processorSeconds = 0
  const watch = setInterval(() => {
    try {
      processorSeconds = readProcessorSeconds(child.pid ?? 0)
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
      peak.all = Math.max(peak.all, megabytes('VmHWM'))
      // Pages of files (the program, what is mapped of the database) are the system's to take back;
      // its own are not.
      peak.own = Math.max(peak.own, megabytes('RssAnon'))
      peak.files = Math.max(peak.files, megabytes('RssFile') + megabytes('RssShmem'))
    } catch {
      // It has just ended.
    }
  }, 200)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(watch)
  if (code !== 0 && code !== 1) throw new Error(`The import ended with ${code}: ${out}`)
  const { handled, worked } = JSON.parse(out) as { handled: number; worked: number }
  return {
    rate: (handled / worked) * 1000,
    processorRate: handled / processorSeconds,
    peak
  }
}

/**
 * The processor time of all threads of a process, including the start of the program; Linux counts
 * it in hundredths.
 */
function readProcessorSeconds(pid: number): number {
  const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\)/s, '')
    .trim()
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}
