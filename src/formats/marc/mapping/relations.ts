import type { Level } from '#domain/entity/publication.ts'
import { series, subject } from '#domain/record-types/related.ts'
import { malformedAmong } from '#domain/values/authority-link.ts'
import { type DataField, isDataField } from '../record.ts'
import { identifiersOf, readCorporation, readMeeting, readPerson } from './agents.ts'
import type { ContentForm, RelationDraft, Role, AuthorityDraft } from '../../description/description.ts'
import { isCollectiveTitle, keyOf } from '../../description/keys.ts'
import { DistinctTexts } from '../../description/list-keys.ts'
import { splitLanguages } from '../../description/languages.ts'
import { addRelation, languageAuthority, wordingsOf } from '../../description/relations.ts'
import type { Material } from './material.ts'
import { partNames, type Reader, type Value, valuesOf } from './reader.ts'
import { readSeriesRelations } from './series.ts'
import { type FoundRole, findRole, roleInStatement } from '../../description/roles.ts'
import type { RelationRow } from './table.ts'
import {
  fieldsOf,
  firstPart,
  type Found,
  isPlaces,
  originOf,
  partsOf,
  placesOf,
  rowsFor,
  withoutFullStop
} from './values.ts'

export function readRelations(reader: Reader, material: Material): Record<Level, RelationDraft[]> {
  const relations: Record<Level, RelationDraft[]> = { work: [], expression: [], manifestation: [] }
  for (const row of rowsFor(reader.table.relations, reader.fields)) {
    if (row.to === series.type) continue
    if (row.otherwise && row.level !== 'by role' && relations[row.level].some(each => each.relation === row.relation))
      continue
    for (const found of fieldsOf(reader.fields, row, reader.record.leader)) {
      if (row.level === 'by role') {
        const target = withVariants(readAgent(found, row, reader), found, row, reader)
        if (target === undefined) continue
        for (const { level, ...role } of rolesOf(found, row, target, material, reader))
          addRelation(relations[level], { relation: row.relation, target, role, from: originOf(found, row.from) })
      } else if (isAgent(row)) {
        const target = withVariants(readAgent(found, row, reader), found, row, reader)
        if (target === undefined) continue
        const numbered = isWholeHeading(found, reader) ? target : { ...target, identifiers: [] }
        addRelation(relations[row.level], { relation: row.relation, target: numbered, from: originOf(found, row.from) })
      } else
        for (const { target, part } of authoritiesInScripts(found, row, reader))
          addRelation(relations[row.level], { relation: row.relation, target, from: originOf(found, part) })
    }
  }
  relations.manifestation.push(...readSeriesRelations(reader))
  const lists = Object.values(relations)
  leaveOutMalformed(lists, reader)
  for (const list of lists) list.push(...wordingsOf(list))
  return relations
}

export const malformedNumber = (number: string) => `"${number}" is no number of this file; left out`

/** Leaves out identifiers that are no numbers, and notes each. */
function leaveOutMalformed(lists: readonly RelationDraft[][], { problems }: Reader): void {
  const noted = new DistinctTexts()
  for (const list of lists)
    for (const [place, draft] of list.entries()) {
      const { target, from } = draft
      if (target.identifiers.length === 0) continue
      const malformed = malformedAmong(target.identifiers)
      if (malformed.length === 0) continue
      for (const each of malformed)
        if (noted.add(each)) problems.push({ kind: 'bad_identifier', message: malformedNumber(each), from })
      const identifiers = target.identifiers.filter(each => !malformed.includes(each))
      list[place] = { ...draft, target: { ...target, identifiers } }
    }
}

const agentReadings: readonly RelationRow['as'][] = ['personal name', 'corporate name', 'meeting name']
const isAgent = ({ as }: RelationRow) => agentReadings.includes(as)

/** Whether a name stands alone: numbers of an authority file belong to the whole heading. */
const isWholeHeading = ({ field }: Found, { dialect }: Reader) =>
  partsOf(field, dialect === 'marc21' ? 'tvxyz' : 'tjxyz').length === 0

export function readAgent(
  found: Found,
  row: Pick<RelationRow, 'as' | 'from' | 'to'>,
  reader: Reader
): AuthorityDraft | undefined {
  const { field } = found
  if (!isDataField(field)) return undefined
  if (row.as === 'corporate name') return readCorporation(field, row.from, row.to, reader.style)
  if (row.as === 'meeting name') return readMeeting(field, row.from, row.to, reader.style)
  return readPerson(field, row.from, row.to, reader.style)
}

