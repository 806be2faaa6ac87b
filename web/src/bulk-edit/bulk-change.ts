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
      /** The language of the value that is set or added; without one, that of the only value. */
      readonly lang?: string
      /** Whether `from` is a regular expression, of the action `find`. */
      readonly isPattern?: boolean
    }
  | {
      readonly of: 'relation'
      readonly type: string
      readonly action: RelationAction
      readonly from: string
      readonly to: string
    }

export const fieldActions = ['set', 'add', 'remove', 'replace', 'find', 'empty'] as const
export type FieldAction = (typeof fieldActions)[number]
export const relationActions = ['set', 'add', 'remove', 'replace', 'empty'] as const
export type RelationAction = (typeof relationActions)[number]

type Content = Pick<Entity, 'metadata' | 'relations'>

/** The inputs that an action needs. */
export const needsOld = (action: FieldAction) => action === 'remove' || action === 'replace'
/** Whether the text of values is searched. A match may be replaced by nothing. */
export const isFind = (action: FieldAction) => action === 'find'
export const needsNew = (action: FieldAction) => action === 'set' || action === 'add' || action === 'replace'

/** Whether all required inputs are there. */
export function isComplete(change: ManyChange): boolean {
  const isGiven = (value: unknown) => !isEmpty(value) && !(Array.isArray(value) && value.length === 0)
  if (isFind(change.action)) return change.from !== ''
  return (!needsOld(change.action) || isGiven(change.from)) && (!needsNew(change.action) || isGiven(change.to))
}

/** Replaces what an action `find` looks for in a text. */
export type Replace = (text: string) => string

/**
 * The replacement of an action `find`. A pattern has the syntax of RE2, which takes linear time;
 * `$1` in the replacement is its first group. Rejects if the pattern cannot be read.
 */
export async function replacementOf(change: ManyChange): Promise<Replace> {
  const [from, to] = [textOf(change.from), textOf(change.to)]
  if (change.of !== 'field' || change.isPattern !== true) return text => text.replaceAll(from, () => to)
  const { RE2JS } = await import('re2js')
  const pattern = RE2JS.compile(from)
  return text => pattern.matcher(text).replaceAll(to, true)
}

/** The changed record; undefined if nothing changes, as when its kind lacks the field. */
export function changed(
  row: RecordTypeRow,
  entity: Content,
  change: ManyChange,
  replace: Replace = text => text
): Content | undefined {
  const next = change.of === 'field' ? withField(row, entity, change, replace) : withRelation(row, entity, change)
  return next === undefined || isSame(next, contentOf(entity)) ? undefined : next
}

const contentOf = ({ metadata, relations }: Content): Content => ({ metadata, relations })
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const equals = (one: unknown, other: unknown) => textOf(one).trim() === textOf(other).trim()

function withField(
  row: RecordTypeRow,
  entity: Content,
  change: ManyChange & { of: 'field' },
  replace: Replace
): Content | undefined {
  const { key, action, from, to, lang } = change
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
    case 'set': {
      // Values in other languages stay. Without a language it is that of the only value.
      const language = lang ?? (present.length === 1 ? present[0]?.lang : undefined)
      const same = present.filter(entry => entry.lang === language)
      if (same.length === 1 && equals(same[0]?.value, to)) return contentOf(entity)
      const added = { key, value: to, ...(language === undefined ? {} : { lang: language }) }
      const first = present.findIndex(entry => entry.lang === language)
      const rest = present.filter(entry => entry.lang !== language)
      return put(first < 0 ? [...rest, added] : rest.toSpliced(first, 0, added))
    }
    case 'add':
      return present.some(entry => equals(entry.value, to) && entry.lang === lang)
        ? contentOf(entity)
        : put([...present, { key, value: to, ...(lang === undefined ? {} : { lang }) }])
    case 'find': {
      const isHtml = row.fields.some(field => field.key === key && field.kind === 'html')
      return put(
        present.flatMap(entry => {
          if (typeof entry.value !== 'string') return [entry]
          const value = isHtml ? replaceBetweenTags(entry.value, replace) : replace(entry.value)
          return value.trim() === '' ? [] : [{ ...entry, value }]
        })
      )
    }
    case 'remove':
      return put(present.filter(({ value }) => !equals(value, from)))
    case 'replace':
      return put(present.map(entry => (equals(entry.value, from) ? { ...entry, value: to } : entry)))
    case 'empty':
      return put([])
  }
}

/** Replaces in the texts of markup; tags stay as they are. */
const replaceBetweenTags = (html: string, replace: Replace) =>
  html
    .split(/(<[^<>]*>)/)
    .map((piece, index) => (index % 2 === 1 || piece === '' ? piece : replace(piece)))
    .join('')

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
