import { createHash } from 'node:crypto'

import type { NumberCollision } from '#domain/imports/job.ts'
import { type ComparedRecord, identityOf, isSameRecord } from '#domain/imports/same-record.ts'
import { importedDigest, type StoredMention, type StoredRecord } from '#domain/imports/stored.ts'
import { mentionId } from '#domain/clustering/evidence.ts'
import { controlNumberOf, type SourceDeletion } from '#formats/source/source-item.ts'
import type { RecordIdentity } from './next-record.ts'
import type { PreparedRecord } from './prepare-record.ts'
import { prefixOf, prefixOfNumber, restOf } from '../state/import-state.ts'
import type { Staging } from '../state/staging.ts'

/** A record, or the deletion of one that the file names. */
export type NamedItem = PreparedRecord | (SourceDeletion & { readonly name: string })

export interface IdentifiedRecords {
  readonly identities: ReadonlyMap<NamedItem, RecordIdentity>
  /** Records whose number another record has. */
  readonly collisions: ReadonlyMap<NamedItem, NumberCollision>
  /** Deletions that fit several records; they delete none. */
  readonly unclear: ReadonlySet<NamedItem>
}

/**
 * Finds the stored record that each item is about. A control number with its agency identifies a
 * record. A number alone does not, since many libraries count from 1: the item is then the stored
 * record with this number that it agrees with, and otherwise a new record. The key of a new record
 * is made from number, title and author, so it does not depend on the order of files.
 */
export async function identifyRecords(staging: Staging, items: readonly NamedItem[]): Promise<IdentifiedRecords> {
  const identities = new Map<NamedItem, RecordIdentity>(items.map(each => [each, { name: each.name }]))
  const collisions = new Map<NamedItem, NumberCollision>()
  const unclear = new Set<NamedItem>()
  const numbered = items.filter(isByNumberAlone)
  const numbers = new Set(numbered.map(each => each.name))
  if (numbers.size === 0) return { identities, collisions, unclear }
  const listed = await staging.listKeys('number', [...numbers].map(prefixOfNumber))
  const candidates = new Map<string, string[]>()
  for (const key of listed) {
    const number = prefixOf(key)
    candidates.set(number, [...(candidates.get(number) ?? []), restOf(key)].sort())
  }
  // Records that were stored before numbers were listed have the number as their key.
  const records = await staging.find('record', [...numbers, ...[...candidates.values()].flat()])
  const namesFor = (number: string) => [
    ...(records.has(number) && records.get(number)?.number === undefined ? [number] : []),
    ...(candidates.get(prefixOfNumber(number)) ?? [])
  ]
  const compared = await readCompared(staging, [...numbers].flatMap(namesFor), records)

  for (const item of items.filter(each => numbers.has(each.name))) {
    const number = item.name
    const names = namesFor(number)
    if (item.outcome === 'deletion') {
      const [name = number] = names
      if (names.length > 1) unclear.add(item)
      else identities.set(item, { name })
      continue
    }
    const { compared: own, state } = item
    const { manifestation, digest } = state.record
    const same =
      names.find(name => hasDigest(records.get(name), digest)) ??
      names.find(name => isSameRecord(own, compared.get(name) ?? nothing))
    identities.set(item, { name: same ?? newName(number, own, names), number })
    const [other] = names
    if (same === undefined && other !== undefined)
      collisions.set(item, {
        number: item.position.number,
        controlNumber: number,
        title: titleOf(manifestation),
        otherTitle: titleOf(records.get(other)?.manifestation),
        otherImport: records.get(other)?.job ?? ''
      })
  }
  return { identities, collisions, unclear }
}

const hasDigest = (record: StoredRecord | undefined, digest: string) =>
  record !== undefined && importedDigest(record) === digest

/**
 * True for every deletion, since its agency is unknown; a deletion that names its agency finds no
 * record under that name as a number.
 */
const isByNumberAlone = (item: NamedItem) => item.name === controlNumberOf(item)

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
