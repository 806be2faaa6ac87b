import { type Area, positionFields } from '#domain/filter/area.ts'
import type { Counted, EntryPath, FieldTest, Filter, Search } from '#domain/filter/filter.ts'
import { headLength } from '#domain/search/index-values.ts'
import { firstCharacters, foldText } from '#domain/values/fold.ts'
import type { ColumnPath } from '#domain/filter/filter-path.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { ReadLimit } from '#domain/permissions.ts'
import type { PlannedSearch } from '../search-plan.ts'
import { limitsToSql } from './limits-to-sql.ts'
import { searchToSql } from './search-to-sql.ts'
import type { Sql } from './sql.ts'

/** What is true of the asker and the catalogue, beside the filter. */
export interface FilterContext {
  readonly model: Model
  /** The types the asker may read; undefined for all. */
  readonly readableTypes: readonly string[] | undefined
  /** Of which of these types not all records exist for the asker. */
  readonly limits?: readonly ReadLimit[] | undefined
  /** True when the order of creation is walked: then a range of changes must not lead the way. */
  readonly isWalked?: boolean
  /** How each search of the filter is carried out. */
  readonly searches: ReadonlyMap<Search, PlannedSearch>
}

/**
 * Turns a filter into a condition on the table `entities e`. The only place where a filter meets
 * SQL.
 *
 * Each test becomes a set of entity keys (`e.pk IN (…)`), which SQLite can drive from an index or
 * probe, as it finds best. `within_deadline()` is called in every scan; it throws when the question
 * has taken too long.
 */
export function filterToSql(filter: Filter, context: FilterContext): Sql {
  switch (filter.kind) {
    case 'all':
      return joined(filter.of, ' AND ', '1', context)
    case 'any':
      return joined(filter.of, ' OR ', '0', context)
    case 'not': {
      const inner = filterToSql(filter.of, context)
      return { text: `NOT (${inner.text})`, parameters: inner.parameters }
    }
    case 'types':
      return typesToSql(filter.types, context.model)
    case 'identifiers':
      return inSet(
        'SELECT entity_pk AS pk FROM identifiers WHERE identifier IN (SELECT value FROM json_each(?))',
        JSON.stringify(filter.identifiers)
      )
    case 'search': {
      const planned = context.searches.get(filter.search)
      if (!planned || planned.words.length === 0) return sql('1')
      const found = searchToSql(planned, context)
      return inSet(`SELECT pk FROM (${found.text})`, ...found.parameters)
    }
    case 'field':
      return fieldToSql(filter.path, filter.test, context)
    case 'related':
      return relatedToSql(filter.type, filter.of, context)
    case 'referred':
      return referredToSql(filter.type, filter.of, context)
    case 'count':
      return countToSql(filter, context)
    case 'first_of':
      return firstOfToSql(filter.path, filter.of, context)
    case 'within':
      return withinToSql(filter.area)
    case 'entry':
      return entryToSql(filter, context)
  }
}

/**
 * One type, or all types under an umbrella, is one place in an index, already in order; any other
 * set is several.
 */
export function typesToSql(types: readonly string[], model: Model): Sql {
  const distinct = [...new Set(types)]
  const [first] = distinct
  if (first !== undefined && distinct.length === 1) return sql('e.type = ?', first)
  const umbrella = first === undefined ? undefined : model.umbrellaOf(first)
  const isWholeUmbrella =
    umbrella !== undefined &&
    distinct.every(type => model.findType(type)?.umbrella === umbrella) &&
    distinct.length === model.typesNamed(umbrella).length
  if (isWholeUmbrella) return sql('e.umbrella = ?', umbrella)
  return sql('e.type IN (SELECT value FROM json_each(?))', JSON.stringify(distinct))
}

