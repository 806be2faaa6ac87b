import type { SanitizeHtml } from '#domain/editing/check-fields.ts'
import { findExcess, newHtmlBudget, recordLimits } from '#domain/editing/record-limits.ts'
import type { ImportJob } from '#domain/imports/job.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Draft, AuthorityDraft, ItemDraft } from '#formats/description/description.ts'
import { mentionsIn, type SourceItem, type SourceRecord } from '#formats/source/source-item.ts'

export interface ItemRules {
  readonly model: Model
  readonly sanitizeHtml: SanitizeHtml
}

/** Maximum number of items in one record. */
const maxItems = 5000

/**
 * Tells why an item cannot be imported, as sentences beyond its own remarks; undefined when it can
 * be imported. The rest of the file is imported all the same.
 */
export function refusalOf(
  item: SourceItem,
  { mayDelete }: Pick<ImportJob, 'mayDelete'>,
  rules: ItemRules
): readonly string[] | undefined {
  if (item.outcome === 'unreadable') return []
  if (item.outcome === 'deletion') {
    if (item.name === undefined) return ['A record was deleted, but the file does not name it']
    return mayDelete === false ? ['Not deleted: the token that sent the file has no scope `delete`'] : undefined
  }
  if (item.outcome === 'entity' || item.outcome === 'row') return undefined
  if (item.outcome === 'carried') return item.record && refusalOf(item.record, {}, rules)
  if (item.outcome === 'holdings') {
    if (item.items.length === 0 && mayDelete === false)
      return ['Not deleted: the token that sent the file has no scope `delete`']
    const excess = excessOfItems(item.items, rules)
    return excess === undefined ? undefined : [excess]
  }
  if (item.outcome === 'authority') {
    const excess = excessOfDraft(item.authority, rules)
    return excess === undefined ? undefined : [excess]
  }
  // The missing title is among the remarks of the record itself.
  if (item.description.problems.some(each => each.kind === 'no_title')) return []
  const excess = excessOf(item, rules)
  return excess === undefined ? undefined : [excess]
}

/** Names the limit that a record exceeds, if it exceeds one. */
function excessOf(record: SourceRecord, rules: ItemRules): string | undefined {
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

function excessOfItems(items: readonly ItemDraft[], rules: ItemRules): string | undefined {
  if (items.length > maxItems) return `A record may have at most ${maxItems} items`
  for (const { metadata, library } of items)
    for (const draft of [{ type: holdings.item, metadata, identifiers: [], key: '' }, ...(library ? [library] : [])]) {
      const found = excessOfDraft(draft, rules)
      if (found !== undefined) return found
    }
  return undefined
}

function excessOfDraft(draft: Draft | AuthorityDraft, { model, sanitizeHtml }: ItemRules): string | undefined {
  const recordType = model.findType(draft.type)
  if (recordType === undefined) return undefined
  const { type, metadata, identifiers } = draft
  const relations = 'relations' in draft ? draft.relations : []
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
