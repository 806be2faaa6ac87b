import { CatalogueError, type Fault } from '#domain/errors.ts'
import { type Level, levels } from '#domain/entity/publication.ts'
import { expressions } from '#domain/record-types/expression.ts'
import { manifestations } from '#domain/record-types/manifestation.ts'
import { materials } from '#domain/record-types/subtypes.ts'
import { works } from '#domain/record-types/work.ts'
import { isJsonObject, pointerTo } from '#domain/json.ts'
import { keyOf } from '../description/keys.ts'

/*
 * The meaning of the columns of a table. A mapping gives it (docs/how-to/import-csv.md); for
 * columns without one, the name of the column may be known.
 */

export type ColumnRule =
  /** The name of the record. */
  | { readonly is: 'name' }
  /** The kind of material, by the words of the column. */
  | { readonly is: 'material'; readonly words: Readonly<Record<string, string>> }
  | { readonly is: 'key'; readonly level: Level; readonly key: string; readonly separator?: string }
  | {
      readonly is: 'relation'
      readonly level: Level
      readonly relation: string
      readonly role?: string
      readonly separator?: string
    }
  | { readonly is: 'ignored' }

export interface CsvMapping {
  readonly agency?: string
  readonly delimiter?: string
  /** The kind of material of rows without one. */
  readonly material: string
  readonly columns: ReadonlyMap<string, ColumnRule>
}

export const noMapping: CsvMapping = { material: 'word', columns: new Map() }

const tables = { work: works[0], expression: expressions[0], manifestation: manifestations[0] }

/** Reads a mapping file. Throws `invalid` with the pointer of every fault. */
export function readCsvMapping(given: unknown): CsvMapping {
  const faults: Fault[] = []
  const fault = (pointer: string, message: string) => faults.push({ pointer, message })
  const mapping = isJsonObject(given) ? given : {}
  if (!isJsonObject(given)) fault('', 'A mapping must be an object')
  for (const member of Object.keys(mapping))
    if (!['agency', 'delimiter', 'material', 'columns'].includes(member))
      fault(pointerTo('', member), `Unknown member "${member}"`)
  const { agency, delimiter, material = 'word', columns } = mapping
  if (agency !== undefined && typeof agency !== 'string') fault('/agency', 'Must be text')
  if (
    delimiter !== undefined &&
    (typeof delimiter !== 'string' || !/^[\t\x20-\x7e]$/.test(delimiter) || delimiter === '"')
  )
    fault('/delimiter', 'Must be one character')
  if (!isMaterial(material)) fault('/material', `Must be one of ${materials.join(', ')}`)
  if (columns !== undefined && !isJsonObject(columns))
    fault('/columns', 'Must be an object with the meaning of each column')
  const rules = Object.entries(isJsonObject(columns) ? columns : {}).flatMap(([name, rule]) => {
    const read = readRule(rule, pointerTo('/columns', name), fault)
    return read === undefined ? [] : [[name.trim(), read] as const]
  })
  if (faults.length > 0)
    throw new CatalogueError('invalid', `The mapping cannot be read: ${faults[0]?.message}`, { faults })
  return {
    ...(typeof agency === 'string' ? { agency } : {}),
    ...(typeof delimiter === 'string' ? { delimiter } : {}),
    material: String(material),
    columns: new Map(rules)
  }
}

function readRule(
  given: unknown,
  pointer: string,
  fault: (pointer: string, message: string) => void
): ColumnRule | undefined {
  if (given === null) return { is: 'ignored' }
  if (given === 'name') return { is: 'name' }
  if (!isJsonObject(given)) {
    fault(pointer, 'Must be null, "name", or an object with "level" and "key" or "relation", or with "material"')
    return undefined
  }
  const { level, key, relation, role, separator, material } = given
  for (const member of Object.keys(given))
    if (!['level', 'key', 'relation', 'role', 'separator', 'material'].includes(member))
      fault(`${pointer}/${member}`, `Unknown member "${member}"`)
  if (material !== undefined) {
    if (!isJsonObject(material) || !Object.values(material).every(isMaterial)) {
      fault(`${pointer}/material`, `Must be an object with each word of the column and one of ${materials.join(', ')}`)
      return undefined
    }
    const words = Object.entries(material).map(([word, each]) => [keyOf(word), String(each)])
    return { is: 'material', words: Object.fromEntries(words) }
  }
  const found = levels.find(each => each === level)
  if (found === undefined) {
    fault(`${pointer}/level`, `Must be one of ${levels.join(', ')}`)
    return undefined
  }
  for (const [name, value] of Object.entries({ key, relation, role, separator }))
    if (value !== undefined && (typeof value !== 'string' || value === '')) fault(`${pointer}/${name}`, 'Must be text')
  const apart = typeof separator === 'string' && separator !== '' ? { separator } : {}
  if (typeof key === 'string') return { is: 'key', level: found, key, ...apart }
  const known = Object.keys(tables[found]?.relations ?? {})
  if (typeof relation !== 'string' || !known.includes(relation)) {
    fault(`${pointer}/relation`, `Needs a "key", or one of the relations of a ${found}: ${known.join(', ')}`)
    return undefined
  }
  return { is: 'relation', level: found, relation, ...(typeof role === 'string' ? { role } : {}), ...apart }
}
const isMaterial = (value: unknown) => (materials as readonly unknown[]).includes(value)

