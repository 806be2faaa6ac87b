import { blockKeysOf } from '#domain/clustering/blocks.ts'
import type { Purge } from '#store/ports/purge.ts'
import type { Store } from '#store/store.ts'
import { mentionIdsOf } from './place/placing.ts'
import { findState, keys, listStateKeys, storedKind, type StateWrite, stateWrite } from './state/import-state.ts'

/**
 * The import state to remove when an entity is erased: the source record of a manifestation with
 * everything that was read from it, and entries that name the entity, such as those of an
 * authority. Undoing the import does not bring the entity back.
 */
export async function importStateOf(store: Store, id: string): Promise<Pick<Purge, 'state' | 'mentionedIn'>> {
  const name = (await findState(store, 'origin', [id])).get(id)
  const record = name === undefined ? undefined : (await findState(store, 'record', [name])).get(name)
  const mentions = name === undefined ? [] : mentionIdsOf(name, record)
  const state: StateWrite[] = [
    ...(['source', 'origin', 'edited', 'deleted', 'authority key'] as const).map(kind => stateWrite(kind, id, null)),
    ...mentions.map(each => stateWrite('mention', each, null))
  ]
  for (const [mention, { evidence, questions = [] }] of await findState(store, 'mention', mentions)) {
    for (const key of blockKeysOf(evidence)) state.push(stateWrite('block key', keys.blockKey(key, mention), null))
    for (const { job, level, other } of questions)
      state.push(stateWrite('question', keys.question(job, keys.questionRest(mention, level, other)), null))
  }
  for (const key of await listStateKeys(store, 'holdings of', [id])) state.push(stateWrite('holdings of', key, null))
  if (name !== undefined) {
    state.push(stateWrite('record', name, null))
    for (const key of record?.names ?? []) state.push(stateWrite('link name', keys.link(key, name), null))
    for (const key of record?.links?.flatMap(each => each.keys) ?? [])
      state.push(stateWrite('link', keys.link(key, name), null))
  }
  if (name !== undefined && record?.number !== undefined)
    state.push(stateWrite('number', keys.number(record.number, name), null))
  return {
    state,
    mentionedIn: (['target', 'holdings', 'undo', 'preview', 'waiting', 'missing content'] as const).map(storedKind)
  }
}
