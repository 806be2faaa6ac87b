import { resolve } from 'node:path'

import { fingerprintEntry } from '#auth/secret-key.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { type ContentCount, countMissingContents } from '#media/missing-contents.ts'
import { mediaFolderOf, openContents } from '#media/open-media.ts'
import type { Archive } from '#store/archive.ts'
import { columnsOf } from '#store/tables.ts'
import type { Config } from '../config.ts'

/*
 * The parts of a catalogue that are outside its database, and that a copy of the database does not
 * bring along: the secret key and the media files.
 */

/** The fingerprint of the key that a database was last used with; undefined without one. */
export async function fingerprintIn(archive: Archive): Promise<string | undefined> {
  const { kind, key } = fingerprintEntry
  const [row] = await archive.read('papers', [kind, ''], 1)
  return row?.[0] === kind && row[1] === key ? String(row[2]) : undefined
}

export interface MediaCount extends ContentCount {
  /** Where a service with these settings looks for them. */
  readonly place: string
  /** Why they could not be counted. */
  readonly fault?: string
}

/** Counts the media files that records name and that a service with these settings would lack. */
export async function countMedia(archive: Archive, config: Config): Promise<MediaCount> {
  const isBucket = config.mediaUrl?.startsWith('s3:')
  const place = isBucket ? 'the bucket of MEDIA_URL' : `"${resolve(mediaFolderOf(config))}"`
  try {
    await using contents = await openContents(config)
    return { place, ...(await countMissingContents(entitiesIn(archive), contents)) }
  } catch (error) {
    // The database is of use without them.
    return { place, named: 0, missing: 0, fault: (error as Error).message }
  }
}

/** Advice for the operator; undefined where no media file is missing. */
export function adviceOnMedia({ place, named, missing, fault }: MediaCount): string | undefined {
  if (fault !== undefined) return `Media files could not be looked for in ${place}: ${fault}`
  if (missing === 0) return undefined
  return `${missing} of the ${named} media files that records name are missing in ${place}. Copy them there, or set MEDIA_URL to where they are.`
}

const documentColumn = columnsOf('entities').findIndex(({ name }) => name === 'document')

async function* entitiesIn(archive: Archive): AsyncGenerator<Pick<Entity, 'metadata'>> {
  let last = undefined as Awaited<ReturnType<Archive['last']>>
  do {
    const rows = await archive.read('entities', last, 500)
    for (const row of rows) yield JSON.parse(String(row[documentColumn])) as Pick<Entity, 'metadata'>
    last = rows.at(-1)
  } while (last)
}
