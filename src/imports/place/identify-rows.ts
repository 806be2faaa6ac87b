import type { Parts } from '#catalogue/parts.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { authorityKeyOf } from '#domain/imports/authority-names.ts'
import { keyOf } from '#formats/description/keys.ts'
import type { ImportState } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import type { Batch } from './import-kind.ts'
import { findMoved } from './find-moved.ts'
import { type GatheredRecord, identifierOf, keyOfIdentifier } from './gather-rows.ts'

/** Maximum number of names that are looked up together. */
const maxNames = 500

/**
 * Gives each record its entity: that of an earlier import; else the one with its identifier; else
 * one with its name, which people or another import created; else a new one. Returns the state of
 * the earlier imports.
 */
export async function identifyRows(
  records: ReadonlyMap<string, GatheredRecord>,
  batch: Batch
): Promise<Map<string, ImportState['row']>> {
  const { parts, staging, job, placing } = batch
  const known = await staging.find('row', records.keys())
  const fresh = new Set<GatheredRecord>()
  const unknown = [...records.values()].filter(each => !known.has(each.key))
  const identified = await parts.store.identify([
    ...unknown.flatMap(each => identifierOf(each) ?? []),
    // People may have merged it into another since.
    ...[...known.values()].map(each => each.id)
  ])
  const named = await findByName(parts, staging, unknown)
  for (const record of records.values()) {
    const before = known.get(record.key)
    const found = identified.get(before?.id ?? identifierOf(record) ?? '')?.id ?? before?.id ?? named.get(record)
    if (found === undefined) fresh.add(record)
    record.id = found ?? placing.newId(record.type)
    // An earlier row of the file, or of this import, described it, too.
    if (before?.isShared === true || before?.job === job.id) record.isShared = true
  }
  await findMoved(records, known, batch, each => fresh.has(each))
  await resolveReferences(parts, staging, records)
  return known
}

/** Finds records that people created, or that imports of publications created, by their names. */
async function findByName(
  { store, model }: Parts,
  staging: Staging,
  records: readonly GatheredRecord[]
): Promise<Map<GatheredRecord, string>> {
  const found = new Map<GatheredRecord, string>()
  for (const [type, own] of Map.groupBy(records, each => each.type)) {
    const nameField = model.findType(type)?.nameField ?? ''
    const named = own.flatMap(record => {
      const { values } = record.identity
      const name = values.find(([key]) => key === nameField)?.[1]
      return name ? [{ record, name, values }] : []
    })
    const names = [...new Set(named.map(each => each.name))]
    const entities: Entity[] = []
    for (let at = 0; at < names.length; at += maxNames)
      for (const { json } of await store.lookUp(nameField, names.slice(at, at + maxNames), type))
        entities.push(JSON.parse(json) as Entity)
    const keyOfAuthority = (name: string) =>
      authorityKeyOf({ type, metadata: [{ key: 'name', value: name }], key: keyOf(name) })
    const imported = await staging.find('target', names.map(keyOfAuthority))
    for (const { record, name, values } of named) {
      const match = entities.find(({ metadata }) =>
        values.every(([key, value]) => metadata.some(entry => entry.key === key && entry.value === value))
      )
      const authority = values.length === 1 ? imported.get(keyOfAuthority(name)) : undefined
      const id = match?.id ?? (authority?.exists ? authority.id : undefined)
      if (id !== undefined) found.set(record, id)
    }
  }
  return found
}

/**
 * Replaces identifiers in relations by the ids of their records. A relation to a record that
 * neither the catalogue nor an earlier row has is left out, with a remark.
 */
async function resolveReferences({ store }: Parts, staging: Staging, records: ReadonlyMap<string, GatheredRecord>) {
  const names = new Set<string>()
  for (const { related } of records.values())
    for (const { to } of related.values())
      if (typeof to === 'string' && !records.has(keyOfIdentifier(to))) names.add(to)
  const stored = await store.identify([...names])
  const planned = await staging.find('row', [...names].map(keyOfIdentifier))
  for (const { related, remarks } of records.values())
    for (const [name, relation] of related) {
      const { to, column } = relation
      if (typeof to !== 'string') continue
      const key = keyOfIdentifier(to)
      const id = records.get(key)?.id ?? stored.get(to)?.id ?? planned.get(key)?.id
      if (id !== undefined) related.set(name, { ...relation, to: id })
      else {
        related.delete(name)
        remarks.push(`${column}: No record has the identifier "${to}"; the relation is left out`)
      }
    }
}
