import { authorityKeyOf, cleanName } from '#domain/imports/authority-names.ts'
import type { StoredAuthority } from '#domain/imports/stored.ts'
import type { AuthorityDraft } from '#formats/description/description.ts'

/** An authority in the form in which it is stored, without the id of its entity, and its key. */
export function toStoredAuthority(draft: AuthorityDraft): { key: string; target: Omit<StoredAuthority, 'id'> } {
  const { type, variants, identifiers, birthYear } = draft
  const metadata = draft.metadata.map(each => (each.key === 'name' ? { ...each, value: cleanName(each.value) } : each))
  return {
    key: authorityKeyOf(draft),
    target: {
      type,
      metadata,
      ...(variants === undefined ? {} : { variants }),
      identifiers,
      ...(birthYear === undefined ? {} : { birthYear })
    }
  }
}
