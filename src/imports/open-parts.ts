import { randomBytes, randomInt, randomUUIDv7 } from 'node:crypto'

import { createAnswerCache, type OpenRing } from '#catalogue/cache/answer-cache.ts'
import { createFollowUps } from '#catalogue/follow-ups.ts'
import { countingStore } from '#catalogue/guarded/counting-store.ts'
import { createUndeclaredNames, namesFromIndex } from '#catalogue/entities/undeclared-names.ts'
import { withUuidsInAnyCase } from '#catalogue/guarded/uuid-case.ts'
import type { Contents, Parts } from '#catalogue/parts.ts'
import { createOpaqueTokens } from '#catalogue/lists/opaque-tokens.ts'
import { createKeyedLock } from '#catalogue/keyed-lock.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { Model } from '#domain/record-types/model.ts'
import { utc } from '#domain/values/time-zone.ts'
import { sanitizeHtml } from '#formats/html/sanitize-html.ts'
import { openStore } from '#store/open-store.ts'
import type { NamesInUse } from '#store/ports/queries.ts'
import { nameOfHolder, takeTask } from '#events/leadership.ts'
import { contentsOfImports } from '#media/contents-of-imports.ts'
import { type MediaSettings, openMedia } from '#media/open-media.ts'
import type { Store } from '#store/store.ts'
import { importStateOf } from './forget-record.ts'
import { sourceLinesOf, walkOtherSourceLines } from './source-lines.ts'
import { findAuthorityRecords } from './authority-sources.ts'
import { findSourceRecords } from './source-records.ts'

interface PartsSettings extends Pick<Parts, 'eventSource' | 'timeZone' | 'maxDuplicateWait' | 'contents'> {
  readonly cacheBytes: number
  /** Opens the file of sent answers; undefined for none. */
  readonly openRing?: OpenRing | undefined
  /** Reads the names in use; from the index if undefined. */
  readonly readNames?: Parameters<typeof createUndeclaredNames>[1]
  /** Reads the key of cursors; by default they are valid in this process only. */
  readonly cursorKey?: () => Buffer
}

/** Joins a store with everything else that operations need. */
export function createParts(
  store: Store,
  model: Model,
  {
    eventSource,
    timeZone,
    maxDuplicateWait,
    contents,
    cacheBytes,
    openRing,
    cursorKey = () => randomBytes(32),
    readNames = namesFromIndex(store)
  }: PartsSettings
): Parts {
  const followUps = createFollowUps()
  return {
    store: countingStore(store, model, followUps),
    model,
    cache: createAnswerCache(store, cacheBytes, openRing),
    locks: createKeyedLock(),
    undeclaredNames: createUndeclaredNames(model, readNames),
    followUps,
    cursors: createOpaqueTokens(cursorKey),
    sanitizeHtml,
    randomBelow: bound => randomInt(bound),
    newUuid: () => randomUUIDv7(),
    eventSource,
    timeZone,
    maxDuplicateWait,
    contents,
    findSourceRecords: (ids, from = store) => findSourceRecords(from, ids),
    findAuthorityRecords: (ids, from = store) => findAuthorityRecords(from, ids),
    sourceLines: {
      of: (ids, wanted) => sourceLinesOf(store, ids, wanted),
      walkOthers: () => walkOtherSourceLines(store)
    },
    importStateOf: id => importStateOf(store, id)
  }
}

/** The contents of an import that was not told where media files are. */
const noContents: Contents = {
  describe: async () => undefined,
  store: async () => {
    throw new CatalogueError('unavailable', 'This import was not told where media files are stored')
  }
}

export interface ImportSettings {
  readonly eventSource: string
  readonly timeZone?: string
  readonly namesInUse?: NamesInUse | undefined
  readonly media?: MediaSettings | undefined
}

/**
 * Opens the parts of an import: a catalogue of its own thread, with a store of its own. It has no
 * index, so it is told the names in use. Without them it counts only those that it writes.
 */
export async function openImportParts(
  databaseUrl: string,
  model: Model,
  { eventSource, timeZone = utc, namesInUse, media: mediaSettings }: ImportSettings
): Promise<AsyncDisposable & { readonly parts: Parts }> {
  const store = await openStore(databaseUrl, model, {
    // No client waits for its queries, and it runs one at a time.
    queryDeadline: 60_000,
    readers: 1,
    poolSize: 3,
    // Every batch that it writes empties the cache: a larger one would only be filled again each
    // time, the fuller the larger the catalogue is.
    readCacheMegabytes: 8,
    // Its batches change much the same pages of the indexes: this way each page is written to its
    // place once for several batches.
    logMegabytes: 128
  })
  let given = namesInUse
  const readNames = async () => {
    const names = given
    given = undefined
    return names
  }
  const media = mediaSettings && (await openMedia(store, mediaSettings, { newHolder: nameOfHolder, take: takeTask }))
  const parts = createParts(withUuidsInAnyCase(store), model, {
    eventSource,
    contents: media ? contentsOfImports(media) : noContents,
    timeZone,
    maxDuplicateWait: 0,
    cacheBytes: 0,
    readNames
  })
  return {
    parts,
    async [Symbol.asyncDispose]() {
      await parts.followUps[Symbol.asyncDispose]()
      await media?.[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    }
  }
}
