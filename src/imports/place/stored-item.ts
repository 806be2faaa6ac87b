import { authorityKeyOf } from '#domain/imports/authority-names.ts'
import type { UnplacedItem } from '#domain/imports/stored.ts'
import { holdings } from '#domain/record-types/holdings.ts'
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
