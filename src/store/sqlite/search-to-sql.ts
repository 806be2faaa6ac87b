import type { ReadLimit } from '#domain/permissions.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import { cost, textWeight, makerWeight } from '#domain/search/search.ts'
import type { PlannedSearch, WordForms } from '../search-plan.ts'
import { limitsToSql } from './limits-to-sql.ts'
import { joined, parameter, type Sql } from './sql.ts'

/** Where a search looks. */
export interface SearchScope {
  /**
   * The types the asker may read; undefined for all. Names of others are not found through what
   * refers to them.
   */
  readonly readableTypes: readonly string[] | undefined
  /** Of which of these types not all records exist for the asker. */
  readonly limits?: readonly ReadLimit[] | undefined
  /** Only among the names that records are known by, each by its own. */
  readonly isByName?: boolean
}

/**
 * Turns a search into a statement that gives `pk` and `score` of all that it finds, the least score
 * fitting best. Each step takes what the last one found and keeps what also has the next word
 * (search-plan.ts).
 */
export function searchToSql({ words, others, name, isVain }: PlannedSearch, scope: SearchScope): Sql {
  if (isVain) return joined('SELECT 0 AS pk, 0 AS score WHERE 0')
  const steps = words.flatMap((word, index): Sql[] =>
    word.way === 'gather'
      ? [joined(`gathered${index} AS MATERIALIZED (`, gathering(formOf(word), scope), ')'), keepBoth(index)]
      : [joined(`gathered${index} AS MATERIALIZED (`, probing(formOf(word), index, scope), ')'), keepFound(index)]
  )
  if (others.length > 0)
    steps.push(
      joined(`gathered${words.length} AS MATERIALIZED (`, probingAll(others, words.length, scope), ')'),
      keepFound(words.length)
    )
  const last = words.length + (others.length > 0 ? 1 : 0) - 1
  return joined(
    'WITH ',
    ...steps.flatMap((step, index) => (index === 0 ? [step] : [', ', step])),
    ` SELECT f.pk, CASE WHEN f.pk IN (SELECT x.entity_pk FROM search_words x WHERE x.word = `,
    parameter(name),
    `) THEN 0 ELSE f.cost END AS score FROM found${last} f WHERE ${tick('f.pk')}`
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

/**
 * The relations by which a record is also found by everything that the record above it says: those
 * of publications and expressions.
 */
const climbs = `(${Object.values(wemLinks)
  .map(type => `'${type}'`)
  .join(', ')})`

/**
 * Everything that has a word, with the least that it costs: what has it in its own text or in the
 * name of something related, and what stands below that by one climb or two, where a word of the
 * text above costs what it costs elsewhere.
 */
function gathering(word: FormSql, scope: SearchScope): Sql {
  const own = joined(
    'SELECT p.entity_pk AS pk, ',
    formCost(word),
    ` AS form, ${ownPlace} AS place, ${abovePlace} AS above FROM search_words p WHERE ${tick('p.entity_pk')} AND `,
    isForm(word),
    scope.isByName ? ` AND p.weight < ${textWeight}` : ''
  )
  const least = 'SELECT pk, min(form + place) AS cost'
  if (scope.isByName) return joined(least, ' FROM (', own, ') GROUP BY pk')
  const related = joined(
    'SELECT r.entity_pk, ',
    formCost(word),
    `, ${namePlace}, ${namePlace} FROM search_words p CROSS JOIN identifiers i ON i.entity_pk = p.entity_pk
      CROSS JOIN relations r ON r.target = i.identifier
      WHERE p.weight < ${textWeight} AND r.type NOT IN ${climbs} AND ${tick('r.entity_pk')} AND `,
    isForm(word),
    onlyReadable('p.entity_pk', scope)
  )
  /** What stands below records by one climb, at their cost. */
  const below = (step: string, cost: string) =>
    joined(
      `SELECT r.entity_pk AS pk, b.${cost} AS cost FROM ${step} b CROSS JOIN identifiers i ON i.entity_pk = b.pk
        CROSS JOIN relations r ON r.target = i.identifier AND r.type IN ${climbs}
        WHERE ${tick('r.entity_pk')}`,
      onlyReadable('b.pk', scope)
    )
  return joined(
    `WITH said AS MATERIALIZED (${least}, min(form + above) AS above FROM (`,
    ...[own, ' UNION ALL ', related],
    ') GROUP BY pk), below AS MATERIALIZED (',
    below('said', 'above'),
    ') SELECT pk, min(cost) AS cost FROM (SELECT pk, cost FROM said UNION ALL SELECT pk, cost FROM below UNION ALL ',
    below('below', 'cost'),
    ') GROUP BY pk'
  )
}

/**
 * What was found so far, with the least that a further word costs each; null where it has it not.
 */
const probing = (word: FormSql, index: number, scope: SearchScope): Sql =>
  joined(
    'SELECT f.pk, f.cost, ',
    leastCost(word, scope),
    ` AS further FROM found${index - 1} f WHERE within_deadline()`
  )

/** The same for many words: what they cost together. */
const probingAll = (words: readonly WordForms[], index: number, scope: SearchScope): Sql =>
  joined(
    'SELECT f.pk, f.cost, (SELECT CASE WHEN count(c) = count(*) THEN sum(c) END FROM (SELECT ',
    leastCost(formOfRow(words.some(({ slips }) => slips !== undefined)), scope),
    ' AS c FROM json_each(',
    parameter(JSON.stringify(words.map(rowOf))),
    `) w WHERE within_deadline())) AS further FROM found${index - 1} f WHERE within_deadline()`
  )

/**
 * The least that a word costs the record `f`: in its own text, in that of the records above it, or
 * in the name of something that any of these is related to.
 */
function leastCost(word: FormSql, scope: SearchScope): Sql {
  if (scope.isByName)
    return joined(
      '(SELECT min(',
      formCost(word),
      ` + ${ownPlace}) FROM search_words p WHERE p.entity_pk = f.pk AND `,
      isForm(word),
      ` AND p.weight < ${textWeight})`
    )
  const to = (alias: string) =>
    `relations ${alias} CROSS JOIN identifiers ${alias}i ON ${alias}i.identifier = ${alias}.target`
  const then = (alias: string, from: string) =>
    ` CROSS JOIN relations ${alias} ON ${alias}.entity_pk = ${from}i.entity_pk CROSS JOIN identifiers ${alias}i ON ${alias}i.identifier = ${alias}.target`
  const isClimb = (alias: string) =>
    joined(` AND ${alias}.type IN ${climbs}`, onlyReadable(`${alias}i.entity_pk`, scope))
  const target = (alias: string) =>
    ` UNION ALL SELECT ${alias}i.entity_pk, CASE WHEN ${alias}.type IN ${climbs} THEN ${isAbove} ELSE ${isNamed} END FROM `
  return joined(
    '(SELECT min(',
    formCost(word),
    ` + CASE l.kind WHEN ${isItself} THEN ${ownPlace} WHEN ${isAbove} THEN ${abovePlace} ELSE ${namePlace} END) FROM (SELECT f.pk, ${isItself} AS kind`,
    `${target('a')}${to('a')} WHERE a.entity_pk = f.pk`,
    ...[`${target('b')}${to('a')}${then('b', 'a')} WHERE a.entity_pk = f.pk`, isClimb('a')],
    ...[
      `${target('c')}${to('a')}${then('b', 'a')}${then('c', 'b')} WHERE a.entity_pk = f.pk`,
      isClimb('a'),
      isClimb('b'),
      ` AND c.type NOT IN ${climbs}`
    ],
    `) l CROSS JOIN search_words p ON p.entity_pk = l.pk WHERE (l.kind <> ${isNamed} OR p.weight < ${textWeight}) AND `,
    isForm(word),
    scope.readableTypes ? joined(` AND (l.kind = ${isItself} OR (TRUE`, onlyReadable('l.pk', scope), '))') : '',
    ')'
  )
}

/**
 * How a place in which a word is looked for belongs to the record: itself, above it, or related to
 * either.
 */
const [isItself, isAbove, isNamed] = [0, 1, 2]

/** Looks at the deadline for every 64th record. */
const tick = (pk: string) => `(${pk} & 63 <> 0 OR within_deadline())`

/** A word as a statement has it: as parameters, or as members of the row `w` of a list. */
interface FormSql {
  readonly word: Sql
  readonly last: Sql
  /** Lists as JSON. */
  readonly slips: { readonly one: Sql; readonly all: Sql } | undefined
}

const formOf = ({ word, last, slips }: WordForms): FormSql => ({
  word: parameter(word),
  last: parameter(last),
  slips: slips && {
    one: parameter(JSON.stringify(slips.one)),
    all: parameter(JSON.stringify([...slips.one, ...slips.two]))
  }
})

const formOfRow = (hasSlips: boolean): FormSql => ({
  word: joined(`(w.value ->> 'word')`),
  last: joined(`(w.value ->> 'last')`),
  slips: hasSlips ? { one: joined(`(w.value ->> 'one')`), all: joined(`(w.value ->> 'all')`) } : undefined
})

const rowOf = ({ word, last, slips }: WordForms) => ({
  word,
  last,
  one: slips?.one ?? [],
  all: [...(slips?.one ?? []), ...(slips?.two ?? [])]
})

/** A condition on `search_words p`. */
function isForm({ word, last, slips }: FormSql): Sql {
  const isBeginning = joined('p.word >= ', word, ' AND p.word <= ', last)
  return slips ? joined('(', isBeginning, ' OR p.word ', oneOf(slips.all), ')') : isBeginning
}

/** What it costs that the word is not quite the one that was typed. */
function formCost({ word, last, slips }: FormSql): Sql {
  const exact = joined('CASE WHEN p.word = ', word, ' THEN 0')
  if (!slips) return joined(exact, ` ELSE ${cost.beginning * cost.unit} END`)
  return joined(
    exact,
    ' WHEN p.word >= ',
    word,
    ' AND p.word <= ',
    last,
    ` THEN ${cost.beginning * cost.unit} WHEN p.word `,
    oneOf(slips.one),
    ` THEN ${cost.oneTypo * cost.unit} ELSE ${cost.twoTypos * cost.unit} END`
  )
}

const elsewhere = `${cost.elsewhere * cost.unit}`
const ownPlace = `(CASE WHEN p.weight < ${textWeight} THEN p.weight % ${makerWeight} ELSE ${elsewhere} END)`
const namePlace = `(CASE WHEN p.weight > ${makerWeight} THEN ${cost.maker * cost.unit} ELSE ${elsewhere} END)`
const abovePlace = `(CASE WHEN p.weight > ${makerWeight} AND p.weight < ${textWeight} THEN ${cost.maker * cost.unit} ELSE ${elsewhere} END)`

/** A further condition: the record at a place may be read. */
function onlyReadable(pk: string, { readableTypes, limits }: SearchScope): Sql {
  if (!readableTypes) return joined('')
  return joined(
    ` AND EXISTS (SELECT 1 FROM entities h WHERE h.pk = ${pk} AND h.type `,
    oneOf(parameter(JSON.stringify(readableTypes))),
    ' AND ',
    limitsToSql('h', limits),
    ')'
  )
}

/** How often a word occurs, as far as it is worth counting, and how many of those are names. */
export const occurrencesToSql = (word: WordForms, most: number): Sql =>
  joined(
    `SELECT count(*) AS n, count(*) FILTER (WHERE weight < ${textWeight}) AS names FROM (
      SELECT p.weight FROM search_words p WHERE `,
    isForm(formOf(word)),
    ' LIMIT ',
    parameter(most),
    ')'
  )

/** How much is related to the names that have a word. */
export const relatedToSql = (word: WordForms, most: number): Sql =>
  joined(
    `SELECT count(*) AS n FROM (SELECT 1 FROM search_words p CROSS JOIN identifiers i ON i.entity_pk = p.entity_pk
      CROSS JOIN relations r ON r.target = i.identifier WHERE p.weight < ${textWeight} AND `,
    isForm(formOf(word)),
    ` LIMIT ${most})`
  )

/** Is in a list, given as JSON. */
const oneOf = (list: Sql) => joined('IN (SELECT value FROM json_each(', list, '))')
