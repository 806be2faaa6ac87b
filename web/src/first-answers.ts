import { readFindState } from '../../src/domain/find/find-state.ts'
import { basePath } from './base-path.ts'
import { createRecordModel } from './data/record-model.ts'
import { findStageTypes } from './data/stage-types.ts'
import { isPicture, postersQuestion } from './data/use-covers.ts'
import { editQuestion, recordQuestion, referencesQuestion, treeQuestion } from './data/use-record.ts'
import { findQuestion } from './find/use-find.ts'
import { thumbnailQuestion } from './parts/picture.tsx'
import { connectEarly, sessionQuestion } from './session/connection.ts'
import { coverWidth, isWork, wordsAlone } from './session/early-answers.ts'
import { contradictionsQuestion, openReviewsQuestion, webhooksQuestion } from './start/attention.tsx'
import { recentQuestion } from './start/recent.tsx'

/** Milliseconds for which a record is kept until its form is there. */
const untilDrawn = 5_000

/**
 * Reads the answers to the early requests (`session/early-answers.ts`) into the cache, so that the
 * first picture is the whole page. Drawn step by step, a page takes a slow processor three times as
 * long until the record is seen. Failures are reported where the page is drawn.
 */
export async function readFirstAnswers(): Promise<void> {
  const connection = connectEarly()
  if (!connection) return
  const { client, queries } = connection
  const address = location.pathname.slice(basePath.length)
  const [, id] = /^\/record\/([^/]+)\/?$/.exec(address) ?? []
  const [, edited] = /^\/record\/([^/]+)\/edit\/?$/.exec(address) ?? []
  const reading = [queries.prefetchQuery(sessionQuestion(client))]
  if (id !== undefined) {
    const known = decodeURIComponent(id)
    reading.push(readRecord(known), queries.prefetchQuery(referencesQuestion(client, known)))
  } else if (edited !== undefined)
    reading.push(queries.prefetchQuery({ ...editQuestion(client, decodeURIComponent(edited)), gcTime: untilDrawn }))
  else if (address === '/find') reading.push(beginSearch())
  else if (address === '/') reading.push(queries.prefetchQuery(recentQuestion(client)), readAttention())
  await Promise.all(reading)

  async function readRecord(of: string) {
    const record = await queries.fetchQuery(recordQuestion(client, of))
    const { tables } = await queries.fetchQuery(sessionQuestion(client))
    if (isWork(record, tables.record_types)) await queries.prefetchQuery(treeQuestion(client, record.id))
    if (record.type === findStageTypes(tables.record_types).production?.type) await readPoster(record.id)
  }

  async function readPoster(of: string) {
    const { results } = await queries.fetchQuery(postersQuestion(client, [of]))
    const poster = results.find(isPicture)
    if (poster) await queries.prefetchQuery(thumbnailQuestion(client, poster.id, coverWidth))
  }

  /**
   * Sends the search of the address, which takes the tables to be read. Its answer comes later,
   * unless it was requested early.
   */
  async function beginSearch() {
    const { tables } = await queries.fetchQuery(sessionQuestion(client))
    const model = createRecordModel(tables.record_types, tables.time_zone)
    const state = readFindState(new URLSearchParams(location.search), model)
    const reading = queries.prefetchInfiniteQuery(findQuestion(queries, client, model, state))
    if (wordsAlone(location.search) !== undefined) await reading
  }

  async function readAttention() {
    const { me, tables } = await queries.fetchQuery(sessionQuestion(client))
    const { production } = findStageTypes(tables.record_types)
    await Promise.all([
      production?.may.includes('read') && queries.prefetchQuery(contradictionsQuestion(client)),
      me.is_admin && queries.prefetchQuery(openReviewsQuestion(client)),
      me.is_admin && queries.prefetchQuery(webhooksQuestion(client))
    ])
  }
}
