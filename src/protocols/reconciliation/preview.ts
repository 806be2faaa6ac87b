import { firstCharacters } from '#domain/values/fold.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Caller } from './find-candidates.ts'
import { fieldTexts, findEntity, nameOf, valuesOfProperty } from './property-values.ts'
import { toNamed, typesOf } from './vocabulary.ts'

const maxLines = 8
const maxTextLength = 200

/**
 * The preview of a record, as a page for a frame. Undefined for a record that does not exist or may
 * not be read.
 */
export async function previewPage(caller: Caller, principal: Principal, id: string): Promise<string | undefined> {
  const entity = await findEntity(caller.catalogue, principal, id)
  if (!entity) return undefined
  const { model } = caller
  const lines = fieldLines(model, entity.type).flatMap(key => {
    const text = fieldTexts(entity, key).join('; ')
    return text === '' ? [] : [[toNamed(key).name, text] as const]
  })
  for (const relation of new Set(entity.relations.map(({ type }) => type))) {
    if (lines.length >= maxLines) break
    const values = await valuesOfProperty(caller, principal, entity, relation)
    const names = values.map(value => ('id' in value ? value.name : value.text)).join('; ')
    if (names !== '') lines.push([toNamed(relation).name, names])
  }
  const rows = lines
    .slice(0, maxLines)
    .map(([name, text]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(text)}</td></tr>`)
  const kind = typesOf(model, entity.type)[0]?.name ?? entity.type
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(nameOf(model, entity))}</title>
<style>body{font:13px sans-serif;margin:8px}th{text-align:left;font-weight:normal;color:#555;padding-right:8px;vertical-align:top}</style></head>
<body><strong>${escapeHtml(nameOf(model, entity))}</strong> <small>${escapeHtml(kind)}, ${escapeHtml(entity.id)}</small>
<table>${rows.join('')}</table></body></html>
`
}

/** The fields for a preview: no choices, no markup. */
function fieldLines(model: Model, type: string): string[] {
  const recordType = model.findType(type)
  return Object.entries(recordType?.fields ?? {})
    .filter(([key, { kind }]) => key !== recordType?.nameField && kind !== 'choice' && kind !== 'html')
    .map(([key]) => key)
}

const escapeHtml = (text: string) =>
  (text.length > maxTextLength ? `${firstCharacters(text, maxTextLength)}…` : text).replaceAll(
    /[&<>"']/g,
    letter => `&#${letter.charCodeAt(0)};`
  )
