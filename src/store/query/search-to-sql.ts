import type { ReadLimit } from '#domain/permissions.ts'
import { wemLinks } from '#domain/entity/publication.ts'
import { cost, textWeight, makerWeight } from '#domain/search/search.ts'
import type { Dialect } from './dialect.ts'
import { limitsToSql } from './limits-to-sql.ts'
import type { PlannedSearch, WordForms } from './search-plan.ts'
import { joined, parameter, type Sql, sql } from './sql.ts'

/** The records and names that a search looks at. */
export interface SearchScope {
  readonly dialect: Dialect
  /**
   * The types the caller may read; undefined for all. Names of other records find nothing through
   * relations to them.
   */
  readonly readableTypes: readonly string[] | undefined
  /** Types of which the caller may read some records only. */
  readonly limits?: readonly ReadLimit[] | undefined
  /** Search each record by its own names only. */
  readonly isByName?: boolean
}

/**
 * Turns a search into a statement that gives `pk` and `score` of all matches; the lowest score fits
 * best. Each step takes the matches of the step before and keeps those that also have the next word
 * (search-plan.ts).
 */
export function searchToSql({ words, others, name, isVain }: PlannedSearch, scope: SearchScope): Sql {
  const { dialect } = scope
  if (isVain) return joined('SELECT CAST(0 AS BIGINT) AS pk, 0 AS score WHERE FALSE')
  const steps = words.flatMap((word, index): Sql[] =>
    word.way === 'gather'
      ? [joined(`gathered${index} AS MATERIALIZED (`, gathering(formOf(word), scope), ')'), keepBoth(index, dialect)]
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
    `) THEN 0 ELSE f.cost END AS score FROM found${last} f WHERE ${dialect.deadlineEvery('f.pk')}`
  )
}

const keepBoth = (index: number, { join }: Dialect): Sql =>
  joined(
    index === 0
      ? 'found0 AS (SELECT pk, cost FROM gathered0)'
      : `found${index} AS (SELECT g.pk, f.cost + g.cost AS cost FROM found${index - 1} f ${join} gathered${index} g ON g.pk = f.pk)`
  )

const keepFound = (index: number): Sql =>
  joined(`found${index} AS (SELECT pk, cost + further AS cost FROM gathered${index} WHERE further IS NOT NULL)`)

/**
 * The relations through which a record is also found by the text of the record above it: those of
 * publications and expressions.
 */
const climbs = `(${Object.values(wemLinks)
  .map(type => `'${type}'`)
  .join(', ')})`

/**
 * All records that have a word, each with its lowest cost: in its own text, in the name of a
 * related record, or below such a record by one climb or two, where a word of the text above has
 * the same cost as elsewhere.
 */
function gathering(word: FormSql, scope: SearchScope): Sql {
  const { dialect } = scope
  const { join, deadlineEvery } = dialect
  const own = joined(
    'SELECT p.entity_pk AS pk, ',
    formCost(word, dialect),
    ` AS form, ${ownPlace} AS place, ${abovePlace} AS above FROM search_words p WHERE ${deadlineEvery('p.entity_pk')} AND `,
    isForm(word, dialect),
    scope.isByName ? ` AND p.weight < ${textWeight}` : ''
  )
  const lowest = 'SELECT pk, min(form + place) AS cost'
  if (scope.isByName) return joined(lowest, ' FROM (', own, ') occurrences GROUP BY pk')
  const related = joined(
    'SELECT r.entity_pk, ',
    formCost(word, dialect),
    `, ${namePlace}, ${namePlace} FROM search_words p ${join} identifiers i ON i.entity_pk = p.entity_pk
      ${join} relations r ON r.target = i.identifier
      WHERE p.weight < ${textWeight} AND r.type NOT IN ${climbs} AND ${deadlineEvery('r.entity_pk')} AND `,
    isForm(word, dialect),
    onlyReadable('p.entity_pk', scope)
  )
  /** Records below others by one climb, at their cost. */
  const below = (step: string, cost: string) =>
    joined(
      `SELECT r.entity_pk AS pk, b.${cost} AS cost FROM ${step} b ${join} identifiers i ON i.entity_pk = b.pk
        ${join} relations r ON r.target = i.identifier AND r.type IN ${climbs}
        WHERE ${deadlineEvery('r.entity_pk')}`,
      onlyReadable('b.pk', scope)
    )
  return joined(
    `WITH said AS MATERIALIZED (${lowest}, min(form + above) AS above FROM (`,
    ...[own, ' UNION ALL ', related],
    ') occurrences GROUP BY pk), below AS MATERIALIZED (',
    below('said', 'above'),
    ') SELECT pk, min(cost) AS cost FROM (SELECT pk, cost FROM said UNION ALL SELECT pk, cost FROM below UNION ALL ',
    below('below', 'cost'),
    ') occurrences GROUP BY pk'
  )
}