function joined(filters: readonly Filter[], operator: string, empty: string, context: FilterContext): Sql {
  if (filters.length === 0) return sql(empty)
  const parts = filters.map(each => filterToSql(each, context))
  if (parts.length === 1 && parts[0]) return parts[0]
  return {
    text: `(${parts.map(part => part.text).join(operator)})`,
    parameters: parts.flatMap(part => part.parameters)
  }
}

type Path = Extract<Filter, { kind: 'field' }>['path']

function fieldToSql(path: Path, test: FieldTest, context: FilterContext): Sql {
  if (test.kind === 'absent') return not(fieldToSql(path, { kind: 'present' }, context))
  switch (path.kind) {
    case 'metadata':
      return metadataToSql(path.key, test)
    case 'relation_key':
      return throughToSql(path.through, relationKeyToSql(path.type, test, context), context)
    case 'relation_name':
      return throughToSql(path.through, relationNameToSql(path.type, test, context), context)
    default:
      return path.kind === 'type' && test.kind === 'equals'
        ? typesToSql(test.values, context.model)
        : columnToSql(path.kind, test, context)
  }
}

const not = ({ text, parameters }: Sql): Sql => ({ text: `NOT (${text})`, parameters })

const both = (condition: string, { text, parameters }: Sql): Sql => ({ text: `${condition} AND ${text}`, parameters })

function metadataToSql(key: string, test: FieldTest): Sql {
  const condition = valueToSql(test)
  const found = inSet(
    `SELECT v.entity_pk AS pk FROM field_values v WHERE v.key = ? AND ${condition.text}`,
    key,
    ...condition.parameters
  )
  if (test.kind !== 'boolean' || test.value) return found
  const absent = not(metadataToSql(key, { kind: 'present' }))
  return sql(`(${found.text} OR ${absent.text})`, ...found.parameters, ...absent.parameters)
}

/** A condition on `field_values v`. */
function valueToSql(test: FieldTest): Sql {
  switch (test.kind) {
    case 'present':
      return sql('1')
    case 'equals': {
      const heads = test.values.map(value => firstCharacters(foldText(value), headLength))
      return sql(
        'v.head IN (SELECT value FROM json_each(?)) AND v.text IN (SELECT value FROM json_each(?))',
        JSON.stringify(heads),
        JSON.stringify(test.values)
      )
    }
    case 'contains':
      return scanning(
        test.folded.map(text => [text]),
        containsToSql(foldedText, test.folded)
      )
    case 'pattern': {
      const [beginning = ''] = test.pieces
      const like = sql(`${foldedText} LIKE ? ESCAPE '\\'`, test.pieces.map(escapeLike).join('%'))
      if (beginning === '') return scanning([test.pieces], like)
      // A pattern that begins with letters is a range of the index by head.
      const head = firstCharacters(beginning, headLength)
      return sql(
        `v.head >= ? AND v.head <= ? AND ${tick} AND ${like.text}`,
        head,
        head + lastLetters,
        ...like.parameters
      )
    }
    case 'words': {
      const texts = test.pieces.flatMap(piece => ('text' in piece ? piece.text.split(' ') : []))
      const decided = sql(`word_text(${foldedText}) LIKE ? ESCAPE '\\'`, wordPattern(test))
      const [only] = test.pieces
      // Most often there are spaces on both sides, and what is between words need not be asked.
      const isPlain = test.pieces.length === 1 && only && 'text' in only && !test.atStart && !test.atEnd
      return scanning(
        [texts],
        isPlain
          ? sql(
              `(instr(' ' || ${foldedText} || ' ', ?) > 0 OR ${decided.text})`,
              ` ${only.text} `,
              ...decided.parameters
            )
          : decided
      )
    }
    case 'regex':
      return both(`${tick} AND v.text IS NOT NULL`, regexToSql(test.isFolded ? 'v.folded' : 'v.text', test))
    case 'instant':
      return sql('v.instant BETWEEN ? AND ?', test.from, test.to)
    case 'number': {
      const bounds: Sql[] = [sql('v.number IS NOT NULL')]
      if (test.min) bounds.push(sql(test.min.included ? 'v.number >= ?' : 'v.number > ?', test.min.value))
      if (test.max) bounds.push(sql(test.max.included ? 'v.number <= ?' : 'v.number < ?', test.max.value))
      return { text: bounds.map(each => each.text).join(' AND '), parameters: bounds.flatMap(each => each.parameters) }
    }
    case 'boolean':
      return sql('v.truth = ?', test.value ? 1 : 0)
    case 'absent':
      return sql('0')
  }
}