/** Known names of columns, folded, in the languages of our readers. */
const obvious: readonly (readonly [names: readonly string[], rule: ColumnRule])[] = [
  [['id', 'record id', 'control number', 'record number', 'system number', 'nummer', 'recordnummer'], { is: 'name' }],
  [['title', 'titel', 'titre'], { is: 'key', level: 'manifestation', key: 'title' }],
  [
    ['subtitle', 'sub title', 'ondertitel', 'untertitel', 'sous titre'],
    { is: 'key', level: 'manifestation', key: 'subtitle' }
  ],
  [['isbn', 'isbn13', 'isbn 13', 'isbn10', 'isbn 10'], { is: 'key', level: 'manifestation', key: 'isbn' }],
  [
    ['year', 'year of publication', 'publication year', 'jaar', 'jahr', 'annee', 'date', 'publication date'],
    { is: 'key', level: 'manifestation', key: 'year_of_publication' }
  ],
  [
    ['summary', 'description', 'samenvatting', 'beschrijving', 'zusammenfassung', 'resume'],
    { is: 'key', level: 'manifestation', key: 'summary' }
  ],
  [['note', 'notes', 'annotatie', 'opmerking', 'anmerkung'], { is: 'key', level: 'manifestation', key: 'note' }],
  [['link', 'url', 'lien'], { is: 'key', level: 'manifestation', key: 'link' }],
  [['dewey', 'ddc'], { is: 'key', level: 'manifestation', key: 'dewey' }],
  [['edition', 'druk', 'auflage'], { is: 'key', level: 'manifestation', key: 'edition' }],
  [['extent', 'pages', 'paginas', 'seiten', 'omvang'], { is: 'key', level: 'manifestation', key: 'extent' }],
  [
    ['series', 'series statement', 'reeks', 'reihe', 'collection'],
    { is: 'key', level: 'manifestation', key: 'series_statement' }
  ],
  [
    ['original title', 'oorspronkelijke titel', 'originaltitel', 'titre original'],
    { is: 'key', level: 'work', key: 'original_title' }
  ],
  [
    ['author', 'authors', 'auteur', 'auteurs', 'autor', 'creator'],
    { is: 'relation', level: 'work', relation: 'refAuthors', role: 'aut' }
  ],
  [
    ['translator', 'translators', 'vertaler', 'ubersetzer', 'traducteur'],
    { is: 'relation', level: 'expression', relation: 'refAuthors', role: 'trl' }
  ],
  [
    ['illustrator', 'illustrators', 'illustrateur'],
    { is: 'relation', level: 'expression', relation: 'refAuthors', role: 'ill' }
  ],
  [['narrator', 'voorlezer', 'sprecher'], { is: 'relation', level: 'expression', relation: 'refAuthors', role: 'nrt' }],
  [
    ['editor', 'editors', 'redacteur', 'herausgeber'],
    { is: 'relation', level: 'expression', relation: 'refAuthors', role: 'edt' }
  ],
  [
    ['publisher', 'publishers', 'uitgever', 'verlag', 'editeur'],
    { is: 'relation', level: 'manifestation', relation: 'refPublishers' }
  ],
  [
    ['place', 'place of publication', 'plaats', 'ort', 'lieu'],
    { is: 'relation', level: 'manifestation', relation: 'refPlaces' }
  ],
  [
    ['language', 'languages', 'taal', 'sprache', 'langue'],
    { is: 'relation', level: 'expression', relation: 'refLanguages' }
  ],
  [
    ['original language', 'oorspronkelijke taal', 'originalsprache'],
    { is: 'relation', level: 'work', relation: 'refLanguages' }
  ],
  [
    ['subject', 'subjects', 'keywords', 'onderwerp', 'trefwoorden', 'schlagworter', 'sujet'],
    { is: 'relation', level: 'work', relation: 'refSubjects' }
  ],
  [['genre', 'genres'], { is: 'relation', level: 'work', relation: 'refGenres' }],
  [
    ['audience', 'target audience', 'doelgroep', 'zielgruppe'],
    { is: 'relation', level: 'work', relation: 'refTargetAudiences' }
  ],
  [['type', 'refexpressions', 'refwork'], { is: 'ignored' }]
]

/**
 * The rule of a column: from the mapping, from its known name, or from a field or relation of the
 * same name. Undefined for an unknown column.
 */
export function ruleFor(name: string, { columns }: CsvMapping): ColumnRule | undefined {
  const given = columns.get(name.trim())
  if (given !== undefined) return given
  const key = keyOf(name.replaceAll('_', ' '))
  const found = obvious.find(([names]) => names.includes(key))
  if (found !== undefined) return found[1]
  for (const level of [...levels].reverse()) {
    const table = tables[level]
    if (table === undefined) continue
    if (Object.hasOwn(table.fields, name)) return { is: 'key', level, key: name }
    if (Object.hasOwn(table.relations, name)) return { is: 'relation', level, relation: name }
  }
  return undefined
}
