import { clusterBlock, type MemberLink, type Question } from '#domain/clustering/cluster-block.ts'
import { blocksOf } from '#domain/clustering/blocks.ts'
import { retainIdentifiers } from '#domain/clustering/retain-identifiers.ts'
import type { StoredMention, StoredRecord, UnplacedMention } from '#domain/imports/stored.ts'
import { type Surroundings, toMention } from './find-surroundings.ts'
import { type Placing, type RecordChange, splitMention } from './placing.ts'

export interface PositionOf {
  readonly workId: string
  readonly expressionId: string
  readonly isNewWork: boolean
  readonly link: MemberLink | undefined
}

/**
 * The work and expression of each mention, and the differences from before. Members are in the
 * order of their ids.
 */
export interface Positions {
  readonly of: ReadonlyMap<string, PositionOf>
  readonly works: ReadonlyMap<string, readonly string[]>
  readonly expressions: ReadonlyMap<string, readonly string[]>
  readonly oldWorks: ReadonlyMap<string, readonly string[]>
  readonly oldExpressions: ReadonlyMap<string, readonly string[]>
  readonly changedWorks: ReadonlySet<string>
  readonly changedExpressions: ReadonlySet<string>
  readonly deletedWorks: readonly Deleted[]
  readonly deletedExpressions: readonly Deleted[]
  /** Review questions about pairs of these mentions. */
  readonly questions: readonly Question[]
}

/** An entity without mentions, and the entity that most of its mentions belong to now. */
export interface Deleted {
  readonly id: string
  readonly into: string | undefined
}

/** Everything that placing a batch looks at: its mentions before and after, and their positions. */
export interface Situation {
  readonly changes: readonly RecordChange[]
  readonly known: ReadonlyMap<string, StoredRecord>
  readonly before: ReadonlyMap<string, StoredMention>
  readonly after: ReadonlyMap<string, UnplacedMention>
  /** Mentions of the records that change. */
  readonly touched: ReadonlySet<string>
  readonly positions: Positions
}

/**
 * Clusters mentions into works and expressions. A cluster gets the id that its members had, or a
 * new id.
 */
export function findPositions(
  { before, after, touched, answers, isElsewhere }: Surroundings,
  { hints, yields: yieldsRecord, newId }: Pick<Placing, 'hints' | 'yields' | 'newId'>
): Positions {
  const mentions = [...after].map(([id, { evidence }]) => toMention(id, evidence))
  const clusters = blocksOf(mentions, answers).map(block => clusterBlock(block, answers))
  const works = clusters.flatMap(each => each.works)
  const versions = works.flatMap(each => each.expressions)
  const yields = (mention: string) => yieldsRecord?.(splitMention(mention)[0]) ?? false
  const had = (level: 'workId' | 'expressionId') => {
    // An entity never changes its type: a mention of another kind gets a new entity.
    const typeOf = (mention: UnplacedMention | undefined) =>
      level === 'workId' ? mention?.work.type : mention?.expression.type
    const isSameType = (id: string) => !after.has(id) || typeOf(after.get(id)) === typeOf(before.get(id))
    const names = new Map([...before].filter(([id]) => isSameType(id)).map(([id, mention]) => [id, mention[level]]))
    if (hints)
      for (const id of [...before.keys(), ...after.keys()]) {
        const hint = yields(id) ? undefined : hints.get(id)
        if (hint !== undefined && !isElsewhere(hint[level])) names.set(id, hint[level])
      }
    return names
  }
  const [workNames, expressionNames] = [
    retainIdentifiers(works, had('workId'), yields),
    retainIdentifiers(versions, had('expressionId'), yields)
  ]
  const isNew = (name: string | undefined) => name === undefined
  const first = (cluster: { readonly members: readonly { readonly mention: string }[] } | undefined) =>
    after.get(cluster?.members[0]?.mention ?? '')
  const workIds = workNames.names.map((name, index) => name ?? newId(first(works[index])?.work.type ?? ''))
  const expressionIds = expressionNames.names.map(
    (name, index) => name ?? newId(first(versions[index])?.expression.type ?? '')
  )

  const expressionOf = new Map<string, string>()
  for (const [index, { members }] of versions.entries())
    for (const { mention } of members) expressionOf.set(mention, expressionIds[index] ?? '')
  const of = new Map<string, PositionOf>()
  for (const [index, { members }] of works.entries())
    for (const { mention, link } of members)
      of.set(mention, {
        workId: workIds[index] ?? '',
        expressionId: expressionOf.get(mention) ?? '',
        isNewWork: isNew(workNames.names[index]),
        link
      })

  const now = {
    works: gather([...of].map(([id, each]) => [id, each.workId])),
    expressions: gather([...of].map(([id, each]) => [id, each.expressionId]))
  }
  const old = {
    works: gather([...before].map(([id, each]) => [id, each.workId])),
    expressions: gather([...before].map(([id, each]) => [id, each.expressionId]))
  }
  const isOther = (one: readonly string[], other: readonly string[] | undefined) =>
    other === undefined ||
    one.length !== other.length ||
    one.some((id, index) => id !== other[index] || touched.has(id))
  const isMoved = (id: string) => before.get(id)?.workId !== of.get(id)?.workId
  const deleted = (
    level: 'workId' | 'expressionId',
    was: ReadonlyMap<string, readonly string[]>,
    is: ReadonlyMap<string, unknown>,
    names: ReturnType<typeof retainIdentifiers>
  ): Deleted[] => {
    const ids = level === 'workId' ? workIds : expressionIds
    const went = new Map(names.dropped.map(({ name, into }) => [name, into === undefined ? undefined : ids[into]]))
    const gone = [...was].filter(([id]) => !is.has(id))
    // One whose mentions are of another kind now. An undo brings back what was there instead.
    const ofOtherKind = (members: readonly string[]) =>
      hints === undefined ? members.map(each => of.get(each)?.[level]).find(each => each !== undefined) : undefined
    return gone.map(([id, members]) => ({ id, into: went.has(id) ? went.get(id) : ofOtherKind(members) }))
  }
  return {
    of,
    works: now.works,
    expressions: now.expressions,
    oldWorks: old.works,
    oldExpressions: old.expressions,
    changedWorks: new Set([...now.works].filter(([id, own]) => isOther(own, old.works.get(id))).map(([id]) => id)),
    changedExpressions: new Set(
      [...now.expressions]
        .filter(([id, own]) => isOther(own, old.expressions.get(id)) || own.some(isMoved))
        .map(([id]) => id)
    ),
    deletedWorks: deleted('workId', old.works, now.works, workNames),
    deletedExpressions: deleted('expressionId', old.expressions, now.expressions, expressionNames),
    questions: clusters.flatMap(each => each.questions)
  }
}

function gather(pairs: readonly (readonly [mention: string, id: string])[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [mention, id] of pairs) {
    const known = found.get(id)
    if (known === undefined) found.set(id, [mention])
    else known.push(mention)
  }
  for (const members of found.values()) members.sort()
  return found
}
