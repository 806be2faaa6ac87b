import { checkMetadata, type SanitizeHtml } from '../editing/check-fields.ts'
import type { MetadataEntry } from '../entity/entity.ts'
import type { Fault } from '../errors.ts'
import type { Model } from '../record-types/model.ts'
import { recordLimits } from '../editing/record-limits.ts'
import type { DerivedContent } from './derive.ts'

export interface ContentRules {
  readonly model: Model
  readonly sanitizeHtml: SanitizeHtml
}

/**
 * Makes content fit its record type, so that it can be stored: values that do not fit are corrected
 * or left out. Many records together may have more about a work than a record may hold; then the
 * first values are stored.
 */
export function settleContent(derived: DerivedContent, { model, sanitizeHtml }: ContentRules): DerivedContent {
  const recordType = model.findType(derived.type)
  if (recordType === undefined) return derived
  const content = {
    ...derived,
    metadata: derived.metadata.slice(0, recordLimits.maxMetadata),
    relations: derived.relations.slice(0, recordLimits.maxRelations)
  }
  const given = content.metadata.map(entry => {
    const kind = model.fieldOf(content.type, entry.key)?.kind
    if (kind === 'codes' && !Array.isArray(entry.value)) return { ...entry, value: [entry.value] }
    // Drafts of records are texts.
    const isNumber = kind === 'minutes' || kind === 'number'
    return isNumber && typeof entry.value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(entry.value)
      ? { ...entry, value: Number(entry.value) }
      : entry
  })
  const faults: Fault[] = []
  const { metadata } = checkMetadata(recordType, given, sanitizeHtml, faults)
  if (faults.length === 0) return { ...content, metadata }
  const faulty = new Set(faults.map(each => Number(/^\/metadata\/(\d+)/.exec(each.pointer)?.[1] ?? -1)))
  const sound = given.filter((_, index) => !faulty.has(index))
  const fitting: MetadataEntry[] = [...checkMetadata(recordType, sound, sanitizeHtml, []).metadata]
  const words = fitting.map(each => each.value).find(value => typeof value === 'string' && value !== '')
  for (const [key, field] of Object.entries(recordType.fields))
    if (field.required && !fitting.some(each => each.key === key && each.value !== ''))
      fitting.unshift({ key, value: words ?? '[?]' })
  return { ...content, metadata: fitting }
}

/** The part of a content that its type has fields and relations for. */
export function fittingContent(content: DerivedContent, { model }: Pick<ContentRules, 'model'>): DerivedContent {
  const { relations = {} } = model.findType(content.type) ?? {}
  return {
    ...content,
    metadata: content.metadata.filter(({ key }) => model.fieldOf(content.type, key) !== undefined),
    relations: content.relations.filter(({ type }) => Object.hasOwn(relations, type))
  }
}
