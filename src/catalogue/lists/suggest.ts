import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { foldText } from '#domain/values/fold.ts'
import type { Principal } from '#domain/permissions.ts'
import { readSearch } from '#domain/search/search.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { callerOf, readableTypes } from '../guarded/visibility.ts'

export interface Suggestion {
  readonly id: string
  readonly type: string
  /** Its display name. */
  readonly label: string
}

/**
 * Number of records that are examined for each suggestion: a work, its expressions and its editions
 * often have the same name.
 */
const candidatesEach = 8

/**
 * Suggests entities whose name may be the text that is being typed. Of the levels of one title only
 * the highest is suggested.
 */
export async function suggest(
  { store, model }: Parts,
  principal: Principal,
  text: string,
  types: readonly string[] | undefined,
  limit: number
): Promise<Suggestion[]> {
  refuseBlind(principal)
  const readable = readableTypes(principal)
  const found = await store.suggest({
    search: readSearch(text),
    types: types && readable ? types.filter(type => readable.includes(type)) : (types ?? readable),
    limit: limit * candidatesEach,
    caller: callerOf(principal)
  })
  const order = new Map(model.recordTypes.map(({ type }, index) => [type, index]))
  const chosen = new Map<string, Suggestion>()
  for (const { id, type, json } of found) {
    const nameField = model.findType(type)?.nameField
    const [name] = nameField === undefined ? [] : valuesOf(JSON.parse(json) as Entity, nameField)
    if (name === undefined || name === null) continue
    const label = String(name)
    const isLevel = model.findType(type)?.umbrella !== undefined
    const key = `${isLevel ? '' : type}\n${foldText(label)}\n${isLevel ? '' : id}`
    const known = chosen.get(key)
    const isHigher = known && (order.get(type) ?? 0) < (order.get(known.type) ?? 0)
    // It stays in the position of the first of them.
    if (!known || isHigher) chosen.set(key, { id, type, label })
  }
  return [...chosen.values()].slice(0, limit)
}
