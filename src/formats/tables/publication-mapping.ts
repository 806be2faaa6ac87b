import { CatalogueError } from '#domain/errors.ts'
import { type Level, levels } from '#domain/entity/publication.ts'
import { expressions } from '#domain/record-types/expression.ts'
import { manifestations } from '#domain/record-types/manifestation.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import { materials } from '#domain/record-types/subtypes.ts'
import { works } from '#domain/record-types/work.ts'
import { isJsonObject, pointerTo } from '#domain/json.ts'
import { keyOf } from '../description/keys.ts'
import { MappingReader, ownSplit, type ValueRule } from './value-rules.ts'

/*
 * The meaning of the columns of a table of publications. A mapping gives it
 * (docs/how-to/import-csv.md); for columns without one, the name of the column may be known.
 */

export type ColumnRule =
  /** The name of the record. */
  | { readonly is: 'name' }
  /** The kind of material, by the words of the column. */
  | { readonly is: 'material'; readonly words: Readonly<Record<string, string>> }
  | (LevelRule & { readonly is: 'key'; readonly key: string })
  | (LevelRule & { readonly is: 'relation'; readonly relation: string; readonly role?: string })
  | { readonly is: 'ignored' }

interface LevelRule {
  readonly level: Level
  readonly values: ValueRule
}

export interface CsvMapping {
  readonly agency?: string
  readonly delimiter?: string
  /** The kind of material of rows without one. */
  readonly material: string
  readonly columns: ReadonlyMap<string, ColumnRule>
}

export const noMapping: CsvMapping = { material: 'word', columns: new Map() }

export const tables: Readonly<Record<Level, RecordType | undefined>> = {
  work: works[0],
  expression: expressions[0],
  manifestation: manifestations[0]
}

/** Reads a mapping file. Throws `invalid` with the pointer of every fault. */
export function readCsvMapping(given: unknown): CsvMapping {
  const reader = new PublicationMappingReader()
  const mapping = reader.read(given)
  const { faults } = reader
  if (faults.length > 0)
    throw new CatalogueError('invalid', `The mapping cannot be read: ${faults[0]?.message}`, { faults })
  return mapping
}

class PublicationMappingReader extends MappingReader {
  read(given: unknown): CsvMapping {
    const { agency, delimiter, material, columns = {} } = this.object(given, '')
    this.onlyMembers(given, ['agency', 'delimiter', 'material', 'columns'], '')
    const [owner, separator] = [this.text(agency, '/agency'), this.delimiter(delimiter)]
    const rules = Object.entries(this.object(columns, '/columns')).flatMap(([name, rule]) => {
      const read = this.#column(name.trim(), rule, pointerTo('/columns', name))
      return read === undefined ? [] : [[name.trim(), read] as const]
    })
    return {
      ...(owner === undefined ? {} : { agency: owner }),
      ...(separator === undefined ? {} : { delimiter: separator }),
      material: this.word(material, '/material', materials) ?? noMapping.material,
      columns: new Map(rules)
    }
  }

  #column(column: string, given: unknown, at: string): ColumnRule | undefined {
    if (given === null) return { is: 'ignored' }
    if (given === 'name') return { is: 'name' }
    if (!isJsonObject(given))
      return this.fault(
        at,
        'Must be null, "name", or an object with "level" and "key" or "relation", or with "material"'
      )
    this.onlyMembers(given, columnMembers, at)
    if (given.material !== undefined) return this.#material(given.material, `${at}/material`)
    const level = levels.find(each => each === given.level)
    if (level === undefined) return this.fault(`${at}/level`, `Must be one of ${levels.join(', ')}`)
    const [key, role] = [this.text(given.key, `${at}/key`), this.text(given.role, `${at}/role`)]
    // The older name of `split`.
    const separator = this.text(given.separator, `${at}/separator`) ?? ownSplit
    const values = { from: [column], split: separator, ...this.split(given, at), ...this.form(given, at) }
    if (key !== undefined) return { is: 'key', level, key, values }
    const known = Object.keys(tables[level]?.relations ?? {})
    const relation = known.find(each => each === given.relation)
    if (relation === undefined)
      return this.fault(`${at}/relation`, `Needs a "key", or one of the relations of a ${level}: ${known.join(', ')}`)
    return { is: 'relation', level, relation, values, ...(role === undefined ? {} : { role }) }
  }

  #material(given: unknown, at: string): ColumnRule | undefined {
    const isMaterial = (value: unknown) => (materials as readonly unknown[]).includes(value)
    if (!isJsonObject(given) || !Object.values(given).every(isMaterial))
      return this.fault(at, `Must be an object with each word of the column and one of ${materials.join(', ')}`)
    return {
      is: 'material',
      words: Object.fromEntries(Object.entries(given).map(([word, each]) => [keyOf(word), String(each)]))
    }
  }
}

