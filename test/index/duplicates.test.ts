import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Entity, Relation } from '#domain/entity/entity.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { buildBase } from '#index/base.ts'
import { CatalogueIndex } from '#index/catalogue-index.ts'
import { toIndexedDocument } from '#index/document.ts'
import { listDuplicates } from '#index/duplicates.ts'
import { findSameRecords } from '#index/same-records.ts'
import { howMany, seed } from '../support/records/chance.ts'

/*
 * Likely duplicates as the index finds them, against a comparison of all pairs that was written
 * from the rules. Part of each catalogue is in the base and the rest in the delta.
 */

const model = createModel(builtInRecordTypes)
const catalogues = howMany({ quick: 3, short: 12, long: 2000, onPostgres: 0 })
const records = 40

/** A generator of whole numbers below a bound, the same for the same seed. */
function chance(from: number): (bound: number) => number {
  let state = from * 2_654_435_761 + 1
  return bound => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0
    return (state >>> 8) % bound
  }
}

const names = [
  'Brontë, C.',
  'BRONTE, C',
  'bronte c',
  'Ὅμηρος',
  'Όμηρος',
  '!!!',
  '!!',
  'Água–viva',
  'agua viva',
  '«Água» viva'
]
/** Numbers, each with the forms in which it is written. */
const isbns = [
  ['9789025363888', '978-90-253-6388-8', '90 253 6388 1', '9025363881', 'ISBN 9025363881'],
  ['9780804429573', '0-8044-2957-X', '080442957x'],
  ['9025363882', '90-253-6388-2']
]
const issns = [['2434-561X', '2434561x'], ['1234-5679']]

interface Made {
  readonly number: number
  readonly entity: Entity
  /** The values that the rules compare, in a form that is equal for equal values. */
  readonly compared: readonly string[]
}

function make(number: number, below: (bound: number) => number): Made {
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const metadata: { key: string; value: string }[] = []
  const relations: Relation[] = []
  const compared: string[] = []
  const other = () => `X-${below(records) + 1}`
  const name = names[below(names.length)] as string
  // Written out here, and not taken from the rules: letters without marks and punctuation.
  const plain =
    { '!!!': '!!!', '!!': '!!' }[name] ??
    name
      .normalize('NFD')
      .replaceAll(/[^\p{L}]/gu, '')
      .toLowerCase()
  let type = 'person'
  if (below(2) === 0) {
    metadata.push({ key: 'name', value: name })
    const dates = below(2) === 0 ? undefined : ['1816-1855', '1816–1855', '1816'][below(3)]
    if (dates !== undefined) metadata.push({ key: 'life_dates', value: dates })
    compared.push(`person ${plain} ${dates?.replaceAll(/\D/g, '') ?? ''}`)
  } else {
    type = below(2) === 0 ? 'manifestation_word' : 'manifestation_music'
    metadata.push({ key: 'title', value: `Title ${number}` })
    for (let some = below(3); some > 0; some--) {
      const [key, all] = below(3) === 0 ? (['issn', issns] as const) : (['isbn', isbns] as const)
      const at = below(all.length)
      const forms = all[at] as string[]
      const isEan = key === 'isbn' && at < 2 && below(4) === 0
      metadata.push({
        key: isEan ? 'ean' : key,
        value: isEan ? (forms[0] as string) : (forms[below(forms.length)] as string)
      })
      compared.push(`${key} ${at}`)
    }
  }
  for (let some = below(3); some > 0; some--) relations.push({ type: 'refDifferentFrom', key: other() })
  const at = '2026-01-01T00:00:00.000Z'
  const entity = {
    _id: uuid,
    id: `X-${number}`,
    type,
    version: 1,
    metadata,
    relations,
    identifiers: [uuid, `X-${number}`],
    audit: { created: { at, by: 'test' }, updated: { at, by: 'test' } }
  } as unknown as Entity
  return { number, entity, compared: [...new Set(compared)] }
}

/** The pairs that are likely to be the same, and that nobody said are different. */
function pairsOf(all: readonly Made[]): Set<string> {
  const pairs = new Set<string>()
  const says = ({ entity }: Made, other: Made) => entity.relations.some(({ key }) => key === other.entity.id)
  for (const one of all)
    for (const other of all) {
      if (one.number >= other.number || says(one, other) || says(other, one)) continue
      if (one.compared.some(each => other.compared.includes(each))) pairs.add(`${one.entity.id} ${other.entity.id}`)
    }
  return pairs
}

