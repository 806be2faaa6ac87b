import { deriveAuthority } from '#domain/imports/derive.ts'
import type { EntityPlan } from '#domain/imports/decide-entities.ts'
import { authorityKeyOf } from '#domain/imports/authority-names.ts'
import { joinAuthorities, type StoredAuthority, type StoredRelation } from '#domain/imports/stored.ts'
import { isSameJson } from '#domain/json.ts'
import type { AuthorityDraft } from '#formats/description/description.ts'
import { toStoredAuthority } from '#formats/description/stored-drafts.ts'
import type { SourceAuthority } from '#formats/source/source-item.ts'
import { findNamed } from './find-authorities.ts'
import { excessOfDraft } from './draft-limits.ts'
import { keepAuthorityEdits } from './keep-source-edits.ts'
import type { Batch, ImportKind, NotedState, Undoing } from './import-kind.ts'
import { ownAgency } from '#formats/marc/compose-record.ts'
import { sourceForms } from '#formats/marc/record.ts'
import type { Staging } from '../state/staging.ts'
import { noAuthorities } from './placing.ts'
import { stageEntities } from './stage-entities.ts'

/*
 * Authority records: a person, subject or place that imported records already refer to gets the
 * other names, dates and identifiers of its authority record; any other is created, and records
 * that are imported later refer to it.
 */

interface PlacedAuthority {
  readonly item: SourceAuthority
  readonly outcome: 'created' | 'updated' | 'unchanged'
}

export const authorities: ImportKind<SourceAuthority, PlacedAuthority> = {
  refuse({ authority, details, relations }, rules) {
    const drafts = [
      { ...authority, metadata: [...authority.metadata, ...details] },
      ...relations.map(each => each.target)
    ]
    const excess = drafts.map(each => excessOfDraft(each, rules)).find(each => each !== undefined)
    return excess === undefined ? undefined : [excess]
  },

  place: placeAuthorities,

  summarise: ({ item, outcome }) => ({ item, counted: [outcome] }),

  undo: { of: ['target'], restore: restoreAuthorities }
}

/** Stages authority records. */
export async function placeAuthorities(
  given: readonly SourceAuthority[],
  { staging, placing }: Pick<Batch, 'staging' | 'placing'>
): Promise<PlacedAuthority[]> {
  const own = await findOwn(staging, given)
  const { items, unchanged } = await keepEdits(
    staging,
    given.filter(each => !own.has(each))
  )
  const { keys, described, named } = namedBy(items, await findKeys(staging, items), placing.replaced?.record)
  const before = await staging.find('target', named.keys())
  const found = await findNamed(staging, named, keysAround(named, before), placing)
  const find = (key: string) => found.byKey.get(key)
  const plans: EntityPlan[] = []
  const outcomes = new Map<string, PlacedAuthority['outcome']>()
  const changed = new Set(found.changed.map(({ after }) => after.id))
  for (const key of described) {
    const state = find(key)
    if (state === undefined) continue
    const { exists, ...target } = state
    const next = deriveAuthority(target, find)
    const isNew = !exists
    // A record that people made gets what it lacks.
    const isForeign = exists && !before.has(key)
    if (isNew) placing.undoNotes?.add({ of: 'entity', id: target.id, version: null })
    if (isNew) plans.push({ id: target.id, base: undefined, next })
    if (isForeign) plans.push({ id: target.id, base: { type: next.type, metadata: [], relations: [] }, next })
    if (isNew) staging.put('target', key, { ...target, exists: true })
    staging.put('authority key', target.id, key)
    outcomes.set(key, isNew ? 'created' : isForeign || changed.has(target.id) ? 'updated' : 'unchanged')
  }
  const planned = new Set(plans.map(({ id }) => id))
  // Those that are planned are no authorities that others would have to create.
  const byKey = new Map(
    [...found.byKey].map(([key, each]) => [key, planned.has(each.id) ? { ...each, exists: true } : each])
  )
  await stageEntities(staging, plans, { ...found, byKey }, placing)
  const keyOf = new Map(items.map((item, at) => [item, keys[at] ?? '']))
  for (const [{ name }, key] of keyOf) staging.put('authority record', name, key)
  const outcomeOf = (item: SourceAuthority) => outcomes.get(keyOf.get(item) ?? '') ?? 'unchanged'
  return [
    ...[...own, ...unchanged].map(item => ({ item, outcome: 'unchanged' as const })),
    ...items.map(item => ({ item, outcome: outcomeOf(item) }))
  ]
}

/**
 * Authority records whose edits by people stay. A record that its file has not changed since it was
 * edited is unchanged; of any other the tags stay that people changed.
 */
async function keepEdits(staging: Staging, items: readonly SourceAuthority[]) {
  const keys = await staging.find(
    'authority record',
    items.map(each => each.name)
  )
  const targets = await staging.find('target', keys.values())
  const unchanged: SourceAuthority[] = []
  const kept: SourceAuthority[] = []
  for (const item of items) {
    const { imported, source } = targets.get(keys.get(item.name) ?? '')?.records?.[item.name] ?? {}
    const isEdit = item.imported !== undefined
    if (isEdit || imported === undefined || source === undefined) kept.push(item)
    else if (imported.base64 === base64Of(item)) unchanged.push(item)
    else kept.push(await keepAuthorityEdits(item, { imported, source }))
  }
  return { items: kept, unchanged }
}