const columnMembers = ['level', 'key', 'relation', 'role', 'separator', 'split', 'lang', 'join', 'words', 'material']

/**
 * Known names of columns, folded, in the languages of our readers, by their meaning: the level, the
 * field or the relation, and the role.
 */
const knownNames: Readonly<Record<string, string>> = {
  name: 'id, record id, control number, record number, system number, nummer, recordnummer',
  'manifestation title': 'title, titel, titre',
  'manifestation subtitle': 'subtitle, sub title, ondertitel, untertitel, sous titre',
  'manifestation isbn': 'isbn, isbn13, isbn 13, isbn10, isbn 10',
  'manifestation year_of_publication':
    'year, year of publication, publication year, jaar, jahr, annee, date, publication date',
  'manifestation summary': 'summary, description, samenvatting, beschrijving, zusammenfassung, resume',
  'manifestation note': 'note, notes, annotatie, opmerking, anmerkung',
  'manifestation link': 'link, url, lien',
  'manifestation dewey': 'dewey, ddc',
  'manifestation edition': 'edition, druk, auflage',
  'manifestation extent': 'extent, pages, paginas, seiten, omvang',
  'manifestation series_statement': 'series, series statement, reeks, reihe, collection',
  'work original_title': 'original title, oorspronkelijke titel, originaltitel, titre original',
  'work refAuthors aut': 'author, authors, auteur, auteurs, autor, creator',
  'expression refAuthors trl': 'translator, translators, vertaler, ubersetzer, traducteur',
  'expression refAuthors ill': 'illustrator, illustrators, illustrateur',
  'expression refAuthors nrt': 'narrator, voorlezer, sprecher',
  'expression refAuthors edt': 'editor, editors, redacteur, herausgeber',
  'manifestation refPublishers': 'publisher, publishers, uitgever, verlag, editeur',
  'manifestation refPlaces': 'place, place of publication, plaats, ort, lieu',
  'expression refLanguages': 'language, languages, taal, sprache, langue',
  'work refLanguages': 'original language, oorspronkelijke taal, originalsprache',
  'work refSubjects': 'subject, subjects, keywords, onderwerp, trefwoorden, schlagworter, sujet',
  'work refGenres': 'genre, genres',
  'work refTargetAudiences': 'audience, target audience, doelgroep, zielgruppe',
  ignored: 'type, refexpressions, refwork'
}

const meanings = new Map(
  Object.entries(knownNames).flatMap(([meaning, names]) => names.split(', ').map(name => [name, meaning] as const))
)

/**
 * The rule of a column: from the mapping, from its known name, or from a field or relation of the
 * same name. Undefined for an unknown column.
 */
export function ruleFor(name: string, { columns }: CsvMapping): ColumnRule | undefined {
  const given = columns.get(name.trim())
  if (given !== undefined) return given
  const meaning = meanings.get(keyOf(name.replaceAll('_', ' ')))
  if (meaning === 'name' || meaning === 'ignored') return { is: meaning }
  const [known, key = name, role] = meaning?.split(' ') ?? []
  const level = [...levels].reverse().find(each => (known === undefined ? hasName(tables[each], name) : each === known))
  if (level === undefined) return undefined
  const values = { from: [name], split: ownSplit }
  if (Object.hasOwn(tables[level]?.fields ?? {}, key)) return { is: 'key', level, key, values }
  return { is: 'relation', level, relation: key, values, ...(role === undefined ? {} : { role }) }
}

const hasName = (recordType: RecordType | undefined, name: string) =>
  recordType !== undefined && (Object.hasOwn(recordType.fields, name) || Object.hasOwn(recordType.relations, name))
