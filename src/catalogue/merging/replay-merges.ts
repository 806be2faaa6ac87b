import { contentOf, type Entity, type EntityContent } from '#domain/entity/entity.ts'
import { undoMerge, type Redirect } from '#domain/editing/undo-merge.ts'
import { isSameJson } from '#domain/json.ts'
import type { Merge } from '#store/ports/history.ts'
import type { Store } from '#store/store.ts'
import type { Parts } from '../parts.ts'
import { repoint, withoutRelationsTo } from './merge-entities.ts'

/** The effect of one merge on one record. */
interface Step {
  readonly merge: Merge
  readonly redirect: Redirect
  /**
   * The identifiers that the survivor gained, in order; none for a record that only referred to the
   * victim.
   */
  readonly gained: readonly string[]
  readonly before: EntityContent
  readonly after: EntityContent
}

/**
 * Computes the content of a record without the effect of some merges, but with that of all others
 * and of every edit. All of `merges` wrote the record; the effect of those with `isUndone` is
 * removed from `current`. Merges that were undone earlier have no effect in it any more.
 */
export async function contentWithout(
  { store, model }: Pick<Parts, 'store' | 'model'>,
  uuid: string,
  current: EntityContent,
  merges: readonly Merge[],
  isUndone: (merge: Merge) => boolean
): Promise<EntityContent> {
  const [oldest] = merges.filter(isUndone)
  if (!oldest) return current
  // Begins before the oldest of them, and before any whose effect was in the record then but is not
  // any more.
  let first = oldest
  for (const merge of merges.filter(each => each.number < oldest.number).reverse()) {
    const sequence = await sequenceOf(store, uuid, first)
    if (merge.undone !== null && merge.undone > sequence) first = merge
  }
  const steps: Step[] = []
  for (const merge of merges) {
    if (merge.number < first.number || (merge.undone !== null && !isUndone(merge))) continue
    const step = await readStep(store, uuid, merge)
    if (!step) return current
    steps.push(step)
  }
  const base = (await readStep(store, uuid, first))?.before
  if (!base) return current
  const undone = steps.filter(({ merge }) => isUndone(merge))
  const withIt = steps.reduce(applyStep, base)
  const without = steps.filter(({ merge }) => !isUndone(merge)).reduce(applyStep, base)
  const redirects = undone.map(step => step.redirect)
  return { ...current, ...undoMerge(current, withIt, without, redirects, model.findType(current.type)) }
}

/**
 * Computes the content after the merge. Lists that its maker chose for the survivor are as chosen,
 * whatever was there.
 */
function applyStep(content: EntityContent, { redirect, gained, before, after }: Step): EntityContent {
  const isSurvivor = after.id === redirect.to
  const plain = isSurvivor
    ? (given: EntityContent) => withoutRelationsTo(given.relations, redirect.names, given)
    : (given: EntityContent) => repoint(given.relations, redirect.names, redirect.to)
  return {
    ...content,
    metadata: isSameJson(before.metadata, after.metadata) ? content.metadata : after.metadata,
    relations: isSameJson(plain(before), after.relations) ? plain(content) : after.relations,
    otherIdentifiers: [...content.otherIdentifiers, ...gained]
  }
}

async function readStep(store: Store, uuid: string, merge: Merge): Promise<Step | undefined> {
  const written = merge.written.find(each => each.uuid === uuid)
  const deleted = merge.written.find(each => each.id === merge.victimId)
  if (!written || !deleted) return undefined
  const [before, after, victim] = await Promise.all([
    readVersion(store, uuid, written.version - 1),
    readVersion(store, uuid, written.version),
    readVersion(store, deleted.uuid, deleted.version - 1)
  ])
  if (!before || !after || !victim) return undefined
  return {
    merge,
    redirect: { names: new Set(victim.identifiers), to: merge.survivorId },
    gained: after.id === merge.survivorId ? victim.identifiers : [],
    before: contentOf(before),
    after: contentOf(after)
  }
}

/** The sequence of the change that the merge made to the record. */
async function sequenceOf(store: Store, uuid: string, merge: Merge): Promise<number> {
  const written = merge.written.find(each => each.uuid === uuid)
  return (written && (await store.findVersionByUuid(uuid, written.version)))?.sequence ?? 0
}

export async function readVersion(store: Store, uuid: string, version: number): Promise<Entity | undefined> {
  const found = await store.findVersionByUuid(uuid, version)
  return found?.json ? (JSON.parse(found.json) as Entity) : undefined
}
