import { spawn } from 'node:child_process'
import { globSync, readFileSync, statSync, watch } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { buildPage } from '../web/build.ts'
import { createTemplate, startPostgresServer, whyNoServer } from './support/databases/postgres-server.ts'
import { type CoreTime, coreTime, processorTime } from './support/machines/processor-time.ts'
import { buildForTests } from './support/services/program.ts'
import { type Complaint, paint, runTestFiles, seconds, tellFile, type Used } from './support/machines/run-test-files.ts'
import { type Searched, watchOutput } from './support/services/service-output.ts'
import { dealOut, takePart, WrongCommand } from './support/machines/shared-processes.ts'
import { notMeasured, testData } from './support/records/test-data.ts'

/*
 * `npm test`: type check and lint, then the tests that a change is tried with. Those that hold for
 * both databases are run on SQLite; the contract of the store shows PostgreSQL.
 * `npm run test:thorough` runs those that kill processes, fill disks, build packages, use other
 * browsers or send long programmes of requests, then those that promise an answer in time, two at
 * once, then those that measure, one file at a time. `npm run test:postgres` runs all that hold for
 * both databases on PostgreSQL. .ci/run does all three. One PostgreSQL server is started for each,
 * unless TEST_DATABASE_URL names another.
 *
 * `npm test -- test/api/wem.test.ts` runs only the files named, `npm test -- test/formats` those of
 * a folder; both show each sentence. With `--name` only tests with these words in their names are
 * run. With `--watch` they are run again after each change of a file. `npm run test:long` runs the
 * long forms on both databases, and those on real records where TEST_DATA names a folder of them;
 * `npm run test:long -- --part 1/4` runs a quarter of its files. The last line is `<n> passed, <n>
 * failed, <n> skipped`. With CI=true a test that was skipped has failed: there nobody reads why.
 */

/**
 * These look at the clock, at memory or at small differences of processor time, so each gets the
 * machine to itself.
 */
const serialFiles = ['faults/large-batch', 'faults/stall', 'generated/growth-programme'].map(
  name => `test/${name}.test.ts`
)

/** These promise an answer in time, so only two of them are run at once, and nothing else. */
const pairedFiles = ['postgres-failover', 'postgres-locks', 'postgres-outages', 'shutdown', 'disk-full'].map(
  name => `test/faults/${name}.test.ts`
)

/**
 * Begun first, the longest of them foremost: else one is left at the end that uses a single core.
 */
const longFiles = [
  'test/faults/kill.test.ts',
  'test/contract/postgres-store.test.ts',
  'test/browser/tasks.test.ts',
  'test/faults/replicas.test.ts',
  'test/faults/postgres-lost-commits.test.ts',
  'test/faults/power-loss.test.ts',
  'test/generated/replica.test.ts',
  'test/generated/openapi-fuzz.test.ts',
  'test/events/webhook-delivery.test.ts',
  'test/faults/move.test.ts',
  'test/generated/two-databases.test.ts',
  'test/api/cli.test.ts',
  'test/api/batch.test.ts',
  'test/events/leadership.test.ts',
  'test/faults/webhook-kills.test.ts',
  'test/generated/filter-oracle.test.ts',
  'test/generated/merge-property.test.ts',
  'test/faults/idempotency-kill.test.ts',
  'test/index/index-oracle.test.ts'
]

/**
 * These say nothing of a database, or say which one they are about. All others in their folders
 * hold for both, and are run on both.
 */
const onBoth = {
  files: [
    'test/{api,clients,events,generated}/**/*.test.ts',
    'test/faults/{clock-jumps,earlier-version,four-processes,idempotency-kill}.test.ts',
    'test/faults/{import-kills,out-of-memory,soak,webhook-kills,workers}.test.ts'
  ],
  but: [
    'test/clients/{citations-and-graphs,other-tools}.test.ts',
    'test/events/{address-guard,webhook-delivery}.test.ts',
    'test/generated/{growth,two-databases}.test.ts',
    'test/api/{cli,command-lines,oai-clients,oai-pmh,oidc,rate-limit,sru-clients}.test.ts'
  ]
}

/**
 * These take half of the time of all tests, and fail seldom by a change of one part: processes
 * that are killed or lack something, the program as it is packed and printed in the documents,
 * programs of others, imports in several threads, pages in other browsers, in pictures, on slow
 * lines, of examples, of a whole season and with hostile or long records, records and answers of
 * the largest size, counted steps of patterns and of the index, and long programmes of generated
 * requests. Tests of generated cases are run in both tiers, here with more cases, and those of
 * all records of the sample with all of them.
 */
