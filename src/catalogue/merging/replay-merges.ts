import { contentOf, type Entity, type EntityContent } from '#domain/entity/entity.ts'
import { undoMerge, type Redirect } from '#domain/editing/undo-merge.ts'
import { isSameJson } from '#domain/json.ts'
import type { Merge, Store } from '#store/store.ts'
import { repoint, withoutArrowsTo } from './merge-entities.ts'

/** What one merge did to one record. */
interface Step {
  readonly merge: Merge
  readonly redirect: Redirect
  /**
   * The names that the survivor was given, in order; none for a record that only pointed to the
   * victim.
   */
  readonly gained: readonly string[]
  readonly before: EntityContent
  readonly after: EntityContent
}

/**
 * What a record would hold, had some merges never been made, while all others and every edit were.
 * Each of `merges` is one that wrote the record; those for which `isUndone` are to be taken out of
 * `current`, which has them in it. Others that were taken back are not in it any more.
 */
export async function contentWithout(
  store: Store,
  uuid: string,
  current: EntityContent,
  merges: readonly Merge[],
  isUndone: (merge: Merge) => boolean
): Promise<EntityContent> {
  const [oldest] = merges.filter(isUndone)
  if (!oldest) return current
  // Where to begin: before the oldest of them, and before any that was in the record then but is
  // not any more.
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
  return { ...current, ...undoMerge(current, withIt, without, redirects) }
}

/**
 * The content as the merge would have left it. What its maker chose for the survivor is what they
 * chose, whatever was there.
 */
function applyStep(content: EntityContent, { redirect, gained, before, after }: Step): EntityContent {
  const isSurvivor = after.id === redirect.to
  const plain = isSurvivor
    ? (given: EntityContent) => withoutArrowsTo(given.relations, redirect.names, given)
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

/** The change that the merge made to the record. */
async function sequenceOf(store: Store, uuid: string, merge: Merge): Promise<number> {
  const written = merge.written.find(each => each.uuid === uuid)
  return (written && (await store.findVersionByUuid(uuid, written.version)))?.sequence ?? 0
}

export async function readVersion(store: Store, uuid: string, version: number): Promise<Entity | undefined> {
  const found = await store.findVersionByUuid(uuid, version)
  return found?.json ? (JSON.parse(found.json) as Entity) : undefined
}
