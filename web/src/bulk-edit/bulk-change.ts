import type { Difference, Entity, MetadataEntry, RecordTypeRow, Relation } from '../../../client/index.ts'
import { isEmpty, textOf } from '../data/record-model.ts'

/** A change of one field or relation of all selected records. */
export type ManyChange =
  | {
      readonly of: 'field'
      readonly key: string
      readonly action: FieldAction
      readonly from: unknown
      readonly to: unknown
    }
  | {
      readonly of: 'relation'
      readonly type: string
      readonly action: RelationAction
      readonly from: string
      readonly to: string
    }

export const fieldActions = ['set', 'add', 'remove', 'replace', 'empty'] as const
export type FieldAction = (typeof fieldActions)[number]
export const relationActions = ['set', 'add', 'remove', 'replace', 'empty'] as const
export type RelationAction = (typeof relationActions)[number]

type Content = Pick<Entity, 'metadata' | 'relations'>

/** The inputs that an action needs. */
export const needsOld = (action: FieldAction) => action === 'remove' || action === 'replace'
export const needsNew = (action: FieldAction) => action === 'set' || action === 'add' || action === 'replace'

/** Whether all required inputs are there. */
export function isComplete(change: ManyChange): boolean {
  const isGiven = (value: unknown) => !isEmpty(value) && !(Array.isArray(value) && value.length === 0)
  return (!needsOld(change.action) || isGiven(change.from)) && (!needsNew(change.action) || isGiven(change.to))
}

/** The changed record; undefined if nothing changes, as when its kind lacks the field. */
export function changed(row: RecordTypeRow, entity: Content, change: ManyChange): Content | undefined {
  const next = change.of === 'field' ? withField(row, entity, change) : withRelation(row, entity, change)
  return next === undefined || isSame(next, contentOf(entity)) ? undefined : next
}

const contentOf = ({ metadata, relations }: Content): Content => ({ metadata, relations })
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const equals = (one: unknown, other: unknown) => textOf(one).trim() === textOf(other).trim()

function withField(row: RecordTypeRow, entity: Content, change: ManyChange & { of: 'field' }): Content | undefined {
  const { key, action, from, to } = change
  const isOf = (entry: MetadataEntry) => entry.key === key
  const present = entity.metadata.filter(isOf)
  if (present.length === 0 && !row.fields.some(field => field.key === key)) return undefined
  const others = entity.metadata.filter(entry => !isOf(entry))
  const at = entity.metadata.findIndex(isOf)
  /** The entries of the field, in their place or at the end. */
  const put = (entries: readonly MetadataEntry[]): Content => {
    const before = at < 0 ? others : entity.metadata.slice(0, at)
    const behind = at < 0 ? [] : entity.metadata.slice(at).filter(entry => !isOf(entry))
    return { metadata: [...before, ...entries, ...behind], relations: entity.relations }
  }
  switch (action) {
    case 'set':
      return present.length === 1 && equals(present[0]?.value, to) ? contentOf(entity) : put([{ key, value: to }])
    case 'add':
      return present.some(({ value }) => equals(value, to)) ? contentOf(entity) : put([...present, { key, value: to }])
    case 'remove':
      return put(present.filter(({ value }) => !equals(value, from)))
    case 'replace':
      return put(present.map(entry => (equals(entry.value, from) ? { ...entry, value: to } : entry)))
    case 'empty':
      return put([])
  }
}

function withRelation(
  row: RecordTypeRow,
  entity: Content,
  change: ManyChange & { of: 'relation' }
): Content | undefined {
  const { type, action, from, to } = change
  const isTo = (id: string) => (relation: Relation) => relation.type === type && relation.key === id
  const { metadata, relations } = entity
  const hasIt = relations.some(isTo(to))
  const others = relations.filter(relation => relation.type !== type)
  switch (action) {
    case 'set': {
      if (!row.relations.some(each => each.type === type)) return undefined
      // The relation stays as it is, with its role, if it is there already.
      const stays = relations.find(isTo(to)) ?? { type, key: to }
      return { metadata, relations: hasIt && relations.length === others.length + 1 ? relations : [...others, stays] }
    }
    case 'empty':
      return { metadata, relations: others }
    case 'add':
      if (!row.relations.some(each => each.type === type)) return undefined
      return hasIt ? contentOf(entity) : { metadata, relations: [...relations, { type, key: to }] }
    case 'remove':
      return { metadata, relations: relations.filter(relation => !isTo(from)(relation)) }
    case 'replace': {
      // If both are there, the replaced one is removed.
      const turned = relations.flatMap(relation =>
        isTo(from)(relation) ? (hasIt ? [] : [{ ...relation, key: to }]) : [relation]
      )
      return { metadata, relations: turned }
    }
  }
}

/** The differences, in the form of a history entry. */
export function differencesOf(before: Content, after: Content): Difference[] {
  const name = (entry: MetadataEntry) => JSON.stringify([entry.key, entry.lang ?? null])
  const names = new Set([...before.metadata, ...after.metadata].map(name))
  const fields = [...names].flatMap((each): Difference[] => {
    const [key, lang] = JSON.parse(each) as [string, string | null]
    const values = (content: Content) =>
      content.metadata.filter(entry => name(entry) === each).map(({ value }) => value)
    const [was, is] = [values(before), values(after)]
    return isSame(was, is)
      ? []
      : [{ field: 'metadata', key, ...(lang === null ? {} : { lang }), before: was, after: is } as Difference]
  })
  const arrows = (content: Content) => new Map(content.relations.map(each => [`${each.type} ${each.key}`, each]))
  const [was, is] = [arrows(before), arrows(after)]
  const relations = [...new Set([...was.keys(), ...is.keys()])].flatMap((each): Difference[] => {
    const [old, now] = [was.get(each), is.get(each)]
    const { type = '', key = '' } = old ?? now ?? {}
    return old !== undefined && now !== undefined
      ? []
      : [{ field: 'relation', type, key, before: old ?? null, after: now ?? null } as Difference]
  })
  return [...fields, ...relations]
}