/**
 * One text is looked for by itself; many at once would make a statement deeper than SQLite reads.
 */
function containsToSql(text: string, wanted: readonly string[]): Sql {
  const [only] = wanted
  if (wanted.length === 1 && only !== undefined) return sql(`instr(${text}, ?) > 0`, only)
  return sql(
    `EXISTS (SELECT 1 FROM json_each(?) w WHERE within_deadline() AND instr(${text}, w.value) > 0)`,
    JSON.stringify(wanted)
  )
}

/**
 * The whole folded text. Most are no longer than their head, which stands in the index: the row
 * need not be read then, and looking for one or two letters takes a third of the time
 * (bench/filter.ts).
 */
const isWholeInHead = `length(v.head) < ${headLength}`
const foldedText = `CASE WHEN ${isWholeInHead} THEN v.head ELSE v.folded END`

/**
 * Looks at the deadline for every 64th row, and for each long one: asking costs 0.6 µs, and a long
 * text can cost much more than that.
 */
const tick = `((v.pk & 63 <> 0 AND (${isWholeInHead} OR octet_length(v.folded) < 4096)) OR within_deadline())`

/**
 * So many texts at most are looked up in the trigram index; for more, reading every text is the
 * cheaper way.
 */
const mostIndexed = 16

/**
 * A condition that must look at the texts one by one, after the trigram index has left out most.
 * Each alternative is the pieces that a text must have to meet it.
 */
function scanning(alternatives: readonly (readonly string[])[], condition: Sql): Sql {
  const groups = alternatives.map(pieces => new Set(pieces.flatMap(trigramsOf)))
  if (groups.length > mostIndexed || groups.some(trigrams => trigrams.size === 0)) {
    return both(tick, condition)
  }
  const match = groups
    .map(trigrams => `(${[...trigrams].map(trigram => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')})`)
    .join(' OR ')
  return sql(
    `v.pk IN (SELECT rowid FROM field_text WHERE field_text MATCH ?) AND ${tick} AND ${condition.text}`,
    match,
    ...condition.parameters
  )
}

/**
 * At most sixteen trigrams, spread over the text: more would narrow no further and cost a list
 * each.
 */
function trigramsOf(text: string): string[] {
  const letters = [...text]
  const last = letters.length - 3
  if (last < 0) return []
  const step = Math.max(1, Math.floor(last / 15))
  const trigrams: string[] = []
  for (let at = 0; at <= last; at += step) trigrams.push(letters.slice(at, at + 3).join(''))
  return trigrams
}

/** Not less than anything that can follow the beginning of a head. */
const lastLetters = '\u{10ffff}'.repeat(headLength)

/** A pattern for a text of words, which begins and ends with a space. */
function wordPattern({ pieces, atStart, atEnd }: Extract<FieldTest, { kind: 'words' }>): string {
  const said = pieces.map(piece => ('text' in piece ? escapeLike(piece.text) : piece.mask === 'any' ? '%' : '_'))
  return `${atStart ? '' : '%'} ${said.join('')} ${atEnd ? '' : '%'}`
}

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Targets that the asker may not read do not exist: a relation to one cannot be found by it. */
function onlyReadable(target: string, { readableTypes, limits }: FilterContext): Sql {
  if (!readableTypes) return sql('1')
  const limited = limitsToSql('h', limits)
  return sql(
    `NOT EXISTS (SELECT 1 FROM identifiers hi JOIN entities h ON h.pk = hi.entity_pk
      WHERE hi.identifier = ${target}
      AND NOT (h.type IN (SELECT value FROM json_each(?)) AND ${limited.text}))`,
    JSON.stringify(readableTypes),
    ...limited.parameters
  )
}

