import { memoize } from '#domain/memoize.ts'
import { codeWording } from '#domain/record-types/related.ts'
import type { AgentKey, AuthorityDraft, RelationDraft, Role } from './description.ts'
import { findLanguage } from './languages.ts'
import { createListTest } from './list-keys.ts'
import { splitOnce } from './split-once.ts'

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
export const languageAuthority = (given: string, type: string) => languageUnder(`${type} ${given}`)

/** Languages repeat in every record, so that each is described once, by its type and code. */
const languageUnder = memoize(500, (typed): AuthorityDraft | undefined => {
  const [type = '', given = ''] = splitOnce(typed, / /)
  const found = findLanguage(given)
  if (found === undefined) return undefined
  const { code, name = code } = found
  const metadata = [
    { key: 'name', value: name },
    { key: 'code', value: code }
  ]
  return { type, metadata, identifiers: [`urn:iso:std:iso:639:-3:${code}`], key: code }
})

/** Relations to the roles of a level, each role once. */
export function wordingsOf(list: readonly RelationDraft[]): RelationDraft[] {
  if (!list.some(each => each.role !== undefined)) return []
  const roles = new Map<string, { readonly role: Role; readonly from: RelationDraft['from'] }>()
  for (const { role, from } of list) if (role !== undefined) roles.set(role.code, { role, from })
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
