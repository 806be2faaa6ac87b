import type { Entity } from '#domain/entity/entity.ts'
import { contentHashOf } from '#domain/entity/server-fields.ts'
import type { ContentStore } from './content-store.ts'

/** The media files whose bytes records name, and how many of them a store does not have. */
export interface ContentCount {
  readonly named: number
  readonly missing: number
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
