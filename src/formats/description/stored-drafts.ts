import { authorityKeyOf, cleanName } from '#domain/imports/authority-names.ts'
import { joinAuthorities, type StoredAuthority, type StoredDraft } from '#domain/imports/stored.ts'
import type { AuthorityDraft, Draft } from './description.ts'

/** A draft in the form in which it is stored: it refers to authorities by their keys. */
export const toStoredDraft = ({ type, metadata, relations, identifiers }: Draft): StoredDraft => ({
  type,
  metadata: metadata.map(({ key, value, lang }) => ({ key, value, ...(lang === undefined ? {} : { lang }) })),
  relations: relations.map(({ relation, target, role, number }) => ({
    relation,
    target: authorityKeyOf(target),
    ...(role === undefined ? {} : { role: { code: role.code, wording: role.wording } }),
    ...(number === undefined ? {} : { number })
  })),
  identifiers: [...identifiers]
})

/** An authority in the form in which it is stored, without the id of its entity, and its key. */
export function toStoredAuthority(draft: AuthorityDraft): { key: string; target: Omit<StoredAuthority, 'id'> } {
  const { type, variants, identifiers, birthYear, details } = draft
  const metadata = draft.metadata.map(each => (each.key === 'name' ? { ...each, value: cleanName(each.value) } : each))
  return {
    key: authorityKeyOf(draft),
    target: {
      type,
      metadata,
      ...(variants === undefined ? {} : { variants }),
      identifiers,
      ...(birthYear === undefined ? {} : { birthYear }),
      ...(details && { records: { [details.from]: { metadata: details.metadata, relations: [] } } })
    }
  }
}

/** Everything that the drafts of a record refer to, by key, each in its fullest form. */
export function authoritiesOf(drafts: readonly AuthorityDraft[]): Map<string, Omit<StoredAuthority, 'id'>> {
  const authorities = new Map<string, Omit<StoredAuthority, 'id'>>()
  // The levels of a record share some of them.
  for (const target of new Set(drafts)) {
    const { key, target: next } = toStoredAuthority(target)
    const known = authorities.get(key)
    authorities.set(key, known === undefined ? next : joinAuthorities(known, next))
  }
  return authorities
}
