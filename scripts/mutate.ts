import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/*
 * Changes one operator at a time in the code that decides rights, filters, the feed, tickets and
 * HTML, and runs the tests of that code: a change that no test notices is a gap in the tests.
 *
 *     node scripts/mutate.ts [mutants per file] [seed] [file | file:line …]
 *
 * With files or lines, only their mutants are tried.
 *
 * Works in a copy of the repository. A mutant has a heap of 1 GiB, and four times as long as the
 * tests take without one, plus 20 seconds; one that hangs counts as noticed, and is listed.
 */

/** The tests that are run for a mutant of a file, the quickest first. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  'src/formats/html/sanitize-html.ts': ['test/formats/sanitize-html.test.ts'],
  'src/auth/tickets.ts': ['test/api/tickets.test.ts'],
  'src/http/access/admission.ts': [
    'test/api/alias.test.ts',
    'test/api/tickets.test.ts',
    'test/api/anonymous-readers.test.ts',
    'test/api/open-connections.test.ts',
    'test/api/auth-matrix.test.ts'
  ],
  'src/http/access/connection-limits.ts': ['test/api/open-connections.test.ts'],
  'src/catalogue/guarded/unsigned-store.ts': ['test/api/anonymous-readers.test.ts'],
  'src/catalogue/history/read-changes.ts': ['test/api/changes.test.ts', 'test/api/visibility.test.ts'],
  'src/domain/permissions.ts': [
    'test/domain/permissions.test.ts',
    'test/api/tokens.test.ts',
    'test/api/visibility.test.ts',
    'test/api/published-only.test.ts'
  ],
  'src/http/access/route-needs.ts': ['test/api/rights-before-bodies.test.ts', 'test/api/auth-matrix.test.ts'],
  'src/catalogue/guarded/visibility.ts': [
    'test/api/visibility.test.ts',
    'test/api/write-only.test.ts',
    'test/api/history.test.ts',
    'test/api/past-versions.test.ts',
    'test/api/revert.test.ts',
    'test/api/merge.test.ts'
  ],
  'src/catalogue/guarded/limited-harvest.ts': ['test/api/published-only.test.ts'],
  'src/catalogue/guarded/limited-view.ts': ['test/api/published-only.test.ts', 'test/api/oai-pmh.test.ts'],
  'src/domain/filter/read-filter.ts': [
    'test/api/filter-errors.test.ts',
    'test/api/filter-text.test.ts',
    'test/api/filter-combining.test.ts',
    'test/api/filter-date-number-boolean.test.ts',
    'test/api/filter-existing-forms.test.ts',
    'test/clients/filter-bodies.test.ts'
  ]
}

/** Each finds an operator, and gives what it is replaced with. */
const operators: readonly (readonly [find: RegExp, replacement: string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ >= /g, ' < '],
  [/ <= /g, ' > '],
  [/ < (?=[a-z\d])/g, ' >= '],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/\.filter\((?=\w+ =>)/g, '.filter(() => true || '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/if \(!/g, 'if (']
]

interface Mutant {
  readonly file: string
  readonly line: number
  readonly from: string
  readonly to: string
  readonly text: string
}

function mutantsOf(file: string, text: string): Mutant[] {
  const found: Mutant[] = []
  for (const [find, to] of operators)
    for (const match of text.matchAll(find)) {
      const before = text.slice(0, match.index)
      const start = before.lastIndexOf('\n') + 1
      const [line = ''] = text.slice(start).split('\n', 1)
      // Comments, types and imports do nothing.
      if (/^\s*(?:\/?\*|\/\/|import |export type|readonly |\| )/.test(line)) continue
      const changed = before + to + text.slice(match.index + match[0].length)
      found.push({ file, line: before.split('\n').length, from: match[0].trim(), to: to.trim(), text: changed })
    }
  return found
}

/** Numbers in an order that a seed decides. */
function shuffled<T>(list: readonly T[], seed: number): T[] {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state
  }
  return list
    .map(each => [next(), each] as const)
    .sort(([one], [other]) => one - other)
    .map(([, each]) => each)
}

const root = resolve(import.meta.dirname, '..')
const [count = 5, seed = 1] = process.argv.slice(2, 4).map(Number)
const places = process.argv.slice(4)
const copy = mkdtempSync(join(tmpdir(), 'libretto-mutants-'))
try {
  for (const part of ['src', 'test', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  for (const part of ['node_modules', 'client', 'sample', 'docs', 'web', 'deploy'])
    symlinkSync(join(root, part), join(copy, part))
  /** The first test file that fails or hangs; undefined when all pass. */
  const failing = (tests: readonly string[], maxTime: number): { test: string; hangs: boolean } | undefined => {
    const until = performance.now() + maxTime
    for (const test of tests) {
      const { status, signal } = spawnSync(process.execPath, ['--max-old-space-size=1024', '--test', test], {
        cwd: copy,
        stdio: 'ignore',
        timeout: Math.ceil(Math.max(1000, until - performance.now())),
        killSignal: 'SIGKILL'
      })
      if (status !== 0) return { test, hangs: signal === 'SIGKILL' }
    }
    return undefined
  }
  let [caught, all] = [0, 0]
  const survivors: string[] = []
  for (const [file, tests] of Object.entries(subjects)) {
    const original = readFileSync(join(root, file), 'utf8')
    const chosen = shuffled(mutantsOf(file, original), seed)
      .filter(({ line }) => places.length === 0 || places.includes(file) || places.includes(`${file}:${line}`))
      .slice(0, count)
    if (chosen.length === 0) continue
    const begun = performance.now()
    const broken = failing(tests, 600_000)
    if (broken !== undefined) throw new Error(`${broken.test} fails without a mutant`)
    const maxTime = 20_000 + 4 * (performance.now() - begun)
    for (const mutant of chosen) {
      writeFileSync(join(copy, file), mutant.text)
      const found = failing(tests, maxTime)
      const name = `${file}:${mutant.line}  ${mutant.from}  →  ${mutant.to}`
      all++
      if (found === undefined) survivors.push(name)
      else caught++
      console.log(`${found === undefined ? 'not noticed' : found.hangs ? 'hangs      ' : 'noticed    '}  ${name}`)
    }
    writeFileSync(join(copy, file), original)
  }
  console.log(`\n${caught} of ${all} noticed (${Math.round((100 * caught) / Math.max(1, all))} %)`)
  if (survivors.length > 0) console.log(`Not noticed:\n  ${survivors.join('\n  ')}`)
} finally {
  rmSync(copy, { recursive: true, force: true })
}
