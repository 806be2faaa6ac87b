import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

/** Maximum number of files by which a walk may be shorter than ARCHITECTURE.md says. */
const maxSlack = 2

const root = join(import.meta.dirname, '..')
const program = join(import.meta.dirname, 'support/machines/measure-walks.ts')

/** Walks by their names in ARCHITECTURE.md, each with a file that must be found on it. */
const passes = {
  'GET /entities/wem/{id}': 'http/reply/repeated-answers.ts',
  'POST /entities/filter': 'domain/filter/read-filter.ts',
  'PATCH /entities/{id}': 'catalogue/entities/patch-entity.ts',
  // It runs in the thread that writes.
  'A MARC record': 'store/sqlite/writer.ts'
} as const

describe('the files of src that run', () => {
  const { TEST_PROGRAM: _, TEST_STORE: __, ...env } = process.env
  const output = execFileSync(process.execPath, [program], { env, encoding: 'utf8', maxBuffer: 1_000_000 })
  const walks = JSON.parse(output) as Record<keyof typeof passes, string[]>
  const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

  for (const [walk, passed] of Object.entries(passes))
    it(`are as many as ARCHITECTURE.md says: ${walk}`, () => {
      const files = walks[walk as keyof typeof passes].toSorted()
      assert.ok(files.includes(passed), passed)
      const row = document
        .split('\n')
        .find(line => line.startsWith('|') && line.replaceAll('`', '').includes(`| ${walk}`))
      const stated = Number(/\| (\d+) \|$/.exec(row ?? '')?.[1])
      const found = `${files.length} files ran, ARCHITECTURE.md says ${stated}:\n${files.join('\n')}`
      assert.ok(files.length <= stated && files.length >= stated - maxSlack, found)
    })
})
