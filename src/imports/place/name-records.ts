import { createHash } from 'node:crypto'

import type { ImportedDeletion, ImportedRecord } from '#domain/imports/item.ts'
import type { NumberCollision } from '#domain/imports/job.ts'
import { type ComparedRecord, comparedRecord, identityOf, isSameRecord } from '#domain/imports/same-record.ts'
import type { StoredMention, StoredRecord } from '#domain/imports/stored.ts'
import { mentionId } from '#domain/clustering/evidence.ts'
import { prefixOf, prefixOfNumber, restOf } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'
import { digestOf } from './next-record.ts'

type NamedItem = ImportedRecord | ImportedDeletion

export interface NamedRecords<Item> {
  /** The items in their order, each under the name of the record that it is. */
  readonly items: readonly Item[]
  /** Records whose number another record has, by the place of the item. */
  readonly collisions: ReadonlyMap<number, NumberCollision>
  /** Places of deletions that could be of several records; they delete none. */
  readonly unclear: ReadonlySet<number>
}

/**
 * Finds out which stored record each item is. A number with its agency says it; a number alone is
 * shared by whichever libraries count alike, so a record under one is the stored record that it
 * agrees with, and else one of its own. Its name is then made from the number, title and author:
 * the same in whatever order files come.
 */
export async function nameRecords<Item extends NamedItem>(
  staging: Staging,
  given: readonly Item[]
): Promise<NamedRecords<Item>> {
  const numbers = new Set(given.filter(isByNumberAlone).map(each => each.name))
  if (numbers.size === 0) return { items: given, collisions: new Map(), unclear: new Set() }
  const listed = await staging.listKeys('number', [...numbers].map(prefixOfNumber))
  const candidates = new Map<string, string[]>()
  for (const key of listed) {
    const number = prefixOf(key)
    candidates.set(number, [...(candidates.get(number) ?? []), restOf(key)].sort())
  }
  // Records that came before numbers were listed are stored under the number itself.
  const records = await staging.find('record', [...numbers, ...[...candidates.values()].flat()])
  const namesFor = (number: string) => [
    ...(records.has(number) && records.get(number)?.number === undefined ? [number] : []),
    ...(candidates.get(prefixOfNumber(number)) ?? [])
  ]
  const compared = await readCompared(staging, [...numbers].flatMap(namesFor), records)

  const collisions = new Map<number, NumberCollision>()
  const unclear = new Set<number>()
  const items = given.map((item, place): Item => {
    if (!numbers.has(item.name)) return item
    const number = item.name
    const names = namesFor(number)
    if (item.kind === 'deletion') {
      if (names.length > 1) unclear.add(place)
      return names.length === 1 ? { ...item, name: names[0] } : item
    }
    const own = comparedRecord(item.evidence, item.manifestation)
    const digest = names.length === 0 ? '' : digestOf(item)
    const same =
      names.find(name => records.get(name)?.digest === digest) ??
      names.find(name => isSameRecord(own, compared.get(name) ?? nothing))
    if (same !== undefined) return { ...item, name: same, number }
    const [other] = names
    if (other !== undefined)
      collisions.set(place, {
        number: item.position.number,
        controlNumber: number,
        title: titleOf(item.manifestation),
        otherTitle: titleOf(records.get(other)?.manifestation),
        otherImport: records.get(other)?.job ?? ''
      })
    return { ...item, name: newName(number, own, names), number }
  })
  return { items, collisions, unclear }
}

/**
 * Of deletions it is not known; one that names its agency finds no record under that as a number.
 */
const isByNumberAlone = (item: NamedItem) => item.name === item.controlNumber

function newName(number: string, record: ComparedRecord, taken: readonly string[]): string {
  const name = `${prefixOfNumber(number)}~${createHash('sha256').update(identityOf(record)).digest('hex').slice(0, 12)}`
  for (let count = 1; ; count++) {
    const next = count === 1 ? name : `${name}~${count}`
    if (!taken.includes(next)) return next
  }
}

const nothing: ComparedRecord = { work: undefined, identifiers: [] }

async function readCompared(
  staging: Staging,
  names: readonly string[],
  records: ReadonlyMap<string, StoredRecord>
): Promise<Map<string, ComparedRecord>> {
  const mentions: ReadonlyMap<string, StoredMention> =
    names.length === 0
      ? new Map()
      : await staging.find(
          'mention',
          names.map(name => mentionId(name, 0))
        )
  return new Map(
    names.map(name => {
      const evidence = mentions.get(mentionId(name, 0))?.evidence
      const identifiers = records.get(name)?.manifestation.identifiers ?? []
      return [name, { work: evidence, identifiers }]
    })
  )
}

const titleOf = (
  draft: { readonly metadata: readonly { readonly key: string; readonly value: unknown }[] } | undefined
) => String(draft?.metadata.find(each => each.key === 'title')?.value ?? '')
