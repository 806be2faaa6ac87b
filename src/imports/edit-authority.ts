import { readLevels } from '#catalogue/publications/read-levels.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { createPrincipal } from '#domain/permissions.ts'
import { composeAuthority } from '#formats/marc/compose-authority.ts'
import { composeChanged } from '#formats/marc/compose/fixed-fields.ts'
import { preferredAuthority, readStored } from '#formats/marc/current-record.ts'
import { detectAuthority } from '#formats/marc/mapping/authority-record.ts'
import { itemOfRecord } from '#formats/marc/marc-items.ts'
import { mergeRecords } from '#formats/marc/merge-records.ts'
import { patchAuthority, type Said, saidBy } from '#formats/marc/patch-authority.ts'
import type { Dialect, MarcRecord } from '#formats/marc/record.ts'
import type { SourceAuthority } from '#formats/source/source-item.ts'
import { findAuthorityRecords } from './authority-sources.ts'
import { authorities, placeAuthorities } from './place/authorities.ts'
import { fault, type GivenEdit, type GivenEntity, type PreparedEdit, refuseOtherNumber } from './prepared-edit.ts'

/**
 * Prepares an edit of the authority record of an entity. Fields that people edited in the catalogue
 * stay unless this edit changes them.
 */
export async function prepareAuthorityEdit(given: GivenEdit): Promise<PreparedEdit> {
  const { parts, staging, id, sent, now } = given
  const dialect = detectAuthority(sent)
  if (dialect === undefined) throw fault('The record is no authority record: it has no name that can be read')
  const { key, type, name, source, imported, shown } = await readSituation(given, dialect)
  refuseOtherNumber(shown, sent, dialect)
  const edited = editedNames(shown, sent)
  const merged = shown === source ? sent : mergeRecords(shown, sent, source, tagsOf(edited, shown, sent, source))
  const fields = merged.fields.map(each =>
    each.tag === '005' && dialect === 'marc21' ? { tag: '005', value: composeChanged(now) } : each
  )
  const item = { ...readAuthority({ leader: merged.leader, fields }), name, imported }
  if (item.authority.type !== type)
    throw fault(`The record would describe a ${item.authority.type}, and "${id}" is a ${type}`)
  const excess = authorities.refuse(item, parts)
  if (excess !== undefined) throw fault(excess.join('; '))
  const replaced = { key, record: readAuthority(source) }
  return {
    options: {},
    async stage(placing) {
      const changedInSource = new Map([[id, edited]])
      await placeAuthorities([item], { staging, placing: { ...placing, replaced, changedInSource } })
      return id
    }
  }
}

/** The authority record that people edit: as stored, with the changes made here since. */
export const readAuthoritySource = async (given: GivenEntity): Promise<MarcRecord> => (await readSituation(given)).shown

/** The authority record of an entity, in a dialect if one is given, as it is edited. */
async function readSituation(given: GivenEntity, wanted?: Dialect) {
  const { parts, id } = given
  const { key, type, records } = await readRecords(given)
  const composed = await composedRecord(given)
  const own = records.filter(each => wanted === undefined || detectAuthority(each.record) === wanted)
  const chosen = preferredAuthority(own, composed)
  if (chosen === undefined)
    throw fault(`"${id}" has no authority record in this format: change the fields of the record instead`)
  const { name, record: source, imported } = chosen
  const changed = (await findAuthorityRecords(parts.store, [id])).get(id)?.changed
  const isComposed = composed !== undefined && detectAuthority(source) === 'marc21'
  return { key, type, name, source, imported, shown: isComposed ? patchAuthority(source, composed, changed) : source }
}

/** The authority records of an entity in MARC, each with its state when it was imported. */
async function readRecords({ staging, id }: GivenEntity) {
  const key = (await staging.find('authority key', [id])).get(id) ?? ''
  const target = (await staging.find('target', [key])).get(key)
  if (target?.id !== id) throw fault(`"${id}" has no authority record: change the fields of the record instead`)
  const records = []
  for (const [name, { source, imported = source }] of Object.entries(target.records ?? {})) {
    if (source === undefined || imported === undefined) continue
    const stored = await readStored({ format: source.form, bytes: Buffer.from(source.base64, 'base64') })
    if (stored !== undefined) records.push({ name, imported, record: stored.record })
  }
  return { key, type: target.type, records }
}

/** The authority as it is in the catalogue. */
async function composedRecord({ parts, id }: GivenEntity): Promise<MarcRecord | undefined> {
  const stored = (await parts.store.findEntities([id])).get(id)
  const reader = createPrincipal(parts.model, 'import', ['read'])
  const [level] = stored === undefined ? [] : await readLevels(parts, reader, [JSON.parse(stored.json) as Entity])
  return level && composeAuthority(level)
}

function readAuthority(record: MarcRecord): SourceAuthority {
  const item = itemOfRecord(record, {})
  if (item.outcome !== 'authority') throw fault('The record is no authority record: it has no name that can be read')
  return item
}

/** The names of the fields and relations in which two records differ. */
function editedNames(one: MarcRecord, other: MarcRecord): Set<string> {
  const linesOf = (record: MarcRecord) => Map.groupBy(saidBy(record) ?? [], each => each.name)
  const [was, is] = [linesOf(one), linesOf(other)]
  const textOf = (said: readonly Said[] = []) => said.map(each => each.line).join('\n')
  return new Set([...was.keys(), ...is.keys()].filter(name => textOf(was.get(name)) !== textOf(is.get(name))))
}

/**
 * The tags that give the edited fields. A field that is taken from the sent record may have other
 * values, which people changed in the catalogue: the tags of these are taken, too.
 */
function tagsOf(edited: ReadonlySet<string>, shown: MarcRecord, sent: MarcRecord, source: MarcRecord): Set<string> {
  const tags = new Set<string>()
  const take = (names: ReadonlySet<string>) => {
    for (const record of [shown, sent, source])
      for (const { name, index } of saidBy(record) ?? []) if (names.has(name)) tags.add(record.fields[index]?.tag ?? '')
  }
  take(edited)
  for (let size = -1; size !== tags.size; ) {
    size = tags.size
    take(editedNames(source, mergeRecords(shown, sent, source, tags)).difference(edited))
  }
  return tags
}
