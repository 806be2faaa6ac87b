import type { EntityPlan } from '#domain/imports/decide-entities.ts'
import { deriveItem, type FindAuthority } from '#domain/imports/derive.ts'
import type { StoredItem, UnplacedItem } from '#domain/imports/stored.ts'
import { isSameJson } from '#domain/json.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { Placing } from './placing.ts'
import { authorityKeyOf } from '#domain/imports/authority-names.ts'
import type { AuthorityDraft, ItemDraft } from '#formats/description/description.ts'

/** An item in the form in which it is stored. */
export const toStoredItem = ({ key, metadata, library, from }: ItemDraft): UnplacedItem => ({
  key,
  from,
  draft: {
    type: holdings.item,
    metadata: metadata.map(({ key: name, value }) => ({ key: name, value })),
    relations: library === undefined ? [] : [{ relation: holdings.at, target: authorityKeyOf(library) }],
    identifiers: []
  }
})

export const librariesOf = (items: readonly ItemDraft[]): AuthorityDraft[] => items.flatMap(each => each.library ?? [])

/** The items of one record, and the publication that they are copies of. */
export interface PlacedItems<T = StoredItem> {
  readonly manifestationId: string
  readonly items: readonly T[]
}

/** Maximum number of items without a barcode that are compared with each other. */
const maxCompared = 50

/**
 * Gives items their entities. An item with the barcode of an earlier one has its entity, and one
 * that an undo restores has its own. Items without a barcode have the entity of the earlier item
 * that says the same; then of the one that says most of it; then of the one in the same place, so
 * that an item that comes or goes before them does not move them. Others get new ones.
 */
export function identifyItems(
  before: readonly StoredItem[],
  items: readonly UnplacedItem[],
  { newId }: Pick<Placing, 'newId'>
): StoredItem[] {
  const isPlace = (key: string) => key.startsWith('#')
  const idByKey = new Map(before.map(({ key, id }) => [key, id]))
  const found = new Map<UnplacedItem, string>()
  const free = new Map(before.filter(({ key }) => isPlace(key)).map(each => [each.id, each]))
  const give = (item: UnplacedItem, id: string | undefined) => {
    if (id === undefined) return
    found.set(item, id)
    free.delete(id)
  }
  const open = () => items.filter(each => !found.has(each) && isPlace(each.key))
  for (const item of items) give(item, item.id ?? (isPlace(item.key) ? undefined : idByKey.get(item.key)))
  // Most records have the items of before in the same places.
  for (const item of open()) {
    const earlier = free.get(idByKey.get(item.key) ?? '')
    if (earlier !== undefined && isSameJson(earlier.draft, item.draft)) give(item, earlier.id)
  }
  if (open().length <= maxCompared && free.size <= maxCompared)
    for (const { item, id } of likePairs([...free.values()], open()))
      if (!found.has(item) && free.has(id)) give(item, id)
  for (const item of open()) {
    const id = idByKey.get(item.key) ?? ''
    if (free.has(id)) give(item, id)
  }
  return items.map(item => ({ ...item, id: found.get(item) ?? newId(holdings.item) }))
}

/** Pairs of items that have values in common, those with most of them first. */
function likePairs(before: readonly StoredItem[], items: readonly UnplacedItem[]) {
  const said = ({ draft }: UnplacedItem) =>
    new Set([...draft.metadata, ...draft.relations].map(each => JSON.stringify(each)))
  const earlier = before.map(({ id, key, ...rest }) => ({ id, key, said: said({ key, ...rest }) }))
  return items
    .flatMap(item => {
      const own = said(item)
      return earlier.map(({ id, key, said }) => ({
        item,
        id,
        common: own.intersection(said).size,
        isInPlace: key === item.key
      }))
    })
    .filter(({ common }) => common > 0)
    .sort((one, other) => other.common - one.common || Number(other.isInPlace) - Number(one.isInPlace))
}

/** Plans the entities of items before and after a change of their record. */
export function planItems(
  before: PlacedItems | undefined,
  after: PlacedItems | undefined,
  find: FindAuthority
): EntityPlan[] {
  const contentOf = (placed: PlacedItems | undefined, id: string) => {
    const draft = placed?.items.find(each => each.id === id)?.draft
    return placed && draft && deriveItem(draft, placed.manifestationId, find)
  }
  const ids = new Set([before, after].flatMap(placed => placed?.items.map(({ id }) => id) ?? []))
  return [...ids].map(id => ({ id, base: contentOf(before, id), next: contentOf(after, id) }))
}
