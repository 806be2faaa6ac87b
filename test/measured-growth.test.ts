import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { growthSubjects } from './support/oracles/growth-subjects.ts'

/* `test/generated/growth.test.ts`, in the long tier, leaves out no work on outside input. */

const source = join(import.meta.dirname, '../src')

describe('The growth of the cost of work on what comes from outside', () => {
  it('is measured for every format and protocol', () => {
    const folders = ['formats', 'protocols'].flatMap(parent =>
      readdirSync(join(source, parent), { withFileTypes: true })
        .filter(each => each.isDirectory())
        .map(each => `${parent}/${each.name}`)
    )
    const known = new Set([...growthSubjects.map(each => each.of), ...Object.values(unmeasured).flat()])
    assert.deepEqual(
      folders.filter(each => !known.has(each)),
      [],
      'Add inputs that are bad for it to test/support/oracles/growth-subjects.ts'
    )
  })

  it('is measured for every file of the domain, or there is a reason why not', () => {
    const known = [...growthSubjects.map(each => each.of), ...Object.values(unmeasured).flat()]
    const isKnown = (file: string) => known.some(each => file === each || file.startsWith(`${each}/`))
    const files = globSync('domain/**/*.ts', { cwd: source }).sort()
    assert.deepEqual(
      files.filter(each => !isKnown(each)),
      [],
      'Add inputs that are bad for it to test/support/oracles/growth-subjects.ts, or say here why it needs none'
    )
    const gone = known.filter(each => !existsSync(join(source, each)))
    assert.deepEqual(gone, [], 'No such file or folder')
  })
})

/** Files and folders that need no measurement, by the reason. */
const unmeasured: Readonly<Record<string, readonly string[]>> = {
  'types and tables only': [
    'domain/entity/entity.ts',
    'domain/entity/owners.ts',
    'domain/table.ts',
    'domain/entity/publication.ts',
    'domain/entity/server-fields.ts',
    'domain/errors.ts',
    'domain/events',
    'domain/filter/filter-members.ts',
    'domain/filter/filter.ts',
    'domain/find/cover-shapes.ts',
    'domain/find/find-model.ts',
    'domain/find/readiness-states.ts',
    'domain/labels',
    'domain/maybe-promise.ts',
    'domain/record-types',
    'domain/search/index-rules.ts',
    'domain/search/numerals.ts',
    'domain/search/search-fields.ts'
  ],
  'their input has a limit of its own, far below a request': [
    'domain/entity/ids.ts',
    'domain/entity/languages.ts',
    'domain/filter/area.ts',
    'domain/filter/facets.ts',
    'domain/filter/field-names.ts',
    'domain/filter/filter-path.ts',
    'domain/filter/order.ts',
    'domain/filter/read-ranges.ts',
    'domain/filter/regular-expression.ts',
    'domain/filter/text-tests.ts',
    'domain/filter/without-paths.ts',
    'domain/find/find-filters.ts',
    'domain/find/find-state.ts',
    'domain/find/relation-filter.ts',
    'domain/find/search-address.ts',
    'domain/page-budget.ts',
    'domain/search/nearest-name.ts',
    'domain/search/rephrase.ts',
    'domain/search/typos.ts',
    'domain/values/ages.ts',
    'domain/values/time-zone.ts'
  ],
  'other tests grow their input (masks.test.ts, linear-patterns.test.ts, growth of Dublin Core)': [
    'domain/filter/masks.ts',
    'domain/values/replace-tags.ts'
  ],
  'it reads scopes': ['domain/permissions.ts'],
  'one look-up, or one call of the platform': [
    'domain/entity/readiness.ts',
    'domain/json.ts',
    'domain/memoize.ts',
    'domain/search/lookup-values.ts',
    'domain/values/zone-of-place.ts'
  ],
  'they put together what others read and write, each measured by itself': [
    'formats/description',
    'formats/due.ts',
    'formats/source',
    'formats/zip',
    'protocols/formats'
  ]
}
