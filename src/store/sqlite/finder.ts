import type { Entity } from '#domain/entity.ts'
import type { Model } from '#domain/model.ts'
import { type Base, buildBase } from '#index/base.ts'
import { CatalogueIndex } from '#index/catalogue-index.ts'
import { toIndexedDocument } from '#index/document.ts'
import { find } from '#index/find.ts'
import { suggest } from '#index/suggest.ts'
import { type FinderState, maxChangesBehind } from '../finding.ts'
import type { Answer, Question, StoredEntity, SuggestionQuestion } from '../store.ts'
import type { Sql } from './sql.ts'

type All = (statement: Sql) => Record<string, unknown>[]

/** Finds by the index of this thread, inside the transaction of a question. Undefined where the database has to answer. */
export interface Finder {
  ask(question: Question, checkTime: () => void): Answer | undefined
  suggest(question: SuggestionQuestion, checkTime: () => void): readonly StoredEntity[] | undefined
  /** Takes a newer base; what changed since is read with the next question. */
  use(base: Base): void
  readonly state: FinderState
}

export function createFinder(all: All, model: Model): Finder {
  let index: CatalogueIndex | undefined
  let isBehind = false

  /** The index after everything was taken in that the transaction knows of. */
  const current = (): CatalogueIndex | undefined => {
    const newest = Number(all({ text: newestChange, parameters: [] })[0]?.sequence)
    // A database that knows less than before is another one.
    if (index && index.change > newest) index = undefined
    isBehind = newest - (index?.change ?? 0) > maxChangesBehind
    if (isBehind) return undefined
    index ??= begin(newest)
    if (index && (index.change === newest || catchUp(index, newest))) return index
    index = undefined
    isBehind = true
    return undefined
  }

  /** An index of all documents, where they are few: those of an older database may have no change of their own. */
  const begin = (newest: number): CatalogueIndex | undefined => {
    const rows = all({
      text: 'SELECT pk, changed, document FROM entities ORDER BY pk LIMIT ?',
      parameters: [maxChangesBehind + 1]
    })
    if (rows.length > maxChangesBehind) return undefined
    const builder = buildBase()
    for (const row of rows) builder.add(toDocument(model, row))
    return new CatalogueIndex(model, builder.done(newest))
  }

  const catchUp = (to: CatalogueIndex, newest: number): boolean => {
    const rows = all({ text: 'SELECT uuid FROM changes WHERE sequence > ?', parameters: [to.change] })
    // Numbers have no gaps: where some are missing, they were forgotten.
    if (rows.length !== newest - to.change) return false
    const uuids = new Set(rows.map(row => String(row.uuid)))
    const written = all({
      text: `SELECT e.pk, e.changed, e.uuid, e.document FROM json_each(?) j CROSS JOIN entities e ON e.uuid = j.value`,
      parameters: [JSON.stringify([...uuids])]
    })
    for (const row of written) uuids.delete(String(row.uuid))
    to.apply({
      change: newest,
      written: written.map(row => toDocument(model, row)),
      removed: [...uuids]
    })
    return true
  }

  const documentsOf = (numbers: readonly number[]): StoredEntity[] => {
    const rows = all({
      text: `SELECT e.pk, e.id, e.uuid, e.type, e.version, e.document FROM json_each(?) j CROSS JOIN entities e ON e.pk = j.value`,
      parameters: [JSON.stringify(numbers)]
    })
    const byNumber = new Map(rows.map(row => [Number(row.pk), row]))
    return numbers.map(number => {
      const row = byNumber.get(number)
      if (!row) throw new Error(`The index has a document ${number} that the database has not`)
      return {
        id: String(row.id),
        uuid: String(row.uuid),
        type: String(row.type),
        version: Number(row.version),
        json: String(row.document)
      }
    })
  }

  const changesBefore = (numbers: readonly number[], change: number): ReadonlyMap<number, number> =>
    new Map(
      all({
        text: `SELECT e.pk, v.changed FROM json_each(?) j CROSS JOIN entities e ON e.pk = j.value
          JOIN versions v ON v.uuid = e.uuid AND v.document IS NOT NULL
          AND v.changed = (SELECT max(o.changed) FROM versions o WHERE o.uuid = e.uuid AND o.changed <= ?)`,
        parameters: [JSON.stringify(numbers), change]
      }).map(row => [Number(row.pk), Number(row.changed)])
    )

  return {
    ask(question, checkTime) {
      const at = current()
      if (!at) return undefined
      const { numbers, ...found } = find(at, question, checkTime, changesBefore)
      return { ...found, entities: documentsOf(numbers) }
    },
    suggest(question, checkTime) {
      const at = current()
      return at && documentsOf(suggest(at, question, checkTime))
    },
    use(base) {
      index = new CatalogueIndex(model, base)
    },
    get state() {
      return { base: index?.base.change ?? -1, delta: index?.delta.size ?? 0, size: index?.base.size ?? 0, isBehind }
    }
  }
}

/** Also when all changes were forgotten. */
export const newestChange = `SELECT coalesce((SELECT max(sequence) FROM changes),
  (SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0) AS sequence`

export const toDocument = (model: Model, row: Record<string, unknown>) =>
  toIndexedDocument(model, JSON.parse(String(row.document)) as Entity, Number(row.pk), Number(row.changed))