/** Adds the names of the agent in the original script (880). */
function withVariants(
  target: AuthorityDraft | undefined,
  found: Found,
  row: RelationRow,
  reader: Reader
): AuthorityDraft | undefined {
  if (target === undefined) return undefined
  const linked = reader.inOriginalScript(found.field.tag, found)
  if (linked.length === 0) return target
  return addVariants(
    target,
    linked.flatMap(each => readAgent(each, row, reader) ?? [])
  )
}

const addVariants = (target: AuthorityDraft, others: readonly AuthorityDraft[]): AuthorityDraft => {
  const names = others.flatMap(({ metadata }) => metadata[0]?.value ?? [])
  const variants = [...new Set(names)].filter(each => each !== target.metadata[0]?.value)
  return variants.length === 0 ? target : { ...target, variants: variants.sort() }
}

/** Authorities with their names in the original script, where both fields have equally many. */
function authoritiesInScripts(found: Found, row: RelationRow, reader: Reader) {
  const own = authoritiesOf(found, row, reader)
  if (own.length === 0 || !hasScripts.includes(row.as)) return own
  const linked = reader.inOriginalScript(found.field.tag, found).map(each => authoritiesOf(each, row, reader))
  if (linked.length === 0) return own
  return own.map(({ target, part }, place) => ({
    target: addVariants(
      target,
      linked.flatMap(list => (list.length === own.length ? (list[place]?.target ?? []) : []))
    ),
    part
  }))
}

const hasScripts: readonly RelationRow['as'][] = ['name', 'unless unknown', 'heading', 'work as subject']

/**
 * The roles of an agent: from the field, from the statement of responsibility, or the usual one for
 * the entry.
 */
function rolesOf(
  found: Found,
  row: RelationRow,
  target: AuthorityDraft,
  material: Material,
  reader: Reader
): (Role & { level: Level })[] {
  const { field } = found
  if (!isDataField(field)) return []
  const all: FoundRole[] = []
  const words = row.as === 'meeting name' ? 'j' : reader.dialect === 'marc21' ? 'e' : ''
  for (const codes of ['4', words])
    for (const { value } of codes === '' ? [] : partsOf(field, codes)) {
      const role = findRole(value)
      if (role !== undefined) all.push(role)
    }
  const given: readonly FoundRole[] = all.some(each => each.isKnown) ? all.filter(each => each.isKnown) : all
  for (const role of given)
    if (!role.isKnown)
      reader.problems.push({
        kind: 'unknown_role',
        message: `Unknown role "${role.wording}"`,
        from: originOf(found, '4e')
      })
  const name = target.metadata[0]?.value ?? ''
  if (given.length > 1) return [...new Map(given.map(role => [role.code, role])).values()].map(roleOf)
  const [only = row.role === 'main' ? mainRole(name, material, reader) : addedRole(name, reader)] = given
  return only === undefined ? [] : [roleOf(only)]
}

const roleOf = ({ code, wording, level }: FoundRole) => ({ code, wording, level })

export const usualRoles: Readonly<Partial<Record<ContentForm, string>>> = {
  'notated music': 'cmp',
  'performed music': 'cmp',
  cartographic: 'ctg',
  'moving image': 'cre',
  'still image': 'art',
  computer: 'cre'
}

function mainRole(name: string, material: Material, reader: Reader): FoundRole | undefined {
  const [surname = name] = name.split(',')
  // The main entry of a recording may be its performer; the note of performers names them.
  const performers = reader.dialect === 'marc21' ? (reader.fields.get('511') ?? []) : []
  const performs = performers.some(({ field }) => partsOf(field, 'a').some(({ value }) => value.includes(surname)))
  if (material.form === 'performed music' && performs) return findRole('prf')
  return findRole(usualRoles[material.form] ?? 'aut')
}

function addedRole(name: string, reader: Reader): FoundRole | undefined {
  const byStatement = roleInStatement(reader.statement, name)
  if (byStatement !== undefined) return byStatement
  // Names in the first part of the statement, without a word for their role, created the work
  // together.
  const [first = ''] = reader.statement.split(';', 1)
  const [surname = ''] = name.split(',')
  return findRole(surname.trim().length > 1 && first.includes(surname.trim()) ? 'aut' : 'ctb')
}