const thorough = [
  'test/faults/*.test.ts',
  'test/api/{cli,hostile-shapes,large-changes,oai-clients,operator-mistakes,page-bytes,sru-clients}.test.ts',
  'test/{built-package,containers,docs-commands,linear-patterns}.test.ts',
  'test/client/package.test.ts',
  'test/imports/{describing-threads,stuck-imports}.test.ts',
  'test/index/{hostile-shapes,time-limit}.test.ts',
  'test/support/databases/postgres-server.test.ts',
  'test/records/package.test.ts',
  'test/browser/{every-browser,example-clients,example-site,hostile-records,under-a-path}.test.ts',
  'test/browser/{long-lists,marketing,pictures,readers-elsewhere,still-pages}.test.ts',
  'test/generated/{every-operation,freshness,growth-programme,replica,request-programme,two-databases}.test.ts'
]

/**
 * These are about several processes and servers of PostgreSQL, and are run with those that hold for
 * both databases.
 */
const postgresFaults = ['postgres-failover', 'postgres-outages', 'replicas'].map(name => `test/faults/${name}.test.ts`)

/**
 * These are for the long tier only: what they are about is installed by hand, or is itself only
 * there for tests that would fail without it.
 */
const onlyLong = [
  // A minute by itself, and beside other work its ratios are off now and then.
  'test/generated/growth.test.ts',
  // Unpacks the last release from the history, which a copy of the sources does not have.
  'test/faults/earlier-version.test.ts',
  // Fetches tools that are not installed with the others.
  'test/clients/other-tools.test.ts',
  'test/clients/citations-and-graphs.test.ts',
  'test/contract/bucket-signatures.test.ts',
  'test/contract/pgbouncer.test.ts',
  // Installs five versions of Node.
  'test/installed-package.test.ts',
  'test/proxies.test.ts',
  'test/support/databases/postgres-cluster.test.ts'
]

/**
 * These read real records, which are not in the repository: they are run in the long tier, when
 * TEST_DATA names a folder.
 */
const onRealRecords = 'test/real/**/*.test.ts'

/**
 * These share processes, so many files each. Not those that look at the clock or at what is open,
 * replace something that all share, or have only tests that are written in another file.
 */
const sharing = [
  // They share a browser too. In the order of their names those of one kind come into different
  // processes.
  { files: ['test/browser/*.test.ts'], but: ['test/browser/{pictures,readers-elsewhere,tasks}.test.ts'], inOne: 7 },
  {
    files: ['test/{api,catalogue,clients,domain,formats,protocols}/**/*.test.ts'],
    but: [
      'test/api/{changes-stream,limits,media-waiting,oidc,tokens,webhooks}.test.ts',
      'test/formats/sanitize-html.test.ts',
      'test/formats/marc/{fuzz,marc8,read-marc}.test.ts'
    ],
    inOne: 24
  },
  {
    files: [
      'test/generated/{concurrency,editors,filter-limits,harvest,import-order,injection}.test.ts',
      'test/generated/{json-round-trip,single-values}.test.ts'
    ],
    but: [],
    inOne: 10
  },
  {
    files: [
      'test/client/{client,readme,season-page}.test.ts',
      'test/contract/{bucket-store,load,state-ranges}.test.ts',
      'test/events/address-guard.test.ts',
      'test/generated/{narrowings,repeated-formats,sru-levels}.test.ts',
      'test/imports/{measured-imports,staging,undo-under-edits}.test.ts',
      'test/index/finding.test.ts',
      'test/{bulk-change,made-patterns,marc-editor-text,typed-dates,without-compat}.test.ts'
    ],
    but: [],
    inOne: 23
  },
  {
    files: [
      'test/{architecture,deployment,docs,loaded-at-start,measured-growth,packages,repository}.test.ts',
      'test/{security-docs,web-page,writing-rules}.test.ts',
      'test/index/{base-holder,duplicates,known-items}.test.ts'
    ],
    but: [],
    inOne: 15
  }
]

/**
 * Number of processes at once: one more than there are cores, since some of them wait most of the
 * time.
 */
const usualLanes = availableParallelism() + 1

/**
 * A test that takes longer than this, in milliseconds, hangs, unless it says itself how long it may
 * take.
 */
const maxTestTime = { short: 1_800_000, long: 7_200_000 }
/** After so long without a word from any test file, those that still run are ended. */
const maxSilence = { short: 2_700_000, long: 10_800_000 }