describe('likely duplicates', () => {
  it('are those that a comparison of all pairs finds, in base and delta, for everybody', () => {
    let compared = 0
    for (let number = 0; number < catalogues; number++) {
      const below = chance(seed + number)
      const all = Array.from({ length: records }, (_, at) => make(at + 1, below))
      const split = below(records + 1)
      const builder = buildBase()
      const toDocument = ({ number, entity }: Made) => toIndexedDocument(model, entity, number, number)
      for (const each of all.slice(0, split)) builder.add(toDocument(each))
      const index = new CatalogueIndex(model, builder.done(split))
      index.apply({ change: records, written: all.slice(split).map(toDocument), removed: [] })
      const gone = all.filter(() => below(8) === 0)
      // Some of the base and of the delta are written again as something else.
      const rewritten = all.filter(each => !gone.includes(each) && below(4) === 0).map(each => make(each.number, below))
      index.apply({
        change: records + 1,
        written: rewritten.map(toDocument),
        removed: gone.map(({ entity }) => entity._id)
      })
      const kept = all
        .filter(each => !gone.includes(each))
        .map(each => rewritten.find(other => other.number === each.number) ?? each)

      for (const readableTypes of [undefined, ['person'], ['manifestation_word', 'person']]) {
        const readable = kept.filter(({ entity }) => readableTypes?.includes(entity.type) ?? true)
        const wanted = pairsOf(readable)
        const types = readableTypes ?? builtInRecordTypes.map(({ type }) => type)
        const list = listDuplicates(index, { types, readableTypes, limit: 1000 })
        const found = new Set<string>()
        for (const { records: same, different } of list.groups) {
          const said = new Set(different.map(pair => pair.join(' ')))
          for (const [at, one] of same.entries())
            for (const other of same.slice(at + 1))
              if (!said.has(`${one.id} ${other.id}`)) found.add(`${one.id} ${other.id}`)
          for (const { id } of same)
            assert.ok(
              same.some(each => wanted.has(`${id} ${each.id}`) || wanted.has(`${each.id} ${id}`)),
              `${id} is listed without a reason (SEED=${seed}, catalogue ${number})`
            )
        }
        assert.deepEqual([...found].sort(), [...wanted].sort(), `SEED=${seed}, catalogue ${number}`)
        compared += wanted.size
      }
    }
    console.log(`${catalogues} catalogues, ${compared} pairs (SEED=${seed})`)
    assert.ok(compared >= catalogues)
  })

  it('of a record are found by its numbers and its folded name, before and after it is written', () => {
    for (let number = 0; number < catalogues; number++) {
      const below = chance(seed + 1_000_000 + number)
      const all = Array.from({ length: records }, (_, at) => make(at + 1, below))
      const builder = buildBase()
      const split = below(records + 1)
      const toDocument = ({ number, entity }: Made) => toIndexedDocument(model, entity, number, number)
      for (const each of all.slice(0, split)) builder.add(toDocument(each))
      const index = new CatalogueIndex(model, builder.done(split))
      index.apply({ change: records, written: all.slice(split).map(toDocument), removed: [] })
      const pairs = pairsOf(all)
      for (const { number: own, entity } of all) {
        const found = findSameRecords(index, {
          content: { uuid: entity._id, type: entity.type, metadata: entity.metadata, relations: entity.relations },
          readableTypes: undefined,
          limit: 1000
        })
        const same = all.filter(each => pairs.has(`X-${Math.min(own, each.number)} X-${Math.max(own, each.number)}`))
        // Names are compared with their punctuation here.
        const nameOf = (of: Entity) => of.metadata.find(({ key }) => key === 'name')?.value
        const folded = (of: Entity) => String(nameOf(of)).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
        const wanted = same.filter(each => nameOf(entity) === undefined || folded(each.entity) === folded(entity))
        assert.deepEqual(
          found.map(({ id }) => id),
          wanted.map(each => each.entity.id),
          `SEED=${seed}, catalogue ${number}`
        )
      }
    }
  })
})
