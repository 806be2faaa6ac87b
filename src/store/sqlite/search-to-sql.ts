import { cost, textWeight, makerWeight } from '#domain/search.ts'
import type { PlannedSearch, WordForms } from '../search-plan.ts'
import type { Sql } from './filter-to-sql.ts'

/** Where a search looks. */
export interface SearchScope {
  /** The types the asker may read; undefined for all. Names of others are not found through what refers to them. */
  readonly readableTypes: readonly string[] | undefined
  /** Only among the names that records are known by, each by its own. */
  readonly isByName?: boolean
}

/**
 * Turns a search into a statement that gives `pk` and `score` of all that it finds, the least score fitting best. Each step takes what the last one
 * found and keeps what also has the next word (search-plan.ts).
 */
export function searchToSql({ words, name }: PlannedSearch, scope: SearchScope): Sql {
  const steps = words.flatMap((word, index): Sql[] =>
    word.way === 'gather'
      ? [joined(`gathered${index} AS MATERIALIZED (`, gathering(word, scope), `)`), keepBoth(index)]
      : [joined(`gathered${index} AS MATERIALIZED (`, probing(word, index, scope), ')'), keepFound(index)]
  )
  return joined(
    'WITH ',
    ...steps.flatMap((step, index) => (index === 0 ? [step] : [', ', step])),
    ` SELECT f.pk, CASE WHEN f.pk IN (SELECT x.entity_pk FROM search_words x WHERE x.word = `,
    parameter(name),
    `) THEN 0 ELSE f.cost END AS score FROM found${words.length - 1} f`
  )
}

const keepBoth = (index: number): Sql =>
  joined(
    index === 0
      ? 'found0 AS (SELECT pk, cost FROM gathered0)'
      : `found${index} AS (SELECT g.pk, f.cost + g.cost AS cost FROM found${index - 1} f CROSS JOIN gathered${index} g ON g.pk = f.pk)`
  )

const keepFound = (index: number): Sql =>
  joined(`found${index} AS (SELECT pk, cost + further AS cost FROM gathered${index} WHERE further IS NOT NULL)`)

/** Everything that has a word, with the least that it costs. */
function gathering(word: WordForms, scope: SearchScope): Sql {
  const own = joined(
    'SELECT p.entity_pk AS pk, ',
    ownCost(word),
    ` AS cost FROM search_words p WHERE ${tick('p.entity_pk')} AND `,
    isForm(word),
    scope.isByName ? ` AND p.weight < ${textWeight}` : ''
  )
  if (scope.isByName) return joined('SELECT pk, min(cost) AS cost FROM (', own, ') GROUP BY pk')
  return joined(
    'SELECT pk, min(cost) AS cost FROM (',
    own,
    ' UNION ALL SELECT r.entity_pk, ',
    nameCost(word),
    ` FROM search_words p CROSS JOIN identifiers i ON i.entity_pk = p.entity_pk CROSS JOIN relations r ON r.target = i.identifier
      WHERE p.weight < ${textWeight} AND ${tick('r.entity_pk')} AND `,
    isForm(word),
    onlyReadable(scope),
    ') GROUP BY pk'
  )
}

/** What was found so far, with the least that a further word costs each; null where it has it not. */
function probing(word: WordForms, index: number, scope: SearchScope): Sql {
  const own = joined(
    'SELECT ',
    ownCost(word),
    ' AS cost FROM search_words p WHERE p.entity_pk = f.pk AND ',
    isForm(word),
    scope.isByName ? ` AND p.weight < ${textWeight}` : ''
  )
  const related = joined(
    ' UNION ALL SELECT ',
    nameCost(word),
    ` FROM relations r CROSS JOIN identifiers i ON i.identifier = r.target CROSS JOIN search_words p ON p.entity_pk = i.entity_pk
      WHERE r.entity_pk = f.pk AND p.weight < ${textWeight} AND `,
    isForm(word),
    onlyReadable(scope)
  )
  return joined(
    'SELECT f.pk, f.cost, (SELECT min(cost) FROM (',
    own,
    ...(scope.isByName ? [] : [related]),
    `)) AS further FROM found${index - 1} f WHERE ${tick('f.pk')}`
  )
}

/** Looks at the deadline for every 64th record. */
const tick = (pk: string) => `(${pk} & 63 <> 0 OR within_deadline())`

/** A condition on `search_words p`. */
function isForm({ word, last, slips }: WordForms): Sql {
  if (!slips) return joined('p.word >= ', parameter(word), ' AND p.word <= ', parameter(last))
  return joined(
    '(p.word >= ',
    parameter(word),
    ' AND p.word <= ',
    parameter(last),
    ' OR p.word IN (SELECT value FROM json_each(',
    parameter(JSON.stringify([...slips.one, ...slips.two])),
    ')))'
  )
}

/** What it costs that the word is not quite the one that was typed. */
function formCost({ word, last, slips }: WordForms): Sql {
  const exact = joined('CASE WHEN p.word = ', parameter(word), ' THEN 0')
  if (!slips) return joined(exact, ` ELSE ${cost.beginning * cost.unit} END`)
  return joined(
    exact,
    ' WHEN p.word >= ',
    parameter(word),
    ' AND p.word <= ',
    parameter(last),
    ` THEN ${cost.beginning * cost.unit} WHEN p.word IN (SELECT value FROM json_each(`,
    parameter(JSON.stringify(slips.one)),
    `)) THEN ${cost.oneSlip * cost.unit} ELSE ${cost.twoSlips * cost.unit} END`
  )
}

const ownCost = (word: WordForms) =>
  joined(
    formCost(word),
    ` + CASE WHEN p.weight < ${textWeight} THEN p.weight % ${makerWeight} ELSE ${cost.elsewhere * cost.unit} END`
  )

const nameCost = (word: WordForms) =>
  joined(
    formCost(word),
    ` + CASE WHEN p.weight > ${makerWeight} THEN ${cost.maker * cost.unit} ELSE ${cost.elsewhere * cost.unit} END`
  )

function onlyReadable({ readableTypes }: SearchScope): Sql {
  if (!readableTypes) return joined('')
  return joined(
    ' AND EXISTS (SELECT 1 FROM entities h WHERE h.pk = p.entity_pk AND h.type IN (SELECT value FROM json_each(',
    parameter(JSON.stringify(readableTypes)),
    ')))'
  )
}

/** How often a word occurs, as far as it is worth counting, and how many of those are names. */
export const occurrencesToSql = (word: WordForms, most: number): Sql =>
  joined(
    `SELECT count(*) AS n, count(*) FILTER (WHERE weight < ${textWeight}) AS names FROM (
      SELECT p.weight FROM search_words p WHERE `,
    isForm(word),
    ` LIMIT ${most})`
  )

/** How much is related to the names that have a word. */
export const relatedToSql = (word: WordForms, most: number): Sql =>
  joined(
    `SELECT count(*) AS n FROM (SELECT 1 FROM search_words p CROSS JOIN identifiers i ON i.entity_pk = p.entity_pk
      CROSS JOIN relations r ON r.target = i.identifier WHERE p.weight < ${textWeight} AND `,
    isForm(word),
    ` LIMIT ${most})`
  )

export const parameter = (value: string | number): Sql => ({ text: '?', parameters: [value] })

export function joined(...parts: readonly (string | Sql)[]): Sql {
  return {
    text: parts.map(part => (typeof part === 'string' ? part : part.text)).join(''),
    parameters: parts.flatMap(part => (typeof part === 'string' ? [] : part.parameters))
  }
}
