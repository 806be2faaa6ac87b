import { findDifferences, changedName } from '#domain/editing/difference.ts'
import { contentOf, type Entity, valuesOf } from '#domain/entity/entity.ts'
import { type Level, levels } from '#domain/entity/publication.ts'
import type { StoredAuthority, StoredDraft, StoredItem, StoredMention, StoredRecord } from '#domain/imports/stored.ts'
import type {
  ChangedFields,
  SourceItemState,
  StoredHoldingsRecord,
  StoredSourceRecord
} from '#domain/imports/stored-source-record.ts'
import type { ItemMapping } from '#formats/source/item-mapping.ts'
import type { Store } from '#store/store.ts'
import { mentionIdsOf } from './place/placing.ts'
import { findState, type ImportState, isEditJob, keys, listStateKeys, prefixOf, restOf } from './state/import-state.ts'
import { createStaging } from './state/staging.ts'

/** The record that a manifestation was imported from, with everything that was made of it. */
export interface ImportedRecord {
  readonly id: string
  readonly name: string
  readonly record: StoredRecord
  readonly source: ImportState['source']
  readonly mentions: readonly StoredMention[]
}

/** Imported records, and what people have changed of them since. */
export interface ImportedRecords {
  readonly records: readonly ImportedRecord[]
  /** The authorities that they name, by key. */
  readonly authorities: ReadonlyMap<string, ImportState['target']>
  /** Whether people have changed an entity, or it does not exist any more. */
  readonly isChanged: (id: string) => boolean
  /** The mark of an entity that people changed before an import wrote it. */
  readonly markOf: (id: string) => ImportState['edited'] | undefined
  /** Whether people have changed the entity of an authority to something else. */
  readonly isRenamed: (key: string) => boolean
  /** Whether people have changed the entity of an authority. */
  readonly isEdited: (key: string) => boolean
}

/** Reads the records that manifestations were imported from, by the ids of the manifestations. */
export async function readImported(store: Store, ids: readonly string[]): Promise<ImportedRecords | undefined> {
  const staging = createStaging(store)
  const sources = await staging.find('source', ids)
  if (sources.size === 0) return undefined
  const names = await staging.find('origin', sources.keys())
  const known = await staging.find('record', names.values())
  const mentions = await staging.find(
    'mention',
    [...known].flatMap(([name, record]) => mentionIdsOf(name, record))
  )
  const records = ids.flatMap((id): ImportedRecord[] => {
    const source = sources.get(id)
    const name = names.get(id) ?? ''
    const record = known.get(name)
    if (source === undefined || record === undefined) return []
    return [
      { id, name, record, source, mentions: mentionIdsOf(name, record).flatMap(each => mentions.get(each) ?? []) }
    ]
  })
  const authorities = await staging.find('target', new Set(records.flatMap(authorityKeysOf)))
  const own = new Set(records.flatMap(entitiesOf))
  const named = [...authorities.values()].map(each => each.id)
  const entities = await store.findEntities([...new Set([...own, ...named])])
  const edited = await staging.find('edited', new Set([...own, ...named]))
  const parsed = new Map([...entities].map(([id, { json }]) => [id, JSON.parse(json) as Entity]))
  return {
    records,
    authorities,
    isChanged: id => {
      const entity = parsed.get(id)
      return entity === undefined || isByPeople(entity, edited)
    },
    markOf: id => edited.get(id),
    isRenamed: key => {
      const target = authorities.get(key)
      return target !== undefined && isRenamed(target, parsed.get(target.id), edited)
    },
    isEdited: key => {
      const entity = parsed.get(authorities.get(key)?.id ?? '')
      return entity !== undefined && isByPeople(entity, edited)
    }
  }
}

const draftsOf = ({ record, mentions }: ImportedRecord): Readonly<Record<Level, readonly StoredDraft[]>> => ({
  manifestation: [record.manifestation],
  expression: mentions.map(each => each.expression),
  work: mentions.map(each => each.work)
})

