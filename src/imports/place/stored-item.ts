import { authorityKeyOf } from '#domain/imports/authority-names.ts'
import { joinAuthorities, type StoredAuthority, type UnplacedItem } from '#domain/imports/stored.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { AuthorityDraft, ItemDraft } from '#formats/description/description.ts'
import { toStoredAuthority } from './stored-authority.ts'

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

/** Everything that the drafts of a record refer to, by key, each in its fullest form. */
export function authoritiesOf(drafts: readonly AuthorityDraft[]): Map<string, Omit<StoredAuthority, 'id'>> {
  const authorities = new Map<string, Omit<StoredAuthority, 'id'>>()
  for (const target of drafts) {
    const { key, target: next } = toStoredAuthority(target)
    const known = authorities.get(key)
    authorities.set(key, known === undefined ? next : joinAuthorities(known, next))
  }
  return authorities
}
