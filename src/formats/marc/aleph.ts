import { type Defect, overLimit } from '../source/defects.ts'
import { defaultMaxRecordBytes, maxUnreadableBytes } from '../source/position.ts'
import type { ByteSource } from '../source/bytes.ts'
import { addLine, beginGroup, bytesOf, isBlank, type LineGroup } from '../source/line-group.ts'
import { type Line, readLines } from '../source/read-lines.ts'
import { withoutControls } from './iso2709-record.ts'
import { fieldWithBlanks } from './blank-signs.ts'
import { checkLeader } from './leader.ts'
import { type Readings, type Reading, type ReadOptions, readingOf } from './reading.ts'
import { blankLeader, isControlTag, type MarcField, type Subfield } from './record.ts'

/**
 * Reads Aleph sequential, the text format of the library system Aleph: one field on each line, with
 * the number of its record before it.
 *
 * ```
 * 000000228 LDR   L ^^^^^nam^a22002891^^4500
 * 000000228 24514 L $$aThe descent of manuscripts.
 * ```
 *
 * Columns 1 to 9 are the number, 11 to 13 the tag, 14 and 15 the indicators, 17 the script, and the
 * content follows from 19. A circumflex or a number sign stands for a blank in fixed fields and
 * indicators, a circumflex also at the beginning of a subfield. The lines of a record stand
 * together. A wrong line is a defect of its record, and the other lines are read.
 */
export async function* readAleph(source: ByteSource, options: ReadOptions = {}): Readings {
  const limit = options.maxRecordBytes ?? defaultMaxRecordBytes
  let count = 0
  let group: Group | undefined
  for await (const line of readLines(source, limit, maxUnreadableBytes)) {
    if (isBlank(line)) {
      if (group !== undefined && line.offset - group.offset <= limit) group.lines.push(line)
      continue
    }
    const number = numberOf(line.bytes)
    if (group?.number !== undefined && number !== undefined && number !== group.number) {
      yield toReading(group, ++count, limit)
      group = undefined
    }
    group ??= { ...beginGroup(line), number }
    group.number ??= number
    addLine(group, line, limit)
  }
  if (group !== undefined) yield toReading(group, ++count, limit)
}

interface Group extends LineGroup {
  /** Undefined as long as no line began with one. */
  number: string | undefined
}

const byteOrderMark = Buffer.from('\ufeff')
const withoutMark = (bytes: Buffer) => (bytes.indexOf(byteOrderMark) === 0 ? bytes.subarray(3) : bytes)

const numberOf = (bytes: Buffer) =>
  /^(\d{9})(?: |$)/.exec(withoutMark(bytes).subarray(0, 10).toString('latin1').trimEnd())?.[1]

function toReading(group: Group, count: number, limit: number): Reading {
  const { number, offset, end, lines, isOver } = group
  const defects: Defect[] = []
  const position = { number: count, offset, length: end - offset }
  const source = bytesOf(group)
  const base = { form: 'aleph', position, source } as const
  const fields: MarcField[] = []
  let leader: string | undefined
  let format: string | undefined
  let isDeleted = false
  for (const line of isOver ? [] : lines.filter(each => !isBlank(each))) {
    const field = readField(line, defects)
    if (field === undefined) continue
    if (field.tag === 'LDR') leader ??= 'value' in field ? field.value : undefined
    else {
      if (field.tag === 'FMT' && 'value' in field) format ??= field.value.trim()
      if (field.tag === 'DEL') isDeleted = true
      fields.push(field)
    }
  }
  const trouble: Defect | undefined = isOver
    ? overLimit(limit)
    : fields.length === 0 && leader === undefined
      ? { kind: 'not_marc', message: 'These lines are not a record' }
      : undefined
  if (trouble !== undefined)
    return {
      ...base,
      outcome: 'unreadable',
      controlNumber: number,
      defects: [...defects, trouble],
      source: source.subarray(0, maxUnreadableBytes)
    }
  const ofFormat = format === undefined ? undefined : leaderByFormat[format]
  const complete = leader === undefined && ofFormat !== undefined ? ofFormat : checkLeader(leader, defects)
  const record = {
    leader: isDeleted ? `${complete.slice(0, 5)}d${complete.slice(6)}` : complete,
    // The number of the lines is the one of the record, unless it has one as a field.
    fields:
      number === undefined || fields.some(each => each.tag === '001')
        ? fields
        : [{ tag: '001', value: number }, ...fields]
  }
  return readingOf({ ...base, record, encoding: 'utf-8' }, defects)
}

/** The type and the level of the formats of Aleph (FMT), for records without a leader. */
const leaderByFormat: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ BK: 'am', SE: 'as', MU: 'cm', MP: 'em', VM: 'gm', CF: 'mm', CR: 'as', MX: 'pc', AR: 'aa' }).map(
    ([format, type]) => [format, blankLeader.slice(0, 6) + type + blankLeader.slice(8)]
  )
)

function readField({ number, bytes }: Line, defects: Defect[]): MarcField | undefined {
  const decoded = withoutMark(bytes).toString()
  const text = withoutControls(decoded.replace(/\r$/, ''))
  if (decoded.includes('\ufffd') && !defects.some(each => each.kind === 'undecodable'))
    defects.push({ kind: 'undecodable', message: `Line ${number}: bytes that are not UTF-8 were replaced` })
  const [, tag = '', indicators = '', content = ''] = columns.exec(text) ?? []
  const fault = (kind: Defect['kind'], message: string) => {
    defects.push({ kind, message: `Line ${number}: ${message}`, ...(tag === '' ? {} : { tag }) })
  }
  if (tag === '') {
    const shown = JSON.stringify(text.slice(0, 40))
    fault('bad_field', `not a record number, a tag with indicators, a script and a content, but ${shown}`)
    return undefined
  }
  if (content === '') {
    fault('empty_field', `the field ${tag} is empty`)
    return undefined
  }
  if (tag === 'LDR' || isControlTag(tag)) return fieldWithBlanks({ tag, value: content.replaceAll('^', ' ') })
  const start = content.search(subfieldStart)
  if (start < 0 && !/^\d/.test(tag)) return { tag, value: content }
  if (start !== 0) fault('bad_field', `the field ${tag} does not begin with a subfield`)
  const before = start < 0 ? content : content.slice(0, start)
  const subfields: Subfield[] = before.trim() === '' ? [] : [{ code: 'a', value: before }]
  if (start >= 0)
    for (const part of content.slice(start + 2).split(subfieldStart)) {
      const [code = ''] = part
      if (code === '') fault('bad_subfield', `the field ${tag} has a subfield without a code`)
      else subfields.push({ code, value: part.slice(code.length).replace(/^\^+/, signs => ' '.repeat(signs.length)) })
    }
  if (subfields.length === 0) {
    fault('empty_field', `the field ${tag} is empty`)
    return undefined
  }
  return fieldWithBlanks({ tag, indicators, subfields })
}

/** A value may end with a dollar sign: of three, the last two begin a subfield. */
const subfieldStart = /\$\$(?!\$)/
const columns = /^\d{9} ([0-9A-Za-z]{3})(.{2}) [A-Z ] ?(.*)$/s
