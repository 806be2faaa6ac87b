import type { Entity, MetadataEntry } from '#domain/entity/entity.ts'
import { type Level, type PublicationLevel, relatedBy, type RelatedEntity } from '#domain/entity/publication.ts'
import { person } from '#domain/record-types/related.ts'
import type { ContentForm } from '../../description/description.ts'
import { usualRoles } from '../mapping/relations.ts'
import { findRole } from '../../description/roles.ts'
import { isDataField, type DataField } from '../record.ts'
import {
  at,
  authorityParts,
  type ComposedField,
  dataField,
  type Part,
  punctuate,
  textOf,
  type Whole,
  withFullStop
} from './composer.ts'

/**
 * People and corporations: the first creator of the work is the main entry, all others are added
 * entries with their roles.
 */
export function composeAgents(whole: Whole, form: ContentForm): ComposedField[] {
  const main = findMain(whole)
  const seen = new Set<string>()
  const entries: ComposedField[] = []
  const add = (level: Level, related: RelatedEntity, isMain: boolean) => {
    const roles = rolesOf(related.metadata)
    const usual = level === 'work' ? (usualRoles[form] ?? 'aut') : level === 'expression' ? 'ctb' : 'asn'
    // The role of a main entry is implied; that of an added one is not.
    const shown = roles.length > 0 || isMain ? roles : [usual]
    const open = shown.filter(
      role => !seen.has(`${related.entity.id} ${findRole(role)?.code} ${findRole(role)?.wording}`)
    )
    if (open.length === 0 && !isMain) return
    for (const role of isMain && shown.length === 0 ? [usual] : open)
      seen.add(`${related.entity.id} ${findRole(role)?.code} ${findRole(role)?.wording}`)
    entries.push(...at(level, agentField(isMain ? '1' : '7', ' ', related, roleParts(open))))
  }
  if (main !== undefined) add('work', main, true)
  for (const [level, levels] of levelsOf(whole))
    for (const each of levels)
      for (const related of relatedBy(each, 'refAuthors')) if (related !== main) add(level, related, false)
  return entries
}

/**
 * The works of an anthology: an entry for each under its author, or under its title if it has no
 * author.
 */
export function composeContained(
  whole: Whole,
  languages: readonly string[],
  nameOf: (code: string) => string | undefined
): ComposedField[] {
  return whole.contained.flatMap(expression => {
    const { work } = expression
    const title = textOf(work, 'title') ?? textOf(expression, 'title')
    if (title === undefined) return []
    const own = relatedBy(expression, 'refLanguages').flatMap(each => textOf(each, 'code') ?? [])
    const isOther = own.length > 0 && (own.length !== languages.length || own.some(each => !languages.includes(each)))
    const language = isOther ? nameOf(own[0] ?? '') : undefined
    const [author] = relatedBy(work, 'refAuthors')
    const named: Part[] = [
      ['t', language === undefined ? title : withFullStop(title)],
      ['l', language]
    ]
    const fields =
      author === undefined
        ? dataField(
            '730',
            '02',
            named.map(([code, value]) => [code === 't' ? 'a' : code, value])
          )
        : agentField('7', '2', author, named)
    return at(['work', 'expression'], fields)
  })
}

/**
 * The first creator of the work; for an anthology without a work of its own, the creator of all its
 * works.
 */
function findMain(whole: Whole): RelatedEntity | undefined {
  const [first, ...others] = whole.works.map(work => relatedBy(work, 'refAuthors')[0])
  return others.every(each => each?.entity.id === first?.entity.id) ? first : undefined
}

const levelsOf = (whole: Whole): readonly (readonly [Level, readonly PublicationLevel[]])[] => [
  ['work', whole.works],
  ['expression', [...whole.expressions, ...(whole.expression === undefined ? [] : whole.contained)]],
  ['manifestation', [whole.manifestation]]
]

/** The roles in the metadata of a relation: codes or words. */
const rolesOf = (metadata: readonly MetadataEntry[]) =>
  metadata
    .filter(each => each.key === 'role')
    .flatMap(({ value }) => (typeof value === 'string' && value.trim() !== '' ? [value] : []))

function roleParts(roles: readonly string[]): Part[] {
  const found = roles.flatMap(each => findRole(each) ?? [])
  return [
    ...found.filter(each => each.isKnown || each.code === 'oth').map((each): Part => ['e', each.wording]),
    ...found.filter(each => each.code !== 'oth').map((each): Part => ['4', each.code])
  ]
}

/** A name with its dates: a main entry (1), a subject (6) or an added entry (7). */
export function agentField(
  hundreds: string,
  second: string,
  { entity }: RelatedEntity,
  after: readonly Part[]
): DataField[] {
  const isPerson = entity.type === person.type
  const name = textOf({ entity }, 'name')
  if (name === undefined) return []
  const dates = isPerson ? textOf({ entity }, 'life_dates') : undefined
  const fuller = isPerson ? fullerName(entity) : undefined
  const words = after.filter(([code]) => code !== '4')
  const isTitle = words[0]?.[0] === 't'
  const before = isTitle ? withStop(dates ?? fuller ?? name) : ''
  const parts = punctuate([
    ['a', name],
    ['q', fuller],
    ['d', dates, ','],
    ...words.map(([code, value]) => [code, value, isTitle ? (code === 't' ? before : '') : ','] as const)
  ])
  return dataField(
    `${hundreds}${isPerson ? '00' : '10'}`,
    `${isPerson ? (name.includes(',') ? '1' : '0') : '2'}${second}`,
    [...parts, ...authorityParts(entity), ...after.filter(([code]) => code === '4')]
  )
}

/** The forenames in full, in brackets as in headings. */
export function fullerName(entity: Entity): string | undefined {
  const fuller = textOf({ entity }, 'fuller_name')
  return fuller === undefined ? undefined : `(${fuller})`
}

/** Adds a full stop between a name and a title, if it cannot be taken for part of the name. */
const withStop = (text: string) => (/\d$|-$/.test(text) || withFullStop(text) !== text ? '.' : '')

export const hasMainEntry = (fields: readonly ComposedField[]) =>
  fields.some(({ field }) => isDataField(field) && /^1[01]0$/.test(field.tag))
