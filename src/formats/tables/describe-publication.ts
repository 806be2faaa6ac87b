import { table } from '#domain/table.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import type { Level } from '#domain/entity/publication.ts'
import { corporation, language, person, siso, title, zizo } from '#domain/record-types/related.ts'
import type { Defect } from '../source/defects.ts'
import {
  badIsbn,
  codedAuthority,
  describeDrafts,
  invertName,
  type NamedTitle,
  namedAuthority,
  personAuthority,
  readLanguage,
  roleFor
} from '../description/describe-drafts.ts'
import type {
  ContentForm,
  MappingProblem,
  Origin,
  RecordDescription,
  RelationDraft,
  Statement,
  AuthorityDraft
} from '../description/description.ts'
import { keyOf } from '../description/keys.ts'
import { addRelation } from '../description/relations.ts'
import { type ColumnRule, type CsvMapping, tables } from './publication-mapping.ts'
import { booleanIn } from './read-cell.ts'
import { textsOfRule } from './value-rules.ts'
import { withoutGuard } from './write-csv.ts'

export interface CsvColumn {
  readonly name: string
  readonly rule: ColumnRule | undefined
}

export interface DescribedRow {
  readonly description: RecordDescription
  readonly defects: readonly Defect[]
}

/** The form of the contents of each kind of material. */
const formOf: Readonly<Record<string, ContentForm>> = table({
  music: 'performed music',
  map: 'cartographic',
  footage: 'moving image',
  computer_file: 'computer',
  mixed_material: 'mixed'
})

/** Describes a row of a table at the three levels. */
export function describeRow(
  columns: readonly CsvColumn[],
  cells: readonly string[],
  mapping: CsvMapping
): DescribedRow {
  const empty = () => ({ metadata: [] as Statement[], relations: [] as RelationDraft[], identifiers: [] as string[] })
  const levels = { work: empty(), expression: empty(), manifestation: empty() }
  const problems: MappingProblem[] = []
  const defects: Defect[] = []
  const titles: NamedTitle[] = []
  let name: string | undefined
  let { material } = mapping
  for (const [index, { name: column, rule }] of columns.entries()) {
    const cell = withoutGuard(cells[index]?.trim() ?? '').trim()
    if (cell === '' || rule === undefined || rule.is === 'ignored') continue
    const from: Origin = { tag: column, part: '', index }
    if (rule.is === 'name') name ??= cell
    else if (rule.is === 'material') material = rule.words[keyOf(cell)] ?? material
    else
      for (const value of textsOfRule(rule.values, { row: { [column]: cell } })) {
        const fault =
          rule.is === 'key' ? addValue(levels, titles, rule, value, from) : addColumnRelation(levels, rule, value, from)
        if (fault !== undefined) defects.push({ kind: 'bad_value', message: fault, tag: column })
      }
  }
  for (const { key, value } of levels.manifestation.metadata)
    if (key === 'isbn' && readIsbn(String(value))?.checkDigitIsRight !== true) problems.push(badIsbn(value))
  // A publication has the languages of its text, unless it gives its own.
  if (!levels.manifestation.relations.some(each => each.relation === 'refLanguages'))
    levels.manifestation.relations.push(...levels.expression.relations.filter(each => each.relation === 'refLanguages'))
  const description = describeDrafts({
    controlNumber: name,
    agency: mapping.agency,
    material,
    content: material,
    forms: [formOf[material] ?? 'text'],
    levels,
    titles,
    problems
  })
  return { description, defects }
}

type Levels = Record<Level, { metadata: Statement[]; relations: RelationDraft[] }>

function addValue(
  levels: Levels,
  titles: NamedTitle[],
  rule: Extract<ColumnRule, { is: 'key' }>,
  value: string,
  from: Origin
): string | undefined {
  const { metadata } = levels[rule.level]
  const { lang } = rule.values
  const kind = tables[rule.level]?.fields[rule.key]?.kind
  const read = kind === 'year' ? /(?<!\d)\d{4}(?!\d)/.exec(value)?.[0] : kind === 'boolean' ? booleanIn(value) : value
  if (read === undefined) return `"${value.slice(0, 100)}" is not a ${kind}`
  if (rule.key === 'original_title') titles.push({ kind: 'original', text: value, from })
  // Only the first title belongs to the publication; further ones are names of the work.
  if (rule.key === 'title' && metadata.some(each => each.key === 'title'))
    titles.push({ kind: 'variant', text: value, from: { ...from, tag: `${from.tag} 2` } })
  else metadata.push({ key: rule.key, value: read, ...(lang === undefined ? {} : { lang }), from })
  return undefined
}

function addColumnRelation(
  levels: Levels,
  { level, relation, role }: Extract<ColumnRule, { is: 'relation' }>,
  value: string,
  from: Origin
): string | undefined {
  // The first is the usual one: a subject may be a person too, but its column names subjects.
  const [type = ''] = tables[level]?.relations[relation]?.to ?? []
  const target = authorityFor(type, value)
  if (target === undefined) return `Unknown language "${value.slice(0, 100)}"`
  if (type !== person.type) {
    addRelation(levels[level].relations, { relation, target, from })
    return undefined
  }
  const { level: own, ...meant } = roleFor(role, level === 'work' ? 'aut' : 'ctb')
  // The mapping may fix the level of the column; the role does not change it then.
  addRelation(levels[role === undefined ? level : own].relations, { relation, target, role: meant, from })
  return undefined
}

/**
 * `Name (1880-1950)` is a person with dates; a name with a full stop or a legal form is a corporate
 * body.
 */
function authorityFor(type: string, value: string): AuthorityDraft | undefined {
  if (type === language.type) return readLanguage(value)
  if (type === siso.type || type === zizo.type) return codedAuthority(type, value)
  if (type === title.type) return { ...namedAuthority(type, value), metadata: [{ key: 'title', value }] }
  if (type !== person.type) return namedAuthority(type, value)
  const found = /[,(]\s*(\d{4}\??-(?:\d{4}\??)?)\)?$/.exec(value)
  const name = found === null ? value : value.slice(0, found.index).trimEnd()
  if (/\b(?:vzw|bv|nv|inc|ltd|gmbh|universit|museum|ministerie|ensemble|orkest|orchestra|koor|choir)\b/i.test(name))
    return namedAuthority(corporation.type, name)
  return personAuthority(invertName(name), found?.[1])
}
