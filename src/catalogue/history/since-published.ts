import { contentOf, type Entity, valuesOf } from '#domain/entity/entity.ts'
import { type Difference, findDifferences } from '#domain/editing/difference.ts'
import { readDate } from '#domain/values/dates.ts'
import type { RecordType } from '#domain/record-types/record-type.ts'
import type { Parts } from '../parts.ts'

/** The last time at which a record became public, and the changes since then. */
export interface Published {
  readonly version: number
  readonly at: string
  readonly changes: readonly Difference[]
}

const versionsPerRead = 100
/** Maximum number of versions that are looked through. */
const maxVersions = 1000

/**
 * Finds the last publication of a record: the version that was current when its status became
 * `published`, or when the moment of its publication came. Undefined if it was never published.
 */
export async function findSincePublished(
  parts: Parts,
  entity: Entity,
  { statusField, publication, needs = [] }: RecordType,
  now: number
): Promise<Published | undefined> {
  const value = needs.find(({ field }) => field === statusField)?.is
  if (statusField === undefined || value === undefined) return undefined
  const momentOf = (one: Entity) => readDate(String(valuesOf(one, publication?.from ?? '')[0] ?? ''))?.first ?? 0
  let found: { readonly first: Entity; readonly version: number; readonly at: number } | undefined
  let end = now
  for (let skip = 0; skip < maxVersions; ) {
    const { versions, count } = (await parts.store.findHistory(entity.id, skip, versionsPerRead)) ?? {}
    // The newest first: the run of public versions ends where the one before was not public.
    for (const { json, version, at } of versions ?? []) {
      const past = json === null ? undefined : (JSON.parse(json) as Entity)
      const [written, moment] = [Date.parse(at), past ? momentOf(past) : 0]
      const begins = Math.max(written, moment)
      const isPublic = past !== undefined && String(valuesOf(past, statusField)[0]) === value && begins <= end
      if (isPublic) found = { first: past, version, at: begins }
      if (found && (!isPublic || moment > written)) return toAnswer(found, entity)
      end = written
    }
    skip += versions?.length ?? 0
    if (!versions?.length || skip >= (count ?? 0)) break
  }
  return found && toAnswer(found, entity)
}

const toAnswer = (
  { first, version, at }: { readonly first: Entity; readonly version: number; readonly at: number },
  entity: Entity
): Published => ({
  version,
  at: new Date(at).toISOString(),
  changes: findDifferences(contentOf(first), contentOf(entity))
})
