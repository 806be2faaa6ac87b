import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import type { ArrowFunction, Node } from 'typescript/unstable/ast'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'

/* The rules of CONTRIBUTING.md on wording and size, as far as a program can check them. */

/** Folders and files that follow the rules. Every folder of source belongs here. */
const folders = ['web/src', 'client', 'packages', 'docs', 'src', 'test', 'bench', 'scripts', 'examples', 'web/build.ts']

/** Maximum width of a comment, in columns. */
const maxCommentWidth = 100

/** Maximum width of a line of Markdown, in columns. */
const maxMarkdownWidth = 120

/**
 * Maximum number of lines of a function of the page, the client and the documents, without blank
 * lines and lines that have only comments or brackets.
 */
const maxPageLines = 150

/**
 * Maximum number of lines of a function of the service, of tests, benches and scripts, as an editor
 * counts them.
 */
const maxFunctionLines = 120

/** Maximum number of parameters of a function of the service. */
const maxParameters = 5

/** Folders whose functions the linter counts. */
const linted = ['web/src', 'client', 'docs']

const root = join(import.meta.dirname, '..')
const generated = ['client/api.ts']

/**
 * Files with retired words as data: the rules themselves, and the configuration of another program.
 */
const quoting = ['test/writing-rules.test.ts', 'test/support/services/swift-server.ts']
/** Tables with the words of a standard, such as the paper of a map. */
const standards = ['src/domain/labels/marc-positions.ts', 'web/src/marc/position-names.ts']

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
const textOf = new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]))
const allLines = files.flatMap(file => linesOf(file, textOf.get(file) ?? ''))

/** Files whose comments have the same width, beside those that follow all rules. */
const otherFiles = globSync(
  [
    '{bench,test,scripts,examples,bin}/**/*.{js,cjs,c}',
    ...['web/**/*.css', '.ci/run', 'Dockerfile', '*.yaml', 'deploy/**/*']
  ],
  { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }
).filter(file => statSync(join(root, file)).isFile())
const otherLines = otherFiles.flatMap(file => linesOf(file, readFileSync(join(root, file), 'utf8')))

const isComment = (text: string) => /^\s*(\*|\/\/|\/\*)/.test(text)
const isWideComment = ({ text }: Line) =>
  (isComment(text) || /^\s*# /.test(text)) && !/biome-ignore|https?:\/\//.test(text) && text.length > maxCommentWidth

/** Returns the comments of a file, each as one line. */
function commentsOf(file: string, text: string): Line[] {
  const comments: Line[] = []
  let open: 'block' | 'line' | undefined
  for (const { text: line, place } of linesOf(file, text)) {
    const begun = open === 'block' ? undefined : /^\s*(\/\*|\/\/)/.exec(line)?.[1]
    if (begun === undefined && open !== 'block') {
      open = undefined
      continue
    }
    const words = line.replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/) ?|\s*\*\/\s*$/g, '')
    const last = comments.at(-1)
    // A paragraph is a comment of its own.
    if (last && open !== undefined && (open === 'block' || begun === '//') && words !== '')
      comments[comments.length - 1] = { text: `${last.text} ${words}`.trim(), place: last.place }
    else comments.push({ text: words, place })
    open = begun === '//' ? 'line' : line.includes('*/') ? undefined : 'block'
  }
  return comments
}

const oddBeginning = /^(?:Who|What|Whoever|Whatever|So (?:many|much|far|long|often))\b(?!.*\?$)/
const hasOddBeginning = ({ text }: Line) => oddBeginning.test(text) || hasOddProse({ text, place: '' })

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