/** Who leads, by relations one after the other, to what is in a set. */
function throughToSql(types: readonly string[] = [], found: Sql, context: FilterContext): Sql {
  return types.reduceRight((reached, type) => {
    const readable = onlyReadable('r.target', context)
    return inSet(
      `SELECT r.entity_pk AS pk FROM relations r JOIN identifiers ti ON ti.identifier = r.target
        WHERE r.type = ? AND ti.entity_pk IN (${reached.set}) AND ${readable.text}`,
      type,
      ...reached.parameters,
      ...readable.parameters
    )
  }, found)
}

function relationKeyToSql(type: string, test: FieldTest, context: FilterContext): Sql {
  const readable = onlyReadable('r.target', context)
  const condition = targetToSql(test)
  return inSet(
    `SELECT r.entity_pk AS pk FROM relations r WHERE r.type = ? AND ${condition.text} AND ${readable.text}`,
    type,
    ...condition.parameters,
    ...readable.parameters
  )
}

/** A condition on `relations r` by the key; any identifier of the target stands for it. */
function targetToSql(test: FieldTest): Sql {
  if (test.kind === 'present') return sql('1')
  if (test.kind !== 'equals') {
    const own = textToSql('r.target', test)
    const other = textToSql('ta.identifier', test)
    return sql(
      `(${own.text} OR EXISTS (SELECT 1 FROM identifiers ti JOIN identifiers ta ON ta.entity_pk = ti.entity_pk
        WHERE ti.identifier = r.target AND ${other.text}))`,
      ...own.parameters,
      ...other.parameters
    )
  }
  const values = JSON.stringify(test.values)
  return sql(
    `r.target IN (SELECT value FROM json_each(?) UNION
      SELECT ta.identifier FROM identifiers ti JOIN identifiers ta ON ta.entity_pk = ti.entity_pk
      WHERE ti.identifier IN (SELECT value FROM json_each(?)))`,
    values,
    values
  )
}

function relationNameToSql(type: string, test: FieldTest, context: FilterContext): Sql {
  const readable = onlyReadable('r.target', context)
  const condition = valueToSql(test)
  // Names that an index finds are few: beginning with them took 2 ms where SQLite, beginning with
  // the relations, took 270 (bench/filter.ts).
  const join = isIndexed(test) ? 'CROSS JOIN' : 'JOIN'
  return inSet(
    `SELECT r.entity_pk AS pk FROM field_values v
      ${join} identifiers vi ON vi.entity_pk = v.entity_pk
      ${join} relations r ON r.target = vi.identifier AND r.type = ?
      WHERE v.is_name = 1 AND ${condition.text} AND ${readable.text}`,
    type,
    ...condition.parameters,
    ...readable.parameters
  )
}

/**
 * Begins with what the inner filter finds, which is little where anything is asked of it. Only
 * entities that the asker may read: to others no relation exists.
 */
function relatedToSql(type: string, of: Filter, context: FilterContext): Sql {
  const targets = readableMatches(of, context)
  return inSet(
    `SELECT r.entity_pk AS pk FROM (${targets.text}) found CROSS JOIN identifiers ri ON ri.entity_pk = found.pk
      CROSS JOIN relations r ON r.target = ri.identifier AND r.type = ? WHERE r.entity_pk & 63 <> 0 OR within_deadline()`,
    ...targets.parameters,
    type
  )
}

