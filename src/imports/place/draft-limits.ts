import type { SanitizeHtml } from '#domain/editing/check-fields.ts'
import { findExcess, newHtmlBudget, recordLimits } from '#domain/editing/record-limits.ts'
import type { Model } from '#domain/record-types/model.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { Draft, AuthorityDraft, ItemDraft } from '#formats/description/description.ts'
import { mentionsIn, type SourceRecord } from '#formats/source/source-item.ts'

/* The limits of the drafts of an item. A single draft beyond them would be refused by the store. */

export interface DraftRules {
  readonly model: Model
  readonly sanitizeHtml: SanitizeHtml
}

/** Maximum number of items in one record. */
const maxItems = 5000

/** Names the limit that a record exceeds, if it exceeds one. */
export function excessOfRecord(record: SourceRecord, rules: DraftRules): string | undefined {
  const drafts = [
    record.description.manifestation,
    ...mentionsIn(record).flatMap(({ work, expression }) => [work, expression])
  ]
  for (const draft of [...drafts, ...drafts.flatMap(each => each.relations.map(({ target }) => target))]) {
    const found = excessOfDraft(draft, rules)
    if (found !== undefined) return found
  }
  return excessOfItems(record.description.items ?? [], rules)
}

/** Names the limit that copies exceed, if they exceed one. */
export function excessOfItems(items: readonly ItemDraft[], rules: DraftRules): string | undefined {
  if (items.length > maxItems) return `A record may have at most ${maxItems} items`
  for (const { metadata, library } of items)
    for (const draft of [{ type: holdings.item, metadata, identifiers: [], key: '' }, ...(library ? [library] : [])]) {
      const found = excessOfDraft(draft, rules)
      if (found !== undefined) return found
    }
  return undefined
}

/** Names the limit that a draft exceeds, if it exceeds one. */
export function excessOfDraft(draft: Draft | AuthorityDraft, { model, sanitizeHtml }: DraftRules): string | undefined {
  const recordType = model.findType(draft.type)
  if (recordType === undefined) return undefined
  const { type, identifiers } = draft
  const metadata = 'details' in draft && draft.details ? [...draft.metadata, ...draft.details.metadata] : draft.metadata
  const relations = 'relations' in draft ? draft.relations : []
  if (isSmall({ metadata, identifiers }, relations.length)) return undefined
  const content = {
    metadata: [...metadata, ...identifiers.map(value => ({ key: 'identifier', value }))],
    relations: relations.map(each => ({ type: each.relation, key: each.target.key })),
    otherIdentifiers: []
  }
  const [fault] = findExcess(recordType, content)
  if (fault !== undefined) return fault.message
  const budget = newHtmlBudget()
  for (const { key, value } of metadata) {
    if (typeof value !== 'string' || model.fieldOf(type, key)?.kind !== 'html') continue
    const isShort = value.length <= recordLimits.maxHtmlCharacters && !value.includes('<')
    const excess = isShort ? undefined : sanitizeHtml(value, budget).excess
    if (excess !== undefined) return `"${key}" ${excess}`
  }
  return undefined
}

/** Tests whether a draft is far below every limit, as nearly all are. */
function isSmall(
  { metadata, identifiers }: Pick<Draft | AuthorityDraft, 'metadata' | 'identifiers'>,
  relations: number
): boolean {
  if (metadata.length + identifiers.length + relations > 100) return false
  return metadata.every(({ value }) => typeof value === 'string' && value.length <= recordLimits.maxNameCharacters)
}