const root = resolve(import.meta.dirname, '..')
const counts = { passed: 0, failed: 0, skipped: 0 }
const used: Used[] = []
const isCi = ['1', 'true'].includes(process.env.CI ?? '')

/** How test files are run. */
interface Manner {
  readonly isLong: boolean
  /** Each test is told, since few were asked for. */
  readonly isTold: boolean
  /** Words in the names of the tests that are run, if they are not all. */
  readonly name?: string | undefined
  /** Number of processes at once, if it is not the usual one. */
  readonly lanes?: number
}

/** Complains about secrets in what services and commands said. */
function tellSecrets({ processes, characters, found }: Searched): Complaint[] {
  if (processes > 0)
    console.log(`\nLooked for secrets in ${characters} characters that ${processes} services and commands said.`)
  if (found.length === 0) return []
  counts.failed++
  return [
    {
      name: 'A secret was said',
      where: 'test/support/services/service-output.ts',
      words: found.slice(0, 20).join('\n')
    }
  ]
}

async function main(): Promise<number> {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 26) {
    console.error(
      `Node ${process.version} is too old for the tests. Use "npm test": it takes the Node that npm ci installed.`
    )
    return 1
  }
  const { values: options, positionals: named } = readCommand()
  const isLong = options.long || process.env.LONG === '1'
  if (isLong) process.env.LONG = '1'
  const part = takePart(options.part)
  const isAll = named.length === 0
  const files = isAll ? part(findTests({ ...options, long: isLong })) : findNamed(named)
  const isFirst = !options.postgres && !options.thorough
  if (isAll && isFirst && !isLong) process.env.QUICK = '1'
  const again = isAll && (isLong || options.postgres) ? part(findTestsOfBoth(isLong)) : []
  if (options.watch) return runAgainAfterChanges(named)

  const complaints: Complaint[] = []
  const searchOutput = watchOutput()
  const started = performance.now()
  const coresBefore = coreTime()
  // Else the first files that need the page would each build it.
  if (isAll)
    await phase(isFirst ? 'Type check, lint and the page' : 'The page', async () => {
      const [found] = await Promise.all([isFirst ? checkSource() : [], buildPage()])
      complaints.push(...found)
    })
  const inPairs = pairedFiles.filter(file => files.includes(file))
  const alone = files.filter(file => serialFiles.includes(file))
  const together = files.filter(file => !serialFiles.includes(file) && !pairedFiles.includes(file))
  const [againAlone = [], againTogether = []] = [true, false].map(isAlone =>
    again.filter(file => serialFiles.includes(file) === isAlone)
  )
  if (options.name !== undefined && isAll) throw new WrongCommand('--name needs a test file or a folder of them')
  const manner = { isLong, isTold: !isAll, name: options.name }
  if (files.length > 1 || isLong) await buildForTests()
  // A single file that needs one starts it by itself.
  const server = isAll || process.env.TEST_STORE === 'postgres' ? await startServer() : undefined
  const noPostgres = whyNoServer()
  const title = again.length > 0 ? 'Tests, with those for both databases on PostgreSQL' : 'Tests'
  if (together.length + again.length > 0)
    await phase(title, async () => {
      if (noPostgres !== false && again.length > 0) complaints.push(...skipAll(again, noPostgres))
      complaints.push(...(await runTests(together, manner, noPostgres === false ? againTogether : [])))
    })
  if (inPairs.length > 0)
    await phase('Tests that need most of the machine', async () => {
      complaints.push(...(await runTests(inPairs, { ...manner, lanes: 2 })))
    })
  if (alone.length + againAlone.length > 0)
    await phase('Tests that need the machine to themselves', async () => {
      const onPostgres = noPostgres === false ? againAlone : []
      complaints.push(...(await runTests(alone, { ...manner, lanes: 1 }, onPostgres)))
    })
  await server?.stop()
  complaints.push(...tellSecrets(searchOutput()))
  if (isLong && isAll && testData === undefined)
    console.log(`\nReal records (${onRealRecords}, and the real shows): ${notMeasured}`)

  for (const { name, where, words } of complaints)
    console.log(`\n${paint('red', '✖')} ${name}\n  ${where}\n${indented(words)}`)
  tellAgain(complaints)
  tellProcessorTime(coresBefore, isAll ? 30 : 10)
  console.log(`\nAll of it took ${seconds(performance.now() - started)}.`)
  const { passed, failed, skipped } = counts
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  return failed > 0 || passed === 0 ? 1 : 0
}

