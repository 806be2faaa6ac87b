import { deriveAuthority } from '#domain/imports/derive.ts'
import type { EntityPlan } from '#domain/imports/decide-entities.ts'
import { joinAuthorities, type StoredAuthority } from '#domain/imports/stored.ts'
import { isSameJson } from '#domain/json.ts'
import { toStoredAuthority } from '#formats/description/stored-drafts.ts'
import type { SourceAuthority } from '#formats/source/source-item.ts'
import { findNamed } from './find-authorities.ts'
import { excessOfDraft } from './draft-limits.ts'
import type { ImportKind, NotedState, Undoing } from './import-kind.ts'
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
  refuse({ authority }, rules) {
    const excess = excessOfDraft(authority, rules)
    return excess === undefined ? undefined : [excess]
  },

  async place(items, { staging, placing }) {
    const named = new Map<string, Omit<StoredAuthority, 'id'>>()
    const keys = items.map(({ authority }) => {
      const { key, target } = toStoredAuthority(authority)
      const known = named.get(key)
      named.set(key, { ...(known === undefined ? target : joinAuthorities(known, target)), isRecord: true })
      return key
    })
    const before = await staging.find('target', named.keys())
    const found = await findNamed(staging, named, new Set(named.keys()), placing)
    const plans: EntityPlan[] = []
    const outcomes = new Map<string, PlacedAuthority['outcome']>()
    const changed = new Set(found.changed.map(({ after }) => after.id))
    for (const [key, { exists, ...target }] of found.byKey) {
      const next = deriveAuthority(target)
      const isNew = !exists
      // A record that people made gets what it lacks.
      const isForeign = exists && !before.has(key)
      if (isNew) placing.undoNotes?.add({ of: 'entity', id: target.id, version: null })
      if (isNew) plans.push({ id: target.id, base: undefined, next })
      if (isForeign) plans.push({ id: target.id, base: { type: next.type, metadata: [], relations: [] }, next })
      if (isNew) staging.put('target', key, { ...target, exists: true })
      outcomes.set(key, isNew ? 'created' : isForeign || changed.has(target.id) ? 'updated' : 'unchanged')
    }
    await stageEntities(staging, plans, found, placing)
    return items.map((item, at) => ({ item, outcome: outcomes.get(keys[at] ?? '') ?? 'unchanged' }))
  },

  summarise: ({ item, outcome }) => ({ item, counted: [outcome] }),

  undo: { of: ['target'], restore: restoreAuthorities }
}

/** Restores authorities that the import had changed, unless another import changed them since. */
async function restoreAuthorities(
  notes: readonly NotedState[],
  { staging, placing, inBatches }: Undoing
): Promise<void> {
  await inBatches(notes, async batch => {
    const changes = batch.flatMap(({ first, last }) =>
      first.of === 'target' && last.of === 'target' ? [{ key: first.key, before: first.before, after: last.after }] : []
    )
    const known = await staging.find(
      'target',
      changes.map(each => each.key)
    )
    const plans = changes.flatMap(({ key, before, after }): EntityPlan[] => {
      const target = known.get(key)
      if (target === undefined || !isSameJson(deriveAuthority(target), deriveAuthority(after))) return []
      staging.put('target', key, { ...before, id: target.id, exists: target.exists })
      return target.exists ? [{ id: target.id, base: deriveAuthority(target), next: deriveAuthority(before) }] : []
    })
    await stageEntities(staging, plans, noAuthorities, { ...placing, findDeleted: async () => undefined })
  })
}
