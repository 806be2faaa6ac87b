import { recordName, type SourceItem, type SourceOptions } from '../source/source-item.ts'
import type { Defect } from '../source/defects.ts'
import { nameByContent } from '../description/name-by-content.ts'
import { describeAuthority, detectAuthority } from './mapping/authority-record.ts'
import { describeRecord } from './mapping/describe-record.ts'
import { readMarcEvidence } from './mapping/evidence.ts'
import { readItems, unmappedInHoldings } from './mapping/items.ts'
import { malformedNumber } from './mapping/relations.ts'
import { unmappedIn } from './mapping/unmapped.ts'
import { unmappedInAuthority } from './mapping/unmapped-authority.ts'
import { writeMarcJson } from './marc-json.ts'
import { type Reading, readingOf } from './reading.ts'
import { controlNumberOf, detectDialect, findControlValue, type MarcRecord } from './record.ts'

export async function* marcItems(
  readings: AsyncIterable<Reading>,
  options: SourceOptions
): AsyncGenerator<SourceItem, void, undefined> {
  const { isOwn = () => true } = options
  // The record of another reader is described only if a holdings record needs it.
  let last: { readonly reading: Reading; item: SourceItem | undefined } | undefined
  const before = () => {
    if (last !== undefined) last.item ??= marcItem(last.reading, options)
    return last?.item
  }
  for await (const reading of readings) {
    const isMine = isOwn(reading.position)
    const isHeld = reading.outcome !== 'unreadable' && reading.record !== undefined && isHoldings(reading.record)
    const item = isMine || isHeld ? marcItem(reading, options, before) : undefined
    if (item?.outcome !== 'holdings') last = { reading, item }
    if (isMine && item !== undefined) yield item
  }
}

/**
 * Makes the item of a record; `before` gives the last one in the file that is no holdings record.
 */
export function marcItem(
  reading: Reading,
  { agency, items }: SourceOptions,
  before: () => SourceItem | undefined = () => undefined
): SourceItem {
  const { form: format, position, defects, source } = reading
  const base = { format, position, defects, source }
  if (reading.outcome === 'unreadable') return { ...base, outcome: 'unreadable', name: reading.controlNumber }
  const held = reading.record && holdingsOf(reading.record, agency, before)
  if (held !== undefined) {
    const { controlNumber } = held
    const name = controlNumber === undefined ? nameByContent(source) : recordName(held.of.agency, controlNumber)
    const drafts = reading.outcome === 'deletion' ? [] : readItems(held.record, items)
    const unmapped = drafts.length === 0 ? [] : unmappedInHoldings(held.record, items)
    return { ...base, outcome: 'holdings', name, of: held.of, items: drafts, unmapped }
  }
  if (reading.outcome === 'deletion') {
    const { controlNumber, record, oaiIdentifier } = reading
    const name = controlNumber === undefined ? oaiIdentifier : recordName(agencyOf(record) ?? agency, controlNumber)
    return { ...base, outcome: 'deletion', name }
  }
  const { record } = reading
  const dialect = detectAuthority(record)
  const found = dialect && describeAuthority(record, dialect)
  if (dialect !== undefined && found !== undefined) {
    const { controlNumber } = found
    const name = controlNumber === undefined ? nameByContent(source) : recordName(found.agency ?? agency, controlNumber)
    const left = found.malformed.map((each): Defect => ({ kind: 'bad_value', message: malformedNumber(each) }))
    const { authority, details, relations } = found
    const unmapped = unmappedInAuthority(record, dialect)
    return {
      ...base,
      outcome: 'authority',
      name,
      authority,
      details,
      relations,
      defects: [...defects, ...left],
      unmapped
    }
  }
  const other = otherKind(record)
  if (other !== undefined)
    return {
      ...base,
      outcome: 'unreadable',
      name: reading.controlNumber,
      defects: [...defects, { kind: 'not_bibliographic', message: other }]
    }
  const description = describeRecord(record, undefined, items)
  const { controlNumber } = description
  const name =
    controlNumber === undefined ? nameByContent(source) : recordName(description.agency ?? agency, controlNumber)
  const unmapped = unmappedIn(record, description.dialect, items)
  return {
    ...base,
    outcome: 'record',
    name,
    description,
    evidence: readMarcEvidence(record, description, name),
    unmapped: reading.unmapped === undefined ? unmapped : [...reading.unmapped, ...unmapped.map(each => `MARC ${each}`)]
  }
}

/** Makes the item of a record that was put together here. */
export function itemOfRecord(record: MarcRecord, options: SourceOptions): SourceItem {
  const source = Buffer.from(writeMarcJson(record))
  const position = { number: 1, offset: 0, length: source.length }
  return marcItem(readingOf({ form: 'json', position, source, record, encoding: 'utf-8' }, []), options)
}

/**
 * The parts of a holdings record of MARC 21; undefined for other records. One without the number of
 * its publication (004) belongs to the publication right before it, as in answers of SRU servers.
 */
function holdingsOf(record: MarcRecord, agency: string | undefined, before: () => SourceItem | undefined) {
  if (!isHoldings(record)) return undefined
  const named = findControlValue(record, '004')?.trim() ?? ''
  const host = named === '' ? descriptionOf(before()) : undefined
  const controlNumber = named === '' ? (host?.controlNumber ?? '') : named
  if (controlNumber === '') return undefined
  const ownAgency = (named === '' ? host?.agency : findControlValue(record, '003')?.trim()) || agency
  return { record, controlNumber: controlNumberOf(record), of: { controlNumber, agency: ownAgency } }
}

const descriptionOf = (item: SourceItem | undefined) => (item?.outcome === 'record' ? item.description : undefined)

const isHoldings = (record: MarcRecord) =>
  'uvxy'.includes(record.leader[6] || '?') &&
  detectDialect(record) === 'marc21' &&
  !record.fields.some(each => each.tag === '245')

/** The kind of a MARC record that describes no publication (leader/06 of MARC 21). */
function otherKind(record: MarcRecord): string | undefined {
  const type = record.leader[6] ?? ''
  if (detectDialect(record) !== 'marc21') return undefined
  if (type === 'z' && !record.fields.some(each => each.tag === '245'))
    return 'This is an authority record without a name, subject, place, genre, period or title'
  if (isHoldings(record)) return 'This is a holdings record without the number of its publication (004)'
  return undefined
}

/** The agency of a deletion, as in a record. */
function agencyOf(record: MarcRecord | undefined): string | undefined {
  if (record === undefined) return undefined
  const isMarc21 = detectDialect(record) === 'marc21'
  return isMarc21 ? findControlValue(record, '003')?.trim() : describeRecord(record).agency
}
