import { isSameJson } from '#domain/json.ts'
import { namesPart } from '../mapping/values.ts'
import { isDataField, type MarcField, type MarcRecord } from '../record.ts'

/**
 * Gives a record the entries of works in it (7XX) that the source record has, where it has those of
 * the shown one. An entry that shows the edit of a work in the catalogue is not of the source: with
 * it, a note of contents that has the earlier title would name another work, or its other titles
 * would name none.
 */
export function withSourceEntries(
  record: MarcRecord,
  { source, shown }: { readonly source: MarcRecord; readonly shown: MarcRecord }
): MarcRecord {
  const pairs = pairsOf(without(entriesIn(shown), entriesIn(source)), without(entriesIn(source), entriesIn(shown)))
  if (pairs.length === 0) return record
  const fields = record.fields.flatMap(field => {
    const place = pairs.findIndex(({ is }) => isSameJson(is, field))
    return place < 0 ? field : (pairs.splice(place, 1)[0]?.was ?? [])
  })
  return { leader: record.leader, fields }
}

const entriesIn = ({ fields }: MarcRecord): MarcField[] =>
  fields.filter(field => /^7[0-4]/.test(field.tag) && isDataField(field) && namesPart(field))

function without(fields: readonly MarcField[], others: readonly MarcField[]): MarcField[] {
  const rest = [...others]
  return fields.filter(field => {
    const place = rest.findIndex(each => isSameJson(each, field))
    if (place >= 0) rest.splice(place, 1)
    return place < 0
  })
}

/** An entry, and the one of the source record in the place of which it stands. */
interface Pair {
  readonly is: MarcField
  readonly was: MarcField | undefined
}

/** Pairs entries with those of the same tag first. The last ones were added. */
function pairsOf(come: readonly MarcField[], gone: readonly MarcField[]): Pair[] {
  const left = [...gone]
  const take = (place: number) => (place < 0 ? undefined : left.splice(place, 1)[0])
  const sameTag = come.map(is => ({ is, was: take(left.findIndex(each => each.tag === is.tag)) }))
  return sameTag.map(({ is, was }) => ({ is, was: was ?? left.shift() }))
}
