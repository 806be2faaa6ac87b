import { table } from '#domain/table.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { type Publication, type PublicationLevel, relatedBy } from '#domain/entity/publication.ts'
import { formOf } from '../../description/content-forms.ts'
import { audiences, literaryForms, marc21Table } from '../mapping/marc21-table.ts'
import type { MaterialRow } from '../mapping/table.ts'
import { textOf, textsOf, type Whole } from './composer.ts'

/* Leader, 005 and 008: values at fixed positions. */

/** The kind of material in the name of a type: `music` of `manifestation_music`. */
const materialIn = (type: string | undefined) => /^(?:work|expression|manifestation)_(.+)$/.exec(type ?? '')?.[1]

export interface Kind {
  readonly row: MaterialRow
  readonly isSerial: boolean
  /** A content type that must come first, or the work would be read as one of another kind. */
  readonly contentType: string | undefined
}

/** Content types that determine the kind of a work where the leader does not. */
const contentOf: Readonly<Record<string, string>> = table({
  word: 'text',
  music: 'performed music',
  map: 'cartographic image',
  footage: 'two-dimensional moving image',
  computer_file: 'computer program'
})

/** The kind of a publication for the leader. */
export function kindOf({ manifestation, expressions, works }: Whole): Kind {
  const material = materialIn(manifestation.entity.type) ?? 'word'
  const content = materialIn(works[0]?.entity.type) ?? materialIn(expressions[0]?.entity.type) ?? material
  const named = expressions.flatMap(({ entity }) => textsOf(entity, 'content_type')).flatMap(each => formOf(each) ?? [])
  const materials = textsOf(manifestation.entity, 'material_type')
  const isHeard = materials.some(each => /audio|\bcds?\b|record|\blp\b/i.test(each))
  const rows = marc21Table.materials
  const own = rows.filter(each => each.material === material)
  const fitting = own.filter(each => each.content === content)
  const row =
    fitting.find(each => named.some(({ form }) => form === each.form)) ??
    fitting.find(each => isHeard === (each.form === 'performed music')) ??
    fitting[0] ??
    own[0] ??
    rows[0]
  if (row === undefined) throw new Error('The table of materials is empty')
  const isSerial = material === 'serial'
  const read = named.some(each => each.content === row.content) ? row.content : (named[0]?.content ?? row.content)
  return { row, isSerial, contentType: isSerial || read === content ? undefined : contentOf[content] }
}

export function composeLeader({ row, isSerial }: Kind, { version }: Entity): string {
  const type = row.leaderTypes[0] ?? 'a'
  // 05: new or corrected; 09: UTF-8; 17: unknown encoding level; 18: with the punctuation of ISBD.
  return `00000${version > 1 ? 'c' : 'n'}${type}${isSerial ? 's' : 'm'} a2200000ui 4500`
}

/** The time of the last change of any level. */
export function changedAt({ manifestation, expressions }: Publication): string {
  let latest = ''
  const note = ({ entity }: PublicationLevel) => {
    if (entity.audit.updated.at > latest) latest = entity.audit.updated.at
  }
  note(manifestation)
  for (const expression of expressions) {
    note(expression)
    if (expression.work) note(expression.work)
  }
  return latest
}

/** 005: `20261114093000.0`. */
export const composeChanged = (moment: string) =>
  `${moment.replaceAll(/\D/g, '').slice(0, 14).padEnd(14, '0')}.${moment[20] ?? '0'}`

/** 008/18-34 by kind: a fill character (not coded) wherever the position has a meaning. */
const templates: readonly (readonly [types: string, places: string])[] = [
  ['ef', '|||||| |  || | ||'],
  ['cdij', '|||||||||||||| | '],
  ['gkor', '||| |     ||   ||'],
  ['m', '    ||  | |      '],
  ['p', '     |           ']
]
const ofBooks = '|||||||||||||| ||'
const ofSerials = '|| |||||||||   ||'

export function composeFixedData(whole: Whole, kind: Kind, language: string): string {
  const { manifestation, works } = whole
  const type = kind.row.leaderTypes[0] ?? 'a'
  const created = manifestation.entity.audit.created.at
  const year = /^[12]\d{3}$/.exec(textOf(manifestation, 'year_of_publication') ?? '')?.[0]
  const dates = kind.isSerial ? `u${year ?? 'uuuu'}uuuu` : year === undefined ? 'nuuuuuuuu' : `s${year}    `
  let places = kind.isSerial ? ofSerials : (templates.find(([types]) => types.includes(type))?.[1] ?? ofBooks)
  const put = (place: number, code: string | undefined) => {
    if (code !== undefined) places = places.slice(0, place - 18) + code + places.slice(place - 17)
  }
  const audience = relatedNames(works, 'refTargetAudiences').flatMap(each => codeFor(audiences, each) ?? [])[0]
  if (!kind.isSerial && 'acijgkorm'.includes(type)) put(22, audience)
  if (!kind.isSerial && type === 'a') put(33, codeFor(literaryForms, textOf(works[0], 'literary_type') ?? ''))
  return `${created.slice(2, 10).replaceAll('-', '')}${dates}xx ${places}${language} d`
}

const relatedNames = (levels: Whole['works'], type: string) =>
  levels.flatMap(level => relatedBy(level, type).flatMap(each => textOf(each, 'name') ?? []))

/** The code of a word in a table. */
export function codeFor(codes: Readonly<Record<string, string>>, word: string): string | undefined {
  const known = codesByWord.get(codes)
  const found =
    known ??
    new Map(
      Object.entries(codes)
        .reverse()
        .map(([code, meaning]) => [meaning, code])
    )
  if (known === undefined) codesByWord.set(codes, found)
  return found.get(word) ?? found.get(word.toLowerCase())
}

/** The tables, turned around. */
const codesByWord = new WeakMap<object, ReadonlyMap<string, string>>()
