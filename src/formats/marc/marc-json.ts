import { isJsonObject } from '#domain/json.ts'
import { controlsLeftOut, type Defect } from '../source/defects.ts'
import { defaultMaxRecordBytes, maxUnreadableBytes } from '../source/position.ts'
import { type ByteSource, largerChunks } from '../source/bytes.ts'
import { withoutControls } from './iso2709-record.ts'
import { createJsonCutter } from '../source/json-cutter.ts'
import { checkLeader } from './leader.ts'
import { type Readings, type Reading, type ReadOptions, readingOf } from './reading.ts'
import { isDataField, type MarcField, type MarcRecord, type Subfield } from './record.ts'

/**
 * Reads MARC-in-JSON: one object, an array of them, or one on each line.
 *
 * `{"leader": "…", "fields": [{"001": "…"}, {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a":
 * "…"}]}}]}`; also reads the variant with `tag`, `value` and `code` members that some programs
 * write.
 */
export async function* readMarcJson(source: ByteSource, options: ReadOptions = {}): Readings {
  const cutter = createJsonCutter(options.maxRecordBytes ?? defaultMaxRecordBytes)
  let number = 0
  const toReading = (piece: ReturnType<typeof cutter.end>[number]): Reading => {
    const position = { number: ++number, offset: piece.offset, length: piece.length }
    const defects: Defect[] = []
    const found = piece.trouble ?? parse(piece.bytes, defects)
    if ('leader' in found)
      return readingOf({ form: 'json', position, source: piece.bytes, record: found, encoding: 'utf-8' }, defects)
    return {
      outcome: 'unreadable',
      form: 'json',
      position,
      controlNumber: guessControlNumber(piece.bytes),
      defects: [...defects, found],
      source: piece.bytes.subarray(0, maxUnreadableBytes)
    }
  }
  for await (const chunk of largerChunks(source)) for (const piece of cutter.append(chunk)) yield toReading(piece)
  for (const piece of cutter.end()) yield toReading(piece)
}

/** Writes a record as MARC-in-JSON on one line, without a line end. */
export function writeMarcJson(record: MarcRecord): string {
  const fields = record.fields.map(field => {
    if (!isDataField(field)) return { [field.tag]: field.value }
    const [ind1 = ' ', ind2 = ' '] = field.indicators
    return { [field.tag]: { ind1, ind2, subfields: field.subfields.map(({ code, value }) => ({ [code]: value })) } }
  })
  return JSON.stringify({ leader: record.leader, fields })
}

function parse(bytes: Buffer, defects: Defect[]): MarcRecord | Defect {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch (error) {
    return { kind: 'not_well_formed', message: `The JSON cannot be read: ${(error as Error).message.slice(0, 200)}` }
  }
  if (!isJsonObject(value) || !Array.isArray(value.fields))
    return { kind: 'not_marc', message: 'The object has no array of fields' }
  const leader = checkLeader(typeof value.leader === 'string' ? value.leader : undefined, defects)
  const context = { defects, hasControls: false, hasStray: false }
  const fields = value.fields.flatMap(each => readField(each, context))
  if (context.hasControls) defects.push(controlsLeftOut)
  if (context.hasStray) defects.push({ kind: 'undecodable', message: 'Halves of characters were replaced' })
  return { leader, fields }
}

interface Context {
  readonly defects: Defect[]
  hasControls: boolean
  hasStray: boolean
}

function readField(field: unknown, context: Context): MarcField[] {
  if (!isJsonObject(field)) return reportField(context, 'A field is not an object')
  if (typeof field.tag === 'string') return readOne(field.tag, 'subfields' in field ? field : field.value, context)
  return Object.entries(field).flatMap(([tag, value]) => readOne(tag, value, context))
}

function readOne(given: string, value: unknown, context: Context): MarcField[] {
  const tag = /^[0-9A-Za-z]{3}$/.test(given)
    ? given
    : given
        .replaceAll(/[^0-9A-Za-z]/g, '?')
        .padEnd(3, '?')
        .slice(0, 3)
  if (tag !== given) context.defects.push({ kind: 'bad_field', message: `A field has the tag "${given.slice(0, 20)}"` })
  if (typeof value === 'string') {
    if (value !== '') return [{ tag, value: clean(value, context) }]
    context.defects.push({ kind: 'empty_field', message: `A field ${tag} is empty`, tag })
    return []
  }
  if (!isJsonObject(value) || !Array.isArray(value.subfields))
    return reportField(context, `A field ${tag} has no subfields`, tag)
  const indicator = (each: unknown) => (typeof each === 'string' && each !== '' ? (each[0] ?? ' ') : ' ')
  const subfields = value.subfields.flatMap(each => readSubfield(each, tag, context))
  if (subfields.length === 0) return reportField(context, `A field ${tag} has no subfields`, tag)
  return [{ tag, indicators: indicator(value.ind1) + indicator(value.ind2), subfields }]
}

function readSubfield(subfield: unknown, tag: string, context: Context): Subfield[] {
  const entries: [string, unknown][] = !isJsonObject(subfield)
    ? []
    : typeof subfield.code === 'string' && 'value' in subfield
      ? [[subfield.code, subfield.value]]
      : Object.entries(subfield)
  const found = entries.flatMap(([code, value]) =>
    typeof value === 'string' ? [{ code, value: clean(value, context) }] : []
  )
  if (found.length !== 1 || found.some(({ code }) => [...code].length !== 1))
    context.defects.push({ kind: 'bad_subfield', message: `A field ${tag} has a subfield that cannot be read`, tag })
  return found
}

function clean(text: string, context: Context): string {
  const whole = text.toWellFormed()
  if (whole !== text) context.hasStray = true
  // A subfield divider inside a value would divide it in other formats.
  const value = withoutControls(whole).replaceAll('\u001f', '')
  if (value !== whole) context.hasControls = true
  return value
}

function reportField(context: Context, message: string, tag?: string): [] {
  context.defects.push(tag === undefined ? { kind: 'bad_field', message } : { kind: 'bad_field', message, tag })
  return []
}

function guessControlNumber(bytes: Buffer): string | undefined {
  const head = bytes.toString('utf8', 0, 4_000)
  return /"001"\s*:\s*"([^"\\]{1,100})"/.exec(head)?.[1]?.trim()
}
