import { isSameJson } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import { byCodePoint, matchingEntity, maxListedProblems } from '../check-rows.ts'
import { describeOtherRules, rulesName } from '../index-progress.ts'
import { versionsDeleted } from '../administration/purge.ts'
import type { IntegrityReport } from '../ports/administration.ts'
import type { Link, Row } from './connection.ts'
import { lookupRows } from './write-rows.ts'

/** Rows that must not exist, by the problem that they show. */
const countedProblems: readonly [problem: string, from: string][] = [
  ['rows of identifiers belong to no entity', 'identifiers WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  ['rows of relations belong to no entity', 'relations WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  ['rows of lookups belong to no entity', 'lookups WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  ['changes have a number that was not given yet', 'changes WHERE sequence > (SELECT change FROM counters)'],
  ['entities have a number that was not given yet', 'entities WHERE pk > (SELECT entity FROM counters)'],
  [
    // Older changes were deleted on purpose.
    'entities have no change row',
    `entities e WHERE NOT EXISTS (SELECT 1 FROM changes c WHERE c.sequence = e.changed AND c.uuid = e.uuid AND c.version = e.version)
       AND e.changed > coalesce((SELECT value::bigint FROM properties WHERE name = 'forgotten'), 0)`
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

/** Number of entities read at once. */
const pageSize = 500

/**
 * Looks for rows that do not match the documents. The server itself reports damage of its
 * files.
 */
export async function checkDatabase(link: Link, model: Model): Promise<IntegrityReport> {
  const problems: string[] = []
  const report = (problem: string) => {
    if (problems.length < maxListedProblems) problems.push(problem)
  }
  let entities = 0
  await link.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    const [rules] = await link.run('SELECT value FROM properties WHERE name = ?', [rulesName])
    const types = await link.run('SELECT DISTINCT type FROM entities')
    describeOtherRules(
      model,
      rules?.value as string | undefined,
      types.map(({ type }) => String(type))
    ).forEach(report)
    for (let after = -1; ; ) {
      const rows = await link.run(selectPage, [after, pageSize])
      entities += rows.length
      for (const problem of await pageProblems(link, rows, model)) report(problem)
      const last = rows.at(-1)
      if (!last) break
      after = Number(last.pk)
    }
    for (const [problem, from] of countedProblems) {
      const [row] = await link.run(`SELECT count(*) AS n FROM ${from}`)
      if (Number(row?.n) > 0) report(`${row?.n} ${problem}`)
    }
  } finally {
    await link.run('ROLLBACK').catch(() => {})
  }
  return { ok: problems.length === 0, entities, problems }
}

/** Each entity with the rows that follow from its document, as JSON text. */
const selectPage = `SELECT e.*,
    (SELECT json_agg(i.identifier ORDER BY i.identifier)::text FROM identifiers i WHERE i.entity_pk = e.pk) AS identifiers,
    (SELECT json_agg(json_build_array(r.type, r.target) ORDER BY r.position)::text FROM relations r
      WHERE r.entity_pk = e.pk) AS relations
  FROM entities e WHERE e.pk > ? ORDER BY e.pk LIMIT ?`

/** The given rows of `lookups` that the table has not. */
const selectMissingLookups = `SELECT given.entity_pk FROM json_to_recordset(?::text::json)
    AS given (type text, key text, value text, entity_pk bigint)
  WHERE NOT EXISTS (SELECT 1 FROM lookups l WHERE l.key = given.key AND l.value = given.value
    AND l.type = given.type AND l.entity_pk = given.entity_pk)`

async function pageProblems(link: Link, rows: readonly Row[], model: Model): Promise<string[]> {
  const lookups = rows.flatMap(row => {
    const entity = matchingEntity(row, model)
    return entity ? lookupRows(model, Number(row.pk), entity, entity.audit.created.by) : []
  })
  const missing = await link.run(selectMissingLookups, [JSON.stringify(lookups)])
  const lacking = new Set(missing.map(row => Number(row.entity_pk)))
  return rows.flatMap(row => {
    const problem = problemOf(row, model) ?? (lacking.has(Number(row.pk)) ? 'lookups are missing' : undefined)
    return problem === undefined ? [] : [`Entity "${row.id}": ${problem}`]
  })
}

function problemOf(row: Row, model: Model): string | undefined {
  const entity = matchingEntity(row, model)
  if (!entity) return 'its document does not agree with its row'
  const identifiers = [...new Set(entity.identifiers)].sort(byCodePoint)
  if (!isSameJson(listOf(row.identifiers), identifiers)) return 'identifiers are not indexed'
  const relations = entity.relations.map(each => [each.type, each.key])
  if (!isSameJson(listOf(row.relations), relations)) return 'relations are not indexed'
  return undefined
}

const listOf = (text: unknown) => (text === null ? [] : (JSON.parse(String(text)) as unknown[]))
