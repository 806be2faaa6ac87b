import type { Entity } from '#domain/entity/entity.ts'
import type { ImportOptions } from '#domain/imports/job.ts'
import type { ReadingOptions, SourceLine } from '#formats/ndjson/source-line.ts'
import type { Store } from '#store/store.ts'
import { authorityKeysOf, entitiesOf, type ImportedRecord, isRenamed, readImported } from './source-records.ts'
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
  const { records, authorities, isChanged, isRenamed: isNamedAnew } = found
  const jobs = await findState(store, 'job', [...new Set(records.map(({ record }) => keys.job(record.job)))])
  const lines = records.map((imported): SourceLine => {
    const edited = entitiesOf(imported).filter(isChanged)
    return recordLine(imported, jobs.get(keys.job(imported.record.job))?.options, edited)
  })
  if (!withAuthorities) return lines
  const named = new Set(records.flatMap(authorityKeysOf))
  return [
    ...[...named].flatMap(key => {
      const target = authorities.get(key)
      return target?.exists ? [authorityLine(key, target, isNamedAnew(key))] : []
    }),
    ...lines
  ]
}

/**
 * The lines of everything else that imports know: authorities, holdings, records of rows, and
 * decisions of people.
 */
export async function* walkOtherSourceLines(store: Store): AsyncGenerator<readonly SourceLine[], void, undefined> {
  for await (const page of walkState(store, 'target', pageSize)) {
    const ids = [...new Set(page.map(({ value }) => value.id))]
    const [entities, edited] = [await store.findEntities(ids), await findState(store, 'edited', ids)]
    yield page.flatMap(({ key, value }) => {
      const entity = entities.get(value.id)
      if (!value.exists || entity === undefined) return []
      return [authorityLine(key, value, isRenamed(value, JSON.parse(entity.json) as Entity, edited))]
    })
  }
  for await (const page of walkState(store, 'holdings', pageSize))
    yield page.map(({ key: name, value: { record, manifestationId, items } }) => ({
      kind: 'holdings',
      name,
      record,
      manifestation_id: manifestationId,
      items: [...items] as Extract<SourceLine, { kind: 'holdings' }>['items']
    }))
  for await (const page of walkState(store, 'row', pageSize))
    yield page.map(({ key, value: { id, metadata, relations, isShared } }) => ({
      kind: 'row',
      key,
      id,
      metadata,
      relations,
      ...(isShared === true ? { is_shared: true } : {})
    }))
  for await (const page of walkState(store, 'answer', pageSize))
    yield page.map(({ value: { by: _, ...answer } }) => ({ kind: 'answer', ...answer }))
}

function recordLine(
  { id, name, record, source, mentions }: ImportedRecord,
  options: ImportOptions | undefined,
  edited: readonly string[]
): SourceLine {
  const readWith = record.readWith ?? readingOptionsOf(options)
  return {
    kind: 'record',
    record: name,
    manifestation_id: id,
    format: source.form,
    bytes: source.base64,
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
    ...(edited.length === 0 ? {} : { edited: [...new Set(edited)] })
  }
}

/** The options of an import that matter for reading its records. */
function readingOptionsOf({ agency, mapping, items }: ImportOptions = {}): ReadingOptions {
  return {
    ...(agency === undefined ? {} : { agency }),
    ...(mapping === undefined ? {} : { mapping }),
    ...(items === undefined ? {} : { items })
  }
}

function authorityLine(key: string, { exists: _, ...authority }: ImportState['target'], isEdited: boolean): SourceLine {
  return { kind: 'authority', key, authority, ...(isEdited ? { is_edited: true } : {}) } as SourceLine
}
