import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'

import { readItems } from '#imports/work-on-import.ts'
import { runImport } from '#imports/run-import.ts'
import { createChance, seed } from '../support/records/chance.ts'
import { newJob } from '../support/records/import-jobs.ts'
import { start } from '../support/services/start.ts'
import { editAndCompare } from '../support/oracles/round-trips.ts'
import { realFolder } from './real-folder.ts'

/*
 * A real file goes in. One field of each record is edited in the model and one in the source
 * record, and the records come out in every way: only those fields differ, as a
 * rule. Names that a record has several times, titles that stand for the title of the work, and
 * broken indicators in MARCXML are the exceptions, which are printed.
 */

const service = await start({ after })

it('Real records differ by the edited fields only, at every way out, nine times of ten', async () => {
  const { libretto } = service
  const file = createReadStream(join(realFolder(), 'marc21/bibs.mrc'))
  await runImport(libretto.parts, newJob(), readItems(file, libretto.model, {}))
  console.log(`${await editAndCompare(service, { chance: createChance(seed), tolerated: 0.1 })} edits`)
})
