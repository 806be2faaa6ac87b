import type { Entity } from '#domain/entity/entity.ts'
import { isSameJson } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import { lookupValues } from '#domain/search/lookup-values.ts'
import { versionsDeleted } from '../administration/purge.ts'
import { describeOtherRules, rulesName } from '../index-progress.ts'
import type { IntegrityReport } from '../ports/administration.ts'
import type { Dialect, Row, Session } from './dialect.ts'
import { sql } from './sql.ts'

/** Maximum number of problems in a report. */
const maxListedProblems = 100
/** Number of entities read at once. */
const pageSize = 500

/** The result of a check, so far. */
export class Findings {
  entities = 0
  readonly #problems: string[] = []

  add(problem: string) {
    if (this.#problems.length < maxListedProblems) this.#problems.push(problem)
  }

  get report(): IntegrityReport {
    return { ok: this.#problems.length === 0, entities: this.entities, problems: this.#problems }
  }
}

/** Looks for rows that do not match the documents. The session sees one moment. */
export async function checkRows(session: Session, findings: Findings): Promise<void> {
  const { dialect, model, run } = session
  const [rules] = await run(sql('SELECT value FROM properties WHERE name = ?', rulesName))
  const types = (await run(sql('SELECT DISTINCT type FROM entities'))).map(({ type }) => String(type))
  for (const problem of describeOtherRules(model, rules?.value as string | undefined, types)) findings.add(problem)
  let rows: Row[]
  for (let after = -1; ; after = Number(rows.at(-1)?.pk)) {
    rows = await run(sql(`SELECT * FROM entities WHERE pk > ? ORDER BY pk LIMIT ${pageSize}`, after))
    if (rows.length === 0) break
    findings.entities += rows.length
    await checkPage(session, rows, findings)
  }
  for (const [problem, from] of countedProblems(dialect)) {
    const [row] = await run(sql(`SELECT count(*) AS n FROM ${from}`))
    if (Number(row?.n) > 0) findings.add(`${row?.n} ${problem}`)
  }
}

/** Rows that must not exist, by the problem that they show. */
const countedProblems = ({ newestChange, newestEntity }: Dialect): readonly [problem: string, from: string][] => [
  ['rows of identifiers belong to no entity', 'identifiers WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  ['rows of relations belong to no entity', 'relations WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  ['rows of lookups belong to no entity', 'lookups WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  ['changes have a number that was not given yet', `changes WHERE sequence > ${newestChange}`],
  ['entities have a number that was not given yet', `entities WHERE pk > ${newestEntity}`],
  [
    // Older changes were deleted on purpose.
    'entities have no change row',
    `entities e WHERE NOT EXISTS (SELECT 1 FROM changes c WHERE c.sequence = e.changed AND c.uuid = e.uuid AND c.version = e.version)
       AND e.changed > coalesce((SELECT CAST(value AS bigint) FROM properties WHERE name = 'forgotten'), 0)`
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

async function checkPage({ dialect, model, run }: Session, rows: readonly Row[], findings: Findings) {
  const numbers = JSON.stringify(rows.map(row => Number(row.pk)))
  const ofPage = `WHERE entity_pk ${dialect.inSelect(`SELECT value FROM ${dialect.listedNumbers} w`)}`
  const [identifiers, relations] = await Promise.all([
    run(sql(`SELECT entity_pk, identifier FROM identifiers ${ofPage}`, numbers)),
    run(sql(`SELECT entity_pk, type, target FROM relations ${ofPage} ORDER BY position`, numbers))
  ])
  const identifiersOf = Map.groupBy(identifiers, row => Number(row.entity_pk))
  const relationsOf = Map.groupBy(relations, row => Number(row.entity_pk))
  for (const row of rows) {
    const pk = Number(row.pk)
    const entity = matchingEntity(row, model)
    const report = (problem: string) => findings.add(`Entity "${row.id}": ${problem}`)
    if (!entity) {
      report('its document does not agree with its row')
      continue
    }
    const identified = (identifiersOf.get(pk) ?? []).map(each => String(each.identifier))
    if (!isSameJson(identified.sort(), [...new Set(entity.identifiers)].sort())) report('identifiers are not indexed')
    const related = (relationsOf.get(pk) ?? []).map(each => [String(each.type), String(each.target)])
    const expected = entity.relations.map(each => [each.type, each.key])
    if (!isSameJson(related, expected)) report('relations are not indexed')
    const lookups = await Promise.all(
      lookupValues(model, entity, entity.audit.created.by).map(({ type, key, value }) =>
        run(
          sql('SELECT 1 FROM lookups WHERE type = ? AND key = ? AND value = ? AND entity_pk = ?', type, key, value, pk)
        )
      )
    )
    if (lookups.some(found => found.length === 0)) report('lookups are missing')
  }
}

/** The entity in the document of a row; undefined where it is broken or does not match the row. */
function matchingEntity(row: Row, model: Model): Entity | undefined {
  const entity = parse(String(row.document))
  const isMatch =
    entity &&
    entity.id === row.id &&
    entity._id === row.uuid &&
    entity.type === row.type &&
    model.umbrellaOf(entity.type) === row.umbrella &&
    entity.version === row.version &&
    isSameJson(entity.audit, {
      created: { at: row.created_at, by: row.created_by },
      updated: { at: row.updated_at, by: row.updated_by }
    })
  return isMatch ? entity : undefined
}

function parse(document: string): Entity | undefined {
  try {
    return JSON.parse(document) as Entity
  } catch {
    return undefined
  }
}