/** The keys of the entities that match a filter and that the asker may read. */
function readableMatches(of: Filter, context: FilterContext): Sql {
  const inner = filterToSql(of, context)
  if (inner.set !== undefined && !context.readableTypes && !context.limits)
    return sql(`SELECT DISTINCT pk FROM (${inner.set})`, ...inner.parameters)
  const readable = context.readableTypes ? typesToSql(context.readableTypes, context.model) : sql('1')
  const limited = limitsToSql('e', context.limits)
  return sql(
    `SELECT e.pk FROM entities e WHERE ${readable.text} AND ${limited.text} AND ${inner.text}`,
    ...readable.parameters,
    ...limited.parameters,
    ...inner.parameters
  )
}

/** The opposite direction of `relatedToSql`: the targets of what the inner filter finds. */
function referredToSql(type: string, of: Filter, context: FilterContext): Sql {
  const sources = readableMatches(of, context)
  return inSet(
    `SELECT ti.entity_pk AS pk FROM (${sources.text}) found CROSS JOIN relations r ON r.entity_pk = found.pk AND r.type = ?
      CROSS JOIN identifiers ti ON ti.identifier = r.target WHERE r.entity_pk & 63 <> 0 OR within_deadline()`,
    ...sources.parameters,
    type
  )
}

/** Entities without any are in no group, so a range from 0 is the opposite of what is above it. */
function countToSql({ of, min, max }: Extract<Filter, { kind: 'count' }>, context: FilterContext): Sql {
  if (min > 0) return countedToSql(of, context, min, max)
  return max === undefined ? sql('1') : not(countedToSql(of, context, max + 1, undefined))
}

function countedToSql(counted: Counted, context: FilterContext, min: number, max: number | undefined): Sql {
  const having = (n: string) => `HAVING ${n} >= ?${max === undefined ? '' : ` AND ${n} <= ?`}`
  const bounds = max === undefined ? [min] : [min, max]
  switch (counted.kind) {
    case 'metadata':
      return inSet(
        `SELECT v.entity_pk AS pk FROM field_values v WHERE v.key = ? AND v.is_derived = 0 AND (v.entity_pk & 63 <> 0 OR within_deadline())
          GROUP BY v.entity_pk ${having('count(*)')}`,
        counted.key,
        ...bounds
      )
    case 'relation_key': {
      const readable = onlyReadable('r.target', context)
      const wanted = counted.to
        ? sql(
            `EXISTS (SELECT 1 FROM identifiers ci CROSS JOIN entities c ON c.pk = ci.entity_pk
              WHERE ci.identifier = r.target AND c.type IN (SELECT value FROM json_each(?)))`,
            JSON.stringify(counted.to)
          )
        : sql('1')
      return inSet(
        `SELECT r.entity_pk AS pk FROM relations r WHERE r.type = ? AND ${readable.text} AND ${wanted.text} AND (r.entity_pk & 63 <> 0 OR within_deadline())
          GROUP BY r.entity_pk ${having('count(*)')}`,
        counted.type,
        ...readable.parameters,
        ...wanted.parameters,
        ...bounds
      )
    }
    case 'incoming': {
      const sources = readableMatches(counted.of, context)
      return inSet(
        `SELECT ti.entity_pk AS pk FROM (${sources.text}) found CROSS JOIN relations r ON r.entity_pk = found.pk AND r.type = ?
          CROSS JOIN identifiers ti ON ti.identifier = r.target WHERE r.entity_pk & 63 <> 0 OR within_deadline()
          GROUP BY ti.entity_pk ${having('count(DISTINCT r.entity_pk)')}`,
        ...sources.parameters,
        counted.type,
        ...bounds
      )
    }
  }
}

