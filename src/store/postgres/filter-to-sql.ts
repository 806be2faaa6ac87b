import { type Area, positionFields } from '#domain/filter/area.ts'
import type { Counted, EntryPath, FieldTest, Filter, Search } from '#domain/filter/filter.ts'
import { headLength } from '#domain/search/index-values.ts'
import { firstCharacters, foldText } from '#domain/values/fold.ts'
import type { ColumnPath } from '#domain/filter/filter-path.ts'
import { readRegularExpression, writeRegularExpression } from '#domain/filter/regular-expression.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { ReadLimit } from '#domain/permissions.ts'
import { betweenWords } from '#domain/search/word-text.ts'
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
 * Each test becomes a set of entity keys (`e.pk IN (…)`), which the server can drive from an index
 * or probe, as it finds best. The server stops a question that takes too long by itself.
 */
export function filterToSql(filter: Filter, context: FilterContext): Sql {
  switch (filter.kind) {
    case 'all':
      return joined(filter.of, ' AND ', 'TRUE', context)
    case 'any':
      return joined(filter.of, ' OR ', 'FALSE', context)
    case 'not': {
      const inner = filterToSql(filter.of, context)
      return { text: `NOT (${inner.text})`, parameters: inner.parameters }
    }
    case 'types':
      return typesToSql(filter.types, context.model)
    case 'identifiers':
      return inSet(
        'SELECT entity_pk AS pk FROM identifiers WHERE identifier = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))',
        JSON.stringify(filter.identifiers)
      )
    case 'search': {
      const planned = context.searches.get(filter.search)
      if (!planned || planned.words.length === 0) return sql('TRUE')
      const found = searchToSql(planned, context)
      return inSet(`SELECT pk FROM (${found.text}) searched`, ...found.parameters)
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
  return sql('e.type = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))', JSON.stringify(distinct))
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
      return sql('TRUE')
    case 'equals': {
      const heads = test.values.map(value => firstCharacters(foldText(value), headLength))
      return sql(
        'v.head = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb))) AND v.text = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))',
        JSON.stringify(heads),
        JSON.stringify(test.values)
      )
    }
    case 'contains':
      return containsToSql('v.folded', test.folded)
    case 'pattern': {
      const [beginning = ''] = test.pieces
      const like = likeToSql('v.folded', test.pieces)
      if (beginning === '') return like
      // A pattern that begins with letters is a range of the index by head.
      const head = firstCharacters(beginning, headLength)
      return sql(`v.head >= ? AND v.head <= ? AND ${like.text}`, head, head + lastLetters, ...like.parameters)
    }
    case 'words':
      return wordsToSql('v.folded', test)
    case 'regex':
      return sql(`v.text IS NOT NULL AND ${test.isFolded ? 'v.folded' : 'v.text'} ~ ?`, pattern(test))
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
      return sql('FALSE')
  }
}

/** Trigrams of the text lead to what may match (`pg_trgm`); the pattern decides. */
function containsToSql(text: string, wanted: readonly string[]): Sql {
  const parts = wanted.map(each => likeToSql(text, ['', each, '']))
  return {
    text: parts.length === 0 ? 'FALSE' : `(${parts.map(part => part.text).join(' OR ')})`,
    parameters: parts.flatMap(part => part.parameters)
  }
}

/** Trigrams of each word lead to what may match; the whole, as words, decides. */
function wordsToSql(folded: string, { pieces, atStart, atEnd }: Extract<FieldTest, { kind: 'words' }>): Sql {
  const said = pieces.map(piece => ('text' in piece ? escapeLike(piece.text) : piece.mask === 'any' ? '%' : '_'))
  const texts = pieces.flatMap(piece => ('text' in piece ? piece.text.split(' ').filter(text => text !== '') : []))
  const parts = texts.map(text => likeToSql(folded, ['', text, '']))
  return {
    text: [
      ...parts.map(part => part.text),
      `' ' || btrim(regexp_replace(${folded}, ?, ' ', 'g'), ' ') || ' ' LIKE ?`
    ].join(' AND '),
    parameters: [
      ...parts.flatMap(part => part.parameters),
      separators,
      `${atStart ? '' : '%'} ${said.join('')} ${atEnd ? '' : '%'}`
    ]
  }
}

const separators = `[${betweenWords.map(range => range.map(code => `\\u${code.toString(16).padStart(4, '0')}`).join('-')).join('')}]+`

const likeToSql = (text: string, pieces: readonly string[]) => sql(`${text} LIKE ?`, pieces.map(escapeLike).join('%'))

/** Not less than anything that can follow the beginning of a head. */
const lastLetters = '\u{10ffff}'.repeat(headLength)

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Targets that the asker may not read do not exist: a relation to one cannot be found by it. */
function onlyReadable(target: string, { readableTypes, limits }: FilterContext): Sql {
  if (!readableTypes) return sql('TRUE')
  const limited = limitsToSql('h', limits)
  return sql(
    `NOT EXISTS (SELECT 1 FROM identifiers hi JOIN entities h ON h.pk = hi.entity_pk
      WHERE hi.identifier = ${target}
      AND NOT (h.type = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb))) AND ${limited.text}))`,
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
  if (test.kind === 'present') return sql('TRUE')
  if (test.kind !== 'equals') {
    const own = textToSql('r.target', 'r.folded_target', test)
    const other = textToSql('ta.identifier', 'ta.folded', test)
    return sql(
      `(${own.text} OR EXISTS (SELECT 1 FROM identifiers ti JOIN identifiers ta ON ta.entity_pk = ti.entity_pk
        WHERE ti.identifier = r.target AND ${other.text}))`,
      ...own.parameters,
      ...other.parameters
    )
  }
  const values = JSON.stringify(test.values)
  return sql(
    `r.target IN (SELECT jsonb_array_elements_text(?::text::jsonb) COLLATE "C" UNION
      SELECT ta.identifier FROM identifiers ti JOIN identifiers ta ON ta.entity_pk = ti.entity_pk
      WHERE ti.identifier = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb))))`,
    values,
    values
  )
}

function relationNameToSql(type: string, test: FieldTest, context: FilterContext): Sql {
  const readable = onlyReadable('r.target', context)
  const condition = valueToSql(test)
  return inSet(
    `SELECT r.entity_pk AS pk FROM field_values v
      JOIN identifiers vi ON vi.entity_pk = v.entity_pk
      JOIN relations r ON r.target = vi.identifier AND r.type = ?
      WHERE v.is_name = 1 AND ${condition.text} AND ${readable.text}`,
    type,
    ...condition.parameters,
    ...readable.parameters
  )
}

/** Entities that the asker may read only: to others no relation exists. */
function relatedToSql(type: string, of: Filter, context: FilterContext): Sql {
  const targets = readableMatches(of, context)
  return inSet(
    `SELECT r.entity_pk AS pk FROM (${targets.text}) found JOIN identifiers ri ON ri.entity_pk = found.pk
      JOIN relations r ON r.target = ri.identifier AND r.type = ?`,
    ...targets.parameters,
    type
  )
}

/** The keys of the entities that match a filter and that the asker may read. */
function readableMatches(of: Filter, context: FilterContext): Sql {
  const inner = filterToSql(of, context)
  if (inner.set !== undefined && !context.readableTypes && !context.limits)
    return sql(`SELECT DISTINCT pk FROM (${inner.set}) inner_set`, ...inner.parameters)
  const readable = context.readableTypes ? typesToSql(context.readableTypes, context.model) : sql('TRUE')
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
    `SELECT ti.entity_pk AS pk FROM (${sources.text}) found JOIN relations r ON r.entity_pk = found.pk AND r.type = ?
      JOIN identifiers ti ON ti.identifier = r.target`,
    ...sources.parameters,
    type
  )
}

/** Entities without any are in no group, so a range from 0 is the opposite of what is above it. */
function countToSql({ of, min, max }: Extract<Filter, { kind: 'count' }>, context: FilterContext): Sql {
  if (min > 0) return countedToSql(of, context, min, max)
  return max === undefined ? sql('TRUE') : not(countedToSql(of, context, max + 1, undefined))
}

function countedToSql(counted: Counted, context: FilterContext, min: number, max: number | undefined): Sql {
  const having = (n: string) => `HAVING ${n} >= ?${max === undefined ? '' : ` AND ${n} <= ?`}`
  const bounds = max === undefined ? [min] : [min, max]
  switch (counted.kind) {
    case 'metadata':
      return inSet(
        `SELECT v.entity_pk AS pk FROM field_values v WHERE v.key = ? AND v.is_derived = 0
          GROUP BY v.entity_pk ${having('count(*)')}`,
        counted.key,
        ...bounds
      )
    case 'relation_key': {
      const readable = onlyReadable('r.target', context)
      const wanted = counted.to
        ? sql(
            `EXISTS (SELECT 1 FROM identifiers ci JOIN entities c ON c.pk = ci.entity_pk
              WHERE ci.identifier = r.target AND c.type = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb))))`,
            JSON.stringify(counted.to)
          )
        : sql('TRUE')
      return inSet(
        `SELECT r.entity_pk AS pk FROM relations r WHERE r.type = ? AND ${readable.text} AND ${wanted.text}
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
        `SELECT ti.entity_pk AS pk FROM (${sources.text}) found JOIN relations r ON r.entity_pk = found.pk AND r.type = ?
          JOIN identifiers ti ON ti.identifier = r.target
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
        `SELECT min(v.entity_pk) AS pk FROM field_values v WHERE v.key = ? AND v.is_derived = 0
          AND v.entity_pk IN (${found.text}) GROUP BY coalesce(v.text, v.folded)`,
        path.key,
        ...found.parameters
      )
    case 'relation_key': {
      const readable = onlyReadable('r.target', context)
      return inSet(
        `SELECT min(r.entity_pk) AS pk FROM relations r WHERE r.type = ? AND ${readable.text}
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
    `SELECT la.entity_pk AS pk FROM field_values la JOIN field_values lo
      ON lo.entity_pk = la.entity_pk AND lo.key = '${positionFields.longitude}' AND lo.position = 0
      WHERE la.key = '${positionFields.latitude}' AND la.position = 0
      AND la.number BETWEEN ? AND ? AND lo.number BETWEEN ? AND ?
      AND (SELECT count(*) FROM jsonb_array_elements(?::text::jsonb) g
        WHERE la.number >= (g ->> 0)::float8 AND la.number < (g ->> 1)::float8
        AND lo.number < (g ->> 2)::float8 + (la.number - (g ->> 0)::float8) * (g ->> 3)::float8) % 2 = 1`,
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
      sql(`${entry} -> ?::text = ?::text::jsonb`, name, JSON.stringify(value))
    )
  if (path.kind === 'relation_key') {
    const conditions = [
      targetToSql(test),
      onlyReadable('r.target', context),
      ...members(`x.document::jsonb -> 'relations' -> r.position`)
    ]
    return inSet(
      `SELECT r.entity_pk AS pk FROM relations r JOIN entities x ON x.pk = r.entity_pk
        WHERE r.type = ? AND ${conditions.map(each => each.text).join(' AND ')}`,
      path.type,
      ...conditions.flatMap(each => each.parameters)
    )
  }
  const value =
    test.kind === 'present'
      ? sql(`w IS NOT NULL AND w <> ''`)
      : sql(`w = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))`, JSON.stringify(test.values))
  const conditions = [
    ...members('m'),
    sql(
      `EXISTS (SELECT 1 FROM jsonb_array_elements_text(CASE jsonb_typeof(m -> 'value') WHEN 'array' THEN m -> 'value'
      ELSE jsonb_build_array(m -> 'value') END) w WHERE ${value.text})`,
      ...value.parameters
    )
  ]
  return inSet(
    `SELECT x.pk FROM entities x CROSS JOIN jsonb_array_elements(x.document::jsonb -> 'metadata') m
      WHERE x.pk IN (SELECT v.entity_pk FROM field_values v WHERE v.key = ?)
      AND m ->> 'key' = ? AND ${conditions.map(each => each.text).join(' AND ')}`,
    path.key,
    path.key,
    ...conditions.flatMap(each => each.parameters)
  )
}

/**
 * Each with the column that holds its folded copy. Moments are written in letters that folding
 * leaves as they are, but for two.
 */
const columns = {
  type: ['e.type', 'e.folded_type'],
  id: ['e.id', 'e.folded_id'],
  created_at: ['e.created_at', 'lower(e.created_at)'],
  created_by: ['e.created_by', 'e.folded_created_by'],
  updated_at: ['e.updated_at', 'lower(e.updated_at)'],
  updated_by: ['e.updated_by', 'e.folded_updated_by']
} as const satisfies Record<Exclude<ColumnPath, 'identifiers'>, readonly [string, string]>

function columnToSql(column: ColumnPath, test: FieldTest, { isWalked }: FilterContext): Sql {
  if (test.kind === 'present') return sql('TRUE')
  if (column === 'identifiers') {
    const condition = textToSql('ci.identifier', 'ci.folded', test)
    return inSet(`SELECT ci.entity_pk AS pk FROM identifiers ci WHERE ${condition.text}`, ...condition.parameters)
  }
  const [name, folded] = columns[column]
  if (test.kind === 'instant' && column === 'updated_at') return changedBetween(test.from, test.to, isWalked === true)
  if (test.kind === 'instant') return sql(`${name} BETWEEN ? AND ?`, toIso(test.from), toIso(test.to))
  return textToSql(name, folded, test)
}

/**
 * Changed between two moments. Moments never go back while changes are counted up (writer.ts), so
 * they are a range of `changed`, which every index by type has.
 */
function changedBetween(from: number, to: number, isWalked: boolean): Sql {
  // A sum keeps the server from using an index for it.
  const changed = isWalked ? '(e.changed + 0)' : 'e.changed'
  const first = `SELECT c.changed FROM entities c WHERE c.updated_at >= ? ORDER BY c.updated_at, c.changed LIMIT 1`
  const last = `SELECT c.changed FROM entities c WHERE c.updated_at <= ? ORDER BY c.updated_at DESC, c.changed DESC LIMIT 1`
  return sql(
    `(${changed} >= coalesce((${first}), ${Number.MAX_SAFE_INTEGER}) AND ${changed} <= coalesce((${last}), 0))`,
    toIso(from),
    toIso(to)
  )
}

function textToSql(column: string, folded: string, test: FieldTest): Sql {
  switch (test.kind) {
    case 'equals':
      return sql(
        `${column} = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))`,
        JSON.stringify(test.values)
      )
    case 'contains':
      return containsToSql(folded, test.folded)
    case 'pattern':
      return likeToSql(folded, test.pieces)
    case 'words':
      return wordsToSql(folded, test)
    case 'regex':
      return sql(`${test.isFolded ? folded : column} ~ ?`, pattern(test))
    default:
      return sql('FALSE')
  }
}

/** The expression as the server writes it. */
const pattern = ({ source, isFolded }: Extract<FieldTest, { kind: 'regex' }>): string =>
  writeRegularExpression(readRegularExpression(source, isFolded ? foldText : undefined))

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
