import { wemLinks } from '#domain/entity/publication.ts'
import {
  growingBytes,
  growingFloats,
  growingNumbers,
  narrowNumbers,
  type Numbers,
  sharedNumbers,
  textOrder
} from './arrays.ts'
import { buildColumn, type Column, type ColumnBuilder, columnAt, packColumns } from './columns.ts'
import type { IndexedDocument } from './document.ts'
import { buildNames, type Names, nobody } from './names.ts'
import type { PackedColumns } from './packed-columns.ts'
import { buildRelations, type Relations } from './relations.ts'
import { type Times, toTimes } from './times.ts'
import { buildWords, type Words } from './words.ts'
import { placeAmong } from './place-among.ts'

/**
 * An index of all documents as of one change: plain data over shared memory, which any number of
 * threads may read. It never changes; what was written since stands beside it.
 *
 * Arrays with an entry for each document have it at the document's number. Numbers without a
 * document have the type `noType`.
 */
export interface Base extends Times {
  /** The last change that it knows of. */
  readonly change: number
  /** The last changes, the newest first: they tell this history from others. */
  readonly recent: readonly { readonly change: number; readonly mark: string }[]
  /** One more than the highest number of a document. */
  readonly size: number
  readonly typeNames: readonly string[]
  readonly types: Uint8Array
  /** Names of those who wrote, by the places in `createdBy` and `updatedBy`. */
  readonly people: readonly string[]
  readonly createdBy: Numbers
  readonly updatedBy: Numbers
  readonly names: Names
  /**
   * For each document its first name, which is its uuid; its id is the second. One more than there
   * are numbers.
   */
  readonly firstNames: Uint32Array
  /** Places of documents in the order of their ids. */
  readonly idRanks: Uint32Array
  /** Documents whose id is their uuid, so that they have one name less. */
  readonly idIsUuid: readonly number[]
  /** Metadata keys; `columns` has the values of each. See `Columns`. */
  readonly columnKeys: readonly string[]
  readonly columns: PackedColumns
  readonly words: Words
  readonly relations: Relations
}

export const noType = 255

/**
 * The relations by which a document is also found by everything that the one above it says: those
 * of publications and expressions.
 */
export const climbs: readonly string[] = Object.values(wemLinks)

/** Limit of a byte for each document; a model has some fifty types. */
export const maxTypes = 255

export interface BaseBuilder {
  /** Documents are added in ascending order of their numbers. */
  add(document: IndexedDocument): void
  done(change: number, recent?: Base['recent']): Base
}

export function buildBase(): BaseBuilder {
  const typeNames: string[] = []
  const people = new Map<string, number>()
  const types = growingBytes()
  const [changed, createdAt, updatedAt] = [growingFloats(), growingFloats(), growingFloats()]
  const [createdBy, updatedBy, firstNames] = [growingNumbers(), growingNumbers(), growingNumbers()]
  const names = buildNames()
  const columns = new Map<string, ColumnBuilder>()
  const words = buildWords()
  const relations = buildRelations(climbs)
  /**
   * Keys of relations become names when all identifiers are known, so that those of a document
   * follow each other.
   */
  const keys = new Map<string, number>()
  const ids: string[] = []
  const numbers = growingNumbers()
  const idIsUuid: number[] = []
  let nameCount = 0

  const typeOf = (name: string) => {
    const known = typeNames.indexOf(name)
    if (known >= 0) return known
    if (typeNames.length === maxTypes) throw new Error(`An index has at most ${maxTypes} types`)
    return typeNames.push(name) - 1
  }
  const personOf = (name: string) => placeAmong(people, name)
  const fillTo = (number: number) => {
    types.fillTo(number, noType)
    for (const each of [changed, createdAt, updatedAt, createdBy, updatedBy]) each.fillTo(number, 0)
    firstNames.fillTo(number, nameCount)
  }

  return {
    add(document) {
      const { number } = document
      if (number < types.length) throw new Error('Documents are added in the order of their numbers')
      fillTo(number)
      types.push(typeOf(document.type))
      changed.push(document.changed)
      createdAt.push(document.createdAt)
      updatedAt.push(document.updatedAt)
      createdBy.push(personOf(document.createdBy))
      updatedBy.push(personOf(document.updatedBy))
      firstNames.push(nameCount)
      for (const identifier of document.identifiers) {
        const place = names.add(identifier, number)
        if (place >= nameCount) nameCount = place + 1
      }
      if (document.id === document.uuid) idIsUuid.push(number)
      ids.push(document.id)
      numbers.push(number)
      for (const value of document.values) {
        let column = columns.get(value.key)
        if (!column) {
          column = buildColumn()
          columns.set(value.key, column)
        }
        column.add(number, value)
      }
      words.add(number, document.words)
      for (const { type, key } of document.relations) relations.add(number, type, placeAmong(keys, key))
    },
    done(change, recent = []) {
      firstNames.push(nameCount)
      const namesOfKeys = Uint32Array.from(keys.keys(), key => names.add(key, nobody))
      const finalNames = names.done()
      const columnKeys = [...columns.keys()]
      const built = function* () {
        for (const key of columnKeys) {
          const column = columns.get(key) as ColumnBuilder
          columns.delete(key)
          yield column.done(types.length)
        }
      }
      return {
        change,
        recent,
        size: types.length,
        typeNames,
        types: types.done(),
        ...toTimes(
          numbers.array.subarray(0, numbers.length),
          changed.array.subarray(0, changed.length),
          createdAt.array.subarray(0, createdAt.length),
          updatedAt.array.subarray(0, updatedAt.length)
        ),
        people: [...people.keys()],
        createdBy: narrowNumbers(createdBy.array.subarray(0, createdBy.length), people.size),
        updatedBy: narrowNumbers(updatedBy.array.subarray(0, updatedBy.length), people.size),
        names: finalNames,
        firstNames: firstNames.done(),
        idRanks: rankIds(ids, numbers.array, types.length),
        idIsUuid,
        columnKeys,
        columns: packColumns(built()),
        words: words.done(),
        relations: relations.done(types.length, finalNames.owners, namesOfKeys)
      }
    }
  }
}

/** The columns of a base by their keys, each unpacked when it is needed. */
export class Columns {
  readonly #packed: PackedColumns
  readonly #places: ReadonlyMap<string, number>
  readonly #unpacked = new Map<string, Column>()

  constructor({ columnKeys, columns }: Pick<Base, 'columnKeys' | 'columns'>) {
    this.#packed = columns
    this.#places = new Map(columnKeys.map((key, place) => [key, place]))
  }

  get(key: string): Column | undefined {
    const known = this.#unpacked.get(key)
    if (known) return known
    const place = this.#places.get(key)
    if (place === undefined) return undefined
    const column = columnAt(this.#packed, place)
    this.#unpacked.set(key, column)
    return column
  }

  *[Symbol.iterator](): Generator<readonly [key: string, column: Column]> {
    for (const key of this.#places.keys()) yield [key, this.get(key) as Column]
  }
}

function rankIds(ids: readonly string[], numbers: Uint32Array, size: number): Uint32Array {
  const compare = textOrder(ids)
  const order = ids.map((_, at) => at).sort((one, other) => compare(ids[one] as string, ids[other] as string))
  const ranks = sharedNumbers(size)
  order.forEach((place, rank) => {
    ranks[numbers[place] as number] = rank
  })
  return ranks
}
