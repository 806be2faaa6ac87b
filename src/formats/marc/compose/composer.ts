import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import {
  type Level,
  type Publication,
  type PublicationExpression,
  type PublicationLevel,
  relatedBy,
  type RelatedEntity
} from '#domain/entity/publication.ts'
import { keyOf } from '../../description/keys.ts'
import { clean, withoutFullStop } from '../mapping/values.ts'
import type { DataField, MarcField } from '../record.ts'

/*
 * What all parts of composing use: which level is which, texts out of entities, and fields out of
 * texts.
 */

/** A field with the levels that it speaks of; none where it is about the record itself. */
export interface ComposedField {
  readonly field: MarcField
  readonly levels: readonly Level[]
}

/** A publication as MARC looks at it: as a whole, and the works that it holds beside. */
export interface Whole {
  readonly manifestation: PublicationLevel
  /** The text and the work of the record as a whole; an anthology may have none. */
  readonly expression: PublicationExpression | undefined
  readonly work: PublicationLevel | undefined
  /** What an anthology holds. */
  readonly contained: readonly PublicationExpression[]
  /**
   * Whose languages, contributors and subjects the record has: those of the whole, or of all that
   * it holds.
   */
  readonly expressions: readonly PublicationLevel[]
  readonly works: readonly PublicationLevel[]
}

/**
 * One expression is the whole, and so are several of one work: a text with its translation beside
 * it. Of several works the first is the whole, if it goes by the title of the publication; else all
 * are parts.
 */
export function wholeOf({ manifestation, expressions }: Publication): Whole {
  const [first, ...others] = expressions
  const titles = textsOf(manifestation.entity, 'title').map(keyOf)
  const isOneWork = others.every(({ work }) => work !== undefined && work.entity.id === first?.work?.entity.id)
  const isNamed = first !== undefined && textsOf(first.entity, 'title').some(each => titles.includes(keyOf(each)))
  const whole = isOneWork || isNamed ? first : undefined
  const chosen = isOneWork || whole === undefined ? expressions : [whole]
  const works = new Map(chosen.flatMap(({ work }) => (work === undefined ? [] : [[work.entity.id, work] as const])))
  return {
    manifestation,
    expression: whole,
    work: whole?.work,
    contained: isOneWork ? [] : whole === undefined ? expressions : others,
    expressions: chosen,
    works: [...works.values()]
  }
}

/** The values of a key as texts that a subfield can hold: no controls, one blank between words. */
export function textsOf(entity: Pick<Entity, 'metadata'>, key: string): string[] {
  return valuesOf(entity, key)
    .flat()
    .flatMap(value => {
      if (value === null || typeof value === 'object') return []
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they divide fields and records
      const text = clean(String(value).replaceAll(/[\x00-\x1f\x7f]/g, ' '))
      return text === '' ? [] : [text]
    })
}

export const textOf = (level: { readonly entity: Entity } | undefined, key: string) =>
  level === undefined ? undefined : textsOf(level.entity, key)[0]

/** What some levels are related to under a type, each once. */
export function relatedOnce(levels: readonly PublicationLevel[], type: string): RelatedEntity[] {
  const found = levels.flatMap(level => relatedBy(level, type))
  return [...new Map(found.map(each => [each.entity.id, each])).values()]
}

/** Identifiers that somebody gave it beside our own. */
export const givenIdentifiers = ({ identifiers }: Entity) => identifiers.slice(2)

export type Part = readonly [code: string, value: string | undefined]

/** A data field, or nothing when none of its parts has a value. */
export function dataField(tag: string, indicators: string, parts: readonly Part[]): DataField[] {
  const subfields = parts.flatMap(([code, value]) => (value === undefined || value === '' ? [] : [{ code, value }]))
  return subfields.length === 0 ? [] : [{ tag, indicators, subfields }]
}

export const at = (levels: Level | readonly Level[], fields: readonly MarcField[]): ComposedField[] =>
  fields.map(field => ({ field, levels: typeof levels === 'string' ? [levels] : levels }))

/**
 * Puts punctuation before each part that has something in front of it (ISBD): ` :` before a
 * subtitle.
 */
export function punctuate(
  parts: readonly (readonly [code: string, value: string | undefined, mark?: string])[]
): Part[] {
  const present = parts.filter(([, value]) => value !== undefined && value !== '')
  return present.map(([code, value], index) => [code, `${value}${present[index + 1]?.[2] ?? ''}`])
}

/** With a full stop behind it, where a reader can tell that it is none of the text. */
export const withFullStop = (text: string) => (withoutFullStop(`${text}.`) === text ? `${text}.` : text)

/**
 * A term as a reader of terms leaves it: brackets around the whole are taken for the cataloguer's,
 * unless a full stop is behind them.
 */
export const asTerm = (text: string) => (/^\[.*\]$/.test(text) ? `${text}.` : text)

/**
 * Numbers of authority files: what names the thing itself stands in $1, what names the record of it
 * in $0.
 */
export const authorityParts = (entity: Entity): Part[] =>
  givenIdentifiers(entity).map(each => [/^https?:\/\/(?:www\.wikidata\.org|viaf\.org)\//.test(each) ? '1' : '0', each])
