import { useQuery } from '@tanstack/react-query'

import type { Entity } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'

/** Maximum number of levels; a deeper hierarchy is a cycle. */
const maxLevels = 30

/** Nothing has classes above it. */
const none: ReadonlyMap<string, readonly Entity[]> = new Map()

/**
 * The classes above each of these records, the broadest first; undefined until they are known. One
 * request for each level.
 */
export function useClassPaths(entities: readonly Entity[]): ReadonlyMap<string, readonly Entity[]> | undefined {
  const { client, model } = useSession()
  const aboveOf = (entity: Entity) => {
    const climbsBy = model.find(entity.type)?.climbs_by
    return entity.relations.find(({ type }) => type === climbsBy)?.key
  }
  const starts = entities.filter(entity => aboveOf(entity) !== undefined)
  const { data } = useQuery({
    queryKey: ['class paths', starts.map(({ id }) => id)],
    enabled: starts.length > 0,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const known = new Map<string, Entity>()
      let wanted = starts.flatMap(entity => aboveOf(entity) ?? [])
      for (let level = 0; level < maxLevels && wanted.length > 0; level++) {
        const ids = [...new Set(wanted)]
        const { results } = await client.entities.find([{ type: 'id', value: ids }], { limit: ids.length, signal })
        for (const entity of results) known.set(entity.id, entity)
        wanted = results.flatMap(entity => aboveOf(entity) ?? []).filter(id => !known.has(id))
      }
      return new Map(starts.map(entity => [entity.id, climb(entity, known)]))
    }
  })
  const climb = (entity: Entity, known: ReadonlyMap<string, Entity>) => {
    const path: Entity[] = []
    let above = known.get(aboveOf(entity) ?? '')
    while (above && !path.includes(above)) {
      path.unshift(above)
      above = known.get(aboveOf(above) ?? '')
    }
    return path
  }
  return starts.length === 0 ? none : data
}
