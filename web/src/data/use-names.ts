import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'

import type { Client, Entity } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'

/** Maximum number of records in one request. */
const maxAtOnce = 1000

/** Milliseconds for which a fetched record is not fetched again. */
const freshFor = 30_000

/**
 * The records with these ids. Those that are not cached are fetched, by one request with those that
 * other parts of the page want at the same moment. Until the answer arrives, and for records that
 * do not exist, the map has no entry.
 */
export function useRecords(ids: readonly string[]): ReadonlyMap<string, Entity> {
  const { client } = useSession()
  const queries = useQueryClient()
  const wanted = [...new Set(ids)].sort().slice(0, maxAtOnce)
  const unknown = wanted.filter(id => !isFresh(queries, id))
  useQuery({
    queryKey: ['records', unknown],
    enabled: unknown.length > 0,
    staleTime: freshFor,
    queryFn: async ({ signal }) => {
      const found = await findTogether(client, unknown, signal)
      signal.throwIfAborted()
      for (const id of unknown) queries.setQueryData<Entity | null>(knownKey(id), found.get(id) ?? null)
      return null
    }
  })
  return new Map(
    wanted.flatMap(id => {
      const entity = queries.getQueryData<Entity | null>(knownKey(id))
      return entity ? [[id, entity] as const] : []
    })
  )
}

const knownKey = (id: string) => ['known', id] as const

function isFresh(queries: QueryClient, id: string): boolean {
  const known = queries.getQueryState(knownKey(id))
  return known !== undefined && !known.isInvalidated && Date.now() - known.dataUpdatedAt < freshFor
}

type Found = ReadonlyMap<string, Entity>

interface Batch {
  readonly ids: Set<string>
  readonly answer: Promise<Found>
}

interface Asked {
  /** Sent at the end of this task. */
  open?: Batch
  /** By id. */
  readonly underWay: Map<string, Batch>
}

const askedBy = new WeakMap<Client, Asked>()

/**
 * Finds records by their ids. The wishes of all parts of the page that are drawn together are one
 * request, and a record that is under way is not requested again: on a slow line a dozen requests
 * wait for each other, and each answer draws the page again.
 */
async function findTogether(client: Client, ids: readonly string[], signal: AbortSignal): Promise<Found> {
  const asked: Asked = askedBy.get(client) ?? { underWay: new Map() }
  askedBy.set(client, asked)
  const batchOf = (id: string): Batch => {
    const known = asked.underWay.get(id)
    if (known) return known
    if (asked.open === undefined || asked.open.ids.size >= maxAtOnce) asked.open = openBatch(client, asked)
    asked.open.ids.add(id)
    asked.underWay.set(id, asked.open)
    return asked.open
  }
  const batches = new Set(ids.map(batchOf))
  // Aborted when a record was changed: an answer from before that is not for anybody who asks now.
  signal.addEventListener('abort', () => {
    for (const id of ids) asked.underWay.delete(id)
  })
  const answers = await Promise.all(Array.from(batches, ({ answer }) => answer))
  return new Map(answers.flatMap(found => [...found]))
}

function openBatch(client: Client, asked: Asked): Batch {
  const ids = new Set<string>()
  const send = async () => {
    // Other parts of the page that are drawn in the same task add their ids first.
    await null
    if (asked.open === batch) delete asked.open
    try {
      const { results } = await client.entities.find([{ type: 'id', value: [...ids] }], { limit: ids.size })
      return new Map(results.map(entity => [entity.id, entity]))
    } finally {
      for (const id of ids) if (asked.underWay.get(id) === batch) asked.underWay.delete(id)
    }
  }
  const batch: Batch = { ids, answer: send() }
  return batch
}
