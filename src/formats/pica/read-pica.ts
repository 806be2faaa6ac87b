import { withoutControls } from '../marc/iso2709-record.ts'
import { readMarcXml } from '../marc/marcxml.ts'
import { type Readings, type Reading, type ReadOptions, readingOf } from '../marc/reading.ts'
import { isDataField, type MarcRecord, type Subfield } from '../marc/record.ts'
import { type Defect, notUtf8, overLimit } from '../source/defects.ts'
import type { ByteSource } from '../source/bytes.ts'
import { defaultMaxRecordBytes, maxUnreadableBytes } from '../source/position.ts'
import { addLine, beginGroup, bytesOf, isBlank, type LineGroup } from '../source/line-group.ts'
import { readLines } from '../source/read-lines.ts'
import { toMarc } from './pica-to-marc.ts'
import { type PicaField, unreadIn } from './pica-field.ts'

/*
 * PICA+ is the format of union catalogues of libraries in Germany, the Netherlands and France. A
 * record has fields such as `021A $aTitle`, and is read as a record of MARC 21.
 */

const recordSeparator = 0x1d
const fieldSeparator = 0x1e

/**
 * Reads PICA+ as text, in any of its serializations: normalized (a record on a line), binary (a
 * record up to a separator), import (a separator before each record) and plain (a field on a line,
 * a blank line between records).
 */
export async function* readPica(source: ByteSource, options: ReadOptions = {}): Readings {
  const limit = options.maxRecordBytes ?? defaultMaxRecordBytes
  let count = 0
  let group: LineGroup | undefined
  for await (const line of readLines(withLineEnds(source), limit, maxUnreadableBytes)) {
    const isWhole = line.bytes.indexOf(fieldSeparator, 1) >= 0
    if (group !== undefined && (isWhole || isBlank(line))) {
      yield toReading(group, ++count, limit)
      group = undefined
    }
    if (isBlank(line)) continue
    group ??= beginGroup(line)
    addLine(group, line, limit)
    if (!isWhole) continue
    yield toReading(group, ++count, limit)
    group = undefined
  }
  if (group !== undefined) yield toReading(group, ++count, limit)
}

/**
 * Reads PICA XML. Its elements have the names of those of MARCXML; the number of a field is in the
 * attribute `occurrence`.
 */
export async function* readPicaXml(source: ByteSource, options: ReadOptions = {}): Readings {
  for await (const reading of readMarcXml(source, options, picaTag)) {
    const defects = reading.defects.filter(({ kind }) => kind !== 'bad_leader' && kind !== 'no_control_number')
    if (reading.outcome === 'unreadable' || reading.record === undefined) yield { ...reading, form: 'picaxml', defects }
    else {
      const { position, source: bytes, record } = reading
      yield picaReading({ form: 'picaxml', position, source: bytes }, fieldsOf(record), defects)
    }
  }
}

const picaTag = /^[0-2]\d\d[A-Z@]$/

/**
 * Turns separators of records into ends of lines. They are never within a record, so that no byte
 * of one changes.
 */
async function* withLineEnds(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of source)
    yield chunk.includes(recordSeparator) ? chunk.map(each => (each === recordSeparator ? 0x0a : each)) : chunk
}

function toReading(group: LineGroup, number: number, limit: number): Reading {
  const { offset, end, isOver } = group
  const position = { number, offset, length: end - offset }
  const source = bytesOf(group)
  const defects: Defect[] = []
  const fields = isOver ? [] : readFields(source, defects)
  if (isOver || fields.length === 0) {
    defects.push(isOver ? overLimit(limit) : { kind: 'not_marc', message: 'This is not a record of PICA+' })
    const retained = source.subarray(0, maxUnreadableBytes)
    return { outcome: 'unreadable', form: 'pica', position, controlNumber: undefined, defects, source: retained }
  }
  return picaReading({ form: 'pica', position, source }, fields, defects)
}

function picaReading(
  base: Pick<Reading, 'position' | 'source'> & { readonly form: 'pica' | 'picaxml' },
  fields: readonly PicaField[],
  defects: Defect[]
): Reading {
  const record = toMarc(fields)
  return readingOf({ ...base, record, encoding: 'utf-8', unmapped: unreadIn(fields) }, defects)
}

function readFields(bytes: Buffer, defects: Defect[]): PicaField[] {
  const text = bytes.toString()
  if (text.includes('\ufffd')) defects.push(notUtf8)
  const found = text
    .replace(/^\ufeff/, '')
    .replaceAll('\u001e', '\n')
    .split('\n')
    .map(each => each.replace(/\r$/, ''))
    .filter(each => each.trim() !== '')
  return found.flatMap((each, index) => readField(each, index + 1, defects))
}

function readField(text: string, number: number, defects: Defect[]): PicaField[] {
  const [, tag = '', occurrence = '', content = ''] = /^([0-2]\d\d[A-Z@])(?:\/(\d{2,3}))? ?(.*)$/s.exec(text) ?? []
  if (tag === '') {
    const shown = JSON.stringify(withoutControls(text.slice(0, 40)))
    defects.push({ kind: 'bad_field', message: `Field ${number} of the record does not begin with a tag: ${shown}` })
    return []
  }
  const fault = (kind: Defect['kind'], message: string) =>
    defects.push({ kind, message: `Field ${number} of the record ${message}`, tag })
  const [before = '', ...parts] = splitSubfields(content)
  if (before.trim() !== '') fault('bad_field', 'has text before its first subfield')
  const subfields = parts.flatMap((part): Subfield[] => {
    const [code = ''] = part
    const value = withoutControls(part.slice(code.length))
    if (code === '') fault('bad_subfield', 'has a subfield without a code')
    return code === '' || value.trim() === '' ? [] : [{ code, value }]
  })
  if (subfields.length > 0) return [{ tag, occurrence, subfields }]
  fault('empty_field', 'is empty')
  return []
}

/** Subfields begin with U+001F; in plain PICA with `$`, and `$$` is a dollar sign; or with `ƒ`. */
function splitSubfields(content: string): string[] {
  if (content.includes('\u001f')) return content.split('\u001f')
  if (content.startsWith('\u0192')) return content.split('\u0192')
  return content
    .replaceAll('$$', '\u001f')
    .split('$')
    .map(each => each.replaceAll('\u001f', '$'))
}

/** The fields of a record that was read from XML. */
const fieldsOf = ({ fields }: MarcRecord): PicaField[] =>
  fields
    .filter(isDataField)
    .map(({ tag, indicators, subfields }) => ({ tag, occurrence: indicators.trim(), subfields }))
