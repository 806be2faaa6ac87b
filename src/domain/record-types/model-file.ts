import { fieldKinds, type Field, type RecordType, type RelationRule } from './record-type.ts'
import { maxFacets } from '../filter/facets.ts'
import { CatalogueError } from '../errors.ts'
import { readinessRules } from '../filter/read-filter.ts'
import { isJsonObject } from '../json.ts'
import { createModel } from './model.ts'
import { facetsOf } from './facets.ts'

/**
 * Adds the record types of a model file to the built-in ones (docs/how-to/extend-the-model.md).
 *
 * The file is `{"types": [table, …]}`, each table in the form of the built-in ones. A table whose
 * `type` exists already adds its fields and relations to that type, or replaces those of the same
 * name; a new type needs `idPrefix` and `nameField`. Throws an Error that lists every fault, by its
 * place in the file.
 */
export function extendRecordTypes(builtIn: readonly RecordType[], file: unknown): RecordType[] {
  const faults: string[] = []
  const tables = isJsonObject(file) && Array.isArray(file.types) ? file.types : undefined
  if (!tables) throw new Error('The model file must be an object with a list under "types"')

  const result = [...builtIn]
  const given: { table: RecordType; at: string }[] = []
  tables.forEach((table: unknown, index) => {
    const at = `/types/${index}`
    const known = isJsonObject(table) ? result.findIndex(each => each.type === table.type) : -1
    const checked = readTable(table, at, result[known], faults)
    if (!checked) return
    given.push({ table: checked, at })
    if (known >= 0) result[known] = checked
    else result.push(checked)
  })

  const names = new Set(result.flatMap(each => [each.type, each.umbrella ?? each.type]))
  for (const { table, at } of given) {
    for (const [name, rule] of Object.entries(table.relations)) {
      for (const target of rule.to) {
        if (!names.has(target)) faults.push(`${at}/relations/${name}/to: no type "${target}"`)
      }
    }
    if (!Object.hasOwn(table.fields, table.nameField)) {
      faults.push(`${at}/nameField: no field "${table.nameField}" in this type`)
    }
    for (const key of table.toldApartBy ?? []) {
      if (!Object.hasOwn(table.fields, key) && !Object.hasOwn(table.relations, key))
        faults.push(`${at}/toldApartBy: no field or relation "${key}" in this type`)
    }
    for (const key of table.shownWith ?? []) {
      if (!Object.hasOwn(table.fields, key)) faults.push(`${at}/shownWith: no field "${key}" in this type`)
    }
    const { from, until } = table.publication ?? {}
    const ofPublication = {
      statusField: table.statusField,
      dueBefore: table.dueBefore,
      'publication/from': from,
      'publication/until': until
    }
    for (const [member, field] of Object.entries(ofPublication)) {
      if (field !== undefined && !Object.hasOwn(table.fields, field))
        faults.push(`${at}/${member}: no field "${field}" in this type`)
    }
    for (const member of ['climbsBy', 'partOf'] as const) {
      const relation = table[member]
      if (relation !== undefined && !Object.hasOwn(table.relations, relation))
        faults.push(`${at}/${member}: no relation "${relation}" in this type`)
    }
  }
  if (faults.length === 0) checkRules(result, faults)
  // The kinds of records are counted beside them.
  const facets = facetsOf(result).length
  if (facets >= maxFacets) faults.push(`/types: ${facets} facets with the built-in ones; at most ${maxFacets - 1}`)
  if (faults.length > 0) throw new Error(`The model file has faults:\n  ${faults.join('\n  ')}`)
  return result
}

const tableMembers = [
  'type',
  'umbrella',
  'idPrefix',
  'description',
  'fields',
  'relations',
  'nameField',
  'toldApartBy',
  'resolvedAs',
  'relationLabel',
  'climbsBy',
  'partOf',
  'shownWith',
  'statusField',
  'publication',
  'dueBefore',
  'readiness',
  'needs'
]
const fieldMembers = [
  'kind',
  'required',
  'repeatable',
  'isCode',
  'isAddress',
  'identifies',
  'isSearched',
  'isInternal',
  'of',
  'readAs',
  'default',
  'maxLength',
  'min',
  'max',
  'facet'
]
const relationMembers = ['to', 'min', 'max', 'isPart', 'details', 'facet']
const facetMembers = ['order', 'isForStaff', 'isOpen']

