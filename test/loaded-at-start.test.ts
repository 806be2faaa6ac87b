import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, it } from 'node:test'

/*
 * Modules that a service loads at its start take memory in every service (docs/decisions/0024).
 * Modules for rare requests must be behind an `import()`; a plain import anywhere on the way would
 * undo that unnoticed.
 */

const root = join(import.meta.dirname, '..')
const loaded = loadedFrom(['src/cli/serve.ts', 'src/http/app.ts', 'src/store/sqlite/sqlite-store.ts'])

describe('a service on a file, before it is asked anything', () => {
  it('has loaded its doors and its store', () => {
    for (const each of ['src/main.ts', 'src/catalogue/catalogue.ts', 'src/http/routes/sru.ts', 'fastify', 'typebox'])
      assert.ok(loaded.has(each), each)
  })

  const notYet: readonly [what: string, pattern: RegExp][] = [
    ['PostgreSQL', /^postgres$|^src\/store\/postgres\//],
    ['the client of a bucket', /^src\/media\/s3\//],
    ['the compiler of schemas', /^typebox\/(?:compile|schema|value)$/],
    ['a built-in whose mere import loads a client of the web', /^node:https?$/],
    ['what reads and writes MARC', /^src\/formats\/marc\/(?:iso2709|marc8|marcxml|compose|mapping\/(?!keys))/],
    ['ONIX', /^src\/formats\/onix\//],
    ['the tables of linked data', /^src\/formats\/rdf\/(?:mapping|describe|write|read|rdf-to|jsonld-terms)/],
    ['SRU', /^src\/protocols\/sru\//],
    ['OAI-PMH', /^src\/protocols\/oai-pmh\/(?!record-schema-path)/],
    ['writers of formats', /^src\/protocols\/(?:export\/|formats\/(?!registry|format|context-path))/]
  ]
  for (const [what, pattern] of notYet) {
    it(`has not loaded ${what}`, () => {
      const found = [...loaded].filter(([each]) => pattern.test(each))
      assert.deepEqual(
        found.map(([each, by]) => `${each}, by ${by}`),
        []
      )
    })
  }
})

it('an import of MARC does not load the schemas of the lines of NDJSON, two thirds of its program', () => {
  const found = loadedFrom(['src/imports/import-thread.ts', 'src/imports/describing-thread.ts'])
  assert.ok(found.has('src/formats/marc/iso2709.ts'))
  assert.deepEqual(
    [...found].filter(([each]) => each.startsWith('typebox')).map(([each, by]) => `${each}, by ${by}`),
    []
  )
})

/**
 * Every file, package and built-in that these files load by plain imports, with one that imports
 * it.
 */
function loadedFrom(files: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map(files.map(file => [file, 'the start']))
  for (const [file] of found) {
    if (!file.startsWith('src/')) continue
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, specifier = ''] of text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'";]*\sfrom\s+)?'([^']+)'/gm)) {
      const target = specifier.startsWith('#')
        ? `src/${specifier.slice(1)}`
        : specifier.startsWith('.')
          ? posix.join(dirname(file), specifier)
          : specifier
      if (!found.has(target)) found.set(target, file)
    }
  }
  return found
}
