import type { Entity, Relation } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { type RelatedView, type RelationSummary, relationSummaryOf } from '#domain/entity/resolve-relation.ts'
import type { CachedRelationSummaries } from '../cache/answer-cache.ts'
import { createTurns } from '../take-turns.ts'
import type { FindEntities } from './fetch-related.ts'

export interface RelationSummaries {
  /** Summaries by the key in the relation. */
  readonly shown: ReadonlyMap<string, RelationSummary>
  /**
   * Summaries of entities that the principal may not read, by key: for them these relations do not
   * exist.
   */
  readonly hidden: ReadonlyMap<string, RelationSummary>
  /** Whether a relation, or a classification that it leads to, refers to nothing that is shown. */
  readonly hasGaps: boolean
}

export interface SummaryOptions {
  /** Summaries in no language, which may be used and added to. */
  readonly cached?: CachedRelationSummaries | undefined
  readonly view?: RelatedView
}

/** Documents that are read at once: of large ones, more would fill the memory. */
const readAtOnce = 200

/**
 * Fetches summaries of the entities that relations refer to: those that are not cached in one
 * query, or several for many, then the broader records of classifications, one query a level.
 */
export async function fetchRelationSummaries(
  find: FindEntities,
  model: Model,
  principal: Principal,
  relations: readonly Relation[],
  { cached, view }: SummaryOptions = {}
): Promise<RelationSummaries> {
  const shown = new Map<string, RelationSummary>()
  const hidden = new Map<string, RelationSummary>()
  const isTaken = (key: string) => shown.has(key) || hidden.has(key)
  const takeTurns = createTurns()
  let hasGaps = false
  let wanted = relations.map(relation => relation.key)
  while (wanted.length > 0) {
    const broader: string[] = []
    const take = (key: string, relationSummary: RelationSummary) => {
      if (!principal.mayRead(relationSummary.type)) {
        hidden.set(key, relationSummary)
        return
      }
      shown.set(key, relationSummary)
      if (relationSummary.members === undefined) hasGaps = true
      if (relationSummary.parent !== undefined) broader.push(relationSummary.parent)
    }
    const unknown: string[] = []
    for (const key of wanted) {
      if (isTaken(key)) continue
      const relationSummary = cached?.get(key)
      if (relationSummary) take(key, relationSummary)
      else unknown.push(key)
    }
    for (let at = 0; at < unknown.length; at += readAtOnce) {
      const generation = cached?.generation ?? 0
      for (const [key, stored] of await find(unknown.slice(at, at + readAtOnce))) {
        const relationSummary = relationSummaryOf(model, JSON.parse(stored.json) as Entity, view)
        cached?.put(key, relationSummary, generation)
        take(key, relationSummary)
        const turn = takeTurns()
        if (turn) await turn
      }
    }
    if (!unknown.every(isTaken)) hasGaps = true
    wanted = broader
  }
  for (const { parent } of shown.values()) if (parent !== undefined && hidden.has(parent)) hasGaps = true
  return { shown, hidden, hasGaps }
}
