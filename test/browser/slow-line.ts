import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Page } from 'playwright-core'

import { createChance, seed } from '../support/records/chance.ts'
import type { Teardown } from '../support/services/start.ts'

/*
 * `SLOW_BROWSER=6 SEED=1 node --test test/browser/find.test.ts` runs the tests as on a busy
 * machine: the processor of every page is six times slower, and each request and each answer is
 * delayed by a random time that depends on the seed. A test that waits for a time instead of a
 * condition fails here, and so does a page that shows something too early.
 */

/** How many times slower a page is than it could be. */
export const slowness = Number(process.env.SLOW_BROWSER ?? 1)

/** The most milliseconds that a request is kept back, and its answer again. */
const maxWait = 200

/** A port at which a service that listens at another is slow to answer. */
export async function startSlowLine(t: Teardown, port: number): Promise<number> {
  const chance = createChance(seed)
  const wait = () => sleep(chance.below(maxWait))
  const server = createServer(async (asked, answered) => {
    const isGivenUp = () => answered.destroyed
    await wait()
    if (isGivenUp()) return
    const { method = 'GET', url = '/', headers } = asked
    const passedOn = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, async answer => {
      await wait()
      if (isGivenUp()) return
      answered.writeHead(answer.statusCode ?? 500, answer.headers)
      pipeline(answer, answered, () => {})
    })
    passedOn.on('error', () => answered.destroy())
    answered.on('close', () => passedOn.destroy())
    pipeline(asked, passedOn, () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Makes the processor of a page so many times slower. */
export async function slowDown(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
}
