import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

/* The rules of CONTRIBUTING.md on wording and size, as far as a program can check them. */

/** Folders and files that follow the rules. Every folder of source belongs here. */
const folders = ['web/src', 'client', 'docs', 'src']

/** Maximum width of a comment, in columns. */
const maxCommentWidth = 100

/** Maximum width of a line of Markdown, in columns. */
const maxMarkdownWidth = 120

/** Maximum number of lines of a function. */
const maxFunctionLines = 150

const root = join(import.meta.dirname, '..')
const generated = ['client/api.ts']

interface Line {
  readonly text: string
  readonly place: string
}

const linesOf = (file: string, content: string): Line[] =>
  content.split('\n').map((text, index) => ({ text, place: `${file}:${index + 1}` }))
const files = folders.flatMap(folder =>
  globSync(folder.endsWith('.ts') ? folder : `${folder}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: [...generated, '**/node_modules/**', '**/dist/**']
  })
)
const allLines = files.flatMap(file => linesOf(file, readFileSync(join(root, file), 'utf8')))

/** Files whose comments have the same width, beside those that follow all rules. */
const otherFiles = globSync(
  [
    '{bench,test,scripts,examples,bin}/**/*.{ts,tsx,js,cjs,c}',
    ...['web/**/*.css', '.ci/run', 'Dockerfile', '*.yaml', 'deploy/**/*']
  ],
  { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }
).filter(file => statSync(join(root, file)).isFile())
const otherLines = otherFiles.flatMap(file => linesOf(file, readFileSync(join(root, file), 'utf8')))

const isComment = (text: string) => /^\s*(\*|\/\/|\/\*)/.test(text)
const isWideComment = ({ text }: Line) =>
  (isComment(text) || /^\s*# /.test(text)) && !/biome-ignore|https?:\/\//.test(text) && text.length > maxCommentWidth
const hasOddBeginning = ({ text }: Line) =>
  /^\s*\/\*\*? (Who|What|Whoever|Whatever|So (many|much|far|long|often))\b/.test(text)

/** Words that writing rules retire, as they stand in identifiers. */
const retired =
  /\b(most|longest|deepest)[A-Z]\w*|\b[a-z]+Pass\b|\b(\w*[gG]limpse\w*|\w*(?:^|[a-z])Desk\b|desk\b|[pP]apers?\b|\w+Papers?\b|slips?\b|\w+Slips?\b|Soon\b|remembering\b|\w*[kK]eeper\w*|asker\b|fates?\b|bell\b|\w+Bell\b)|Speech\b|[tT]ak(e|ing)Out|[bB]ringIn|[lL]ookedFor/

/** The name of a table, which a migration would have to rename. */
const nameOfTable = 'papers'

const retiredIn = ({ text }: Line): string | undefined => {
  if (isComment(text)) return undefined
  const code = text.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|\/\/.*$/g, "''")
  const found = retired.exec(code)?.[0]
  return found === nameOfTable ? undefined : found
}

const markdownFiles = globSync('{*,bench,client,sample,docs,docs/**,examples/**}/*.md', { cwd: root }).concat(
  globSync('*.md', { cwd: root })
)
const markdownLines = markdownFiles.flatMap(file => proseOf(linesOf(file, readFileSync(join(root, file), 'utf8'))))

/** Returns the lines of a document without code blocks, tables, comments and generated parts. */
function proseOf(lines: readonly Line[]): Line[] {
  let isCode = false
  return lines.filter(({ text }) => {
    const isFence = /^ *(```|~~~)/.test(text)
    if (isFence) isCode = !isCode
    return !isCode && !isFence && !/^ *(\||<)/.test(text)
  })
}

const isOneLink = (text: string) => /^ *(?:[-*]|\d+\.)? *!?\[[^\]]*\]\([^)]*\)[.,]?$/.test(text)
const isWideMarkdown = ({ text }: Line) => [...text].length > maxMarkdownWidth && !isOneLink(text)

/** Clauses in place of a noun at the beginning of a sentence, and retired words. */
const oddSentence =
  /(?:^ *(?:[-*] |\d+\. )?(?:\*\*[^*]+\*\* )?|[.:!?] )(?:Whoever|Whatever|Who [a-z]+ (?!.*\?)|What (?!.*\?)[a-z]+ |So (?:far|often|many|much|long) (?:is|are|was|were|may|can)\b)/
const retiredInProse =
  /\b(?:whoever|glimpses?|gatherings?|askers?|anew|slips? of|handed in|laid down|through one door|by any door|every door)\b/i
