import type { Entity } from '#domain/entity/entity.ts'
import type { PublicationLevel } from '#domain/entity/publication.ts'
import { sameAsRelation } from '#domain/record-types/related.ts'
import { fullerName } from './compose/agents.ts'
import { ownAgency } from './compose-record.ts'
import { dataField, givenIdentifiers, type Part, punctuate, textOf, textsOf } from './compose/composer.ts'
import { codeFor, composeChanged } from './compose/fixed-fields.ts'
import { termParts } from './compose/topics.ts'
import {
  aroundTables,
  authorityTables,
  detailTables,
  type HeadingRow,
  thesauri,
  writtenSeeAlso
} from './mapping/authority-tables.ts'
import type { DataField, MarcField, MarcRecord } from './record.ts'

/**
 * Writes an authority as a MARC 21 authority record: the tables of `authority-tables.ts` in
 * reverse. Undefined if it has no name, or is of a type without a heading.
 */
export function composeAuthority({ entity, related }: PublicationLevel): MarcRecord | undefined {
  const row = rowOf(entity)
  const heading = row && headingField(row.heading, row, entity, [])
  if (row === undefined || heading === undefined || heading.length === 0) return undefined
  const isTerm = row.as === 'term' || row.as === 'title'
  const schemes = textsOf(entity, 'scheme')
  const coded = isTerm ? schemes.flatMap(each => codeFor(thesauri, each) ?? [])[0] : undefined
  const active = /^(\d{4})?-(\d{4})?$/.exec(textOf({ entity }, 'active_dates') ?? '')
  const fields: MarcField[] = [
    { tag: '001', value: entity.id },
    { tag: '003', value: ownAgency },
    { tag: '005', value: composeChanged(entity.audit.updated.at) },
    { tag: '008', value: fixedData(entity, coded ?? 'n') },
    ...givenIdentifiers(entity).flatMap(each =>
      dataField('024', '7 ', [
        ['a', each],
        ['2', 'uri']
      ])
    ),
    ...dataField('040', '  ', [
      ['a', ownAgency],
      ['c', ownAgency],
      ['f', coded === undefined ? schemes[0] : undefined]
    ]),
    ...dataField('046', '  ', [
      ['s', active?.[1]],
      ['t', active?.[2]]
    ]),
    ...heading,
    ...textsOf(entity, 'non_preferred_name').flatMap(name => nameField(row.tracing, row, name, [], [])),
    ...detailTables.marc21.flatMap(({ tags: [tag = ''], from: [code = ''], gives, isNumber }) =>
      (isNumber ? [] : textsOf(entity, gives)).flatMap(value =>
        dataField(tag, tag === '856' ? '40' : '  ', [[code, value]])
      )
    ),
    ...related.flatMap(each => [...seeAlso(each), ...linking(each), ...around(each)])
  ]
  return {
    // 05: new or corrected; 06: authority; 09: UTF-8; 17: complete.
    leader: `00000${entity.version > 1 ? 'c' : 'n'}z  a2200000n  4500`,
    fields: fields.toSorted((one, other) => (one.tag < other.tag ? -1 : one.tag > other.tag ? 1 : 0))
  }
}

/** 008: an established heading (09) of a thesaurus (11); other positions are not coded. */
const fixedData = ({ audit }: Entity, thesaurus: string) =>
  `${audit.created.at.slice(2, 10).replaceAll('-', '')}|||a|${thesaurus}||||||${' '.repeat(10)}|| |||     d`

const rowOf = (entity: Entity): HeadingRow | undefined => {
  const rows = authorityTables.marc21.filter(each => each.type === entity.type && each.has === undefined)
  const kind = textOf({ entity }, 'name_kind')
  return rows.find(each => each.kind === kind) ?? rows.find(each => each.kind === undefined)
}

const headingField = (tag: string, row: HeadingRow, entity: Entity, before: readonly Part[]): DataField[] => {
  const name = textOf({ entity }, row.as === 'title' ? 'title' : 'name')
  const isPerson = row.as === 'personal name'
  const dates = isPerson ? textOf({ entity }, 'life_dates') : undefined
  const fuller = isPerson ? fullerName(entity) : undefined
  return name === undefined
    ? []
    : nameField(tag, row, name, before, [
        ['q', fuller],
        ['d', dates]
      ])
}

/** A name: a preferred one, another form of it, or that of another authority. */
function nameField(
  tag: string,
  { as, kind }: HeadingRow,
  name: string,
  before: readonly Part[],
  after: readonly Part[]
): DataField[] {
  const isPerson = as === 'personal name'
  const first = isPerson ? (kind === 'family' ? '3' : name.includes(',') ? '1' : '0') : as === 'title' ? ' ' : '2'
  const indicators = as === 'term' ? '  ' : as === 'title' ? ' 0' : `${first} `
  const parts: readonly Part[] = as === 'term' ? termParts(name) : [['a', name]]
  return dataField(tag, indicators, [
    ...before,
    ...punctuate([...parts, ...after.map(([code, value]) => [code, value, code === 'q' ? '' : ','] as const)])
  ])
}

/** 5XX: another authority, with the relation in $w, or in $i where there is no code for it. */
function seeAlso({ type, entity }: PublicationLevel['related'][number]): DataField[] {
  const written = Object.hasOwn(writtenSeeAlso, type) ? writtenSeeAlso[type] : undefined
  const row = written && rowOf(entity)
  if (written === undefined || row === undefined) return []
  return headingField(row.seeAlso, row, entity, [
    ['w', written.control],
    ['i', written.words]
  ])
}

/** 7XX: the term of another scheme that means the same. */
function linking({ type, entity }: PublicationLevel['related'][number]): DataField[] {
  const row = type === sameAsRelation ? rowOf(entity) : undefined
  if (row === undefined) return []
  const [scheme] = textsOf(entity, 'scheme')
  return headingField(`7${row.heading.slice(1)}`, row, entity, []).map(({ tag, indicators, subfields }) => ({
    tag,
    indicators: `${indicators[0]}${scheme === 'lcsh' ? '0' : scheme === undefined ? '4' : '7'}`,
    subfields: [
      ...subfields,
      ...givenIdentifiers(entity).map(value => ({ code: '0', value })),
      ...(scheme === undefined || scheme === 'lcsh' ? [] : [{ code: '2', value: scheme }])
    ]
  }))
}

/** 370 and 377: places by their roles, and languages by their codes. */
function around({ type, metadata, entity }: PublicationLevel['related'][number]): DataField[] {
  const roles = metadata.flatMap(({ key, value }) => (key === 'role' ? [value] : []))
  const rows = aroundTables.marc21.filter(each => each.relation === type && each.to === entity.type)
  const row = rows.find(each => each.role !== undefined && roles.includes(each.role)) ?? rows.find(each => !each.role)
  if (row === undefined || Object.hasOwn(writtenSeeAlso, type)) return []
  if (type !== 'refLanguages') return dataField(row.tag, '  ', [[row.code, textOf({ entity }, 'name')]])
  return dataField(row.tag, ' 7', [
    [row.code, textOf({ entity }, 'code')],
    ['2', 'iso639-3']
  ])
}
