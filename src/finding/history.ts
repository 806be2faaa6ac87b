import type { MaybePromise } from '#domain/maybe-promise.ts'
import type { Base } from '#index/base.ts'
import type { ChangeMark, Records } from './records.ts'

/*
 * A database has the history of an index if its changes lead from one to the other. It has another
 * one after a backup was restored, or when another server took over without the last commits.
 *
 * An index knows what its last changes were, and the database must not contradict it. A change that
 * the database does not have any more proves nothing: changes are deleted for their age, with all
 * before them, and for a later change of the same record (by a purge, or with an old version). Such
 * a change must then be there.
 */

/** The number of changes by which a history is recognised. */
const maxRecent = 8

/** The state of a history at one moment: its last change, and what its last changes were. */
export type Moment = Pick<Base, 'change' | 'recent'>

/** The moment of a transaction. */
export async function readMoment(records: Records): Promise<Moment> {
  const [{ change }, marks, forgotten] = await Promise.all([
    records.lastChange(),
    records.recentChanges(maxRecent),
    readForgotten(records)
  ])
  return { change, recent: toRecent(marks, forgotten) }
}

/** The first of the changes that `findRecent` looks at. */
export const firstOfRecent = ({ change, recent }: Moment) => recent.at(-1)?.change ?? change + 1

/**
 * The last changes of an index as a database still has them, the newest first; undefined where the
 * database has another history, or has deleted changes that the index lacks. `changes` are those of
 * the database since the first of them.
 */
export async function findRecent(
  records: Records,
  { change, recent }: Moment,
  changes: MaybePromise<readonly ChangeMark[]> = records.changesBetween(firstOfRecent({ change, recent }), change)
): Promise<readonly ChangeMark[] | undefined> {
  const [found, forgotten] = await Promise.all([changes, readForgotten(records)])
  const marks = new Map(found.map(each => [each.change, each.mark]))
  const isContradicted = recent.some(each => (marks.get(each.change) ?? each.mark) !== each.mark)
  if (isContradicted || forgotten > change) return undefined
  const missing = recent.filter(each => each.change > forgotten && !marks.has(each.change))
  if (missing.length > 0 && !(await records.areFollowed(missing))) return undefined
  return toRecent(
    recent.filter(each => marks.has(each.change)),
    forgotten
  )
}

/** The newest of some changes and of those that follow them. */
export const joinRecent = (newer: readonly ChangeMark[], older: readonly ChangeMark[]): readonly ChangeMark[] =>
  [...newer.map(({ change, mark }) => ({ change, mark })), ...older].slice(0, maxRecent)

/** A database that forgot a change will never have it again: that is known of a history too. */
const toRecent = (marks: readonly ChangeMark[], forgotten: number) =>
  joinRecent(marks, forgotten > 0 ? [{ change: forgotten, mark: '' }] : [])

const readForgotten = async (records: Records) => Number((await records.findProperty('forgotten')) ?? 0)
