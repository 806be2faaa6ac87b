import type { Entity, Json, MetadataEntry } from '#domain/entity/entity.ts'
import {
  type Level,
  type Publication,
  type PublicationExpression,
  type PublicationLevel,
  relatedBy,
  type RelatedEntity
} from '#domain/entity/publication.ts'
import { isMadeHere } from '#domain/entity/ids.ts'
import { keyOf } from '../../description/keys.ts'
import { cleanWithoutControls, withoutFullStop } from '../mapping/values.ts'
import type { DataField, MarcField, Subfield } from '../record.ts'

/*
 * Shared parts of composing: levels, texts from entities, and fields from texts.
 */

/** A field with the levels that it describes; empty if it is about the record itself. */
export interface ComposedField {
  readonly field: MarcField
  readonly levels: readonly Level[]
}

/** A publication in the view of MARC: as a whole, and the works that it contains. */
export interface Whole {
  readonly manifestation: PublicationLevel
  /** The expression and the work of the record as a whole; an anthology may have none. */
  readonly expression: PublicationExpression | undefined
  readonly work: PublicationLevel | undefined
  /** The contents of an anthology. */
  readonly contained: readonly PublicationExpression[]
  /**
   * The levels whose languages, contributors and subjects the record has: those of the whole, or of
   * all its contents.
   */
  readonly expressions: readonly PublicationLevel[]
  readonly works: readonly PublicationLevel[]
}

/**
 * One expression is the whole, and so are several of one work: a text with its translation. Of
 * several works the first is the whole, if it has the title of the publication or the others are
 * its parts; else all are parts.
 */
export function wholeOf({ manifestation, expressions }: Publication): Whole {
  const [first, ...others] = expressions
  const titles = textsOf(manifestation.entity, 'title').map(keyOf)
  const isOneWork = others.every(({ work }) => work !== undefined && work.entity.id === first?.work?.entity.id)
  const isNamed = first !== undefined && textsOf(first.entity, 'title').some(each => titles.includes(keyOf(each)))
  const parts = new Set((first?.work?.related ?? []).flatMap(each => (each.type === 'refParts' ? each.entity.id : [])))
  const hasOthers = others.every(({ work }) => work !== undefined && parts.has(work.entity.id))
  const whole = isOneWork || isNamed || hasOthers ? first : undefined
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

/** The values of a key as texts for a subfield: no control characters, one space between words. */
export function textsOf({ metadata }: Pick<Entity, 'metadata'>, key: string): string[] {
  const texts: string[] = []
  for (let place = 0; place < metadata.length; place++) {
    const entry = metadata[place] as MetadataEntry
    if (entry.key !== key) continue
    if (typeof entry.value === 'string') addText(texts, entry.value)
    else if (Array.isArray(entry.value)) for (const value of entry.value as readonly Json[]) addText(texts, value)
    else addText(texts, entry.value)
  }
  return texts
}

function addText(texts: string[], value: Json) {
  if (value === null || typeof value === 'object') return
  const text = cleanWithoutControls(String(value))
  if (text !== '') texts.push(text)
}

export const textOf = (level: { readonly entity: Entity } | undefined, key: string) =>
  level === undefined ? undefined : textsOf(level.entity, key)[0]

/** The entities that some levels are related to under a type, each once. */
export function relatedOnce(levels: readonly PublicationLevel[], type: string): readonly RelatedEntity[] {
  const [first, second] = levels
  const found = second === undefined ? relatedBy(first, type) : levels.flatMap(level => relatedBy(level, type))
  return found.length < 2 ? found : [...new Map(found.map(each => [each.entity.id, each])).values()]
}

/** Identifiers that clients gave it beside our own, and beside those of entities merged into it. */
export const givenIdentifiers = ({ identifiers }: Entity) => identifiers.slice(2).filter(each => !isMadeHere(each))

export type Part = readonly [code: string, value: string | undefined]

/** A data field, or nothing when none of its parts has a value. */
export function dataField(tag: string, indicators: string, parts: readonly Part[]): DataField[] {
  const subfields: Subfield[] = []
  for (let place = 0; place < parts.length; place++) {
    const [code, value] = parts[place] as Part
    if (value !== undefined && value !== '') subfields.push({ code, value })
  }
  return subfields.length === 0 ? [] : [{ tag, indicators, subfields }]
}

export function at(levels: Level | readonly Level[], fields: readonly MarcField[]): ComposedField[] {
  if (fields.length === 0) return []
  const described = typeof levels === 'string' ? [levels] : levels
  return fields.map(field => ({ field, levels: described }))
}

/** Puts punctuation (ISBD) before each part that follows another: ` :` before a subtitle. */
export function punctuate(
  parts: readonly (readonly [code: string, value: string | undefined, mark?: string])[]
): Part[] {
  const present = parts.filter(([, value]) => value !== undefined && value !== '')
  return present.map(([code, value], index) => [code, `${value}${present[index + 1]?.[2] ?? ''}`])
}

/** Adds a full stop, if a reader can tell that it is not part of the text. */
export const withFullStop = (text: string) => (withoutFullStop(`${text}.`) === text ? `${text}.` : text)

/**
 * Protects a term: a reader takes brackets around the whole for the cataloguer's, unless a full
 * stop follows them.
 */
export const asTerm = (text: string) => (/^\[.*\]$/.test(text) ? `${text}.` : text)

/**
 * Numbers of authority files: identifiers of the thing itself stand in $1, those of its record in
 * $0.
 */
export const authorityParts = (entity: Entity): Part[] =>
  givenIdentifiers(entity).map(each => [/^https?:\/\/(?:www\.wikidata\.org|viaf\.org)\//.test(each) ? '1' : '0', each])
