import type { SanitizeHtml } from '#domain/editing/check-fields.ts'
import type { ImportItem, AuthorityDraft } from '#domain/imports/item.ts'
import { authoritiesIn } from '#domain/imports/stored.ts'
import type { Model } from '#domain/record-types/model.ts'
import { findExcess, newHtmlBudget, recordLimits } from '#domain/editing/record-limits.ts'

/**
 * Makes faults of the records of a file that hold more than a record may: they are reported, and
 * the rest is imported.
 */
export async function* refuseExcess(
  { model, sanitizeHtml }: { readonly model: Model; readonly sanitizeHtml: SanitizeHtml },
  items: AsyncIterable<ImportItem>
): AsyncGenerator<ImportItem> {
  for await (const item of items) {
    const excess = item.kind === 'record' ? excessOf(item, model, sanitizeHtml) : undefined
    if (excess === undefined) yield item
    else {
      const { position, controlNumber, remarks } = item
      yield { kind: 'fault', position, controlNumber, remarks: [...remarks, excess] }
    }
  }
}

/** A part of a record that becomes an entity. */
interface Draft {
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: string | boolean }[]
  readonly relations?: readonly { readonly relation: string; readonly target: AuthorityDraft }[]
  readonly identifiers: readonly string[]
}

function excessOf(
  record: Extract<ImportItem, { kind: 'record' }>,
  model: Model,
  sanitizeHtml: SanitizeHtml
): string | undefined {
  const { manifestation, mentions } = record
  const drafts: Draft[] = [manifestation, ...mentions.flatMap(({ work, expression }) => [work, expression])]
  for (const draft of [...drafts, ...authoritiesIn(record)]) {
    const found = excessOfDraft(draft, model, sanitizeHtml)
    if (found !== undefined) return found
  }
  return undefined
}

function excessOfDraft(draft: Draft, model: Model, sanitizeHtml: SanitizeHtml): string | undefined {
  const recordType = model.findType(draft.type)
  if (recordType === undefined) return undefined
  const { type, metadata, relations = [], identifiers } = draft
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
