import { table } from '../table.ts'
import type { RelationRule } from './record-type.ts'

/*
 * Relations to media files that every record type may have: covers of manifestations, portraits of
 * persons, pictures of venues. The media files of a production refer to it instead, since they are
 * counted by category.
 */

/** The relation from a record to its media files. */
export const mediaRelation = 'refMediafiles'

/** The relations by which one media file of a record is marked as primary, or as its thumbnail. */
export const primaryRelations = { mediafile: 'refPrimaryMediafile', thumbnail: 'refPrimaryThumbnail' } as const

export type PrimaryKind = keyof typeof primaryRelations

export const mediaRelations: Readonly<Record<string, RelationRule>> = table({
  [mediaRelation]: { to: ['mediafile'] },
  [primaryRelations.mediafile]: { to: ['mediafile'], max: 1 },
  [primaryRelations.thumbnail]: { to: ['mediafile'], max: 1 }
})
