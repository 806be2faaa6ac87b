import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createFollowUps } from '#catalogue/follow-ups.ts'

/** Work that fails so many times, and counts its attempts. */
function failing(times: number) {
  const work = Object.assign(
    async () => {
      work.attempts++
      if (work.attempts <= times) throw new Error(`attempt ${work.attempts}`)
    },
    { attempts: 0 }
  )
  return work
}

describe('Work that follows a commit', () => {
  it('never fails the request, and is reported and attempted again until it succeeds', async () => {
    await using followUps = createFollowUps()
    const reported: string[] = []
    followUps.start(error => reported.push((error as Error).message))
    const work = failing(2)
    await followUps.run('count', work)
    assert.deepEqual([work.attempts, reported], [1, ['After a commit, "count" failed; it is attempted again']])
    await followUps.retry()
    await followUps.retry()
    await followUps.retry()
    assert.deepEqual([work.attempts, reported.length], [3, 2])
  })

  it('does not hold up other work for ever', async () => {
    await using followUps = createFollowUps()
    const [always, once] = [failing(Number.POSITIVE_INFINITY), failing(1)]
    await followUps.run('always', always)
    await followUps.run('once', once)
    for (let times = 0; times < 2; times++) await followUps.retry()
    assert.equal(once.attempts, 2)
  })

  it('is attempted a last time at the end', async () => {
    const [first, second] = [failing(1), failing(9)]
    const reported: string[] = []
    {
      await using followUps = createFollowUps()
      followUps.start(error => reported.push((error as Error).message))
      await followUps.run('first', first)
      await followUps.run('second', second)
    }
    assert.deepEqual([first.attempts, second.attempts], [2, 2])
    assert.equal(reported.at(-1), 'After a commit, "second" failed; it is not done')
  })
})
