import { basePath } from './base-path.ts'
import { findStageTypes } from './data/stage-types.ts'
import { postersQuestion } from './data/use-covers.ts'
import { recordQuestion, referencesQuestion } from './data/use-record.ts'
import { connectEarly, sessionQuestion } from './session/connection.ts'
import { contradictionsQuestion, openReviewsQuestion, webhooksQuestion } from './start/attention.tsx'
import { recentQuestion } from './start/recent.tsx'

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
  const reading = [queries.prefetchQuery(sessionQuestion(client))]
  if (id !== undefined) {
    const known = decodeURIComponent(id)
    reading.push(readRecord(known), queries.prefetchQuery(referencesQuestion(client, known)))
  } else if (address === '/') reading.push(queries.prefetchQuery(recentQuestion(client)), readAttention())
  await Promise.all(reading)

  async function readRecord(of: string) {
    const record = await queries.fetchQuery(recordQuestion(client, of))
    const { tables } = await queries.fetchQuery(sessionQuestion(client))
    if (record.type === findStageTypes(tables.record_types).production?.type)
      await queries.prefetchQuery(postersQuestion(client, [record.id]))
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
