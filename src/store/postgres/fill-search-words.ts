import { contentOf, type Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Link } from './connection.ts'
import { wordStatements } from './write-rows.ts'

/** Number of entities indexed in one transaction. */
const stepSize = 500

/**
 * Indexes the words of a catalogue that is older than the search, from the newest entity to the
 * oldest, some at a time. The progress is stored with them, so that it continues there after a
 * kill. Processes that start together share the work; none serves until it is done.
 */
export async function fillSearchWords(link: Link, model: Model): Promise<void> {
  for (;;) {
    await link.run('BEGIN')
    try {
      const [from] = await link.run(`SELECT value FROM properties WHERE name = 'words_to_index_from' FOR UPDATE`)
      if (!from) {
        await link.run('ROLLBACK')
        return
      }
      const rows = await link.run(
        `SELECT pk, document FROM entities WHERE pk <= ? ORDER BY pk DESC LIMIT ${stepSize} FOR SHARE`,
        [Number(from.value)]
      )
      const step = rows.map(row => ({
        pk: Number(row.pk),
        content: contentOf(JSON.parse(String(row.document)) as Entity)
      }))
      for (const { text, parameters } of wordStatements(step, model)) await link.run(text, parameters)
      const last = step.at(-1)
      if (last)
        await link.run(`UPDATE properties SET value = ? WHERE name = 'words_to_index_from'`, [String(last.pk - 1)])
      else await link.run(`DELETE FROM properties WHERE name = 'words_to_index_from'`)
      await link.run('COMMIT')
    } catch (error) {
      await link.run('ROLLBACK').catch(() => {})
      throw error
    }
  }
}