const idsOf = ({ id, mentions }: ImportedRecord): Readonly<Record<Level, readonly string[]>> => ({
  manifestation: [id],
  expression: mentions.map(each => each.expressionId),
  work: mentions.map(each => each.workId)
})

const keysIn = (drafts: readonly StoredDraft[]) => drafts.flatMap(each => each.relations.map(({ target }) => target))

/** The keys of the authorities that a record names, with the libraries of its items. */
export const authorityKeysOf = (imported: ImportedRecord): string[] => [
  ...Object.values(draftsOf(imported)).flatMap(keysIn),
  ...keysIn((imported.record.items ?? []).map(each => each.draft))
]

/** The ids of the entities that were made of a record. */
export const entitiesOf = (imported: ImportedRecord): string[] => [
  ...Object.values(idsOf(imported)).flat(),
  ...(imported.record.items ?? []).map(each => each.id)
]

/**
 * Finds the records that manifestations were imported from, by the ids of the manifestations, with
 * the fields that people have changed since: of the entity of each level itself, or the name of
 * something that it is related to.
 */
export async function findSourceRecords(
  store: Store,
  ids: readonly string[]
): Promise<ReadonlyMap<string, StoredSourceRecord>> {
  const found = await readImported(store, ids)
  if (found === undefined) return new Map()
  const { records, isChanged } = found
  const held = await findHoldings(store, ids)
  const mappings = await findMappings(store, records, isChanged)
  const edited = new Set(records.flatMap(each => Object.values(idsOf(each)).flat()).filter(isChanged))
  const names = new Map<string, ReadonlySet<string> | undefined>()
  for (const id of edited) names.set(id, await findEditedNames(store, id, found.markOf(id)))
  return new Map(
    records.map(imported => {
      const { id, record, source } = imported
      const items = itemStates(record.items, isChanged)
      const changed = changedIn(imported, names, found)
      const bytes = Buffer.from(source.base64, 'base64')
      const itemMapping = mappings.get(id)
      return [
        id,
        {
          ...{ format: source.form, bytes, changed, items, holdings: held.get(id) ?? [] },
          ...(itemMapping === undefined ? {} : { itemMapping })
        }
      ]
    })
  )
}

const itemStates = (items: readonly StoredItem[] = [], isChanged: ImportedRecords['isChanged']): SourceItemState[] =>
  items.map(({ id, from = [] }) => ({ id, from, isChanged: isChanged(id) }))

/** The mappings by which the items of records were read, for those whose items people changed. */
async function findMappings(
  store: Store,
  records: readonly ImportedRecord[],
  isChanged: ImportedRecords['isChanged']
): Promise<ReadonlyMap<string, ItemMapping>> {
  const wanted = records.filter(({ record }) => record.items?.some(each => isChanged(each.id)))
  const jobs = await findState(store, 'job', [...new Set(wanted.map(({ record }) => keys.job(record.job)))])
  return new Map(
    wanted.flatMap(({ id, record }) => {
      const { items } = record.readWith ?? jobs.get(keys.job(record.job))?.options ?? {}
      return items === undefined ? [] : [[id, items as ItemMapping] as const]
    })
  )
}

/** The holdings records of manifestations, with what people have changed of their items since. */
async function findHoldings(
  store: Store,
  ids: readonly string[]
): Promise<ReadonlyMap<string, readonly StoredHoldingsRecord[]>> {
  const listed = await listStateKeys(store, 'holdings of', ids)
  if (listed.length === 0) return new Map()
  const known = await findState(store, 'holdings', listed.map(restOf))
  const own = [...new Set([...known.values()].flatMap(({ items }) => items.map(({ id }) => id)))]
  const entities = await store.findEntities(own)
  const edited = await findState(store, 'edited', own)
  const isChanged = (id: string) => {
    const found = entities.get(id)
    return found === undefined || isByPeople(JSON.parse(found.json) as Entity, edited)
  }
  const records = listed.flatMap(key => {
    const { source, items } = known.get(restOf(key)) ?? {}
    if (source === undefined) return []
    const bytes = Buffer.from(source.base64, 'base64')
    return [{ of: prefixOf(key), record: { format: source.form, bytes, items: itemStates(items, isChanged) } }]
  })
  const byManifestation = Map.groupBy(records, each => each.of)
  return new Map([...byManifestation].map(([id, list]) => [id, list.map(each => each.record)]))
}

