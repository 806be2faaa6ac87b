import type { DatabaseSync } from 'node:sqlite'

import type { Entity } from '#domain/entity.ts'
import { indexValues } from '#domain/index-values.ts'
import type { Model } from '#domain/model.ts'
import type { IntegrityReport } from '../store.ts'

/** How many problems of each kind are named. */
const mostNamed = 100

/** Looks for damage of the file, and for index rows that do not follow from the documents. */
export function checkDatabase(db: DatabaseSync, model: Model): IntegrityReport {
  const problems: string[] = []
  const report = (problem: string) => {
    if (problems.length < mostNamed) problems.push(problem)
  }
  for (const { integrity_check } of db.prepare('PRAGMA integrity_check').all()) {
    if (integrity_check !== 'ok') report(`The file is damaged: ${integrity_check}`)
  }
  const selectIdentifiers = db.prepare('SELECT identifier FROM identifiers WHERE entity_pk = ? ORDER BY identifier')
  const selectRelations = db.prepare('SELECT type, target FROM relations WHERE entity_pk = ? ORDER BY position')
  const selectValues = db.prepare(
    'SELECT key, position, folded, sort FROM field_values WHERE entity_pk = ? ORDER BY pk'
  )
  let entities = 0
  for (const row of db.prepare('SELECT pk, id, uuid, type, version, document FROM entities').iterate()) {
    entities++
    const pk = Number(row.pk)
    const entity = parse(String(row.document))
    if (
      !entity ||
      entity.id !== row.id ||
      entity._id !== row.uuid ||
      entity.type !== row.type ||
      entity.version !== row.version
    ) {
      report(`Entity "${row.id}": its document does not agree with its row`)
      continue
    }
    const identifiers = selectIdentifiers.all(pk).map(each => each.identifier)
    if (!isSame(identifiers, [...new Set(entity.identifiers)].sort(byCodePoint)))
      report(`Entity "${row.id}": identifiers are not indexed`)
    const relations = selectRelations.all(pk).map(each => [each.type, each.target])
    if (
      !isSame(
        relations,
        entity.relations.map(each => [each.type, each.key])
      )
    )
      report(`Entity "${row.id}": relations are not indexed`)
    const values = selectValues.all(pk).map(each => [each.key, each.position, each.folded, each.sort])
    const expected = indexValues(model, entity).map(each => [each.key, each.position, each.folded, each.sort])
    if (!isSame(values, expected)) report(`Entity "${row.id}": field values are not indexed`)
  }
  const orphans: readonly [name: string, statement: string][] = [
    ['identifiers', 'SELECT count(*) AS n FROM identifiers WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
    ['relations', 'SELECT count(*) AS n FROM relations WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
    ['field_values', 'SELECT count(*) AS n FROM field_values WHERE entity_pk NOT IN (SELECT pk FROM entities)']
  ]
  for (const [name, statement] of orphans) {
    const n = Number(db.prepare(statement).get()?.n)
    if (n > 0) report(`${n} rows of ${name} belong to no entity`)
  }
  const lost = Number(
    db
      .prepare(
        'SELECT count(*) AS n FROM entities e WHERE NOT EXISTS (SELECT 1 FROM changes c WHERE c.sequence = e.changed)'
      )
      .get()?.n
  )
  if (lost > 0) report(`${lost} entities have no change row`)
  return { ok: problems.length === 0, entities, problems }
}

function parse(document: string): Entity | undefined {
  try {
    return JSON.parse(document) as Entity
  } catch {
    return undefined
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const byCodePoint = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
