import { randomInt, randomUUIDv7 } from 'node:crypto'

import { createAnswerCache } from '#catalogue/cache/answer-cache.ts'
import { countingStore } from '#catalogue/guarded/counting-store.ts'
import type { Parts } from '#catalogue/parts.ts'
import { createKeyedLock } from '#catalogue/keyed-lock.ts'
import type { Model } from '#domain/record-types/model.ts'
import { sanitizeHtml } from '#formats/html/sanitize-html.ts'
import { openStore } from '#store/open-store.ts'
import { findSourceRecords } from './source-records.ts'

/** What an import works with: a catalogue of its own thread, with a store of its own. */
export async function openImportParts(
  databaseUrl: string,
  model: Model,
  eventSource: string
): Promise<AsyncDisposable & { readonly parts: Parts }> {
  const store = await openStore(databaseUrl, model, {
    // Nobody waits for its questions, and it asks one at a time.
    queryDeadline: 60_000,
    readers: 1,
    poolSize: 3,
    // What it has read it forgets with every batch that it writes: more would only be filled anew
    // each time, the fuller the larger the catalogue is.
    readCacheMegabytes: 8,
    // Its batches change much the same pages of the indexes: each of them goes to its place once
    // for several batches.
    logMegabytes: 128
  })
  const parts: Parts = {
    store: countingStore(store, model),
    model,
    cache: createAnswerCache(store, 0),
    turns: createKeyedLock(),
    sanitizeHtml,
    randomBelow: bound => randomInt(bound),
    newUuid: () => randomUUIDv7(),
    eventSource,
    findSourceRecords: ids => findSourceRecords(store, ids)
  }
  return { parts, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}
