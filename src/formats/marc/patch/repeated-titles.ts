import { levels } from '#domain/entity/publication.ts'
import { letterKey } from '#domain/clustering/title-key.ts'
import type { ComposedRecord } from '../composed-record.ts'
import { type DataField, isDataField, type MarcRecord } from '../record.ts'
import type { Changes } from './changes.ts'
import { withText } from './edit-values.ts'
import { readOnce, type Statement, statementsOf } from './statements.ts'

/*
 * Fields that repeat the title of the publication: its key title (222), an added title (740). They
 * say nothing of their own until the title is changed and they are not.
 */

const [, , publication] = levels

const titleOf = (record: MarcRecord) =>
  statementsOf(readOnce(record)).find(each => each.level === publication && each.name === 'title')

/** A title that has other letters, such as "and" for "&", says something of its own. */
const lettersOf = (title: string) => letterKey(title.replaceAll('&', ' ')).replaceAll(' ', '')

/** The other titles of a record that were its title before, and were not among its other titles. */
export function formerTitles(before: MarcRecord, after: MarcRecord): readonly Statement[] {
  const [old, title] = [titleOf(before)?.text, titleOf(after)?.text]
  if (old === undefined || old === title) return []
  const known = new Set(statementsOf(readOnce(before)).map(each => each.line))
  return statementsOf(readOnce(after)).filter(
    ({ level, name, line, text = '' }) =>
      level === publication && name === 'other_title' && !known.has(line) && lettersOf(text) === lettersOf(old)
  )
}

/** Maximum number of fields that may repeat a title. */
const maxRepeats = 20

/** The indicator that counts the characters that are left out when a title is sorted. */
const nonFiling: Readonly<Record<string, number>> = { '222': 1, '245': 1, '740': 0 }

/**
 * Gives the fields that repeated the title of the publication its new title: the catalogue does not
 * have the old one any more, unless it is among its other titles.
 */
export function withTitleRepeated(
  source: MarcRecord,
  patched: MarcRecord,
  composed: ComposedRecord,
  changed: Changes
): MarcRecord {
  if (!changed.has({ level: publication, name: 'title' })) return patched
  const title = titleOf(patched)?.text
  const old = titleOf(source)?.text
  if (old === undefined || title === undefined || old === title) return patched
  const wanted = new Set(statementsOf(readOnce(composed.record)).map(each => each.line))
  const skipped = composed.record.fields.find(({ tag }) => tag === '245')
  const count = skipped !== undefined && isDataField(skipped) ? skipped.indicators[1] : undefined
  const withCount = (field: DataField): DataField => {
    const place = nonFiling[field.tag]
    const given = place === undefined ? Number.NaN : Number(field.indicators[place])
    const isSameBeginning = old.slice(0, given) === title.slice(0, given)
    if (place === undefined || count === undefined || Number.isNaN(given) || isSameBeginning) return field
    const { indicators } = field
    return { ...field, indicators: indicators.slice(0, place) + count + indicators.slice(place + 1) }
  }
  let record: MarcRecord = {
    leader: patched.leader,
    fields: patched.fields.map(each => (each.tag === '245' && isDataField(each) ? withCount(each) : each))
  }
  // A reading has each title once, of the fields that have it.
  for (let repeats = 0; repeats < maxRepeats; repeats++) {
    const again = formerTitles(source, record).find(each => !wanted.has(each.line))
    const field = again && record.fields[again.index]
    const edited = field && isDataField(field) ? withText(field, again.part, [again.text ?? '', title]) : undefined
    if (again === undefined || edited === undefined) break
    record = { leader: record.leader, fields: record.fields.with(again.index, withCount(edited)) }
  }
  return record
}