/**
 * The matches so far, each with the lowest cost of a further word; null where it lacks the word.
 */
const probing = (word: FormSql, index: number, scope: SearchScope): Sql =>
  joined(
    'SELECT f.pk, f.cost, ',
    lowestCost(word, scope),
    ` AS further FROM found${index - 1} f WHERE ${scope.dialect.withinDeadline}`
  )

/** The same for many words: their cost together. */
const probingAll = (words: readonly WordForms[], index: number, scope: SearchScope): Sql =>
  joined(
    'SELECT f.pk, f.cost, (SELECT CASE WHEN count(c) = count(*) THEN sum(c) END FROM (SELECT ',
    lowestCost(formOfRow(words.some(({ typos }) => typos !== undefined)), scope),
    sql(
      ` AS c FROM ${scope.dialect.listedObjects('?')} w WHERE ${scope.dialect.withinDeadline}) costs)`,
      JSON.stringify(words.map(rowOf))
    ),
    ` AS further FROM found${index - 1} f WHERE ${scope.dialect.withinDeadline}`
  )

/**
 * The lowest cost of a word for the record `f`: in its own text, in the text of the records above
 * it, or in the name of a record that any of these is related to.
 */
function lowestCost(word: FormSql, scope: SearchScope): Sql {
  const { dialect } = scope
  const { join } = dialect
  if (scope.isByName)
    return joined(
      '(SELECT min(',
      formCost(word, dialect),
      ` + ${ownPlace}) FROM search_words p WHERE p.entity_pk = f.pk AND `,
      isForm(word, dialect),
      ` AND p.weight < ${textWeight})`
    )
  const to = (alias: string) =>
    `relations ${alias} ${join} identifiers ${alias}i ON ${alias}i.identifier = ${alias}.target`
  const then = (alias: string, from: string) =>
    ` ${join} relations ${alias} ON ${alias}.entity_pk = ${from}i.entity_pk ${join} identifiers ${alias}i ON ${alias}i.identifier = ${alias}.target`
  const isClimb = (alias: string) =>
    joined(` AND ${alias}.type IN ${climbs}`, onlyReadable(`${alias}i.entity_pk`, scope))
  const target = (alias: string) =>
    ` UNION ALL SELECT ${alias}i.entity_pk, CASE WHEN ${alias}.type IN ${climbs} THEN ${isAbove} ELSE ${isNamed} END FROM `
  return joined(
    '(SELECT min(',
    formCost(word, dialect),
    ` + CASE l.kind WHEN ${isItself} THEN ${ownPlace} WHEN ${isAbove} THEN ${abovePlace} ELSE ${namePlace} END) FROM (SELECT f.pk, ${isItself} AS kind`,
    `${target('a')}${to('a')} WHERE a.entity_pk = f.pk`,
    ...[`${target('b')}${to('a')}${then('b', 'a')} WHERE a.entity_pk = f.pk`, isClimb('a')],
    ...[
      `${target('c')}${to('a')}${then('b', 'a')}${then('c', 'b')} WHERE a.entity_pk = f.pk`,
      isClimb('a'),
      isClimb('b'),
      ` AND c.type NOT IN ${climbs}`
    ],
    `) l ${join} search_words p ON p.entity_pk = l.pk WHERE (l.kind <> ${isNamed} OR p.weight < ${textWeight}) AND `,
    isForm(word, dialect),
    scope.readableTypes ? joined(` AND (l.kind = ${isItself} OR (TRUE`, onlyReadable('l.pk', scope), '))') : '',
    ')'
  )
}

/** The relation of a place with a word to the record: itself, above it, or named by either. */
const [isItself, isAbove, isNamed] = [0, 1, 2]

