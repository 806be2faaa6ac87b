import { table } from '#domain/table.ts'
import { type Defect, emptySubfield, notUtf8, overLimit } from '../source/defects.ts'
import { defaultMaxRecordBytes, maxUnreadableBytes } from '../source/position.ts'
import { type ByteSource, largerChunks } from '../source/bytes.ts'
import { checkLeader } from './leader.ts'
import { withoutControls } from './iso2709-record.ts'
import { type Readings, type Reading, readingOf, type ReadOptions } from './reading.ts'
import { isControlTag, isDataField, type MarcField, type MarcRecord, type Subfield } from './record.ts'

/**
 * Reads records written as lines, the format of MarcEdit and MARCMaker: `=245  10$aTitle`, a
 * backslash for a blank in fixed fields and indicators, `{dollar}` for a dollar sign, a blank line
 * between records. A line without a tag continues the field before it.
 */
export async function* readMrk(source: ByteSource, options: ReadOptions = {}): Readings {
  const limit = options.maxRecordBytes ?? defaultMaxRecordBytes
  let number = 0
  let offset = 0
  let start = 0
  let lines: string[] = []
  let size = 0
  let isOver = false

  const finish = function* (): Generator<Reading, void, undefined> {
    if (lines.some(line => line.trim() !== ''))
      yield toReading(lines, ++number, start, size, isOver ? limit : undefined)
    lines = []
    size = 0
    isOver = false
  }
  for await (const { line, length } of linesOf(source, limit)) {
    const isLeader = /^=(?:LDR|000)\b/.test(line)
    if (line.trim() === '' || (isLeader && lines.some(each => each.startsWith('=')))) yield* finish()
    if (line.trim() !== '') {
      if (lines.length === 0) start = offset
      size += length
      if (size > limit) isOver = true
      if (!isOver || lines.length < 2) lines.push(line)
    }
    offset += length
  }
  yield* finish()
}

/** Writes a record as lines, in UTF-8, with a blank line after it. */
export function writeMrk(record: MarcRecord): string {
  const lines = [`=LDR  ${withBackslashes(record.leader)}`]
  for (const field of record.fields) {
    const text = isDataField(field)
      ? withBackslashes(field.indicators) +
        field.subfields.map(({ code, value }) => `$${code}${escaped(value)}`).join('')
      : withBackslashes(escaped(field.value))
    lines.push(`=${field.tag}  ${text}`)
  }
  return `${lines.join('\n')}\n\n`
}

const withBackslashes = (text: string) => text.replaceAll(' ', '\\')

/** Replaces characters with a meaning in this format, including line ends, by their names. */
function escaped(value: string): string {
  return value.replaceAll(/[{}$\\\r\n\t]/g, character => `{${escapes[character] ?? ''}}`)
}

const escapes: Readonly<Record<string, string>> = table({
  '{': 'lcub',
  '}': 'rcub',
  $: 'dollar',
  '\\': 'bsol',
  '\t': '09',
  '\n': '0A',
  '\r': '0D'
})

function toReading(
  lines: readonly string[],
  number: number,
  offset: number,
  length: number,
  limit: number | undefined
): Reading {
  const defects: Defect[] = []
  const text = lines.join('')
  const source = Buffer.from(text)
  const position = { number, offset, length }
  const fields: MarcField[] = []
  let leader: string | undefined
  for (const line of joinedLines(lines, defects)) {
    const match = /^=([0-9A-Za-z]{3}) {0,2}(.*)$/s.exec(line)
    const [, tag = '', content = ''] = match ?? []
    if (match === null)
      defects.push({
        kind: 'bad_field',
        message: `A line does not begin with a tag: ${JSON.stringify(line.slice(0, 40))}`
      })
    else if (tag === 'LDR' || (tag === '000' && leader === undefined)) leader = content.replaceAll('\\', ' ')
    else fields.push(...readField(tag, content, defects))
  }
  const field = fields.find(each => each.tag === '001')
  const controlNumber = field !== undefined && !isDataField(field) ? field.value.trim() : undefined
  const trouble: Defect | undefined =
    limit !== undefined
      ? overLimit(limit)
      : leader === undefined && fields.length === 0
        ? { kind: 'not_marc', message: 'These lines are not a record' }
        : undefined
  if (trouble !== undefined) {
    const retained = source.subarray(0, maxUnreadableBytes)
    return {
      outcome: 'unreadable',
      form: 'mrk',
      position,
      controlNumber,
      defects: [...defects, trouble],
      source: retained
    }
  }
  if (text.includes('\ufffd')) defects.push(notUtf8)
  const record = { leader: checkLeader(leader, defects), fields }
  return readingOf({ form: 'mrk', position, source, record, encoding: 'utf-8' }, defects)
}

/** Lines without their ends; a line without a tag is joined to the one before. */
function joinedLines(lines: readonly string[], defects: Defect[]): string[] {
  const joined: string[] = []
  for (const line of lines) {
    const bare = line.replace(/\r?\n$/, '')
    const last = joined.length - 1
    if (bare.startsWith('=') || last < 0) joined.push(bare)
    else {
      joined[last] += ` ${bare.trim()}`
      defects.push({ kind: 'bad_field', message: 'A field spans more than one line' })
    }
  }
  return joined
}

