import type { Entity } from '#domain/entity/entity.ts'
import type { ImportOptions } from '#domain/imports/job.ts'
import type { ReadingOptions, SourceLine } from '#formats/ndjson/source-line.ts'
import type { Store } from '#store/store.ts'
import {
  authorityKeysOf,
  entitiesOf,
  findEditedNames,
  type ImportedRecord,
  isByPeople,
  readImported
} from './source-records.ts'
import { findState, type ImportState, keys, walkState } from './state/import-state.ts'

/** Number of values that are read together. */
const pageSize = 500

/** The lines of the source records of manifestations, by the ids of the manifestations. */
export async function sourceLinesOf(
  store: Store,
  ids: readonly string[],
  { withAuthorities }: { readonly withAuthorities: boolean }
): Promise<SourceLine[]> {
  const found = await readImported(store, ids)
  if (found === undefined) return []
  const { records, authorities, isChanged, isEdited, markOf } = found
  const jobs = await findState(store, 'job', [...new Set(records.map(({ record }) => keys.job(record.job)))])
  const lines: SourceLine[] = []
  if (withAuthorities)
    for (const key of new Set(records.flatMap(authorityKeysOf))) {
      const target = authorities.get(key)
      if (target === undefined) continue
      const edits = isEdited(key) ? await findEditsOf(store, [target.id], markOf) : none
      lines.push(authorityLine(key, target, edits))
    }
  for (const imported of records) {
    const edits = await findEditsOf(store, entitiesOf(imported).filter(isChanged), markOf)
    lines.push(recordLine(imported, jobs.get(keys.job(imported.record.job))?.options, edits))
  }
  return lines
}

/** The names of the fields that people changed, by entity; undefined where it is not known. */
type Edits = ReadonlyMap<string, readonly string[] | undefined>

const none: Edits = new Map()

async function findEditsOf(
  store: Store,
  ids: readonly string[],
  markOf: (id: string) => ImportState['edited'] | undefined
): Promise<Edits> {
  const found = new Map<string, readonly string[] | undefined>()
  for (const id of new Set(ids)) {
    const names = await findEditedNames(store, id, markOf(id))
    found.set(id, names && [...names])
  }
  return found
}

/**
 * The lines of everything else that imports know: authorities, holdings, records of rows, and
 * decisions of people.
 */
export async function* walkOtherSourceLines(store: Store): AsyncGenerator<readonly SourceLine[], void, undefined> {
  for await (const page of walkState(store, 'target', pageSize)) {
    const ids = [...new Set(page.map(({ value }) => value.id))]
    const [entities, edited] = [await store.findEntities(ids), await findState(store, 'edited', ids)]
    const lines: SourceLine[] = []
    for (const { key, value } of page) {
      const entity = entities.get(value.id)
      const isEdited = entity !== undefined && isByPeople(JSON.parse(entity.json) as Entity, edited)
      const edits = isEdited ? await findEditsOf(store, [value.id], id => edited.get(id)) : none
      lines.push(authorityLine(key, { ...value, exists: value.exists && entity !== undefined }, edits))
    }
    yield lines
  }
  for await (const page of walkState(store, 'holdings', pageSize)) {
    const ids = [...new Set(page.flatMap(({ value }) => value.items.map(each => each.id)))]
    const [entities, marks] = [await store.findEntities(ids), await findState(store, 'edited', ids)]
    const isEdited = (id: string) => {
      const found = entities.get(id)
      return found !== undefined && isByPeople(JSON.parse(found.json) as Entity, marks)
    }
    yield page.map(({ key: name, value: { record, manifestationId, items, source } }) => {
      const edited = items.flatMap(each => (isEdited(each.id) ? [each.id] : []))
      return {
        kind: 'holdings',
        name,
        record,
        manifestation_id: manifestationId,
        items: [...items] as Extract<SourceLine, { kind: 'holdings' }>['items'],
        ...(source === undefined ? {} : { source }),
        ...(edited.length === 0 ? {} : { edited })
      }
    })
  }
  for await (const page of walkState(store, 'row', pageSize)) {
    // The record of a row that was refused does not exist.
    const existing = await store.identify(page.map(({ value }) => value.id))
    yield page
      .filter(({ value }) => existing.has(value.id))
      .map(({ key, value: { id, metadata, relations, isShared } }) => ({
        kind: 'row',
        key,
        id,
        metadata,
        relations,
        ...(isShared === true ? { is_shared: true } : {})
      }))
  }
  // Before the answers: one that is known already is not listed again.
  for await (const page of walkState(store, 'settled', pageSize))
    yield page.map(({ value: { by: _, areJoined, ...rest } }) => ({
      kind: 'settled',
      ...rest,
      reason: rest.reason as Extract<SourceLine, { kind: 'settled' }>['reason'],
      are_joined: areJoined
    }))
  for await (const page of walkState(store, 'answer', pageSize))
    yield page.map(({ value: { by: _, ...answer } }) => ({ kind: 'answer', ...answer }))
}

function recordLine(
  { id, name, record, source, mentions }: ImportedRecord,
  options: ImportOptions | undefined,
  edits: Edits
): SourceLine {
  const readWith = record.readWith ?? readingOptionsOf(options)
  const known = [...edits].flatMap(([entity, names]) =>
    names === undefined ? [] : [[entity, [...names]] as [string, string[]]]
  )
  return {
    kind: 'record',
    record: name,
    manifestation_id: id,
    format: source.form,
    bytes: source.base64,
    ...(record.imported === undefined ? {} : { imported: record.imported }),
    ...(Object.keys(readWith).length === 0 ? {} : { options: readWith }),
    read_by: { evidence: record.evidenceVersion, description: record.descriptionVersion ?? 1 },
    works: mentions.map(({ workId, expressionId, questions }) => ({
      work_id: workId,
      expression_id: expressionId,
      ...(questions === undefined
        ? {}
        : {
            questions: questions.map(({ job: _, areJoined, ...rest }) => ({ ...rest, are_joined: areJoined }))
          })
    })),
    ...(record.items === undefined ? {} : { items: record.items.map(item => ({ id: item.id, key: item.key })) }),
    ...(edits.size === 0 ? {} : { edited: [...edits.keys()] }),
    ...(known.length === 0 ? {} : { edited_fields: Object.fromEntries(known) })
  }
}

/** The options of an import that matter for reading its records; the agency is in their names. */
function readingOptionsOf({ mapping, items }: ImportOptions = {}): ReadingOptions {
  return {
    ...(mapping === undefined ? {} : { mapping }),
    ...(items === undefined ? {} : { items })
  }
}

function authorityLine(key: string, { exists, ...authority }: ImportState['target'], edits: Edits): SourceLine {
  const names = edits.get(authority.id)
  return {
    kind: 'authority',
    key,
    authority,
    ...(exists ? {} : { is_missing: true }),
    ...(edits.has(authority.id) ? { is_edited: true } : {}),
    ...(names === undefined ? {} : { edited_fields: [...names] })
  } as SourceLine
}
