import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { growthSubjects } from '../support/oracles/growth-subjects.ts'
import { growthOf } from '../support/oracles/measure-growth.ts'

/*
 * No work on what comes from outside grows faster than its input: nobody can hold up the service by
 * sending a little more. Each subject works on inputs that are bad for it, of one size and of four
 * times that size; more than 6 times the processor time is a failure.
 */

const maxGrowth = 6
const only = process.env.GROWTH_OF ?? ''

describe('The cost of work on what comes from outside', () => {
  for (const [of, subjects] of Map.groupBy(growthSubjects, each => each.of)) {
    if (!of.startsWith(only)) continue
    it(`grows with its length in ${of}`, async t => {
      let worst = { growth: 0, name: '' }
      const failures: string[] = []
      for (const { name, size, prepare } of subjects) {
        const growth = await growthOf(prepare, size)
        if (growth > worst.growth) worst = { growth, name }
        if (growth > maxGrowth) failures.push(`${name}: ${growth.toFixed(1)} times`)
      }
      t.diagnostic(`${subjects.length} inputs; ${worst.growth.toFixed(1)} times for ${worst.name}`)
      assert.deepEqual(failures, [])
    })
  }

  it('is found to be quadratic where it is', async () => {
    const planted = (size: number) => {
      const list = Array.from({ length: size }, (_, index) => `k${index}`)
      return () => list.filter((each, index) => list.indexOf(each) < index)
    }
    assert.ok((await growthOf(planted, 4_000)) > maxGrowth)
  })
})