function authoritiesOf(found: Found, row: RelationRow, reader: Reader): { target: AuthorityDraft; part: string }[] {
  const { field } = found
  if (row.as === 'languages') return languageAuthorities(found, row, reader)
  if (row.as === 'work as subject') return worksAsSubjects(found, row, reader)
  const values = row.as === 'heading' ? subjectValues(found, row) : valuesOf(found, row)
  if (values.length === 0) return []
  const identifiers = isDataField(field) ? identifiersOf(field, reader.style) : []
  const scheme = isDataField(field) ? schemeOf(field) : undefined
  const targets: { target: AuthorityDraft; part: string }[] = []
  for (const { value, part } of values)
    targets.push({ target: authorityFor(row, value, part, identifiers, scheme), part })
  return targets
}

function worksAsSubjects(found: Found, row: RelationRow, reader: Reader): { target: AuthorityDraft; part: string }[] {
  const { field } = found
  // The title follows the name of its author.
  const title: RelationRow = { ...row, as: 'uniform', from: row.from.slice(Math.max(row.from.indexOf('t'), 0)) }
  const [named] = valuesOf(found, title)
  if (named === undefined || !isDataField(field)) return []
  const isDivided = partsOf(field, reader.dialect === 'marc21' ? 'vxyz' : 'jxyz').length > 0
  const identifiers = isDivided ? [] : identifiersOf(field, reader.style)
  if (!isCollectiveTitle(keyOf(named.value)))
    return [{ target: authorityFor(title, named.value, named.part, identifiers, undefined), part: named.part }]
  // With topical subdivisions, another row gives the whole heading.
  if (partsOf(field, 'x').length > 0) return []
  const heading: RelationRow = { ...row, as: 'heading', to: subject.type }
  return subjectValues(found, heading).map(({ value, part }) => ({
    target: authorityFor(heading, value, part, identifiers, schemeOf(field)),
    part
  }))
}

function authorityFor(
  row: RelationRow,
  value: string,
  part: string,
  identifiers: readonly string[],
  scheme: string | undefined
): AuthorityDraft {
  const key = row.as === 'class' ? 'code' : row.as === 'uniform' ? 'title' : 'name'
  // Numbers of an authority file belong to the heading, not to a subdivision of it.
  const isHeading = part.length !== 1 || !'vxyz'.includes(part)
  return {
    type: row.to,
    metadata: [{ key, value }],
    identifiers: isHeading ? identifiers : [],
    key: keyOf(value),
    ...(scheme === undefined || !isHeading ? {} : { scheme })
  }
}

function schemeOf(field: DataField): string | undefined {
  const named = firstPart(field, '2')
  if (named !== undefined) return named
  return field.tag.startsWith('6') && field.indicators[1] === '0' ? 'lcsh' : undefined
}

/** A heading: the parts of its name unchanged, topical subdivisions after dashes. */
function subjectValues(found: Found, row: RelationRow): Value[] {
  const parts = partsOf(found.field, row.from)
  let heading: string | undefined
  for (const { code, value } of parts) if (code !== 'x') heading = heading === undefined ? value : `${heading} ${value}`
  if (heading === undefined) return []
  let whole = withoutFullStop(heading)
  for (const { code, value } of parts) {
    const division = code === 'x' ? withoutFullStop(value) : ''
    if (division !== '') whole = whole === '' ? division : `${whole} -- ${division}`
  }
  return [{ value: whole, part: partNames(parts) }]
}

function languageAuthorities(
  found: Found,
  row: RelationRow,
  reader: Reader
): { target: AuthorityDraft; part: string }[] {
  const texts = isPlaces(row.from)
    ? [{ code: row.from, value: placesOf(found.field, row.from) }]
    : partsOf(found.field, row.from)
  return texts.flatMap(({ code: part, value }) =>
    splitLanguages(value).flatMap(given => {
      const target = languageAuthority(given, row.to)
      if (target === undefined) return []
      if (target.metadata[0]?.value === target.key)
        reader.problems.push({
          kind: 'unknown_language',
          message: `Unknown language "${given}"`,
          from: originOf(found, part)
        })
      return [{ target, part }]
    })
  )
}
