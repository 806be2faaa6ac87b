import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'

import { listen } from '../support/services/listen.ts'
import { adminToken, start, temporaryFolder } from '../support/services/start.ts'

/* The page of a season that examples/clients/season.mjs writes with the client. */

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const program = join(root, 'examples/clients/season.mjs')

const service = await start({ after })
const folder = temporaryFolder({ after })
const { create } = service
const venue = (id: string, zone: string) => ({
  ...{ id, type: 'venue' },
  metadata: [
    { key: 'name', value: id },
    { key: 'time_zone', value: zone }
  ]
})
const night = (id: string, start: string, place: string) => ({
  ...{ id, type: 'performance', metadata: [{ key: 'start', value: start }] },
  relations: [
    { type: 'refProduction', key: 'PR-NIGHT' },
    { type: 'refVenues', key: place }
  ]
})
await create({ id: 'PR-NIGHT', type: 'production', metadata: [{ key: 'title', value: 'Night & day' }] })
await create(venue('VE-WEST', 'America/Los_Angeles'))
await create(venue('VE-EAST', 'Europe/Brussels'))
// Both begin at the same moment, on two days.
await create(night('PF-EAST', '2027-01-16T00:30:00+01:00', 'VE-EAST'))
await create(night('PF-WEST', '2027-01-15T15:30:00-08:00', 'VE-WEST'))

describe('The page of a season, written with the client', () => {
  it('has the days and times on the clocks of the venues, in Brussels and in New York', async () => {
    // The sources stand for the built package.
    const loader = `import { registerHooks } from 'node:module'
      registerHooks({ resolve: (name, context, next) =>
        name === 'libretto-client' ? next(${JSON.stringify(join(root, 'client/index.ts'))}, context) : next(name, context) })`
    writeFileSync(join(folder, 'loader.mjs'), loader)
    const env = {
      ...{ LIBRETTO_URL: `http://127.0.0.1:${await listen(service)}`, LIBRETTO_TOKEN: adminToken },
      PATH: process.env.PATH
    }
    const words = ['--import', join(folder, 'loader.mjs'), program, 'en', '2026-09-01', '2027-08-31']
    const pageIn = async (zone: string) =>
      (await run(process.execPath, words, { cwd: folder, env: { ...env, TZ: zone } })).stdout
    const [brussels, newYork] = await Promise.all(['Europe/Brussels', 'America/New_York'].map(pageIn))
    assert.equal(brussels, newYork)
    assert.match(
      String(brussels),
      /Friday, January 15, 2027<\/h2>\s*<ul>\s*<li id="PF-WEST"><time [^>]*>15:30<\/time> <strong>Night &#38; day</
    )
    assert.match(String(brussels), /Saturday, January 16, 2027<\/h2>\s*<ul>\s*<li id="PF-EAST"><time [^>]*>00:30</)
  })

  it('has at most 100 lines', () => {
    assert.ok(readFileSync(program, 'utf8').split('\n').length <= 100)
  })
})