const hasOddProse = ({ text }: Line) => {
  // Words in code or in italics are quoted, not used.
  const prose = text.replace(/`[^`]*`/g, '``').replace(/(?<!\*)\*[\w ]+\*(?!\*)/g, '*quoted*')
  return (!prose.startsWith('#') && oddSentence.test(prose)) || retiredInProse.test(prose)
}

const places = (lines: readonly Line[]) => lines.map(({ place }) => place)

describe('the rules of writing', () => {
  it('hold: comments have at most 100 columns', () => {
    assert.ok(otherFiles.includes('.ci/run') && otherFiles.length > 400, `Only ${otherFiles.length} were found`)
    assert.deepEqual(places([...allLines, ...otherLines].filter(isWideComment)), [])
  })

  it('hold: no doc comment begins with a clause in place of a noun', () => {
    assert.deepEqual(places(allLines.filter(hasOddBeginning)), [])
  })

  it('hold: Markdown has at most 120 columns, but for tables, code and single links', () => {
    assert.ok(markdownFiles.length > 50, `Only ${markdownFiles.length} documents were found`)
    assert.deepEqual(places(markdownLines.filter(isWideMarkdown)), [])
  })

  it('hold: no sentence of a document begins with a clause in place of a noun, or uses a retired word', () => {
    assert.deepEqual(
      markdownLines.filter(hasOddProse).map(({ place, text }) => `${place}: ${text}`),
      []
    )
  })

  it('hold: names are words of the trade', () => {
    const found = allLines.flatMap(line => {
      const word = retiredIn(line)
      return word === undefined ? [] : [`${line.place}: ${word}`]
    })
    assert.deepEqual(found, [])
    assert.deepEqual(
      files.filter(file => /bring-in|take-out|looked-for|kept-|keeper|fresh-pass|glimpse|\/words\//.test(file)),
      []
    )
  })

  it('hold: a component writes no ref while it renders', () => {
    // An indent of two spaces is the body of a component or hook; handlers and effects are deeper.
    const written = allLines.filter(
      ({ text, place }) => place.includes('.tsx:') && /^ {2}(if \(.*\) )?\w+\.current = /.test(text)
    )
    assert.deepEqual(places(written), [])
  })

  it('hold: no function has more than 150 lines', () => {
    const { status, output } = lintLength(folders.map(folder => join(root, folder)))
    assert.equal(status, 0, output)
  })

  it('find planted lines', () => {
    const planted = (text: string) => linesOf('planted.ts', text)
    assert.equal(planted(`// ${'x'.repeat(98)}`).filter(isWideComment).length, 1)
    assert.equal(planted(`// ${'x'.repeat(97)}`).filter(isWideComment).length, 0)
    for (const text of ['/** Who waits is served. */', '/** What it holds. */', '/** So many may wait. */'])
      assert.equal(planted(text).filter(hasOddBeginning).length, 1, text)
    assert.equal(planted('/** Whole records. */').filter(hasOddBeginning).length, 0)
    for (const text of ['const mostRows = 1', 'createDesk()', 'class MediaKeeper {}', 'let slip = 1'])
      assert.notEqual(planted(text).map(retiredIn)[0], undefined, text)
    assert.equal(planted(`say('a glimpse of paper')`).map(retiredIn)[0], undefined)
    const document = (text: string) => proseOf(linesOf('planted.md', text))
    assert.equal(document('x'.repeat(121)).filter(isWideMarkdown).length, 1)
    for (const text of [
      'x'.repeat(120),
      `| ${'x'.repeat(200)} |`,
      `\`\`\`\n${'x'.repeat(200)}\n\`\`\``,
      `- [${'x'.repeat(100)}](a/b/c/d/e/f/g/h/i.md)`
    ])
      assert.equal(document(text).filter(isWideMarkdown).length, 0, text)
    for (const text of [
      'Who waits is served in turn.',
      'It ends. Whoever asks is told.',
      '- What is not sure is asked.',
      'So far is counted how often a word occurs.',
      'It is written anew.',
      'The reader, whoever it is, waits.'
    ])
      assert.equal(document(text).filter(hasOddProse).length, 1, text)
    for (const text of ['## What it does', 'Who may read this?', 'So the answer is fresh.', 'See what changed.'])
      assert.equal(document(text).filter(hasOddProse).length, 0, text)
    const folder = mkdtempSync(join(tmpdir(), 'libretto-rules-'))
    try {
      const body = Array.from({ length: maxFunctionLines + 5 }, (_, index) => `  say(${index})`).join('\n')
      writeFileSync(join(folder, 'long.ts'), `export function long() {\n${body}\n}\n`)
      assert.notEqual(lintLength([folder]).status, 0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** Runs the linter with its rule on the length of functions alone. */
function lintLength(paths: readonly string[]): { readonly status: number | null; readonly output: string } {
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
      ['lint', `--config-path=${join(folder, 'biome.json')}`, ...paths],
      { cwd: root, encoding: 'utf8' }
    )
    return { status, output: stdout + stderr }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