/** Keys grow with the order of creation: the smallest of each value is the first. */
function firstOfToSql(path: EntryPath, of: Filter, context: FilterContext): Sql {
  const found = readableMatches(of, context)
  switch (path.kind) {
    case 'metadata':
      return inSet(
        `SELECT min(v.entity_pk) AS pk FROM field_values v WHERE v.key = ? AND v.is_derived = 0 AND (v.entity_pk & 63 <> 0 OR within_deadline())
          AND v.entity_pk IN (${found.text}) GROUP BY coalesce(v.text, v.folded)`,
        path.key,
        ...found.parameters
      )
    case 'relation_key': {
      const readable = onlyReadable('r.target', context)
      return inSet(
        `SELECT min(r.entity_pk) AS pk FROM relations r WHERE r.type = ? AND ${readable.text} AND (r.entity_pk & 63 <> 0 OR within_deadline())
          AND r.entity_pk IN (${found.text}) GROUP BY r.target`,
        path.type,
        ...readable.parameters,
        ...found.parameters
      )
    }
  }
}

function withinToSql({ borders, south, north, west, east }: Area): Sql {
  return inSet(
    `SELECT la.entity_pk AS pk FROM field_values la CROSS JOIN field_values lo
      ON lo.entity_pk = la.entity_pk AND lo.key = '${positionFields.longitude}' AND lo.position = 0
      WHERE la.key = '${positionFields.latitude}' AND la.position = 0 AND within_deadline()
      AND la.number BETWEEN ? AND ? AND lo.number BETWEEN ? AND ?
      AND (SELECT count(*) FROM json_each(?) g
        WHERE la.number >= g.value ->> 0 AND la.number < g.value ->> 1
        AND lo.number < (g.value ->> 2) + (la.number - (g.value ->> 0)) * (g.value ->> 3)) % 2 = 1`,
    south,
    north,
    west,
    east,
    JSON.stringify(borders)
  )
}

/** Reads the members of an entry in the document: the index has none of them. */
function entryToSql(filter: Extract<Filter, { kind: 'entry' }>, context: FilterContext): Sql {
  const { path, test } = filter
  const members = (entry: string): Sql[] =>
    Object.entries(filter.members).map(([name, value]) =>
      sql(`${entry} -> ? = ?`, `$."${name}"`, JSON.stringify(value))
    )
  if (path.kind === 'relation_key') {
    const conditions = [
      targetToSql(test),
      onlyReadable('r.target', context),
      ...members(`json_extract(x.document, '$.relations[' || r.position || ']')`)
    ]
    return inSet(
      `SELECT r.entity_pk AS pk FROM relations r CROSS JOIN entities x ON x.pk = r.entity_pk
        WHERE r.type = ? AND (r.entity_pk & 63 <> 0 OR within_deadline()) AND ${conditions.map(each => each.text).join(' AND ')}`,
      path.type,
      ...conditions.flatMap(each => each.parameters)
    )
  }
  const value =
    test.kind === 'present'
      ? sql(`w.type <> 'null' AND w.value <> ''`)
      : sql(
          `CASE w.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(w.value AS TEXT) END IN (SELECT value FROM json_each(?))`,
          JSON.stringify(test.values)
        )
  const conditions = [
    ...members('m.value'),
    sql(
      `EXISTS (SELECT 1 FROM json_each(CASE json_type(m.value, '$.value') WHEN 'array' THEN m.value -> '$.value'
      ELSE json_array(json(m.value -> '$.value')) END) w WHERE ${value.text})`,
      ...value.parameters
    )
  ]
  return inSet(
    `SELECT x.pk FROM entities x CROSS JOIN json_each(x.document, '$.metadata') m
      WHERE x.pk IN (SELECT v.entity_pk FROM field_values v WHERE v.key = ?) AND (x.pk & 63 <> 0 OR within_deadline())
      AND m.value ->> '$.key' = ? AND ${conditions.map(each => each.text).join(' AND ')}`,
    path.key,
    path.key,
    ...conditions.flatMap(each => each.parameters)
  )
}

