import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { contentHashField } from '#domain/entity/server-fields.ts'
import { type ContentStore, isContentHash } from './content-store.ts'

/** The media files whose bytes records name, and how many of them a store does not have. */
export interface ContentCount {
  readonly named: number
  readonly missing: number
}

/** The hash of the bytes that a record names, if it names any. */
export function contentHashOf(entity: Pick<Entity, 'metadata'>): string | undefined {
  const [hash] = valuesOf(entity, contentHashField)
  return typeof hash === 'string' && isContentHash(hash) ? hash : undefined
}

/** Looks in a store for the bytes of all media files that records name. */
export async function countMissingContents(
  entities: AsyncIterable<Pick<Entity, 'metadata'>>,
  contents: ContentStore
): Promise<ContentCount> {
  const counts = { named: 0, missing: 0 }
  for await (const entity of entities) {
    const hash = contentHashOf(entity)
    if (hash === undefined) continue
    counts.named++
    if ((await contents.find(hash)) === undefined) counts.missing++
  }
  return counts
}
