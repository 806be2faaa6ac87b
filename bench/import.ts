import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readMarc } from '#formats/marc/read-marc.ts'
import { isDataField, type MarcField, type MarcRecord } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { scratchFolder } from './support/catalogue-file.ts'
import { madeRecords } from './support/made-records.ts'
import { printTable, type RunOptions } from './support/report.ts'

const program = fileURLToPath(new URL('../src/cli/libretto.ts', import.meta.url))
/** A file of real records, where one lies beside the repository. */
const realFile = join(import.meta.dirname, '../../shared/data/marc21/bibs.mrc')

/**
 * Importing a file through the command line, on one core, into an empty catalogue: records a second, as a ratio to reading the same file alone, and how
 * much memory it takes as the file grows. `--manifestations` is how many records the largest file has.
 */
export async function run({ manifestations }: RunOptions) {
  const folder = scratchFolder()
  const rows: string[][] = []
  const base = existsSync(realFile) ? await readAll(realFile) : [...madeRecords(7_000)]
  const sizes = [base.length, ...[4, 29].map(times => base.length * times)].filter(
    (size, index) => index === 0 || size <= manifestations * 1.1
  )
  for (const size of sizes) {
    const file = join(folder, 'records.mrc')
    await writeCopies(base, size, file)
    const alone = await readAlone(file)
    const imported = await importFile(file, join(folder, 'catalogue.db'))
    rows.push([
      `${size} records`,
      (statSync(file).size / 1e6).toFixed(0),
      alone.toFixed(0),
      imported.rate.toFixed(0),
      (alone / imported.rate).toFixed(1),
      imported.peakMegabytes.toFixed(0)
    ])
    for (const name of ['', '-wal', '-shm']) rmSync(join(folder, `catalogue.db${name}`), { force: true })
    rmSync(file)
  }
  console.log(existsSync(realFile) ? 'real records, copies under other names' : 'made records')
  printTable(['', 'MB', 'records/s read alone', 'records/s imported', 'read : imported', 'peak RSS MB'], rows)
}

async function readAll(file: string): Promise<MarcRecord[]> {
  const records: MarcRecord[] = []
  for await (const reading of readMarc(createReadStream(file)))
    if (reading.outcome === 'record') records.push(reading.record)
  return records
}

async function readAlone(file: string): Promise<number> {
  const began = process.cpuUsage()
  let count = 0
  for await (const _ of readMarc(createReadStream(file, { highWaterMark: 1 << 18 }))) count++
  const { user, system } = process.cpuUsage(began)
  return count / ((user + system) / 1e6)
}

/** Copies of records with numbers, people and titles of their own: as a catalogue grows, so do its authors and works, not each of them. */
async function writeCopies(base: readonly MarcRecord[], size: number, file: string) {
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
    if (!/^(?:[167]00|24[05])$/.test(field.tag)) return field
    const subfields = field.subfields.map(({ code, value }) => ({
      code,
      value: code === 'a' || code === 't' ? value.replace(/^([^\s,.]+)/, `$1${mark}`) : value
    }))
    return { ...field, subfields }
  }
  return { leader, fields: fields.map(rename) }
}

async function importFile(file: string, database: string) {
  const onOneCore = existsSync('/usr/bin/taskset') ? ['/usr/bin/taskset', '-c', '0'] : []
  const [command = '', ...rest] = [...onOneCore, process.execPath, program, 'import', file, '--json']
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: `sqlite:${database}` },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let out = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  let peak = 0
  const watch = setInterval(() => {
    try {
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0))
    } catch {
      // It has just ended.
    }
  }, 200)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(watch)
  if (code !== 0 && code !== 1) throw new Error(`The import ended with ${code}: ${out}`)
  const { handled, worked } = JSON.parse(out) as { handled: number; worked: number }
  return { rate: (handled / worked) * 1000, peakMegabytes: peak / 1024 }
}
