import { isSameJson } from '#domain/json.ts'
import type { MarcField, MarcRecord } from './record.ts'

const timeOfChange = '005'

/**
 * Applies the changes between `base` and `mine` to `theirs`: fields with a tag that was changed, or
 * is named as such, are those of `mine`, and all others are those of `theirs`.
 */
export function mergeRecords(
  base: MarcRecord,
  mine: MarcRecord,
  theirs: MarcRecord,
  changedTags: ReadonlySet<string> = new Set()
): MarcRecord {
  const [before, own, other] = [base, mine, theirs].map(({ fields }) => Map.groupBy(fields, each => each.tag))
  const tags = new Set([before, own, other].flatMap(each => [...(each?.keys() ?? [])]))
  const fields: MarcField[] = []
  // Tags come in the order of `theirs`; those that it lacks, after the last tag that is lower.
  const inOrder = [...new Set(theirs.fields.map(each => each.tag))]
  for (const tag of [...tags].sort())
    if (!inOrder.includes(tag)) inOrder.splice(inOrder.findLastIndex(each => each < tag) + 1, 0, tag)
  for (const tag of inOrder) {
    const isChanged = tag !== timeOfChange && (changedTags.has(tag) || !isSameJson(before?.get(tag), own?.get(tag)))
    fields.push(...((isChanged ? own : other)?.get(tag) ?? []))
  }
  return { leader: base.leader === mine.leader ? theirs.leader : mine.leader, fields }
}
