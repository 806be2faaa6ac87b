import { contentOf, type Entity } from '#domain/entity/entity.ts'
import { type Difference, findDifferences } from '#domain/editing/difference.ts'
import { notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Version } from '#store/ports/history.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from '../entities/read-entity.ts'
import { visibleTargets } from '../guarded/visibility.ts'
import { createTurns } from '../take-turns.ts'

export const historyKinds = ['created', 'updated', 'deleted', 'merged', 'restored'] as const
export type HistoryKind = (typeof historyKinds)[number]

export interface HistoryEntry {
  readonly version: number
  readonly kind: HistoryKind
  readonly at: string
  readonly by: string
  readonly merged_into?: string
  /** Whether another catalogue made it; an import brought it. */
  readonly carried?: true
  /**
   * The changes against the previous version. A restored entity has everything, and the relations
   * of its last content that it has no more.
   */
  readonly changes: readonly Difference[]
}

export interface HistoryPage {
  readonly id: string
  readonly type: string
  readonly count: number
  readonly results: readonly HistoryEntry[]
  readonly skip: number
  readonly limit: number
}

/**
 * Lists the versions of an entity, the newest first, each with its changes. A deleted entity has a
 * history, too. A page ends by bytes as well as by number.
 */
export async function readHistory(
  parts: Parts,
  principal: Principal,
  identifier: string,
  skip: number,
  limit: number
): Promise<HistoryPage> {
  refuseBlind(principal)
  const history = await parts.store.findHistory(identifier, skip, limit)
  if (!history || !principal.mayRead(history.type)) throw notFound('entity', identifier)
  const { id, type, count } = history
  const versions = [...history.versions]
  // Each version is compared with the one before it.
  if (versions.length === 1 && limit > 0 && skip + 1 < count)
    versions.push(...((await parts.store.findHistory(identifier, skip + 1, 0))?.versions ?? []))
  const isCut = skip + versions.length < count
  const shown = isCut ? Math.min(limit, versions.length - 1) : limit
  // A deletion has no content; a restored version is compared with the content before it.
  if (isCut && versions.at(-1)?.json === null)
    versions.push(...((await parts.store.findHistory(identifier, skip + versions.length, 0))?.versions ?? []))
  const takeTurns = createTurns()
  const entities: (Entity | undefined)[] = []
  for (const version of versions) {
    entities.push(toEntity(version))
    await takeTurns()
  }
  const isVisible = await visibleTargets(parts.store, principal, [
    ...entities.flatMap(entity => entity?.relations ?? []),
    ...versions.flatMap(({ mergedInto }) => (mergedInto === null ? [] : [{ key: mergedInto }]))
  ])
  const seen = entities.map(entity => entity && { ...entity, relations: entity.relations.filter(isVisible) })
  const results: HistoryEntry[] = []
  for (const [index, version] of versions.slice(0, shown).entries()) {
    const before = seen[index + 1]
    const after = seen[index]
    const lost = before ? [] : relationsLost(seen[index + 2], after)
    const { mergedInto } = version
    await takeTurns()
    results.push({
      version: version.version,
      kind: kindOf(version, versions[index + 1]),
      at: version.at,
      by: version.by,
      ...(version.sequence === 0 ? { carried: true as const } : {}),
      ...(mergedInto !== null && isVisible({ key: mergedInto }) ? { merged_into: mergedInto } : {}),
      changes: after ? [...findDifferences(before && contentOf(before), contentOf(after)), ...lost] : []
    })
  }
  return { id, type, count, results, skip, limit }
}

/** The relations that a restored entity had before it was deleted, and has no more. */
const relationsLost = (last: Entity | undefined, after: Entity | undefined): Difference[] =>
  last && after
    ? findDifferences(contentOf(last), contentOf(after)).filter(
        each => each.field === 'relation' && each.after === null
      )
    : []

const toEntity = ({ json }: Version) => (json === null ? undefined : (JSON.parse(json) as Entity))

function kindOf(version: Version, before: Version | undefined): HistoryKind {
  if (version.mergedInto !== null) return 'merged'
  if (version.json === null) return 'deleted'
  // The versions before it may have been deleted.
  if (!before) return version.version === 1 ? 'created' : 'updated'
  return before.json === null ? 'restored' : 'updated'
}
