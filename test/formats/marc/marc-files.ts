import type { Reading } from '#formats/marc/reading.ts'
import { isDataField, type MarcRecord } from '#formats/marc/record.ts'

/*
 * MARC files written by hand for the tests, byte by byte, without the code that they test.
 */

export type Field = readonly [tag: string, content: string | Buffer]

/** `$` divides subfields in the texts of tests. */
const bytesOf = (content: string | Buffer) =>
  typeof content === 'string' ? Buffer.from(content.replaceAll('$', '\u001f')) : content

export interface IsoOptions {
  readonly leader?: string
  /** False values of the leader. */
  readonly length?: string
  readonly base?: string
  readonly terminator?: string
  /** Changes the directory before it is put in. */
  readonly directory?: (entries: string[]) => string[]
}

/** One record in ISO 2709. */
export function iso(fields: readonly Field[], options: IsoOptions = {}): Buffer {
  const { leader = '00000nam a2200000 a 4500', terminator = '\u001d' } = options
  let place = 0
  const entries: string[] = []
  const data: Buffer[] = []
  for (const [tag, content] of fields) {
    const bytes = Buffer.concat([bytesOf(content), Buffer.from([0x1e])])
    entries.push(`${tag}${String(bytes.length).padStart(4, '0').slice(-4)}${String(place).padStart(5, '0').slice(-5)}`)
    data.push(bytes)
    place += bytes.length
  }
  const directory = (options.directory?.(entries) ?? entries).join('')
  const base = 24 + directory.length + 1
  const length = base + place + terminator.length
  const said = options.length ?? String(Math.min(length, 99_999)).padStart(5, '0')
  const head = said + leader.slice(5, 12) + (options.base ?? String(base).padStart(5, '0')) + leader.slice(17)
  return Buffer.concat([Buffer.from(`${head}${directory}\u001e`, 'latin1'), ...data, Buffer.from(terminator, 'latin1')])
}

/** The fields of a plain record: a book. */
export const aBook = (number: string, title = 'Een titel'): Field[] => [
  ['001', number],
  ['008', '970513s1997    be a     b    000 0 dut  '],
  ['100', '1 $aJanssens, An,$d1948-'],
  ['245', `10$a${title} /$cAn Janssens.`]
]

/** A file with something wrong in the middle of two sound records. */
export const between = (middle: Buffer) => Buffer.concat([iso(aBook('before')), middle, iso(aBook('after'))])

/** Chunks of a size, as a stream gives them. */
export function* inChunks(bytes: Uint8Array, size = 65_536): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  return Array.fromAsync(source)
}

/** A reading in a few words: outcome, control number, kinds of defects. */
export const told = (reading: Reading) =>
  [reading.outcome, reading.controlNumber ?? '-', ...reading.defects.map(each => each.kind)].join(' ')

/** The text of a field, with `$` before each subfield. */
export function textOf(record: MarcRecord | undefined, tag: string): string | undefined {
  const field = record?.fields.find(each => each.tag === tag)
  if (field === undefined) return undefined
  if (!isDataField(field)) return field.value
  return field.indicators + field.subfields.map(({ code, value }) => `$${code}${value}`).join('')
}

export const recordOf = (reading: Reading | undefined): MarcRecord | undefined =>
  reading !== undefined && 'record' in reading ? reading.record : undefined
