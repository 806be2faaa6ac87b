import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const formats = join(import.meta.dirname, '../../src/formats')

/** Every format may import these. */
const shared = ['description', 'source', 'xml', 'html']

/** Rows of a table may be lines of JSON. */
const others: Readonly<Record<string, readonly string[]>> = { tables: ['ndjson'] }

describe('the folders of formats that can be imported', () => {
  for (const folder of ['tables', 'onix', 'ndjson', 'description', 'xml'])
    it(`${folder} imports no other format`, () => {
      const files = globSync(`${folder}/**/*.ts`, { cwd: formats })
      assert.notEqual(files.length, 0)
      const imports = files.flatMap(file =>
        [...readFileSync(join(formats, file), 'utf8').matchAll(/from '\.\.\/([\w-]+)\//g)].map(([, other = '']) => ({
          file,
          other
        }))
      )
      assert.deepEqual(
        imports.filter(({ other }) => other !== folder && !shared.includes(other) && !others[folder]?.includes(other)),
        []
      )
    })
})
