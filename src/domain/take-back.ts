import type { EntityContent, MetadataEntry, Relation } from './entity.ts'
import { identityOfRelation } from './merge-lists.ts'

/** Arrows to any of these names were turned to this id. */
export interface Turned {
  readonly names: ReadonlySet<string>
  readonly to: string
}

type Content = Pick<EntityContent, 'metadata' | 'relations' | 'otherIdentifiers'>

/**
 * Takes a merge out of a content. `withIt` and `without` are what the content would be with the merge and without it, had nobody edited it. A list
 * that nobody edited becomes exactly what it would be without; in one that was edited, only what the merge did is taken back.
 */
export function takeBack(current: Content, withIt: Content, without: Content, turned: readonly Turned[]): Content {
  return {
    metadata: takeBackMetadata(current.metadata, withIt.metadata, without.metadata),
    relations: takeBackRelations(current.relations, withIt.relations, without.relations, turned),
    otherIdentifiers: takeBackIdentifiers(current.otherIdentifiers, withIt.otherIdentifiers, without.otherIdentifiers)
  }
}

function takeBackIdentifiers(current: readonly string[], withIt: readonly string[], without: readonly string[]) {
  if (isSame(current, withIt)) return without
  const gone = new Set(withIt.filter(each => !without.includes(each)))
  return current.filter(each => !gone.has(each))
}

function takeBackMetadata(
  current: readonly MetadataEntry[],
  withIt: readonly MetadataEntry[],
  without: readonly MetadataEntry[]
): readonly MetadataEntry[] {
  if (isSame(current, withIt)) return without
  const [now, became, was] = [current, withIt, without].map(list => Map.groupBy(list, nameOfEntry))
  let result = current
  for (const name of new Set([...(was?.keys() ?? []), ...(became?.keys() ?? [])])) {
    const isDone = isSame(was?.get(name), became?.get(name))
    const isEdited = !isSame(now?.get(name), became?.get(name))
    if (isDone || isEdited) continue
    const entries = was?.get(name) ?? []
    const first = result.findIndex(entry => nameOfEntry(entry) === name)
    if (first < 0) {
      result = insertInOrder(result, entries, without, nameOfEntry)
      continue
    }
    const others = (entry: MetadataEntry) => nameOfEntry(entry) !== name
    result = [...result.slice(0, first), ...entries, ...result.slice(first).filter(others)]
  }
  return result
}

function takeBackRelations(
  current: readonly Relation[],
  withIt: readonly Relation[],
  without: readonly Relation[],
  turned: readonly Turned[]
): readonly Relation[] {
  if (isSame(current, withIt)) return without
  const became = new Map(withIt.map(relation => [identityOfRelation(relation), relation]))
  /** The arrow that stands for this one since the merge; undefined where the merge left none. */
  const standIn = (relation: Relation): string | undefined => {
    const to = turned.find(({ names }) => names.has(relation.key))?.to
    const identity = identityOfRelation(to === undefined ? relation : { type: relation.type, key: to })
    return became.has(identity) ? identity : undefined
  }
  const groups = Map.groupBy(without, standIn)
  // What the merge left out comes back; of several arrows that became one, one takes its place and the rest stand where they stood.
  const returning = new Set(groups.get(undefined))
  const result: Relation[] = []
  for (const relation of current) {
    const identity = identityOfRelation(relation)
    const stood = became.get(identity)
    const [first, ...rest] = groups.get(identity) ?? []
    const isEdited = !isSame(relation, stood)
    if (!stood || (!first && isEdited)) result.push(relation)
    else if (first) {
      result.push(isEdited ? { ...relation, key: first.key } : first)
      for (const each of rest) returning.add(each)
    }
  }
  const present = new Set(result.map(identityOfRelation))
  return without
    .filter(relation => returning.has(relation) && !present.has(identityOfRelation(relation)))
    .reduce<readonly Relation[]>(
      (list, relation) => insertInOrder(list, [relation], without, identityOfRelation),
      result
    )
}

/** Puts entries that an order has next to their neighbours of that order: behind the closest that is there, else before it. Where there is none, first: what was added since was added behind. */
function insertInOrder<T>(list: readonly T[], entries: readonly T[], order: readonly T[], nameOf: (each: T) => string) {
  const [entry] = entries
  if (entry === undefined) return list
  const names = order.map(nameOf)
  const place = names.indexOf(nameOf(entry))
  const positions = new Map(list.map((each, index) => [nameOf(each), index]))
  const before = names.slice(0, place).findLast(name => positions.has(name))
  const behind = names.slice(place + 1).find(name => positions.has(name))
  const at =
    before !== undefined
      ? (positions.get(before) ?? 0) + 1
      : behind !== undefined
        ? list.findIndex(each => nameOf(each) === behind)
        : 0
  return list.toSpliced(at, 0, ...entries)
}

const nameOfEntry = ({ key, lang }: MetadataEntry) => `${key}\n${lang ?? ''}`

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
