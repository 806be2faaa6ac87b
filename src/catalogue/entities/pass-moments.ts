import { contentOf, type Entity, valuesOf } from '#domain/entity/entity.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { Filter } from '#domain/filter/filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { readDate } from '#domain/values/dates.ts'
import { walkEntities } from '../lists/walk-entities.ts'
import type { Parts } from '../parts.ts'

/** Maximum milliseconds since a moment; a service that stood still for longer skips it. */
const maxAge = 31 * 86_400_000

/**
 * Writes a version of each record whose moment of publication or withdrawal has passed since its
 * last change. Readers need none: they see the record by the clock. The version tells change feeds,
 * harvests and webhooks, which follow changes. Returns the ids of the records.
 */
export async function passMoments(parts: Parts, principal: Principal, now: number): Promise<readonly string[]> {
  const passed: string[] = []
  for (const { type, publication } of parts.model.recordTypes) {
    if (!publication) continue
    const moments = Object.values(publication)
    const range = { kind: 'instant', from: now - maxAge, to: now } as const
    const some = moments.map((key): Filter => ({ kind: 'field', path: { kind: 'metadata', key }, test: range }))
    const filter: Filter = {
      kind: 'all',
      of: [
        { kind: 'types', types: [type] },
        { kind: 'any', of: some }
      ]
    }
    for await (const page of walkEntities(parts, principal, { filter })) {
      for (const { json, version } of page) {
        const entity = JSON.parse(json) as Entity
        const changed = Date.parse(entity.audit.updated.at)
        const isPassed = moments.some(key => {
          const moment = readDate(String(valuesOf(entity, key)[0] ?? ''))?.first ?? Number.POSITIVE_INFINITY
          return moment > changed && moment <= now
        })
        if (!isPassed) continue
        const write = { kind: 'update', content: contentOf(entity), expectedVersion: version } as const
        try {
          await parts.store.write({ writes: [write], by: principal.name })
          passed.push(entity.id)
        } catch (error) {
          // Another change came first; it tells the same.
          if (!(error instanceof CatalogueError && error.code === 'version_mismatch')) throw error
        }
      }
    }
  }
  return passed
}
