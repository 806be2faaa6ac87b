import { removeSnapshot, startUntilFound } from '../start.ts'
import type { RunOptions } from '../support/report.ts'
import { inTurns, type Versions } from './in-turns.ts'

/** Time and memory of a start from nothing and with a snapshot. */
export async function compareStarts(versions: Versions, { rounds, manifestations }: RunOptions) {
  await inTurns(versions, { rounds }, async ({ checkout, catalogue }) => {
    const database = await catalogue(manifestations)
    return {
      measure: async () => {
        removeSnapshot(database)
        const first = await startUntilFound(database, checkout)
        const again = first.hasSnapshot ? await startUntilFound(database, checkout) : undefined
        return {
          'from nothing: first list, s': first.found,
          'from nothing: s of processor': first.processor,
          'from nothing: MB at most': first.peak,
          'from nothing: MB 20 s after the snapshot': first.memory,
          'with a snapshot: first list, s': again?.found,
          'with a snapshot: MB 20 s later': again?.memory
        }
      }
    }
  })
}