/** Whether an index leads to the values that meet a test. */
function isIndexed(test: FieldTest): boolean {
  if (test.kind === 'contains') return test.folded.every(text => trigramsOf(text).length > 0)
  if (test.kind === 'words')
    return test.pieces.some(piece => 'text' in piece && piece.text.split(' ').some(word => trigramsOf(word).length > 0))
  if (test.kind === 'pattern') return test.pieces[0] !== '' || test.pieces.some(piece => trigramsOf(piece).length > 0)
  return test.kind === 'equals'
}

const columns = {
  type: 'e.type',
  id: 'e.id',
  created_at: 'e.created_at',
  created_by: 'e.created_by',
  updated_at: 'e.updated_at',
  updated_by: 'e.updated_by'
} as const satisfies Record<Exclude<ColumnPath, 'identifiers'>, string>

function columnToSql(column: ColumnPath, test: FieldTest, { isWalked }: FilterContext): Sql {
  if (test.kind === 'present') return sql('1')
  if (column === 'identifiers') {
    const condition = textToSql('ci.identifier', test)
    return inSet(`SELECT ci.entity_pk AS pk FROM identifiers ci WHERE ${condition.text}`, ...condition.parameters)
  }
  const name = columns[column]
  if (test.kind === 'instant' && column === 'updated_at') return changedBetween(test.from, test.to, isWalked === true)
  if (test.kind === 'instant') return sql(`${name} BETWEEN ? AND ?`, toIso(test.from), toIso(test.to))
  return textToSql(name, test)
}

/**
 * Changed between two moments. Moments never go back while changes are counted up (writer.ts), so
 * they are a range of `changed`, which every index by type has: counting what changed among 100,000
 * records of a type takes 0.3 ms instead of 120 (bench/filter.ts).
 */
function changedBetween(from: number, to: number, isWalked: boolean): Sql {
  // The plus sign keeps SQLite from using an index for it.
  const changed = isWalked ? '+e.changed' : 'e.changed'
  const first = `SELECT c.changed FROM entities c WHERE c.updated_at >= ? ORDER BY c.updated_at, c.changed LIMIT 1`
  const last = `SELECT c.changed FROM entities c WHERE c.updated_at <= ? ORDER BY c.updated_at DESC, c.changed DESC LIMIT 1`
  return sql(
    `(${changed} >= coalesce((${first}), ${Number.MAX_SAFE_INTEGER}) AND ${changed} <= coalesce((${last}), 0))`,
    toIso(from),
    toIso(to)
  )
}

/** A condition on a column that has no folded copy; `fold` is domain/fold.ts, called by SQLite. */
function textToSql(column: string, test: FieldTest): Sql {
  switch (test.kind) {
    case 'equals':
      return sql(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(test.values))
    case 'contains':
      return both('within_deadline()', containsToSql(`fold(${column})`, test.folded))
    case 'pattern':
      return sql(`within_deadline() AND fold(${column}) LIKE ? ESCAPE '\\'`, test.pieces.map(escapeLike).join('%'))
    case 'words':
      return sql(`within_deadline() AND word_text(fold(${column})) LIKE ? ESCAPE '\\'`, wordPattern(test))
    case 'regex':
      return both('within_deadline()', regexToSql(test.isFolded ? `fold(${column})` : column, test))
    default:
      return sql('0')
  }
}

/** `meets_regex` is domain/filter/regular-expression.ts, called by SQLite. */
const regexToSql = (text: string, { source, isFolded }: Extract<FieldTest, { kind: 'regex' }>): Sql =>
  sql(`meets_regex(?, ?, ${text})`, source, isFolded ? 1 : 0)

/**
 * Instants beyond the years that are written with four digits compare as the first or the last of
 * them.
 */
function toIso(instant: number): string {
  const first = -62_167_219_200_000
  const last = 253_402_300_799_999
  return new Date(Math.min(Math.max(instant, first), last)).toISOString()
}

const sql = (text: string, ...parameters: (string | number)[]): Sql => ({ text, parameters })

const inSet = (set: string, ...parameters: (string | number)[]): Sql => ({ text: `e.pk IN (${set})`, parameters, set })