function readTable(
  table: unknown,
  at: string,
  known: RecordType | undefined,
  faults: string[]
): RecordType | undefined {
  if (!isJsonObject(table)) {
    faults.push(`${at}: must be an object`)
    return undefined
  }
  const before = faults.length
  refuseUnknown(table, tableMembers, at, faults)
  if (typeof table.type !== 'string' || !/^[a-z][A-Za-z0-9_]*$/.test(table.type)) {
    faults.push(`${at}/type: must be a name of letters, 0–9 and _ that begins with a–z`)
  }
  if (table.idPrefix === undefined && !known) faults.push(`${at}/idPrefix: a new type needs one`)
  else if (
    table.idPrefix !== undefined &&
    !(typeof table.idPrefix === 'string' && /^[A-Z]{1,8}$/.test(table.idPrefix))
  ) {
    faults.push(`${at}/idPrefix: must be 1 to 8 letters A–Z`)
  }
  for (const member of [
    'umbrella',
    'description',
    'nameField',
    'relationLabel',
    'climbsBy',
    'partOf',
    'statusField',
    'dueBefore'
  ]) {
    if (table[member] !== undefined && typeof table[member] !== 'string') faults.push(`${at}/${member}: must be text`)
  }
  if (table.nameField === undefined && !known) faults.push(`${at}/nameField: a new type needs one`)
  const fields = readMembers(table.fields, `${at}/fields`, faults, readField)
  const relations = readMembers(table.relations, `${at}/relations`, faults, readRelation)
  if (
    table.resolvedAs !== undefined &&
    !(isJsonObject(table.resolvedAs) && Object.values(table.resolvedAs).every(isText))
  ) {
    faults.push(`${at}/resolvedAs: must map members of the answer to fields`)
  }
  for (const member of ['toldApartBy', 'shownWith']) {
    const list = table[member]
    if (list !== undefined && !(Array.isArray(list) && list.every(isText)))
      faults.push(`${at}/${member}: must list fields${member === 'shownWith' ? '' : ' and relations'}`)
  }
  const { publication } = table
  if (publication !== undefined && !(isJsonObject(publication) && [publication.from, publication.until].every(isText)))
    faults.push(`${at}/publication: must be {"from", "until"}, each with a field`)
  if (table.readiness !== undefined && !isListOfRules(table.readiness))
    faults.push(
      `${at}/readiness: must be a list of {"name", "label", "filters", "dueDays"}, no filter of which is a readiness`
    )
  if (table.needs !== undefined && !isListOfNeeds(table.needs)) {
    faults.push(`${at}/needs: must be a list of {"field", "is", "fields"}`)
  }
  if (faults.length > before) return undefined
  // Every member that is copied was checked above.
  return {
    description: '',
    ...known,
    ...(table as object),
    fields: { ...known?.fields, ...withFacets(fields, known?.fields) },
    relations: { ...known?.relations, ...withFacets(relations, known?.relations) }
  } as RecordType
}

/** A field or relation that replaces a facet remains one, unless the file says otherwise. */
const withFacets = <T extends Field | RelationRule>(
  given: Readonly<Record<string, T>>,
  known: Readonly<Record<string, T>> = {}
) =>
  Object.fromEntries(
    Object.entries(given).map(([name, rule]) => {
      const facet = Object.hasOwn(known, name) ? known[name]?.facet : undefined
      return [name, facet && !rule.facet ? { ...rule, facet } : rule]
    })
  )