const publication = levels.at(-1)

type EditedNames = ReadonlyMap<string, ReadonlySet<string> | undefined>

/** The fields that people changed of the entities of a record, by level. */
function changedIn(imported: ImportedRecord, names: EditedNames, { isRenamed }: ImportedRecords): ChangedFields {
  const [own, drafts] = [idsOf(imported), draftsOf(imported)]
  const changed = new Map<Level, ReadonlySet<string> | undefined>()
  for (const level of levels)
    for (const [place, id] of own[level].entries()) {
      const isContained = level !== publication && imported.mentions[place]?.evidence.described !== 0
      const renamed = (drafts[level][place]?.relations ?? []).filter(each => isRenamed(each.target))
      if (!names.has(id) && renamed.length === 0) continue
      const known = names.has(id) ? names.get(id) : new Set<string>()
      const before = changed.has(level) ? changed.get(level) : new Set<string>()
      const added = known && [...known, ...renamed.map(each => each.relation)]
      const all =
        before && added && new Set([...before, ...added.map(name => (isContained ? `contained ${name}` : name))])
      changed.set(level, all)
    }
  return changed
}

/** The beginning of the author of versions that imports wrote. */
const byImport = 'import:'

/** Maximum number of versions in which edits of people are looked for. */
const maxVersions = 50

/**
 * The keys of fields and the types of relations of an entity that people have changed, by its
 * versions. Undefined if these do not tell: there are too many of them, or some were deleted. Those
 * of an import count where it may have written an edit.
 */
export async function findEditedNames(
  store: Store,
  id: string,
  mark: ImportState['edited'] | undefined
): Promise<ReadonlySet<string> | undefined> {
  const isEdited = mark !== undefined
  const ofOtherType = mark === undefined || mark === true ? [] : mark
  const versions = (await store.findHistory(id, 0, maxVersions))?.versions ?? []
  if (versions.at(-1)?.version !== 1) return undefined
  const isImport = ({ by }: { readonly by: string }) => by.startsWith(byImport)
  // The source record has what people changed in it.
  const isOfSource = ({ by }: { readonly by: string }) => isImport({ by }) && isEditJob(by.slice(byImport.length))
  const isByPerson = ({ by }: { readonly by: string }) => !isImport({ by }) || isOfSource({ by })
  // An edit from another catalogue came with an import, and is in no version of this one.
  if (isEdited && ofOtherType.length === 0 && !versions.some(isByPerson)) return undefined
  const names = new Set<string>(ofOtherType)
  for (const [place, version] of versions.entries()) {
    const { json } = version
    const older = versions[place + 1]
    if (older === undefined || (isImport(version) && !isEdited) || isOfSource(version)) continue
    if (json === null || older.json === null) return undefined
    for (const each of findDifferences(contentIn(older.json), contentIn(json))) names.add(changedName(each))
  }
  return names
}

const contentIn = (json: string) => contentOf(JSON.parse(json) as Entity)

type Marks = ReadonlyMap<string, ImportState['edited']>

/** Whether people changed an entity last, or before an import did. */
export const isByPeople = ({ id, audit }: Entity, edited: Marks) =>
  edited.has(id) || !audit.updated.by.startsWith('import:')

/** Whether people have changed the entity of an authority to something else. */
export const isRenamed = ({ metadata }: StoredAuthority, entity: Entity | undefined, edited: Marks) =>
  entity !== undefined &&
  isByPeople(entity, edited) &&
  metadata.some(({ key, value }) => !valuesOf(entity, key).includes(value))