/** Which of the tests are run. */
type Choice = Record<'long' | 'postgres' | 'thorough', boolean>

function findTests(choice: Choice): string[] {
  if (choice.postgres) return postgresFaults
  const find = (patterns: readonly string[], exclude: readonly string[]) =>
    slowestFirst(globSync(patterns, { cwd: root, exclude }))
  const all = ['{src,test}/**/*.test.ts']
  if (choice.long) return find(all, testData === undefined ? [onRealRecords] : [])
  const others = [...onlyLong, ...postgresFaults, onRealRecords]
  return choice.thorough ? find([...thorough, ...findQuickened()], others) : find(all, [...others, ...thorough])
}

/** Files with tests that make fewer cases in `npm test` (`howMany` in `chance.ts`). */
const findQuickened = () =>
  globSync('test/**/*.test.ts', { cwd: root }).filter(file => /\bquick: /.test(readFileSync(join(root, file), 'utf8')))

const findTestsOfBoth = (isLong: boolean) =>
  slowestFirst(globSync(onBoth.files, { cwd: root, exclude: [...onBoth.but, ...(isLong ? [] : onlyLong)] }))

/** Sorts files so that each part of a run gets some of the longest. */
const slowestFirst = (files: readonly string[]) => [
  ...longFiles.filter(file => files.includes(file)),
  ...files.filter(file => !longFiles.includes(file)).sort()
]

function readCommand() {
  try {
    return parseArgs({
      options: {
        long: { type: 'boolean', default: false },
        name: { type: 'string' },
        part: { type: 'string', default: '1/1' },
        postgres: { type: 'boolean', default: false },
        thorough: { type: 'boolean', default: false },
        watch: { type: 'boolean', default: false }
      },
      allowPositionals: true
    })
  } catch (error) {
    throw new WrongCommand((error as Error).message)
  }
}

/** Runs the named files in a process of their own, now and after each change, until it is ended. */
async function runAgainAfterChanges(named: readonly string[]): Promise<number> {
  if (named.length === 0) throw new WrongCommand('--watch needs a test file or a folder of them')
  const changes = new EventTarget()
  const tell = () => changes.dispatchEvent(new Event('change'))
  for (const folder of ['src', 'test', 'client', 'packages', 'web/src'])
    watch(join(root, folder), { recursive: true }, tell)
  for (;;) {
    const changed = new Promise(resolve => changes.addEventListener('change', resolve, { once: true }))
    const child = spawn(process.execPath, [import.meta.filename, ...named], { stdio: 'inherit' })
    await new Promise(resolve => child.on('close', resolve))
    console.log('Waiting for a change. Ctrl+C ends.')
    await changed
    // An editor writes several files, or one of them twice.
    await sleep(200)
  }
}

/** The test files of the files and folders named. Throws when one does not exist. */
function findNamed(named: readonly string[]): string[] {
  return named.flatMap(each => {
    const path = resolve(each)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) throw new WrongCommand(`There is no test file or folder ${each}`)
    if (!stats.isDirectory()) return [relative(root, path)]
    const exclude = testData === undefined ? [join(root, onRealRecords)] : []
    const found = globSync(join(path, '**/*.test.ts'), { exclude }).sort()
    const isReal = testData === undefined && globSync(join(path, '**/*.test.ts')).length > 0
    if (found.length === 0)
      throw new WrongCommand(isReal ? `${each}: ${notMeasured}` : `There is no test file in ${each}`)
    return found.map(file => relative(root, file))
  })
}

/** A server for all test files; each would start its own otherwise. */
async function startServer() {
  if (whyNoServer() !== false || process.env.TEST_DATABASE_URL) return undefined
  const server = await startPostgresServer()
  process.env.TEST_DATABASE_URL = server.url
  process.env.TEST_DATABASE_TEMPLATE = await createTemplate()
  return server
}

/** Says of files that they were not run. */
function skipAll(files: readonly string[], reason: string): Complaint[] {
  console.log(`    skipped: ${files.length} files: ${reason}`)
  counts.skipped += files.length
  if (!isCi) return []
  counts.failed += files.length
  return [
    {
      name: 'The tests on PostgreSQL',
      where: files.join(', '),
      words: `They were skipped (${reason}), and CI=true lets none be.`
    }
  ]
}

async function phase(title: string, work: () => Promise<void>) {
  console.log(`\n${paint('bold', title)}`)
  const started = performance.now()
  await work()
  console.log(`  took ${seconds(performance.now() - started)}`)
}

