import type { DatabaseSync } from 'node:sqlite'

import { lookupValues } from '#domain/search/lookup-values.ts'
import { isSameJson } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import { byCodePoint, matchingEntity, maxListedProblems } from '../check-rows.ts'
import { describeOtherRules, rulesName } from '../index-progress.ts'
import { versionsDeleted } from '../administration/purge.ts'
import type { IntegrityReport } from '../ports/administration.ts'

/** Rows that must not exist, by the problem that they show. */
const countedProblems: readonly [problem: string, from: string][] = [
  ['rows of identifiers belong to no entity', 'identifiers WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  ['rows of relations belong to no entity', 'relations WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  ['rows of lookups belong to no entity', 'lookups WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  [
    // Older changes were deleted on purpose.
    'entities have no change row',
    `entities e WHERE NOT EXISTS (SELECT 1 FROM changes c WHERE c.sequence = e.changed AND c.uuid = e.uuid AND c.version = e.version)
       AND e.changed > coalesce((SELECT CAST(value AS INTEGER) FROM properties WHERE name = 'forgotten'), 0)`
  ],
  [
    // The oldest may have been deleted on purpose, but none in between.
    'entities lack earlier versions',
    `entities e WHERE e.version - 1 <> (SELECT count(*) FROM versions v WHERE v.uuid = e.uuid AND v.version < e.version)
       AND NOT (EXISTS (SELECT 1 FROM properties WHERE name = '${versionsDeleted}')
         AND (SELECT count(*) FROM versions v WHERE v.uuid = e.uuid AND v.version < e.version) = e.version -
           coalesce((SELECT min(version) FROM versions v WHERE v.uuid = e.uuid AND v.version < e.version), e.version))`
  ]
]

/** Looks for damage of the file, and for index rows that do not match the documents. */
export function checkDatabase(db: DatabaseSync, model: Model): IntegrityReport {
  const problems: string[] = []
  const report = (problem: string) => {
    if (problems.length < maxListedProblems) problems.push(problem)
  }
  let entities = 0
  try {
    for (const problem of findProblems(db, model, () => entities++)) report(problem)
  } catch (error) {
    // A page that cannot be read ends the check; the problems found so far are still reported.
    if (!(error instanceof Error && 'errcode' in error)) throw error
    report(`The file is damaged: ${error.message}`)
  }
  return { ok: problems.length === 0, entities, problems }
}

function* findProblems(db: DatabaseSync, model: Model, onEntity: () => void): Generator<string> {
  for (const { integrity_check } of db.prepare('PRAGMA integrity_check').all()) {
    if (integrity_check !== 'ok') yield `The file is damaged: ${integrity_check}`
  }
  const rules = db.prepare('SELECT value FROM properties WHERE name = ?').get(rulesName)?.value
  const types = db.prepare('SELECT DISTINCT type FROM entities').all()
  yield* describeOtherRules(
    model,
    rules as string | undefined,
    types.map(({ type }) => String(type))
  )
  const selectIdentifiers = db.prepare('SELECT identifier FROM identifiers WHERE entity_pk = ? ORDER BY identifier')
  const selectRelations = db.prepare('SELECT type, target FROM relations WHERE entity_pk = ? ORDER BY position')
  const selectLookup = db.prepare('SELECT 1 FROM lookups WHERE type = ? AND key = ? AND value = ? AND entity_pk = ?')
  for (const row of db.prepare('SELECT * FROM entities').iterate()) {
    onEntity()
    const pk = Number(row.pk)
    const entity = matchingEntity(row, model)
    if (!entity) {
      yield `Entity "${row.id}": its document does not agree with its row`
      continue
    }
    const identifiers = selectIdentifiers.all(pk).map(each => each.identifier)
    if (!isSameJson(identifiers, [...new Set(entity.identifiers)].sort(byCodePoint)))
      yield `Entity "${row.id}": identifiers are not indexed`
    const relations = selectRelations.all(pk).map(each => [each.type, each.target])
    if (
      !isSameJson(
        relations,
        entity.relations.map(each => [each.type, each.key])
      )
    )
      yield `Entity "${row.id}": relations are not indexed`
    const lookups = lookupValues(model, entity, entity.audit.created.by)
    if (!lookups.every(({ type, key, value }) => selectLookup.get(type, key, value, pk)))
      yield `Entity "${row.id}": lookups are missing`
  }
  for (const [problem, from] of countedProblems) {
    const n = Number(db.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.n)
    if (n > 0) yield `${n} ${problem}`
  }
}
