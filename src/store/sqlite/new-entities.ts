import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

import type { Audit, EntityContent } from '#domain/entity/entity.ts'
import { prepareRows } from './row-inserts.ts'

export interface NewEntity {
  readonly content: EntityContent
  readonly umbrella: string
  readonly version: number
  readonly audit: Audit
  readonly json: string
  /** Where it stood before, if it comes back. */
  readonly place: number | undefined
}

/**
 * Writes entities that were not there, with their names and their changes, inside the transaction
 * that is open. They are gathered until `flush`, so that many make one statement; whatever else is
 * read or written meanwhile, a flush comes first.
 */
export interface NewEntities {
  /** Gives its place in the order of creation. */
  add(entity: NewEntity): number
  /** Throws what `taken` makes of the first name that another entity has. */
  flush(): void
  /** To be said after a rollback. */
  forget(): void
}

export function gatherNewEntities(db: DatabaseSync, taken: (identifier: string) => Error): NewEntities {
  const lastNumbers = db.prepare(
    `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entities'), 0), coalesce((SELECT max(pk) FROM entities), 0)) AS pk,
       max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0), coalesce((SELECT max(sequence) FROM changes), 0)) AS sequence`
  )
  const insertEntities = prepareRows(db, 'entities', entityColumns, { rowsAtOnce: 16 })
  const insertChanges = prepareRows(db, 'changes', changeColumns, { rowsAtOnce: 16 })
  const insertIdentifiers = prepareRows(db, 'identifiers', ['identifier', 'entity_pk'])
  const insertNames = prepareRows(db, 'names', ['identifier', 'uuid'], { or: 'OR IGNORE' })
  const selectOwner = db.prepare('SELECT entity_pk FROM identifiers WHERE identifier = ?')

  let pk = 0
  let sequence = 0
  let entities: SQLInputValue[] = []
  let changes: SQLInputValue[] = []
  let identifiers: { readonly identifier: string; readonly pk: number }[] = []
  let names: SQLInputValue[] = []

  function forget() {
    entities = []
    changes = []
    identifiers = []
    names = []
  }

  function writeIdentifiers() {
    const rows: SQLInputValue[] = []
    for (const each of identifiers.toSorted((one, other) => (one.identifier < other.identifier ? -1 : 1)))
      rows.push(each.identifier, each.pk)
    try {
      insertIdentifiers(rows)
    } catch (error) {
      // Those before the one that is taken have been written.
      const seen = new Set<string>()
      for (const each of identifiers) {
        const owner = selectOwner.get(each.identifier)?.entity_pk
        if (seen.has(each.identifier) || (owner !== undefined && owner !== each.pk)) throw taken(each.identifier)
        seen.add(each.identifier)
      }
      throw error
    }
  }

  return {
    add({ content, umbrella, version, audit, json, place }) {
      if (entities.length === 0) {
        const last = lastNumbers.get()
        pk = Number(last?.pk)
        sequence = Number(last?.sequence)
      }
      const { id, uuid, type, otherIdentifiers } = content
      // In a place that was free again, others cannot be told from itself by their number.
      if (place !== undefined)
        for (const name of [uuid, id, ...otherIdentifiers]) if (selectOwner.get(name)) throw taken(name)
      const { created, updated } = audit
      sequence++
      const own = place ?? ++pk
      entities.push(own, id, uuid, type, umbrella, version, sequence)
      entities.push(created.at, created.by, updated.at, updated.by, json)
      changes.push(sequence, 'created', id, uuid, type, version, updated.at, updated.by)
      identifiers.push({ identifier: uuid, pk: own }, { identifier: id, pk: own })
      for (const identifier of otherIdentifiers) {
        identifiers.push({ identifier, pk: own })
        if (identifier !== id && identifier !== uuid) names.push(identifier, uuid)
      }
      return own
    },
    flush() {
      if (entities.length === 0) return
      // First, since an id that is taken is refused by its name.
      writeIdentifiers()
      insertEntities(entities)
      insertChanges(changes)
      insertNames(names)
      forget()
    },
    forget
  }
}

const entityColumns = [
  'pk',
  'id',
  'uuid',
  'type',
  'umbrella',
  'version',
  'changed',
  'created_at',
  'created_by',
  'updated_at',
  'updated_by',
  'document'
]

const changeColumns = ['sequence', 'kind', 'id', 'uuid', 'type', 'version', 'at', 'by']
