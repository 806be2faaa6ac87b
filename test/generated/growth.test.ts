import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { growthSubjects } from '../support/growth-subjects.ts'
import { growthOf } from '../support/measure-growth.ts'

/*
 * No work on what comes from outside grows faster than its input: nobody can hold up the service by
 * sending a little more. Each subject works on inputs that are bad for it, of one size and of four
 * times that size; more than 6 times the processor time is a failure.
 */

const maxGrowth = 6
const source = join(import.meta.dirname, '../../src')
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

  it('is measured for every format and protocol', () => {
    const folders = ['formats', 'protocols'].flatMap(parent =>
      readdirSync(join(source, parent), { withFileTypes: true })
        .filter(each => each.isDirectory())
        .map(each => `${parent}/${each.name}`)
    )
    const measured = new Set(growthSubjects.map(each => each.of))
    assert.deepEqual(
      folders.filter(each => !measured.has(each)),
      [],
      'Add inputs that are bad for it to test/support/growth-subjects.ts'
    )
  })

  it('is measured for every file of the domain, or there is a reason why not', () => {
    const files = readdirSync(join(source, 'domain'), { withFileTypes: true }).map(each => `domain/${each.name}`)
    const measured = new Set(growthSubjects.map(each => each.of))
    const known = new Set([...measured, ...Object.values(unmeasured).flat()])
    assert.deepEqual(
      files.filter(each => !known.has(each)),
      [],
      'Add inputs that are bad for it to test/support/growth-subjects.ts, or say here why it needs none'
    )
  })
})

/** Files of the domain that need no measurement, by the reason. */
const unmeasured: Readonly<Record<string, readonly string[]>> = {
  'types and tables only': [
    'change-event.ts',
    'entity.ts',
    'errors.ts',
    'filter.ts',
    'index-rules.ts',
    'kept-source.ts',
    'publication.ts',
    'record-type.ts',
    'record-types',
    'server-fields.ts',
    'webhook.ts'
  ].map(each => `domain/${each}`),
  'their input has a limit of its own, far below a request': [
    'client-filter.ts',
    'dates.ts',
    'facets.ts',
    'filter-path.ts',
    'ids.ts',
    'isbn.ts',
    'order.ts',
    'slips.ts'
  ].map(each => `domain/${each}`),
  'they read what the operator wrote, or scopes': ['model-file.ts', 'model.ts', 'permissions.ts'].map(
    each => `domain/${each}`
  ),
  'one look-up each': ['places.ts', 'readiness.ts', 'remember.ts'].map(each => `domain/${each}`)
}
