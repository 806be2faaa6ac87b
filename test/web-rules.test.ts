import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

/* How the page and the client are written, as far as a machine can check it. */

const root = join(import.meta.dirname, '..')
const files = globSync('{web/src,client}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['client/api.ts', '**/node_modules/**']
})
const linesOf = (file: string) =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ text, place: `${file}:${index + 1}` }))
const allLines = files.flatMap(linesOf)

/** Maximum width of a comment, in columns. */
const maxCommentWidth = 100

/** Maximum number of lines of a function. */
const maxFunctionLines = 150

describe('the page and the client', () => {
  it('have comments of at most 100 columns', () => {
    const isComment = (text: string) => /^\s*(\*|\/\/|\/\*)/.test(text) && !text.includes('biome-ignore')
    const wide = allLines.filter(({ text }) => isComment(text) && text.length > maxCommentWidth)
    assert.deepEqual(
      wide.map(({ place }) => place),
      []
    )
  })

  it('begin no doc comment with a clause that stands for a noun', () => {
    const odd = allLines.filter(({ text }) => /^\s*\/\*\* (Who|What|Whoever|So (many|far|long))\b/.test(text))
    assert.deepEqual(
      odd.map(({ place }) => place),
      []
    )
  })

  it('use the words of the trade in names', () => {
    const retired = /\b(most|longest|deepest)[A-Z]\w*|Speech\b|[tT]ak(e|ing)Out|[bB]ringIn|[lL]ookedFor|\b[a-z]+Pass\b/
    const found = allLines
      .filter(({ text }) => !/^\s*(\*|\/\/|\/\*)/.test(text))
      .flatMap(({ text, place }) => (retired.test(text) ? [`${place}: ${retired.exec(text)?.[0]}`] : []))
    assert.deepEqual(found, [])
    assert.deepEqual(
      files.filter(file => /bring-in|take-out|looked-for|kept-|fresh-pass|\/words\//.test(file)),
      []
    )
  })

  it('write no ref while drawing', () => {
    // Two spaces of indent are the body of a component or hook; deeper ones are handlers and effects.
    const written = allLines.filter(({ text }) => /^ {2}(if \(.*\) )?\w+\.current = /.test(text))
    assert.deepEqual(
      written.map(({ place }) => place),
      []
    )
  })

  it('have no function over 150 lines', () => {
    const folder = mkdtempSync(join(tmpdir(), 'libretto-rules-'))
    const rules = {
      complexity: { noExcessiveLinesPerFunction: { level: 'error', options: { maxLines: maxFunctionLines } } }
    }
    const configuration = {
      root: true,
      formatter: { enabled: false },
      linter: { rules: { recommended: false, ...rules } }
    }
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(configuration))
    try {
      const biome = join(root, 'node_modules', '.bin', 'biome')
      const { status, stdout, stderr } = spawnSync(
        biome,
        ['lint', `--config-path=${join(folder, 'biome.json')}`, 'web/src', 'client'],
        { cwd: root, encoding: 'utf8' }
      )
      assert.equal(status, 0, stdout + stderr)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
