import type { FieldTest, Filter } from '#domain/filter.ts'
import { headLength } from '#domain/index-values.ts'
import { firstCharacters, foldText } from '#domain/fold.ts'
import type { ColumnPath } from '#domain/filter-path.ts'
import type { Model } from '#domain/model.ts'

/** A piece of a statement. `text` is made of constants only; everything that came from outside is in `parameters`. */
export interface Sql {
  readonly text: string
  readonly parameters: readonly (string | number)[]
}

/** What is true of the asker and the catalogue, beside the filter. */
export interface FilterContext {
  readonly model: Model
  /** The types the asker may read; undefined for all. */
  readonly readableTypes: readonly string[] | undefined
}

/**
 * Turns a filter into a condition on the table `entities e`. The only place where a filter meets SQL.
 *
 * Each test becomes a set of entity keys (`e.pk IN (…)`), which SQLite can drive from an index or probe, as it finds best.
 * `within_deadline()` is called in every scan; it throws when the question has taken too long.
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
      return sql(
        'e.pk IN (SELECT entity_pk FROM identifiers WHERE identifier IN (SELECT value FROM json_each(?)))',
        JSON.stringify(filter.identifiers)
      )
    case 'field':
      return fieldToSql(filter.path, filter.test, context)
  }
}

/** One type, or all types under an umbrella, is one place in an index, already in order; any other set is several. */
export function typesToSql(types: readonly string[], model: Model): Sql {
  const distinct = [...new Set(types)]
  const [first] = distinct
  if (first !== undefined && distinct.length === 1) return sql('e.type = ?', first)
  const umbrella = first === undefined ? undefined : model.umbrellaOf(first)
  const isWholeUmbrella =
    umbrella !== undefined &&
    distinct.every(type => model.umbrellaOf(type) === umbrella) &&
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
  if (test.kind === 'boolean' && !test.value) return not(fieldToSql(path, { kind: 'boolean', value: true }, context))
  switch (path.kind) {
    case 'metadata':
      return metadataToSql(path.key, test)
    case 'relation_key':
      return relationKeyToSql(path.type, test, context)
    case 'relation_name':
      return relationNameToSql(path.type, test, context)
    default:
      return path.kind === 'type' && test.kind === 'equals'
        ? typesToSql(test.values, context.model)
        : columnToSql(path.kind, test)
  }
}

const not = ({ text, parameters }: Sql): Sql => ({ text: `NOT (${text})`, parameters })

function metadataToSql(key: string, test: FieldTest): Sql {
  const condition = valueToSql(test)
  return sql(
    `e.pk IN (SELECT v.entity_pk FROM field_values v WHERE v.key = ? AND ${condition.text})`,
    key,
    ...condition.parameters
  )
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
      return scanning([test.folded], sql('instr(v.folded, ?) > 0', test.folded))
    case 'pattern': {
      const [beginning = ''] = test.pieces
      const like = sql("v.folded LIKE ? ESCAPE '\\'", test.pieces.map(escapeLike).join('%'))
      if (beginning === '') return scanning(test.pieces, like)
      // A pattern that begins with letters is a range of the index by head.
      const head = firstCharacters(beginning, headLength)
      return sql(`v.head >= ? AND v.head <= ? AND ${like.text}`, head, head + lastLetters, ...like.parameters)
    }
    case 'instant':
      return sql('v.instant BETWEEN ? AND ?', test.from, test.to)
    case 'number': {
      const bounds: Sql[] = [sql('v.number IS NOT NULL')]
      if (test.min) bounds.push(sql(test.min.included ? 'v.number >= ?' : 'v.number > ?', test.min.value))
      if (test.max) bounds.push(sql(test.max.included ? 'v.number <= ?' : 'v.number < ?', test.max.value))
      return { text: bounds.map(each => each.text).join(' AND '), parameters: bounds.flatMap(each => each.parameters) }
    }
    case 'boolean':
      return sql('v.truth = 1')
    case 'absent':
      return sql('0')
  }
}

/**
 * A condition that must look at the texts one by one, after the trigram index has left out most. The deadline is looked at for every
 * 64th row, and for each long one: asking costs 0.6 µs, and a long text can cost much more than that.
 */
