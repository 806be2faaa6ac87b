import { foldText } from '#domain/values/fold.ts'
import { indexValues } from '#domain/search/index-values.ts'
import { indexWords } from '#domain/search/index-words.ts'
import { isSameJson } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import { vocabularyRow } from '../query/search-plan.ts'
import { byCodePoint, matchingEntity, maxListedProblems } from '../check-rows.ts'
import { describeOtherRules, rulesName } from '../index-progress.ts'
import { versionsDeleted } from '../purge-rows.ts'
import type { IntegrityReport } from '../ports/administration.ts'
import type { Link } from './connection.ts'

/** Rows that must not exist, by the problem that they show. */
const countedProblems: readonly [problem: string, from: string][] = [
  ['rows of identifiers belong to no entity', 'identifiers WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  ['rows of relations belong to no entity', 'relations WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  ['rows of field_values belong to no entity', 'field_values WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
  ['rows of search_words belong to no entity', 'search_words WHERE entity_pk NOT IN (SELECT pk FROM entities)'],
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

/** The columns with a folded copy. */
const foldedColumns = ['id', 'type', 'created_by', 'updated_by']

/** Number of entities read at once. */
const pageSize = 500

/**
 * Looks for index rows that do not match the documents. The server itself reports damage of its
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
      for (const row of rows) {
        entities++
        const problem = problemOf(row, model)
        if (problem !== undefined) report(`Entity "${row.id}": ${problem}`)
      }
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

/** Each entity with its index rows, as JSON text. */
const selectPage = `SELECT e.*,
    (SELECT json_agg(json_build_array(i.identifier, i.folded) ORDER BY i.identifier)::text FROM identifiers i
      WHERE i.entity_pk = e.pk) AS identifiers,
    (SELECT json_agg(json_build_array(r.type, r.target, r.folded_target) ORDER BY r.position)::text FROM relations r
      WHERE r.entity_pk = e.pk) AS relations,
    (SELECT json_agg(json_build_object('key', v.key, 'position', v.position, 'text', v.text, 'folded', v.folded, 'head', v.head,
        'sort', v.sort, 'number', v.number, 'instant', v.instant, 'truth', v.truth, 'isName', v.is_name, 'isDerived', v.is_derived)
        ORDER BY v.number_in_entity)::text FROM field_values v WHERE v.entity_pk = e.pk) AS field_values,
    (SELECT json_agg(json_build_array(w.word, w.weight, k.length, k.reversed) ORDER BY w.word)::text FROM search_words w
      LEFT JOIN vocabulary k ON k.word = w.word AND k.length = length(w.word) WHERE w.entity_pk = e.pk) AS search_words
  FROM entities e WHERE e.pk > ? ORDER BY e.pk LIMIT ?`

function problemOf(row: Record<string, unknown>, model: Model): string | undefined {
  const entity = matchingEntity(row, model)
  if (!entity || foldedColumns.some(column => row[`folded_${column}`] !== foldText(String(row[column])))) {
    return 'its document does not agree with its row'
  }
  const identifiers = [...new Set(entity.identifiers)].sort(byCodePoint)
  if (
    !isSameJson(
      listOf(row.identifiers),
      identifiers.map(each => [each, foldText(each)])
    )
  )
    return 'identifiers are not indexed'
  if (
    !isSameJson(
      listOf(row.relations),
      entity.relations.map(each => [each.type, each.key, foldText(each.key)])
    )
  )
    return 'relations are not indexed'
  if (!isSameJson(listOf(row.field_values), indexValues(model, entity))) return 'field values are not indexed'
  const words = [...indexWords(model, entity)].sort(([one], [other]) => byCodePoint(one, other))
  const expected = words.map(([word, weight]) => {
    const row = vocabularyRow(word)
    return [word, weight, row?.length ?? null, row?.reversed ?? null]
  })
  if (!isSameJson(listOf(row.search_words), expected)) return 'words are not indexed'
  return undefined
}

const listOf = (text: unknown) => (text === null ? [] : (JSON.parse(String(text)) as unknown[]))
