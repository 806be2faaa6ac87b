import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

import type { Audit, EntityContent } from '#domain/entity/entity.ts'
import { identifierTaken } from '#domain/errors.ts'
import { prepareRows } from './row-inserts.ts'

export interface NewEntity {
  readonly content: EntityContent
  readonly umbrella: string
  readonly version: number
  readonly audit: Audit
  readonly json: string
  /** Its key before it was deleted, if it is restored. */
  readonly formerKey: number | undefined
}

const entityColumns = [
  ...['pk', 'id', 'uuid', 'type', 'umbrella', 'version', 'changed'],
  ...['created_at', 'created_by', 'updated_at', 'updated_by', 'document']
]

const changeColumns = ['sequence', 'kind', 'id', 'uuid', 'type', 'version', 'at', 'by']

/**
 * Writes new entities, with their identifiers and changes, inside the open transaction. They are
 * pending until `flush`, so that many make one statement; the caller flushes before it reads or
 * writes anything else.
 */
export class NewEntities {
  #lastKey = 0
  #lastChange = 0
  #entities: SQLInputValue[] = []
  #changes: SQLInputValue[] = []
  #identifiers: { readonly identifier: string; readonly pk: number }[] = []
  #names: SQLInputValue[] = []
  readonly #selectLast
  readonly #insertEntities
  readonly #insertChanges
  readonly #insertIdentifiers
  readonly #insertNames
  readonly #selectOwner

  constructor(db: DatabaseSync) {
    this.#selectLast = db.prepare(
      `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entities'), 0), coalesce((SELECT max(pk) FROM entities), 0)) AS pk,
         max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0), coalesce((SELECT max(sequence) FROM changes), 0)) AS sequence`
    )
    this.#insertEntities = prepareRows(db, 'entities', entityColumns, { rowsAtOnce: 16 })
    this.#insertChanges = prepareRows(db, 'changes', changeColumns, { rowsAtOnce: 16 })
    this.#insertIdentifiers = prepareRows(db, 'identifiers', ['identifier', 'entity_pk'])
    this.#insertNames = prepareRows(db, 'names', ['identifier', 'uuid'], { or: 'OR IGNORE' })
    this.#selectOwner = db.prepare('SELECT entity_pk FROM identifiers WHERE identifier = ?')
  }

  /** Adds an entity and returns its key, which grows in the order of creation. */
  add({ content, umbrella, version, audit, json, formerKey }: NewEntity): number {
    if (this.#entities.length === 0) {
      const last = this.#selectLast.get()
      this.#lastKey = Number(last?.pk)
      this.#lastChange = Number(last?.sequence)
    }
    const { id, uuid, type, otherIdentifiers } = content
    // With a key that was used before, rows of others cannot be told from its own by the key.
    if (formerKey !== undefined)
      for (const identifier of [uuid, id, ...otherIdentifiers])
        if (this.#selectOwner.get(identifier)) throw identifierTaken(identifier)
    const { created, updated } = audit
    const changed = ++this.#lastChange
    const pk = formerKey ?? ++this.#lastKey
    this.#entities.push(pk, id, uuid, type, umbrella, version, changed)
    this.#entities.push(created.at, created.by, updated.at, updated.by, json)
    this.#changes.push(changed, 'created', id, uuid, type, version, updated.at, updated.by)
    this.#identifiers.push({ identifier: uuid, pk }, { identifier: id, pk })
    for (const identifier of otherIdentifiers) {
      this.#identifiers.push({ identifier, pk })
      if (identifier !== id && identifier !== uuid) this.#names.push(identifier, uuid)
    }
    return pk
  }

  /**
   * Writes the pending entities. Throws `identifier_taken` when another entity has an identifier.
   */
  flush() {
    if (this.#entities.length === 0) return
    // First, so that an id that is taken is refused as such.
    this.#writeIdentifiers()
    this.#insertEntities(this.#entities)
    this.#insertChanges(this.#changes)
    this.#insertNames(this.#names)
    this.clear()
  }

  /** Discards the pending entities; must be called after every rollback. */
  clear() {
    this.#entities = []
    this.#changes = []
    this.#identifiers = []
    this.#names = []
  }

  #writeIdentifiers() {
    const rows: SQLInputValue[] = []
    for (const each of this.#identifiers.toSorted((one, other) => (one.identifier < other.identifier ? -1 : 1)))
      rows.push(each.identifier, each.pk)
    try {
      this.#insertIdentifiers(rows)
    } catch (error) {
      // The identifiers before the one that is taken have been written.
      const seen = new Set<string>()
      for (const { identifier, pk } of this.#identifiers) {
        const owner = this.#selectOwner.get(identifier)?.entity_pk
        if (seen.has(identifier) || (owner !== undefined && owner !== pk)) throw identifierTaken(identifier)
        seen.add(identifier)
      }
      throw error
    }
  }
}