function scanning(pieces: readonly string[], condition: Sql): Sql {
  const tick = '((v.pk & 63 <> 0 AND octet_length(v.folded) < 4096) OR within_deadline())'
  const trigrams = new Set(pieces.flatMap(trigramsOf))
  if (trigrams.size === 0) return { text: `${tick} AND ${condition.text}`, parameters: condition.parameters }
  const match = [...trigrams].map(trigram => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
  return sql(
    `v.pk IN (SELECT rowid FROM field_text WHERE field_text MATCH ?) AND ${tick} AND ${condition.text}`,
    match,
    ...condition.parameters
  )
}

/** At most sixteen trigrams, spread over the text: more would narrow no further and cost a list each. */
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

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Targets that the asker may not read do not exist: a relation to one cannot be found by it. */
function onlyReadable(target: string, { readableTypes }: FilterContext): Sql {
  if (!readableTypes) return sql('1')
  return sql(
    `NOT EXISTS (SELECT 1 FROM identifiers hi JOIN entities h ON h.pk = hi.entity_pk
      WHERE hi.identifier = ${target} AND h.type NOT IN (SELECT value FROM json_each(?)))`,
    JSON.stringify(readableTypes)
  )
}

function relationKeyToSql(type: string, test: FieldTest, context: FilterContext): Sql {
  const readable = onlyReadable('r.target', context)
  const condition = targetToSql(test)
  return sql(
    `e.pk IN (SELECT r.entity_pk FROM relations r WHERE r.type = ? AND ${condition.text} AND ${readable.text})`,
    type,
    ...condition.parameters,
    ...readable.parameters
  )
}

/** A condition on `relations r` by the key; any identifier of the target stands for it. */
function targetToSql(test: FieldTest): Sql {
  if (test.kind === 'present') return sql('1')
  if (test.kind !== 'equals') return textToSql('r.target', test)
  const values = JSON.stringify(test.values)
  return sql(
    `r.target IN (SELECT value FROM json_each(?) UNION
      SELECT t.id FROM identifiers ti JOIN entities t ON t.pk = ti.entity_pk
      WHERE ti.identifier IN (SELECT value FROM json_each(?)))`,
    values,
    values
  )
}

function relationNameToSql(type: string, test: FieldTest, context: FilterContext): Sql {
  const readable = onlyReadable('r.target', context)
  const condition = valueToSql(test)
  return sql(
    `e.pk IN (SELECT r.entity_pk FROM field_values v
      JOIN identifiers vi ON vi.entity_pk = v.entity_pk
      JOIN relations r ON r.target = vi.identifier AND r.type = ?
      WHERE v.is_name = 1 AND ${condition.text} AND ${readable.text})`,
    type,
    ...condition.parameters,
    ...readable.parameters
  )
}

const columns = {
  type: 'e.type',
  id: 'e.id',
  created_at: 'e.created_at',
  created_by: 'e.created_by',
  updated_at: 'e.updated_at',
  updated_by: 'e.updated_by'
} as const satisfies Record<Exclude<ColumnPath, 'identifiers'>, string>

function columnToSql(column: ColumnPath, test: FieldTest): Sql {
  if (test.kind === 'present') return sql('1')
  if (column === 'identifiers') {
    const condition = textToSql('ci.identifier', test)
    return sql(`e.pk IN (SELECT ci.entity_pk FROM identifiers ci WHERE ${condition.text})`, ...condition.parameters)
  }
  const name = columns[column]
  if (test.kind === 'instant') return sql(`${name} BETWEEN ? AND ?`, toIso(test.from), toIso(test.to))
  return textToSql(name, test)
}

/** A condition on a column that has no folded copy; `fold` is domain/fold.ts, called by SQLite. */
function textToSql(column: string, test: FieldTest): Sql {
  switch (test.kind) {
    case 'equals':
      return sql(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(test.values))
    case 'contains':
      return sql(`within_deadline() AND instr(fold(${column}), ?) > 0`, test.folded)
    case 'pattern':
      return sql(`within_deadline() AND fold(${column}) LIKE ? ESCAPE '\\'`, test.pieces.map(escapeLike).join('%'))
    default:
      return sql('0')
  }
}

/** Instants beyond the years that are written with four digits compare as the first or the last of them. */
function toIso(instant: number): string {
  const first = -62_167_219_200_000
  const last = 253_402_300_799_999
  return new Date(Math.min(Math.max(instant, first), last)).toISOString()
}

const sql = (text: string, ...parameters: (string | number)[]): Sql => ({ text, parameters })
