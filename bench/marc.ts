import { createReadStream, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { type Form, forms, type MarcRecord } from '#formats/marc/record.ts'
import { writeMarc } from '../test/support/records/write-marc.ts'
import { findTestFile, notMeasured } from '../test/support/records/test-data.ts'
import { scratchFolder } from './support/catalogue-file.ts'
import { madeRecords } from './support/made-records.ts'
import { median, printTable, type RunOptions } from './support/report.ts'

const count = 20_000
/** A file of real records, when TEST_DATA names a folder that has one. */
const realFile = findTestFile('marc21/bibs.mrc')

/**
 * Reading MARC in each form, as a ratio to reading the same file and looking at none of it; then
 * describing the records.
 */
export async function run({ rounds }: RunOptions) {
  const folder = scratchFolder()
  const records = Array.from(madeRecords(count))
  const rows: string[][] = []
  for (const form of forms) {
    const file = join(folder, `records.${form}`)
    writeFileSync(file, Buffer.concat(await Array.fromAsync(writeMarc(records, form))))
    rows.push(await measure(`${form}, made`, file, form, rounds))
    rmSync(file)
  }
  if (realFile === undefined) console.log(`iso2709, real: ${notMeasured}`)
  else rows.push(await measure('iso2709, real', realFile, 'iso2709', rounds))
  console.log(`processor time of this process, median of ${rounds} rounds`)
  printTable(['records', 'MB', 'MB/s raw', 'MB/s read', 'read : raw', 'records/s read', 'records/s described'], rows)
}

async function measure(name: string, file: string, form: Form, rounds: number): Promise<string[]> {
  const megabytes = statSync(file).size / 1e6
  const raw: number[] = []
  const read: number[] = []
  const described: number[] = []
  let number = 0
  for (let round = 0; round < rounds; round++) {
    raw.push(
      await seconds(async () => {
        for await (const _ of createReadStream(file));
      })
    )
    read.push(
      await seconds(async () => {
        number = 0
        for await (const _ of readMarc(createReadStream(file), { form })) number++
      })
    )
    const records: MarcRecord[] = []
    for await (const reading of readMarc(createReadStream(file), { form }))
      if (reading.outcome === 'record' && records.length < 5_000) records.push(reading.record)
    described.push((await seconds(async () => records.forEach(record => void describeRecord(record)))) / records.length)
  }
  return [
    name,
    megabytes.toFixed(1),
    (megabytes / median(raw)).toFixed(0),
    (megabytes / median(read)).toFixed(0),
    (median(read) / median(raw)).toFixed(1),
    (number / median(read)).toFixed(0),
    (1 / median(described)).toFixed(0)
  ]
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const { user, system } = process.cpuUsage()
  await work()
  const after = process.cpuUsage()
  return (after.user - user + after.system - system) / 1e6
}