const base64Of = ({ source }: SourceAuthority) => Buffer.from(source).toString('base64')

/**
 * The records of this catalogue, by their number: they are not imported, since they were composed
 * of what they would describe.
 */
async function findOwn(staging: Staging, items: readonly SourceAuthority[]): Promise<Set<SourceAuthority>> {
  const numbers = new Map(
    items.flatMap(each => {
      const number = ownNumber.exec(each.name)?.[1]
      return number === undefined ? [] : [[each, number] as const]
    })
  )
  const existing = await staging.findEntities([...new Set(numbers.values())])
  return new Set([...numbers].flatMap(([item, number]) => (existing.has(number) ? item : [])))
}

const ownNumber = new RegExp(`^\\(${ownAgency}\\)(.+)$`)

/** The keys of the authorities that records described when they were imported before. */
async function findKeys(staging: Staging, items: readonly SourceAuthority[]): Promise<ReadonlyMap<string, string>> {
  const keys = await staging.find(
    'authority record',
    items.map(each => each.name)
  )
  const known = await staging.find('target', keys.values())
  const typeOf = new Map(items.map(({ name, authority }) => [name, authority.type]))
  return new Map(
    [...keys].filter(([name, key]) => known.get(key)?.exists === true && known.get(key)?.type === typeOf.get(name))
  )
}

type Named = Map<string, Omit<StoredAuthority, 'id'>>

/**
 * The authorities that records name, by key: those that they describe, which stay when nothing
 * refers to them, and those that these refer to. An edited record replaces one.
 */
function namedBy(
  items: readonly SourceAuthority[],
  known: ReadonlyMap<string, string>,
  replaced: SourceAuthority | undefined
): { keys: string[]; described: Set<string>; named: Named } {
  const named: Named = new Map()
  const described = new Set<string>()
  const add = (draft: AuthorityDraft, more: Partial<StoredAuthority> = {}, knownAs?: string) => {
    const { key: ownKey, target } = toStoredAuthority(draft)
    const key = knownAs ?? ownKey
    const next = { ...target, ...more }
    const before = named.get(key)
    named.set(key, before === undefined ? next : joinAuthorities(before, next))
    if (more.isRecord) described.add(key)
    return key
  }
  const keys = items.map(item => {
    const { name, authority, details, relations, format, imported } = item
    const own: StoredRelation[] = []
    const knownAs = known.get(name)
    const key = knownAs ?? authorityKeyOf(authority)
    // Relations of others that the record stated before it was edited.
    for (const { relation, target, isReversed } of replaced?.relations ?? [])
      if (isReversed) add(target, { records: { [`${name} ${relation}`]: { metadata: [], relations: [] } } })
    for (const { relation, target, isReversed, role } of relations) {
      const detail = role === undefined ? {} : { role: { code: role, wording: role } }
      if (!isReversed) own.push({ relation, target: add(target), ...detail })
      else {
        const reversed = { metadata: [], relations: [{ relation, target: key }] }
        add(target, { isRecord: true, records: { [`${name} ${relation}`]: reversed } })
      }
    }
    const isMarc = sourceForms.some(each => each === format)
    const stored = isMarc ? { source: { form: format, base64: base64Of(item) }, ...(imported && { imported }) } : {}
    const isSaid = isMarc || details.length + own.length > 0
    const records = isSaid ? { records: { [name]: { metadata: details, relations: own, ...stored } } } : {}
    const editedName = imported && toStoredAuthority(authority).target.metadata[0]?.value
    return add(authority, { isRecord: true, ...records, ...(editedName && { editedName }) }, knownAs)
  })
  return { keys, described, named }
}

/** The keys of authorities, and of all that they refer to now. */
function keysAround(named: Named, known: ReadonlyMap<string, StoredAuthority>): Set<string> {
  const keys = new Set(named.keys())
  for (const each of known.values()) for (const key of relatedKeys(each)) keys.add(key)
  return keys
}

const relatedKeys = ({ records = {} }: Pick<StoredAuthority, 'records'>) =>
  Object.values(records).flatMap(({ relations }) => relations.map(({ target }) => target))

/** Restores authorities that the import had changed, unless another import changed them since. */
async function restoreAuthorities(
  notes: readonly NotedState[],
  { staging, placing, inBatches }: Undoing
): Promise<void> {
  await inBatches(notes, async batch => {
    const changes = batch.flatMap(({ first, last }) =>
      first.of === 'target' && last.of === 'target' ? [{ key: first.key, before: first.before, after: last.after }] : []
    )
    const keys = changes.flatMap(({ key, before, after }) => [key, ...relatedKeys(before), ...relatedKeys(after)])
    const byKey = await staging.find('target', keys)
    const keyById = new Map([...byKey].map(([key, { id }]) => [id, key]))
    const derive = (authority: StoredAuthority) => deriveAuthority(authority, key => byKey.get(key))
    const plans = changes.flatMap(({ key, before, after }): EntityPlan[] => {
      const target = byKey.get(key)
      if (target === undefined || !isSameJson(derive(target), derive(after))) return []
      staging.put('target', key, { ...before, id: target.id, exists: target.exists })
      return target.exists ? [{ id: target.id, base: derive(target), next: derive(before) }] : []
    })
    const around = { ...noAuthorities, byKey, keyById }
    await stageEntities(staging, plans, around, { ...placing, findDeleted: async () => undefined })
  })
}
