import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { pairDates } from '#domain/imports/moved-dates.ts'
import type { ImportState } from '../state/import-state.ts'
import type { Batch } from './import-kind.ts'
import { type GatheredRecord, keyOfIdentifier } from './gather-rows.ts'

/** Maximum number of dates of an event that are compared with those of the file. */
const maxDates = 2000

/**
 * Recognises dates that moved: some sources identify a date by its event and its time, so a moved
 * one is missing under its old name and appears under another. It stays the same record. Dates that
 * are missing without a new one are reported, as visitors would come to them.
 */
export async function findMoved(
  records: ReadonlyMap<string, GatheredRecord>,
  known: Map<string, ImportState['row']>,
  { parts, staging }: Batch,
  isNew: (record: GatheredRecord) => boolean
): Promise<void> {
  const dated = [...records.values()].filter(each => each.datedBy !== undefined)
  for (const [prefix, own] of Map.groupBy(dated, each => each.datedBy)) {
    const [one] = own
    const recordType = one && parts.model.findType(one.type)
    if (!prefix || one === undefined || !recordType?.partOf || !recordType.moved) continue
    const { partOf, moved: rule } = recordType
    const whole = [...one.related.values()].find(({ type }) => type === partOf)?.to
    if (typeof whole !== 'object') continue
    const { references } = await parts.store.findReferences({
      ...{ id: whole.id, relationTypes: [partOf], readableTypes: undefined, skip: 0, limit: maxDates }
    })
    const found = await parts.store.findEntities([...new Set(references.map(({ id }) => id))])
    const gone = [...found.values()].flatMap(({ json }) => {
      const entity = JSON.parse(json) as Entity
      const names = entity.identifiers.filter(each => each.startsWith(prefix))
      const [name] = names
      const start = String(valuesOf(entity, rule.start)[0] ?? '')
      return name === undefined || names.some(each => records.has(keyOfIdentifier(each)))
        ? []
        : [{ id: entity.id, name, start }]
    })
    if (gone.length === 0) continue
    const startOf = (record: GatheredRecord) => String(record.entries.get(rule.start)?.entries[0]?.value ?? '')
    const fresh = own.filter(isNew).map(record => ({ record, start: startOf(record) }))
    const pairs = pairDates(gone, fresh)
    const states = await staging.find(
      'row',
      pairs.map(([{ name }]) => keyOfIdentifier(name))
    )
    for (const [{ id, name, start }, { record, start: next }] of pairs) {
      const before = states.get(keyOfIdentifier(name))
      record.id = id
      record.movedFrom = name
      if (before !== undefined) known.set(record.key, before)
      record.remarks.push(`${rule.start}: ${start} was moved to ${next}`)
    }
    const paired = new Set(pairs.map(([each]) => each))
    for (const each of gone)
      if (!paired.has(each))
        one.remarks.push(`${rule.start}: ${each.start} is not in the file any more; ${each.id} stays as it is`)
  }
}
