import { recordLimits } from '#domain/editing/record-limits.ts'
import type { Json, MetadataEntry } from '#domain/entity/entity.ts'
import { type Field, isTranslatable, type RecordType } from '#domain/record-types/record-type.ts'
import { model } from '../support/records/described-publications.ts'
import { centre, entitiesOf, hostileShapes } from '../support/records/hostile-shapes.ts'
import { hostileTexts } from '../support/records/hostile-texts.ts'

/*
 * Records of every type whose fields, values, languages, relations and identifiers are as many, and
 * whose texts are as long, as a share of the limits allows. A catalogue of twice the share has the
 * same records, each twice as large.
 */

export interface GrownRecord {
  readonly id: string
  readonly type: string
  readonly metadata: readonly MetadataEntry[]
  readonly relations: readonly { readonly type: string; readonly key: string }[]
  readonly identifiers: readonly string[]
}

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, at) => make(at))

/** A right value of a field; others of the same kind differ. */
const aValueOf = ({ kind, of: choices, min = 0 }: Field, at: number): Json => {
  const values: Partial<Record<Field['kind'], Json>> = {
    choice: choices?.[at % choices.length] ?? 'x',
    number: min + at,
    minutes: at % 600,
    year: 1900 + (at % 120),
    date: `20${String(10 + (at % 80))}-01-01`,
    moment: `2026-01-01T00:00:${String(at % 60).padStart(2, '0')}Z`,
    boolean: at % 2 === 0,
    isbn: '9780306406157',
    codes: [`c${at}`],
    age_category: 'all',
    time_zone: 'Europe/Brussels'
  }
  return values[kind] ?? `value ${at}`
}

/** The metadata that a record of the type must have. */
const requiredOf = ({ fields, nameField }: RecordType): MetadataEntry[] =>
  Object.entries(fields)
    .filter(([key, { required }]) => required === true || key === nameField)
    .map(([key, field]) => ({ key, value: aValueOf(field, 1) }))

/** Makes the part of a record that grows. `share`: of what the limits allow, at most 1. */
type Growth = (type: RecordType, share: number) => Partial<Omit<GrownRecord, 'id' | 'type'>>

/** Fields that the record need not have, so that they can be anything. */
const optionalOf = ({ fields, nameField }: RecordType) =>
  Object.entries(fields).filter(([key, { required, ofContent }]) => !required && !ofContent && key !== nameField)

const grownTexts =
  (grow: (size: number) => string, bytes: number): Growth =>
  (type, share) => {
    const texts = optionalOf(type).filter(([, { kind, maxLength, isAddress, of: choices }]) => {
      return (kind === 'text' || kind === 'html') && !maxLength && !isAddress && !choices
    })
    const each = Math.min(recordLimits.maxTextCharacters, bytes / (texts.length + 1))
    return { metadata: [...texts.map(([key]) => key), 'note_x'].map(key => ({ key, value: grow(each * share) })) }
  }

const growths = (bytes: number): Record<string, Growth> => ({
  ...Object.fromEntries(
    Object.entries(hostileTexts).map(([kind, grow]) => [`texts of ${kind}`, grownTexts(grow, bytes)] as const)
  ),
  name: ({ nameField }, share) => ({
    metadata: [{ key: nameField, value: 'na '.repeat((recordLimits.maxNameCharacters / 3) * share) }]
  }),
  values: (type, share) => {
    const fields = optionalOf(type).filter(([, { repeatable }]) => repeatable)
    const each = ((recordLimits.maxMetadata - 100) / (fields.length + 1)) * share
    return {
      metadata: [...fields, ['note_x', { kind: 'text' }] as const].flatMap(([key, field]) =>
        times(each, at => ({ key, value: aValueOf(field, at) }))
      )
    }
  },
  languages: (type, share) => {
    const fields = optionalOf(type).filter(([, field]) => isTranslatable(field))
    const each = ((recordLimits.maxMetadata - 100) / (fields.length + 1)) * share
    return {
      metadata: [...fields.map(([key]) => key), 'note_x'].flatMap(key =>
        times(each, at => ({ key, value: `value ${at}`, lang: `x-${at.toString(36)}` }))
      )
    }
  },
  levels: (_, share) => ({
    metadata: times(200 * share, at => ({ key: 'note_x', value: [nested(20), at] }))
  }),
  identifiers: ({ type }, share) => ({
    identifiers: times(recordLimits.maxIdentifiers * share, at => `grown-${type}-${at}`)
  }),
  relations: (type, share) => {
    const open = Object.entries(type.relations).filter(([, { max, isPart }]) => max === undefined && !isPart)
    const total = Math.min(recordLimits.maxRelations, bytes / 40)
    return {
      relations: [...open, ['refOther', { to: ['person'] }] as const].flatMap(([name, { to }]) =>
        times((total / (open.length + 1)) * share, at => ({
          type: name,
          key: `${to.includes('person') ? 'TO' : 'NOTHING'}-${at}`
        }))
      )
    }
  }
})

const nested = (levels: number): Json => (levels === 0 ? 'deep' : { inner: nested(levels - 1) })

export interface GrownCatalogueOptions {
  /** Bytes of the largest records. */
  readonly bytes: number
  /** Size of the hostile shapes, of which some have one record for each. */
  readonly shapes: number
  /** Whether there are records of this growth. */
  includes(growth: string): boolean
}

/** The types of an umbrella have the same fields: one of them stands for all. */
export const differentTypes = [
  ...new Map(model.recordTypes.toReversed().map(each => [each.umbrella ?? each.type, each])).values()
]

const idOf = (type: string, growth: string) => `GROWN-${type}-${growth.replaceAll(/\W+/g, '-')}`

/** Records that relations lead to. */
const maxTargets = 60

/** The records of a catalogue whose size is a share of the largest one. */
export function grownRecords(share: number, { bytes, shapes, includes }: GrownCatalogueOptions): GrownRecord[] {
  const ofTypes = differentTypes.flatMap(type =>
    Object.entries(growths(bytes))
      .filter(([growth]) => includes(growth))
      .map(([growth, grow]) => {
        const { metadata = [], relations = [], identifiers = [] } = grow(type, share)
        const own = requiredOf(type).filter(({ key }) => !metadata.some(each => each.key === key))
        const required = Object.entries(type.relations)
          .filter(([, { min = 0 }]) => min > 0)
          .map(([name, { to }]) => ({ type: name, key: idOf(model.typesNamed(to[0] ?? '')[0] ?? '', growth) }))
        return {
          id: idOf(type.type, growth),
          type: type.type,
          metadata: [...own, ...metadata],
          relations: [...required, ...relations],
          identifiers
        }
      })
  )
  const targets = times(maxTargets * share, at => ({
    id: `TO-${at}`,
    type: 'person',
    metadata: [{ key: 'name', value: `Name ${at}` }],
    relations: [],
    identifiers: []
  }))
  const ofShapes = Object.entries(hostileShapes).flatMap(([shape, make], at) =>
    entitiesOf(make(Math.round(shapes * share))).flatMap(({ id, type, metadata, relations, identifiers }) => {
      if (id === centre && at > 0) return []
      const own = id === centre ? id : `${id}-${shape.replaceAll(/\W+/g, '-')}`
      return [{ id: own, type, metadata, relations, identifiers: identifiers.slice(2).map(each => `${each}-${at}`) }]
    })
  )
  return [...targets, ...ofTypes, ...ofShapes]
}
