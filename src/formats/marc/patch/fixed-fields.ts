import { levels } from '#domain/entity/publication.ts'
import { findControlValue, isDataField, type MarcField, type MarcRecord } from '../record.ts'
import type { Changes } from './changes.ts'
import { readOnce, type Statement, statementsOf } from './statements.ts'

const [, , publication] = levels

/**
 * Positions of 008 with values of a level: dates, language, audience, literary form. The first date
 * alone is replaced if the kind of date, before it, says that it is one.
 */
const places: readonly (readonly [text: RegExp, from: number, to: number, isFor?: RegExp])[] = [
  [/^manifestation year_of_publication /, 7, 11, /^.{6}[cdeikmpqrstu]/],
  [/^manifestation year_of_publication /, 6, 15, /^.{6}[^cdeikmpqrstu]/],
  [/^work year /, 6, 15],
  [/^(?:expression|manifestation) refLanguages /, 35, 38],
  [/^work refTargetAudiences /, 22, 23],
  [/^work literary_type /, 33, 34]
]

/**
 * Brings the leader and the fixed fields to what people changed: 005 is the time of the change, and
 * the status marks the record as changed. Positions of 008 that disagree or lack a value are
 * replaced; a 007 that disagrees is left out.
 */
export function updateFixed(
  source: MarcRecord,
  patched: MarcRecord,
  composed: MarcRecord,
  changed: Changes
): MarcRecord {
  const after = statementsOf(readOnce(composed))
  const [wanted, before] = [linesOf(after), statementsOf(readOnce(source))]
  const [present, said] = [statementsOf(readOnce(patched)), linesOf(before)]
  const there = linesOf(present)
  const isWrong = (each: Statement) => changed.has(each) && !wanted.has(each.line)
  const wrong = present.filter(isWrong)
  const missing = after.filter(
    each =>
      !there.has(each.line) && (changed.has(each) || said.has(each.line)) && composed.fields[each.index]?.tag === '008'
  )
  const disagreeing = [...before.filter(isWrong), ...wrong, ...missing]
  const fields = patched.fields.flatMap((field, index): MarcField[] => {
    if (isDataField(field)) return [field]
    const given = findControlValue(composed, field.tag)
    if (field.tag === '005') return [{ tag: field.tag, value: given ?? field.value }]
    if (field.tag === '007') return wrong.some(each => each.index === index) ? [] : [field]
    if (field.tag !== '008' || given?.length !== 40 || field.value.length !== 40) return [field]
    let value = field.value
    for (const [speaksOf, from, to, isFor = /^/] of places)
      if (isFor.test(field.value) && disagreeing.some(each => speaksOf.test(each.line)))
        value = value.slice(0, from) + given.slice(from, to) + value.slice(to)
    return [{ tag: field.tag, value }]
  })
  return { leader: updateLeader(source.leader, composed.leader, changed), fields }
}

const linesOf = (statements: readonly Statement[]) => new Set(statements.map(each => each.line))

/** The kind of material is that of the manifestation. The status marks the record as changed. */
function updateLeader(leader: string, composed: string, changed: Changes): string {
  const status = `${leader.slice(0, 5)}c`
  return changed.has({ level: publication, name: 'type' })
    ? status + composed.slice(6, 8) + leader.slice(8)
    : status + leader.slice(6)
}
