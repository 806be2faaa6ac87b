import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

import { CatalogueError, invalidWith, missingTarget, missingTargetsIn } from '#domain/errors.ts'

describe('faults', () => {
  it('say by a code which targets are missing, whatever the words', () => {
    const missing = [missingTarget('/relations/0/key', 'A "1"'), { ...missingTarget('/x', 'B'), message: 'Absent' }]
    assert.deepEqual(missingTargetsIn(invalidWith(missing)), ['A "1"', 'B'])
    const other = { pointer: '/metadata', message: 'No entity with id "C"' }
    assert.equal(missingTargetsIn(invalidWith([...missing, other])), undefined)
    assert.equal(missingTargetsIn(invalidWith([])), undefined)
    assert.equal(missingTargetsIn(new CatalogueError('not_found', '', { faults: missing })), undefined)
    assert.equal(missingTargetsIn(undefined), undefined)
  })

  it('are never recognised by their words', () => {
    const root = fileURLToPath(new URL('../../', import.meta.url))
    const compares = /\bmessage\??\.(?:startsWith|includes|match|endsWith)\(|\.(?:exec|test)\(\s*[\w.]*\bfault\.message/
    const found = globSync('src/**/*.ts', { cwd: root }).filter(file =>
      compares.test(readFileSync(`${root}/${file}`, 'utf8'))
    )
    assert.deepEqual(found, [])
  })
})