function readField(field: Record<string, unknown>, at: string, faults: string[]): Field {
  refuseUnknown(field, fieldMembers, at, faults)
  if (!(fieldKinds as readonly unknown[]).includes(field.kind)) {
    faults.push(`${at}/kind: must be one of ${fieldKinds.join(', ')}`)
  }
  if (field.kind === 'choice' && !(Array.isArray(field.of) && field.of.length > 0 && field.of.every(isText))) {
    faults.push(`${at}/of: a choice needs the list of its values`)
  }
  for (const member of ['required', 'repeatable', 'isCode', 'isAddress', 'identifies', 'isSearched', 'isInternal']) {
    if (field[member] !== undefined && typeof field[member] !== 'boolean')
      faults.push(`${at}/${member}: must be true or false`)
  }
  if (field.default !== undefined && !isText(field.default)) faults.push(`${at}/default: must be text`)
  for (const member of ['maxLength', 'min', 'max']) {
    if (field[member] !== undefined && typeof field[member] !== 'number')
      faults.push(`${at}/${member}: must be a number`)
  }
  if (field.readAs !== undefined && !(isJsonObject(field.readAs) && Object.values(field.readAs).every(isText))) {
    faults.push(`${at}/readAs: must map spellings to values`)
  }
  checkFacet(field.facet, `${at}/facet`, faults)
  return field as unknown as Field
}

function readRelation(rule: Record<string, unknown>, at: string, faults: string[]): RelationRule {
  refuseUnknown(rule, relationMembers, at, faults)
  if (!Array.isArray(rule.to) || rule.to.length === 0 || !rule.to.every(isText)) {
    faults.push(`${at}/to: must list the types it may point to`)
    return { to: [] }
  }
  for (const member of ['min', 'max']) {
    if (rule[member] !== undefined && !Number.isInteger(rule[member]))
      faults.push(`${at}/${member}: must be a whole number`)
  }
  if (rule.details !== undefined && !(Array.isArray(rule.details) && rule.details.every(isText)))
    faults.push(`${at}/details: must list keys of the metadata of the relation`)
  if (rule.isPart !== undefined && typeof rule.isPart !== 'boolean') faults.push(`${at}/isPart: must be true or false`)
  checkFacet(rule.facet, `${at}/facet`, faults)
  return rule as unknown as RelationRule
}

function checkFacet(facet: unknown, at: string, faults: string[]) {
  if (facet === undefined) return
  if (!isJsonObject(facet)) return faults.push(`${at}: must be an object`)
  refuseUnknown(facet, facetMembers, at, faults)
  if (typeof facet.order !== 'number') faults.push(`${at}/order: must be a number`)
  for (const member of ['isForStaff', 'isOpen']) {
    if (facet[member] !== undefined && typeof facet[member] !== 'boolean')
      faults.push(`${at}/${member}: must be true or false`)
  }
}

function readMembers<T>(
  members: unknown,
  at: string,
  faults: string[],
  read: (member: Record<string, unknown>, at: string, faults: string[]) => T
): Record<string, T> {
  if (members === undefined) return {}
  if (!isJsonObject(members)) {
    faults.push(`${at}: must be an object`)
    return {}
  }
  const result: Record<string, T> = {}
  for (const [name, member] of Object.entries(members)) {
    if (!isJsonObject(member)) faults.push(`${at}/${name}: must be an object`)
    else result[name] = read(member, `${at}/${name}`, faults)
  }
  return result
}

function refuseUnknown(value: Record<string, unknown>, known: readonly string[], at: string, faults: string[]) {
  for (const member of Object.keys(value)) {
    if (!known.includes(member)) faults.push(`${at}/${member}: unknown member; known are ${known.join(', ')}`)
  }
}

/** Reports the faults of the filters of rules. */
function checkRules(recordTypes: readonly RecordType[], faults: string[]) {
  try {
    readinessRules(createModel(recordTypes))
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    faults.push(`/types: a rule of "readiness" has a filter that cannot be read: ${error.message}`)
  }
}

const ruleMembers = ['name', 'label', 'filters', 'dueDays']

/** Tests for a list of rules. A rule that asks for readiness would ask for itself. */
const isListOfRules = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    each =>
      isJsonObject(each) &&
      Object.keys(each).every(member => ruleMembers.includes(member)) &&
      isText(each.name) &&
      (each.label === undefined || (isJsonObject(each.label) && Object.values(each.label).every(isText))) &&
      Array.isArray(each.filters) &&
      !JSON.stringify(each.filters).includes('"readiness"') &&
      (each.dueDays === undefined || Number.isInteger(each.dueDays))
  )

function isListOfNeeds(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      each =>
        isJsonObject(each) &&
        isText(each.field) &&
        isText(each.is) &&
        Array.isArray(each.fields) &&
        each.fields.every(isText)
    )
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'
