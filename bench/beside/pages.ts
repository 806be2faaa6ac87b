import { copyFileSync } from 'node:fs'
import { join } from 'node:path'

import { staffPages } from '../page.ts'
import { openCosts, openVisits, publicPages } from '../public-pages.ts'
import { prepareProgramme, scratchFolder } from '../support/catalogue-file.ts'
import type { RunOptions } from '../support/report.ts'
import { inTurns, type Versions } from './in-turns.ts'

/** First visits of the application and of public pages on a slow line. */
export async function comparePages(versions: Versions, { rounds }: RunOptions) {
  await inTurns(versions, { rounds }, async ({ checkout }) => {
    await using opening = new AsyncDisposableStack()
    const staff = opening.use(await openVisits(staffPages, checkout))
    const readers = opening.use(await openVisits(publicPages, checkout))
    if (!staff || !readers) throw new Error('There is no Chromium')
    const all = opening.move()
    return {
      servers: [...staff.servers, ...readers.servers],
      measure: async () => {
        const figures: Record<string, number> = {}
        for (const [name, { paths }, visits] of [
          ['staff', staffPages, staff] as const,
          ['reader', publicPages, readers] as const
        ])
          for (const [place, { lcp, cls, requests, script, all: bytes }] of (await visits.ask()).entries()) {
            const page = `${name} ${paths[place]}`
            figures[`${page}: script, kB`] = script / 1000
            figures[`${page}: all but pictures, kB`] = bytes / 1000
            figures[`${page}: requests`] = requests
            figures[`${page}: largest paint, ms`] = lcp
            figures[`${page}: shift`] = cls
          }
        return figures
      },
      [Symbol.asyncDispose]: () => all.disposeAsync()
    }
  })
}

/** Processor time of public pages of a large catalogue, which this version makes for both. */
export async function comparePageCosts(versions: Versions, { rounds, manifestations }: RunOptions) {
  const programme = await prepareProgramme(manifestations)
  await inTurns(versions, { rounds }, async ({ checkout }) => {
    const database = join(scratchFolder(), 'programme.db')
    copyFileSync(programme, database)
    const { servers, ask, [Symbol.asyncDispose]: close } = await openCosts(database, checkout)
    return {
      servers,
      measure: async () =>
        Object.fromEntries(
          (await ask()).flatMap(({ page, made, cached }) => [
            [`${page}: ms of processor, made`, made],
            [`${page}: from memory`, cached]
          ])
        ),
      [Symbol.asyncDispose]: close
    }
  })
}
