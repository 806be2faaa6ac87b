import { codeWording } from '#domain/record-types/related.ts'
import type { AgentKey, RelationDraft, AuthorityDraft } from './description.ts'
import { findLanguage } from './languages.ts'
import { createListTest } from './list-keys.ts'

const hasRelation = createListTest<RelationDraft>(
  (one, other) =>
    one.target.key === other.target.key &&
    one.relation === other.relation &&
    one.target.type === other.target.type &&
    one.target.birthYear === other.target.birthYear &&
    one.role?.code === other.role?.code &&
    one.number === other.number,
  ({ relation, target: { type, key, birthYear }, role, number }) =>
    JSON.stringify([relation, type, key, birthYear, role?.code, number])
)

/** Adds a relation, unless the list has one to the same target in the same role. */
export function addRelation(relations: RelationDraft[], draft: RelationDraft): void {
  if (!hasRelation(relations, draft)) relations.push(draft)
}

/** The language with a code; an unknown one has its code for a name. */
export function languageAuthority(given: string, type: string): AuthorityDraft | undefined {
  const found = findLanguage(given)
  if (found === undefined) return undefined
  const { code, name = code } = found
  const metadata = [
    { key: 'name', value: name },
    { key: 'code', value: code }
  ]
  return { type, metadata, identifiers: [`urn:iso:std:iso:639:-3:${code}`], key: code }
}

/** Relations to the roles of a level, each role once. */
export function wordingsOf(list: readonly RelationDraft[]): RelationDraft[] {
  const roles = new Map(
    list.flatMap(({ role, from }) => (role === undefined ? [] : [[role.code, { role, from }] as const]))
  )
  return [...roles.values()].map(({ role, from }) => ({
    relation: 'refCodeWordings',
    target: {
      type: codeWording.type,
      metadata: [
        { key: 'code', value: role.code },
        { key: 'wording', value: role.wording },
        { key: 'code_wording_type', value: 'role' }
      ],
      identifiers: [],
      key: role.code
    },
    from
  }))
}

/** The codes of the languages among relations. */
export function codesIn(relations: readonly RelationDraft[]): string[] {
  const codes: string[] = []
  for (const { relation, target } of relations) if (relation === 'refLanguages') codes.push(target.key)
  return codes
}

/** The agents among relations, by keys for comparing. */
export function agentKeys(relations: readonly RelationDraft[]): AgentKey[] {
  const keys: AgentKey[] = []
  for (const { target, role } of relations)
    if (role !== undefined)
      keys.push({ key: target.key, birthYear: target.birthYear, role: role.code, identifiers: target.identifiers })
  return keys
}
