import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

import { applyJsonPatch } from '#domain/editing/json-patch.ts'
import type { Json } from '#domain/entity/entity.ts'
import { CatalogueError } from '#domain/errors.ts'

interface Vector {
  readonly comment?: string
  readonly doc: Json
  readonly patch: unknown
  readonly expected?: Json
  readonly error?: string
  readonly disabled?: boolean
}

/** The vectors that implementers of RFC 6902 share. */
const folder = dirname(createRequire(import.meta.url).resolve('json-patch-test-suite/package.json'))
const vectors = ['tests.json', 'spec_tests.json'].flatMap(
  file => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Vector[]
)

describe('A JSON Patch', () => {
  it('has enough vectors to be held against', () => assert.ok(vectors.length > 80))

  for (const [index, { comment, doc, patch, expected, error, disabled }] of vectors.entries()) {
    if (disabled || patch === undefined) continue
    const name = `${index}: ${comment ?? JSON.stringify(patch)}`
    if (error !== undefined) {
      it(`refuses ${name}`, () => {
        assert.throws(() => applyJsonPatch(doc, patch), CatalogueError, error)
      })
    } else if (expected !== undefined) {
      it(`does ${name}`, () => {
        assert.deepEqual(applyJsonPatch(doc, patch), expected)
      })
    }
  }

  it('leaves the document it was given as it is', () => {
    const document = { list: [1, 2] }
    applyJsonPatch(document, [{ op: 'add', path: '/list/-', value: 3 }])
    assert.deepEqual(document, { list: [1, 2] })
  })

  it('refuses copies that nest too deep, and too many operations', () => {
    const copies = Array.from({ length: 15 }, (_, times) => ({
      op: 'copy',
      from: '/a',
      path: '/a'.repeat(2 ** times + 1)
    }))
    assert.throws(() => applyJsonPatch({ a: {} }, copies), /32 levels deep/)
    assert.ok(applyJsonPatch({ a: {} }, copies.slice(0, 4)))
    const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/a', value: 1 }))
    assert.throws(() => applyJsonPatch({ a: 1 }, many), /at most 10000 operations/)
  })

  it('cannot reach what every object inherits', () => {
    for (const path of ['/__proto__/polluted', '/constructor/prototype/polluted']) {
      assert.throws(() => applyJsonPatch({}, [{ op: 'add', path, value: true }]), CatalogueError)
    }
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  })
})
