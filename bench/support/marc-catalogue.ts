import { createReadStream } from 'node:fs'

import type { EntityContent, MetadataEntry, Relation } from '#domain/entity/entity.ts'
import type { RecordDescription, RelationDraft } from '#formats/description/description.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import type { MarcRecord } from '#formats/marc/record.ts'
import type { Libretto } from '../../src/main.ts'

/**
 * Writes the records of MARC files to a catalogue. Every record becomes a work, an expression and a
 * manifestation, people and the rest one each by their name. `keyOf` names a record, or gives
 * undefined for one that is left out. Returns the key of the record that each level came from, by
 * its id.
 */
export async function loadMarc(
  { store }: Libretto,
  files: readonly string[],
  keyOf: (record: MarcRecord, description: RecordDescription) => string | undefined
): Promise<ReadonlyMap<string, string>> {
  const recordOf = new Map<string, string>()
  const targets = new Map<string, string>()
  let number = 0
  let unit: EntityContent[] = []
  const send = async () => {
    await store.write({ writes: unit.map(content => ({ kind: 'insert', content })), by: 'bench' })
    unit = []
  }
  const add = (type: string, metadata: readonly MetadataEntry[], relations: readonly Relation[]): string => {
    const id = `K-${++number}`
    const uuid = `0190aaaa-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
    unit.push({ id, uuid, type, metadata, relations, otherIdentifiers: [] })
    return id
  }
  const relate = (drafts: readonly RelationDraft[]): Relation[] => {
    const relations = new Map<string, Relation>()
    for (const { relation, target } of drafts) {
      const name = [target.type, target.key, target.birthYear ?? ''].join('\n')
      const id = targets.get(name) ?? add(target.type, target.metadata, [])
      targets.set(name, id)
      relations.set(`${relation} ${id}`, { type: relation, key: id })
    }
    return [...relations.values()]
  }
  const addRecord = (description: RecordDescription, key: string) => {
    const works = description.works.map(each => add(each.type, plain(each.metadata), relate(each.relations)))
    const expressions = description.expressions.map(each =>
      add(each.type, plain(each.metadata), [
        { type: 'refWork', key: works[each.work] ?? '' },
        ...relate(each.relations)
      ])
    )
    const { type, metadata, relations } = description.manifestation
    const published = [...expressions.map(key => ({ type: 'refExpressions', key })), ...relate(relations)]
    for (const id of [...works, ...expressions, add(type, plain(metadata), published)]) recordOf.set(id, key)
  }
  for (const file of files)
    for await (const reading of readMarc(createReadStream(file))) {
      if (reading.outcome !== 'record') continue
      const description = describeRecord(reading.record)
      const key = keyOf(reading.record, description)
      if (key === undefined) continue
      addRecord(description, key)
      if (unit.length > 1000) await send()
    }
  await send()
  console.log(`${number} records made of ${new Set(recordOf.values()).size} MARC records`)
  return recordOf
}

const plain = (statements: readonly { readonly key: string; readonly value: string | boolean }[]) =>
  statements.map(({ key, value }) => ({ key, value }))