const markdownFiles = globSync('{*,bench,client,packages/*,sample,docs,docs/**,examples/**}/*.md', {
  cwd: root
}).concat(globSync('*.md', { cwd: root }))
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
    assert.ok(otherFiles.includes('.ci/run') && files.length > 1000, `Only ${files.length} were found`)
    assert.deepEqual(places([...allLines, ...otherLines].filter(isWideComment)), [])
  })

  it('hold: no sentence of a comment begins with a clause in place of a noun, or uses a retired word', () => {
    const comments = files
      .filter(file => !quoting.includes(file))
      .flatMap(file => commentsOf(file, textOf.get(file) ?? ''))
    assert.ok(comments.length > 10_000, `Only ${comments.length} were found`)
    assert.deepEqual(
      comments.filter(hasOddBeginning).map(({ place, text }) => `${place}: ${text}`),
      []
    )
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
      const word = [...quoting, ...standards].some(file => line.place.startsWith(file)) ? undefined : retiredIn(line)
      return word === undefined ? [] : [`${line.place}: ${word}`]
    })
    assert.deepEqual(found, [])
    assert.deepEqual(
      files.filter(file => /bring-in|take-out|looked-for|kept-|keeper|fresh-pass|glimpse|\/said|\/words\//.test(file)),
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

  it('hold: no function of the service has more than 120 lines or 5 parameters', () => {
    const service = [...textOf].filter(([file]) => file.startsWith('src/'))
    assert.ok(service.length > 500)
    assert.deepEqual(largeFunctions(Object.fromEntries(service)), [])
  })

  it('hold: no function of the page, the client and the documents has more than 150 lines', () => {
    const { status, output } = lintLength(linted.map(folder => join(root, folder)))
    assert.equal(status, 0, output)
  })

  it('hold: no function of tests, benches and scripts has more than 120 lines', () => {
    const long = files
      .filter(file => ![...linted, 'src'].some(folder => file.startsWith(`${folder}/`)))
      .flatMap(file => longFunctions(file, textOf.get(file) ?? ''))
    assert.deepEqual(long, [])
  })

  it('find planted functions that are too large', () => {
    const body = `{\n${'  say()\n'.repeat(maxFunctionLines - 1)}}`
    const parameters = 'a, b, c, d, e, f'
    const planted: Record<string, string> = {
      'src/function.ts': `function large() ${body}`,
      'src/arrow.ts': `const large = async () => ${body}`,
      'src/method.ts': `class Large {\n  async *#large() ${body}\n}`,
      'src/inner.ts': `export const made = [{ get large() ${body} }]`,
      'src/parameters.ts': `function many(${parameters}) {}`,
      'src/parameters-of-arrow.ts': `const many = (${parameters}) => a`,
      'src/parameters-of-constructor.ts': `class Many {\n  constructor(${parameters}) {}\n}`,
      'src/optional.ts': 'const many = { run(a: 1, { b }: B, [c]: C, d = 1, e?: 2, ...f: F) {} }'
    }
    const sound = {
      'src/short.ts': `function short() ${body.replace('  say()\n', '')}`,
      'src/few.ts': 'const few = (a, b, c, d, { e, f }) => a\ntype Many = (a, b, c, d, e, f) => void'
    }
    const found = largeFunctions({ ...planted, ...sound })
    assert.deepEqual(
      found.map(each => each.split(':')[0]),
      Object.keys(planted)
    )
  })

  it('find planted lines', () => {
    const planted = (text: string) => linesOf('planted.ts', text)
    assert.equal(planted(`// ${'x'.repeat(98)}`).filter(isWideComment).length, 1)
    assert.equal(planted(`// ${'x'.repeat(97)}`).filter(isWideComment).length, 0)
    const comments = (text: string) => commentsOf('planted.ts', text)
    for (const text of [
      '/** Who waits is served. */',
      '/** What it holds. */',
      '/** So many may wait. */',
      '/**\n * What it holds,\n * and more.\n */',
      '/*\n * Records.\n *\n * What it holds.\n */',
      '  // It ends. Whoever\n  // asks is told.'
    ])
      assert.equal(comments(text).filter(hasOddBeginning).length, 1, text)
    for (const text of ['/** Whole records. */', '// See\n// What it holds'])
      assert.equal(comments(text).filter(hasOddBeginning).length, 0, text)
    assert.deepEqual(
      comments('// a\n// b\nc()\n/* d */\n/* e */').map(each => each.text),
      ['a b', 'd', 'e']
    )
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
      const body = (length: number) => Array.from({ length }, (_, index) => `  say(${index})`).join('\n')
      writeFileSync(join(folder, 'long.ts'), `export function long() {\n${body(maxPageLines + 5)}\n}\n`)
      assert.notEqual(lintLength([folder]).status, 0)
      const inner = body(maxFunctionLines - 1).replaceAll('  say', '    say')
      const long: readonly (readonly [begin: string, end: string])[] = [
        ['function long() {', '}'],
        ['async function* long(\n  one: string\n) {', '}'],
        ['const long = async () => {', '}'],
        ['  async #long({ one }: Given) {', '  }'],
        [`  it('is long', async t => {`, '  })'],
        [`describe('all', () => {\n  const long = () => {`, '  }\n})']
      ]
      for (const [begin, end] of long)
        assert.notDeepEqual(longFunctions('planted.ts', `${begin}\n${inner}\n${end}`), [], begin)
      const tests = `describe('all', () => {\n  it('one', () => {\n${inner.slice(11)}\n  })\n})`
      assert.deepEqual(longFunctions('planted.ts', tests), [])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** Finds functions with too many lines or parameters, with the parser of TypeScript. */
function largeFunctions(sources: Readonly<Record<string, string>>): string[] {
  const inRoot = Object.entries(sources).map(([file, text]) => [`/${file}`, text] as const)
  const settings = { compilerOptions: { noLib: true, noResolve: true, types: [] }, files: inRoot.map(([file]) => file) }
  const config = '/tsconfig.json'
  const fs = createVirtualFileSystem({ ...Object.fromEntries(inRoot), [config]: JSON.stringify(settings) })
  const parser = new API({ cwd: '/', fs })
  try {
    const { program } = parser.updateSnapshot({ openProjects: [config] }).getProject(config) ?? {}
    return Object.keys(sources).flatMap(file => {
      const source = program?.getSourceFile(`/${file}`)
      assert.ok(source, file)
      const lineAt = (place: number) => source.text.slice(0, place).split('\n').length
      const found: string[] = []
      const visit = (node: Node) => {
        const { parameters, body } = node as Node & Partial<ArrowFunction>
        if (parameters && body) {
          const first = lineAt(node.getStart(source))
          const lines = lineAt(node.end) - first + 1
          if (lines > maxFunctionLines) found.push(`${file}:${first}: ${lines} lines`)
          if (parameters.length > maxParameters) found.push(`${file}:${first}: ${parameters.length} parameters`)
        }
        node.forEachChild(visit)
      }
      source.forEachChild(visit)
      return found
    })
  } finally {
    parser.close()
  }
}

/** The first line of a function, and that of a test or a group of tests. */
const functionStart = /\bfunction\b.*[({]$|=> [({]$|^\s*(?:(?:async|static|get|set) )*(?:\* ?)?#?\w+(?:<.*>)?\(.*[({]$/
const testStart = /^\s*(?:describe|it|test|itWith\w+)\b[.\w]*\(/
const isStatement = /^\s*(?:\} )?(?:if|for|while|switch|catch|else|do|try|return|await|assert)\b.*(?<!=> \{)$/

/**
 * Finds functions that are too long. The formatter puts the end of a function at the indentation of
 * its first line. Tests and groups inside a function are counted by themselves, not with it.
 */
function longFunctions(file: string, text: string): string[] {
  const lines = text.split('\n')
  const indentOf = (line: string) => line.length - line.trimStart().length
  const endOf = (start: number) => {
    const indent = indentOf(lines[start] ?? '')
    const isInside = (line: string) => line === '' || indentOf(line) > indent || /^\s*[})\]].*[({]$/.test(line)
    const length = lines.slice(start + 1).findIndex(line => !isInside(line))
    const next = length < 0 ? lines.length : start + 1 + length
    return /^\s*[})\]]/.test(lines[next] ?? '') && indentOf(lines[next] ?? '') === indent ? next : next - 1
  }
  const starts = [...lines.keys()]
  const tests = starts.filter(at => testStart.test(lines[at] ?? '')).map(at => [at, endOf(at)] as const)
  return starts.flatMap(at => {
    const line = lines[at] ?? ''
    const isStart = testStart.test(line) || (functionStart.test(line) && !isStatement.test(line))
    if (!isStart || isComment(line)) return []
    const end = endOf(at)
    let counted = end - at + 1
    let after = at
    for (const [first, last] of tests)
      if (first > after && last <= end) {
        counted -= last - first + 1
        after = last
      }
    return counted > maxFunctionLines ? [`${file}:${at + 1}: ${counted} lines`] : []
  })
}

/** Runs the linter with its rule on the length of functions alone. */
function lintLength(paths: readonly string[]): { readonly status: number | null; readonly output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'libretto-rules-'))
  const rules = {
    complexity: { noExcessiveLinesPerFunction: { level: 'error', options: { maxLines: maxPageLines } } }
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