/** A word in a statement: as parameters, or as members of the row `w` of a list. */
interface FormSql {
  readonly word: Sql
  readonly last: Sql
  /** Lists as JSON. */
  readonly typos: { readonly one: Sql; readonly all: Sql } | undefined
}

const formOf = ({ word, last, typos }: WordForms): FormSql => ({
  word: parameter(word),
  last: parameter(last),
  typos: typos && {
    one: parameter(JSON.stringify(typos.one)),
    all: parameter(JSON.stringify([...typos.one, ...typos.two]))
  }
})

const formOfRow = (hasTypos: boolean): FormSql => ({
  word: joined(`(w.value ->> 'word')`),
  last: joined(`(w.value ->> 'last')`),
  typos: hasTypos ? { one: joined(`(w.value ->> 'one')`), all: joined(`(w.value ->> 'all')`) } : undefined
})

const rowOf = ({ word, last, typos }: WordForms) => ({
  word,
  last,
  one: typos?.one ?? [],
  all: [...(typos?.one ?? []), ...(typos?.two ?? [])]
})

/** A condition on `search_words p`. */
function isForm({ word, last, typos }: FormSql, dialect: Dialect): Sql {
  const isBeginning = joined('p.word >= ', word, ' AND p.word <= ', last)
  return typos ? joined('(', isBeginning, ' OR p.word ', oneOf(typos.all, dialect), ')') : isBeginning
}

/** The cost of a word that is not quite the one that was typed. */
function formCost({ word, last, typos }: FormSql, dialect: Dialect): Sql {
  const exact = joined('CASE WHEN p.word = ', word, ' THEN 0')
  if (!typos) return joined(exact, ` ELSE ${cost.beginning * cost.unit} END`)
  return joined(
    exact,
    ' WHEN p.word >= ',
    word,
    ' AND p.word <= ',
    last,
    ` THEN ${cost.beginning * cost.unit} WHEN p.word `,
    oneOf(typos.one, dialect),
    ` THEN ${cost.oneTypo * cost.unit} ELSE ${cost.twoTypos * cost.unit} END`
  )
}

const elsewhere = `CAST(${cost.elsewhere * cost.unit} AS BIGINT)`
const ownPlace = `(CASE WHEN p.weight < ${textWeight} THEN p.weight % ${makerWeight} ELSE ${elsewhere} END)`
const namePlace = `(CASE WHEN p.weight > ${makerWeight} THEN ${cost.maker * cost.unit} ELSE ${elsewhere} END)`
const abovePlace = `(CASE WHEN p.weight > ${makerWeight} AND p.weight < ${textWeight} THEN ${cost.maker * cost.unit} ELSE ${elsewhere} END)`

/** A further condition: the caller may read the record with this key. */
function onlyReadable(pk: string, { dialect, readableTypes, limits }: SearchScope): Sql {
  if (!readableTypes) return joined('')
  return joined(
    ` AND EXISTS (SELECT 1 FROM entities h WHERE h.pk = ${pk} AND h.type `,
    oneOf(parameter(JSON.stringify(readableTypes)), dialect),
    ' AND ',
    limitsToSql(dialect, 'h', limits),
    ')'
  )
}

/** Counts the occurrences of a word (`n`), up to a maximum, and those among them in names. */
export const occurrencesToSql = (word: WordForms, maxCount: number, dialect: Dialect): Sql =>
  joined(
    `SELECT count(*) AS n, count(*) FILTER (WHERE weight < ${textWeight}) AS names FROM (
      SELECT p.weight FROM search_words p WHERE `,
    isForm(formOf(word), dialect),
    ' LIMIT ',
    parameter(maxCount),
    ') counted'
  )

/** Counts the records related to names that have a word (`n`), up to a maximum. */
export const relatedToSql = (word: WordForms, maxCount: number, dialect: Dialect): Sql =>
  joined(
    `SELECT count(*) AS n FROM (SELECT 1 FROM search_words p ${dialect.join} identifiers i ON i.entity_pk = p.entity_pk
      ${dialect.join} relations r ON r.target = i.identifier WHERE p.weight < ${textWeight} AND `,
    isForm(formOf(word), dialect),
    ' LIMIT ',
    parameter(maxCount),
    ') counted'
  )

/** Is in a list, given as JSON. */
const oneOf = (list: Sql, dialect: Dialect): Sql => ({ ...list, text: dialect.inList(list.text) })