function readField(tag: string, content: string, defects: Defect[]): MarcField[] {
  if (content === '') {
    defects.push({ kind: 'empty_field', message: `A field ${tag} is empty`, tag })
    return []
  }
  if (isControlTag(tag) || (!content.includes('$') && !/^\d/.test(tag)))
    return [{ tag, value: plain(content.replaceAll('\\', ' ')) }]
  const indicators = content.slice(0, 2).replaceAll('\\', ' ')
  const rest = content.slice(2)
  if (!rest.startsWith('$')) {
    defects.push({
      kind: 'bad_field',
      message: `A field ${tag} does not have two indicators before its first subfield`,
      tag
    })
    const first = content.indexOf('$')
    const before = first < 0 ? content : content.slice(0, first)
    const subfields =
      first < 0 ? [{ code: 'a', value: plain(before) }] : readSubfields(tag, content.slice(first), defects)
    return [{ tag, indicators: first < 0 ? '  ' : before.slice(0, 2).padEnd(2), subfields }]
  }
  return [{ tag, indicators, subfields: readSubfields(tag, rest, defects) }]
}

function readSubfields(tag: string, text: string, defects: Defect[]): Subfield[] {
  return text
    .slice(1)
    .split('$')
    .flatMap(part => {
      const [code = ''] = part
      if (code !== '') return [{ code, value: plain(part.slice(code.length)) }]
      defects.push(emptySubfield(tag))
      return []
    })
}

/**
 * A text with its mnemonics decoded. An unknown one stays unchanged. A mark is written before its
 * letter, as in MARC-8.
 */
function plain(text: string): string {
  if (!text.includes('{')) return withoutControls(text)
  let result = ''
  let marks = ''
  const put = (piece: string) => {
    if (piece === '') return
    const [first = ''] = piece
    result += first + marks + piece.slice(first.length)
    marks = ''
  }
  let from = 0
  for (const match of text.matchAll(/\{([0-9A-Za-z]{2,10})\}/g)) {
    const meant = mnemonics.get(match[1] ?? '')
    if (meant === undefined) continue
    put(text.slice(from, match.index))
    from = match.index + match[0].length
    if (/^\p{M}$/u.test(meant)) marks += meant
    else put(meant)
  }
  put(text.slice(from))
  return withoutControls(result + marks)
}

/**
 * The lines of a stream, each with its end and its length in bytes. A line over the limit is cut.
 */
async function* linesOf(
  source: ByteSource,
  limit: number
): AsyncGenerator<{ readonly line: string; readonly length: number }, void, undefined> {
  const pending: Buffer[] = []
  let size = 0
  let retained = 0
  let isFirst = true
  const take = () => {
    const bytes = Buffer.concat(pending)
    const text = bytes.toString()
    const line = { line: isFirst ? text.replace(/^\ufeff/, '') : text, length: size }
    pending.length = 0
    size = 0
    retained = 0
    isFirst = false
    return line
  }
  for await (const chunk of largerChunks(source)) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(0x0a, from)
      const to = end < 0 ? bytes.length : end + 1
      if (retained <= limit) pending.push(Buffer.from(bytes.subarray(from, to)))
      retained += to - from
      size += to - from
      if (end >= 0) yield take()
      from = to
    }
  }
  if (size > 0) yield take()
}

/*
 * The names in braces that MARCMaker and MarcEdit write for characters that a keyboard lacks. Those
 * of marks stand before the letter. The second half of a mark that spans two letters is empty: the
 * first stands for both.
 */

const names = `
  dollar $, curren $, 24 $, bsol \\, lcub {, rcub }, Lstrok Ł, Ostrok Ø, Dstrok Đ, THORN Þ, AElig Æ, OElig Œ, softsign ʹ, middot ·, flat ♭, reg ®, plusmn ±, Ohorn Ơ, Uhorn Ư, mlrhring ʼ, mllhring ʻ, lstrok ł, ostrok ø, dstrok đ, thorn þ, aelig æ, oelig œ, hardsign ʺ, inodot ı, pound £, eth ð, ohorn ơ, uhorn ư, deg °, scriptl ℓ, phono ℗, copy ©, sharp ♯, iquest ¿, iexcl ¡, szlig ß, euro €`

const numbers = `
  joiner 200d, nonjoin 200c, 09 9, 0A a, 0D d, hooka 309, grave 300, acute 301, circ 302, tilde 303, macr 304, breve 306, dot 307, diaer 308, uml 308, caron 30c, ring 30a, llig 361, rcommaa 315, dblac 30b, candra 310, cedil 327, ogon 328, dotb 323, dbldotb 324, ringb 325, dblunder 333, under 332, commab 326, rcedil 31c, breveb 32e, ldbltil 360, commaa 313`

const pairs = (list: string) => list.split(',').map(each => each.trim().split(' '))

const mnemonics: ReadonlyMap<string, string> = new Map([
  ...pairs(names).map(([name = '', character = '']): [string, string] => [name, character]),
  ...pairs(numbers).map(([name = '', code = '']): [string, string] => [
    name,
    String.fromCharCode(Number.parseInt(code, 16))
  ]),
  ['rlig', ''],
  ['rdbltil', '']
])
