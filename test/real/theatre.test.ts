import { join } from 'node:path'
import { after, it } from 'node:test'

import { tryFilesOf } from '../support/oracles/house-files.ts'
import { readShows } from '../support/records/shows.ts'
import { start } from '../support/services/start.ts'
import { realFolder } from './real-folder.ts'

it('The files of real theatres arrive whole by the proposed mappings, and leave so', async () => {
  await tryFilesOf(readShows(join(realFolder(), 'theatre')), () => start({ after }, { BODY_LIMIT: '20000000' }))
})
