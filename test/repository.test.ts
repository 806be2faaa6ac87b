import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, it } from 'node:test'

/*
 * The repository is enough: a clone with nothing beside it can be tested. Files are read as text,
 * so that paths that are only built when a test runs are found too.
 */

const root = join(import.meta.dirname, '..')

/** Written in two parts, so that this file does not find itself. */
const folderBeside = ['shared', 'data'].join('/')
const siblingOfRoot = ['..', 'shared'].join('/')

/** A text that is joined to the place of the module it stands in. */
const pathFromModule =
  /(?:new URL\(\s*(['"`])([^'"`]*)\1\s*,\s*import\.meta\.url)|(?:import\.meta\.dirname\s*,\s*((?:(['"`])[^'"`]*\4\s*,?\s*)+))/g

const imported = /(?:\bfrom|\bimport|\bimport\()\s*(['"])(\.[^'"]*)\1/g

/** A test whose body is empty, or holds only a comment. */
const emptyTest =
  /\b(?:it|test)(?:\.\w+)?\(\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)\s*,\s*(?:\{[^{}]*\}\s*,\s*)?(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>\s*\{(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*\}/

/** A loop that tries again after a pause, for a number of times: a busy machine needs more. */
const countedWait =
  /\bfor \(let (?:tries|attempts?|retries) = [^\n]*\n(?:[^\n]*\n){0,12}?[^\n]*\b(?:sleep|pause|wait)\(/

/**
 * A section of a document that is not in the repository; standards are named by their own names.
 */
const documentBeside =
  /\bcontract,?[\s*]+(?:section\b|\d)|\binterface[\s*]+specification\b|(?<!\w )\bspecification[\s*]+\d/i

/** Finds everything in a file that refers outside the repository, empty tests and counted waits. */
function findFaults(file: string, text: string): string[] {
  const faults: string[] = []
  const beside = documentBeside.exec(text)?.[0]
  if (beside !== undefined) faults.push(`refers to "${beside}", a document outside the repository`)
  for (const words of [folderBeside, siblingOfRoot]) if (text.includes(words)) faults.push(`names "${words}"`)
  const paths = [
    ...[...text.matchAll(pathFromModule)].map(([, , url, parts]) => url ?? pieces(parts ?? '').join('/')),
    ...[...text.matchAll(imported)].map(([, , path]) => path ?? '')
  ]
  for (const path of paths)
    if (posix.join(dirname(file), path).startsWith('..')) faults.push(`reaches above the repository with "${path}"`)
  if (file.endsWith('.test.ts') && emptyTest.test(text)) faults.push('has a test with an empty body')
  if (file.startsWith('test/') && countedWait.test(text)) faults.push('waits for a number of tries; see `until`')
  return faults
}

const pieces = (list: string) => [...list.matchAll(/['"`]([^'"`]*)['"`]/g)].map(([, piece]) => piece ?? '')

describe('The repository', () => {
  it('needs nothing beside it, has no empty test, and waits for conditions', () => {
    const files = globSync(
      ['{test,bench,src,web,client,packages,docs}/**/*.{ts,tsx,js,mjs,json,sh,md}', '*.md', '.ci/*'],
      {
        cwd: root,
        exclude: ['**/node_modules/**', '**/dist/**']
      }
    ).filter(file => file !== 'test/repository.test.ts')
    assert.ok(files.length > 500)
    const faults = files.flatMap(file =>
      findFaults(file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')).map(fault => `${file}: ${fault}`)
    )
    assert.deepEqual(faults, [])
  })
})

describe('The checker of the repository', () => {
  const unsound: readonly [what: string, file: string, text: string][] = [
    ['a folder beside the repository', 'bench/x.ts', `const file = '${siblingOfRoot}/x'`],
    ['a folder beside the repository in a script', '.ci/run', `ls ${folderBeside}`],
    ['a path that is joined', 'test/api/x.test.ts', `join(import.meta.dirname, '../../../records')`],
    ['a path that is joined in pieces', 'test/x.test.ts', `join(import.meta.dirname, '..', '..', 'records')`],
    ['an address', 'test/formats/marc/x.test.ts', `new URL('../../../../records/a.mrc', import.meta.url)`],
    ['a section of another document', 'src/x.ts', '/** As it says (contract,\n * section 3). */'],
    ['a part of another document', 'src/x.ts', '/** Specification 2.2. */'],
    ['an import', 'src/x.ts', `import { a } from '../../other/a.ts'`],
    ['an import of the moment', 'src/x.ts', `await import('../../other/a.ts')`],
    ['an empty test', 'test/x.test.ts', `it('is here', () => {})`],
    ['an empty test with settings', 'test/x.test.ts', 'it(`is here`, { skip }, async t => {\n})'],
    ['a test that is only a comment', 'test/x.test.ts', `it('it\\'s here', () => {\n  // later\n})`],
    // In two parts, so that this file does not find itself.
    ['a wait by number', 'test/x.ts', ['for (let tries = 0; tries < 9; tries++) {\n', '  await sleep(5)\n}'].join('')]
  ]
  for (const [what, file, text] of unsound)
    it(`finds ${what}`, () => {
      assert.equal(findFaults(file, text).length, 1)
    })

  it('finds nothing wrong with paths within, and with tests that do something', () => {
    const text = `new URL('../fixtures/a.mrc', import.meta.url); join(import.meta.dirname, '..', 'sample')
      import { a } from '../support/a.ts'
      it('asks for ../../../etc/passwd', async () => { assert.ok(await get('../../../etc/passwd')) })
      it('takes a function', () => call(() => {}))`
    assert.deepEqual(findFaults('test/x.test.ts', text), [])
  })
})
