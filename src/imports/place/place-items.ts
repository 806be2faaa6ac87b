import type { EntityPlan } from '#domain/imports/decide-entities.ts'
import { deriveItem, type FindAuthority } from '#domain/imports/derive.ts'
import type { StoredItem, UnplacedItem } from '#domain/imports/stored.ts'
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

/**
 * Gives items their entities: an item with the key of an earlier one has its entity, and one that
 * an undo restores has its own. Others get new ones.
 */
export function identifyItems(
  before: readonly StoredItem[],
  items: readonly UnplacedItem[],
  { newId }: Pick<Placing, 'newId'>
): StoredItem[] {
  const idByKey = new Map(before.map(({ key, id }) => [key, id]))
  return items.map(item => ({ ...item, id: item.id ?? idByKey.get(item.key) ?? newId(holdings.item) }))
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