/** Tells how to run the files again in which something failed. */
function tellAgain(complaints: readonly Complaint[]) {
  const commands = new Set(complaints.flatMap(each => each.again ?? []))
  if (commands.size > 0) console.log('\nTo run again what failed:')
  for (const command of commands) console.log(`  ${command}`)
}

/** Tells what the run cost, whether a core had nothing to do, and which processes cost most. */
function tellProcessorTime(before: CoreTime, count: number) {
  const time = processorTime()
  if (time === undefined) return
  const now = coreTime()
  const idle = ((now.idle - before.idle) / (now.all - before.all)) * 100
  console.log(
    `\nProcessor time: ${(time.own + time.children).toFixed(0)} s; the cores were idle ${idle.toFixed(0)}% of the time.`
  )
  if (used.length < 2) return
  console.log('Most of it was used by:')
  for (const { file, seconds } of used.sort((one, other) => other.seconds - one.seconds).slice(0, count))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
}

async function checkSource(): Promise<Complaint[]> {
  const projects = ['.', 'client', 'web', 'test/browser']
  const checks = [
    ...projects.map(folder => {
      // A second run checks only what was changed since. Several threads would each check the types
      // that they share: one takes two thirds of the processor time. The projects run side by side.
      const state = join('node_modules/.cache/libretto', `${folder.replace('/', '-')}.tsbuildinfo`)
      return check('tsc', '--noEmit', '-p', folder, '--singleThreaded', '--incremental', '--tsBuildInfoFile', state)
    }),
    check('biome', 'check', '.')
  ]
  return (await Promise.all(checks)).flat()
}

/** Runs a tool that npm installed. Its words are shown only when it complains. */
async function check(tool: string, ...options: string[]): Promise<Complaint[]> {
  const started = performance.now()
  const child = spawn(join(root, 'node_modules', '.bin', tool), options, {
    cwd: root,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}` },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let words = ''
  child.stdout.on('data', chunk => {
    words += chunk
  })
  child.stderr.on('data', chunk => {
    words += chunk
  })
  const code = await new Promise<number | null>(done => {
    child.on('error', error => {
      words += error.message
      done(null)
    })
    child.on('close', done)
  })
  const command = [tool, ...options].join(' ')
  tellFile(code === 0, command, '', performance.now() - started)
  if (code === 0) {
    counts.passed++
    return []
  }
  counts.failed++
  return [{ name: command, where: `ended with ${code}`, words, again: `npx --no-install ${command}` }]
}

/**
 * Runs test files, and some of them again on PostgreSQL: the longest, then those that share
 * processes, then all others.
 */
async function runTests(
  files: readonly string[],
  { isLong, isTold, name, lanes = usualLanes }: Manner,
  again: readonly string[] = []
): Promise<Complaint[]> {
  const groups = isTold
    ? []
    : sharing.map(({ files: patterns, but, inOne }) => ({
        members: new Set(globSync(patterns, { cwd: root, exclude: [...but, ...longFiles] })),
        inOne
      }))
  const isShared = (file: string) => groups.some(({ members }) => members.has(file))
  const on = (store: string, all: readonly string[]) => {
    const inProcesses = (lists: readonly (readonly string[])[]) => lists.map(list => ({ files: list, store }))
    return {
      longest: inProcesses(longFiles.filter(file => all.includes(file)).map(file => [file])),
      shared: groups.flatMap(({ members, inOne }) =>
        inProcesses(
          dealOut(
            all.filter(file => members.has(file)),
            inOne
          )
        )
      ),
      single: inProcesses(all.filter(file => !isShared(file) && !longFiles.includes(file)).map(file => [file]))
    }
  }
  const [first, second] = [on(process.env.TEST_STORE ?? 'sqlite', files), on('postgres', again)]
  const outcome = await runTestFiles({
    processes: [
      ...[...first.longest, ...second.longest],
      ...[...first.shared, ...second.shared],
      ...[...second.single, ...first.single]
    ],
    lanes,
    maxTestTime: isLong ? maxTestTime.long : maxTestTime.short,
    maxSilence: isLong ? maxSilence.long : maxSilence.short,
    isTold,
    mustRunAll: isCi,
    isLong,
    name
  })
  counts.passed += outcome.passed
  counts.skipped += outcome.skipped
  counts.failed += outcome.complaints.length
  used.push(...outcome.used)
  return [...outcome.complaints]
}

const indented = (text: string) => text.replace(/^/gm, '  ')

// Last, when everything above is there.
try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof WrongCommand)) throw error
  console.error(error.message)
  process.exitCode = 1
}
