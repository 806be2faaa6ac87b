import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { startPostgresServer } from '../test/support/databases/postgres-server.ts'
import { whileScanning } from './filter.ts'
import { timesOf, untilIndexed } from './finding.ts'
import { importFile, readBase, realFile, writeCopies } from './import.ts'
import { createDatabase, newRecord } from './postgres.ts'
import { findSamples, manifestationIds, prepareCatalogue, scratchFolder } from './support/catalogue-file.ts'
import { bodyRequest, getRequest, inTurn, type Measured, measure, postRequest } from './support/load.ts'
import { ownCheckout, type ServerProcess, startLibretto } from './support/processes.ts'
import { adversaries, pagesOfResults, questionsAbout, searchesAbout } from './support/questions.ts'
import { median, printTable, type RunOptions } from './support/report.ts'
import { askWhileOtherSleeps } from './support/share-of-bare.ts'

/*
 * This program beside another version of it, in turns in one run: reads by id, each question about
 * the same records, single writes, gets while others scan, and imports.
 */

/** A version of the program with a catalogue that it made. */
interface Version {
  readonly checkout: string
  readonly catalogue: string
  /** Settings of its service. */
  readonly environment: Readonly<Record<string, string>>
}

/** Copies of the records that are imported. */
const importedTimes = 4

const parts = ['reads', 'questions', 'summaries', 'requests', 'SQLite', 'PostgreSQL'] as const
type Part = (typeof parts)[number]

export async function run({ checkout, manifestations, rounds, seconds, parts: wanted = parts }: RunOptions) {
  if (checkout === undefined) {
    console.log('not measured: --checkout names no folder with another version\n')
    return
  }
  const folder = resolve(checkout)
  const isWanted = (part: Part) => wanted.includes(part)
  if (isWanted('reads') || isWanted('questions') || isWanted('summaries') || isWanted('requests')) {
    // Versions that could find in the database or in memory find in the database with this setting.
    const other = { checkout: folder, catalogue: prepareIn(folder, manifestations), environment: { FINDING: 'sql' } }
    const own = { checkout: ownCheckout, catalogue: await prepareCatalogue(manifestations), environment: {} }
    if (isWanted('reads')) await compareReads(other, own, { rounds, seconds })
    if (isWanted('questions')) await compareQuestions(other, own, rounds)
    if (isWanted('summaries')) await compareSummaries(other, own, rounds)
    if (isWanted('requests')) await compareRequests(other, own, { rounds, seconds })
  }
  for (const kind of ['SQLite', 'PostgreSQL'] as const)
    if (isWanted(kind)) await compareImports(kind, [folder, ownCheckout], { rounds, manifestations })
}

/** The catalogue that another version makes of the same records, in a folder of its own. */
function prepareIn(checkout: string, manifestations: number): string {
  const module = pathToFileURL(join(checkout, 'bench/support/catalogue-file.ts')).href
  const program = `import(${JSON.stringify(module)}).then(async ({ prepareCatalogue }) =>
    console.log(await prepareCatalogue(${manifestations})))`
  const temporary = join(checkout, 'node_modules', '.bench')
  mkdirSync(temporary, { recursive: true })
  const said = execFileSync(process.execPath, ['--eval', program], {
    cwd: checkout,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary }
  })
  return said.trim().split('\n').at(-1) as string
}

const start = ({ checkout, environment }: Version, database: string) =>
  startLibretto(database, { QUERY_DEADLINE: '10000', ...environment }, { checkout })

/** Processor time of WEM and get for 1,000 ids that are asked for again and again. */
async function compareReads(other: Version, own: Version, { rounds, seconds }: Pick<RunOptions, 'rounds' | 'seconds'>) {
  await using older = await start(other, other.catalogue)
  await using newer = await start(own, own.catalogue)
  await untilIndexed(newer)
  const rows: string[][] = []
  for (const [name, path] of [
    ['WEM', '/entities/wem/'],
    ['get', '/entities/']
  ] as const) {
    const nextOf = (version: Version) => inTurn(someIds(version).map(id => getRequest(`${path}${id}`)))
    const [nextOlder, nextNewer] = [nextOf(other), nextOf(own)]
    const [before, after]: [number[], number[]] = [[], []]
    for (let round = -1; round < rounds; round++) {
      const one = await askWhileOtherSleeps(older, newer, nextOlder, seconds)
      const two = await askWhileOtherSleeps(newer, older, nextNewer, seconds)
      if (round < 0) continue
      before.push(one.cost)
      after.push(two.cost)
    }
    const [one, two] = [median(before), median(after)]
    rows.push([name, one.toFixed(1), two.toFixed(1), (two / one).toFixed(2)])
  }
  printTable(['path', 'other µs of processor', 'this µs', 'this / other'], rows)
}

/** Questions that take longer, in milliseconds, are marked. */
const slow = 10

async function compareQuestions(other: Version, own: Version, rounds: number) {
  await using older = await start(other, other.catalogue)
  await using newer = await start(own, own.catalogue)
  await untilIndexed(newer)
  const of = ({ catalogue }: Version) => {
    const samples = findSamples(catalogue)
    return [...questionsAbout(samples), ...searchesAbout(samples), ...adversaries]
  }
  const questions = of(own)
  const rows: string[][] = []
  for (const [place, question] of of(other).entries()) {
    const ask = (server: ServerProcess, { filters, query = '' } = question) =>
      timesOf(server, postRequest(`/entities/filter?${query}`, filters), rounds)
    const before = await ask(older)
    const after = await ask(newer, questions[place])
    const isSlow = before.status !== 200 || before.took > slow
    const name = isSlow ? `**${question.name}**` : question.name
    const shown = ({ status, took }: typeof before) => (status === 200 ? took.toFixed(1) : 'refused')
    rows.push([
      ...[name, after.count, shown(before), shown(after), (before.took / after.took).toPrecision(2)],
      ...[before.processor.toFixed(2), after.processor.toFixed(2), (after.processor / before.processor).toFixed(2)]
    ])
  }
  const heads = [
    'question',
    'matches',
    'other ms',
    'this ms',
    'times',
    'other ms of processor',
    'this ms',
    'this / other'
  ]
  printTable(heads, rows)
  const ratios = rows.map(row => Number(row.at(-1))).filter(ratio => !Number.isNaN(ratio))
  console.log(`processor time, this / other: median ${median(ratios).toFixed(2)} of ${ratios.length} questions\n`)
}

/** Pages of results with summaries beside those of the other version, which are without. */
async function compareSummaries(other: Version, own: Version, rounds: number) {
  await using older = await start(other, other.catalogue)
  await using newer = await start(own, own.catalogue)
  await untilIndexed(newer)
  const rows: string[][] = []
  for (const { name, filters, query } of pagesOfResults) {
    const ask = (server: ServerProcess, include: string) =>
      timesOf(server, postRequest(`/entities/filter?${query}${include}`, filters), rounds)
    const [before, after] = [await ask(older, ''), await ask(newer, '&include=summary')]
    const ratio = (after.processor / before.processor).toFixed(2)
    rows.push([name, after.count, before.processor.toFixed(2), after.processor.toFixed(2), ratio])
  }
  printTable(['page of results', 'matches', 'other ms without', 'this ms with summaries', 'this / other'], rows)
}

/** Single writes, and gets while nothing else goes on and while others scan. */
async function compareRequests(
  other: Version,
  own: Version,
  { rounds, seconds }: Pick<RunOptions, 'rounds' | 'seconds'>
) {
  const scratch = scratchFolder()
  await using older = await start(other, copyTo(join(scratch, 'other.db'), other))
  await using newer = await start(own, copyTo(join(scratch, 'own.db'), own))
  await untilIndexed(newer)
  const versions = [
    { server: older, version: other, figures: noFigures() },
    { server: newer, version: own, figures: noFigures() }
  ]
  // Reads come first: changes are merged into the index for a while after they are written.
  for (const measureSome of [measureReads, measureWrites])
    for (let round = -1; round < rounds; round++)
      // The first round is for programs that have not compiled everything yet.
      for (const { server, version, figures } of versions)
        for (const [kind, measured] of await measureSome(server, version, seconds))
          if (round >= 0) figures[kind].push(measured)
  const [before = noFigures(), after = noFigures()] = versions.map(({ figures }) => figures)
  const p = (of: readonly Measured[], name: 'p50' | 'p99') => median(of.map(each => each[name]))
  const rows = kinds.flatMap(kind =>
    (['p50', 'p99'] as const).map(name => {
      const [one, two] = [p(before[kind], name), p(after[kind], name)]
      const idle =
        kind === 'write' || kind === 'change'
          ? ['', '']
          : [one / p(before.idle, name), two / p(after.idle, name)].map(each => each.toFixed(1))
      return [namesOfKinds[kind], name, one.toFixed(2), two.toFixed(2), (one / two).toFixed(2), ...idle]
    })
  )
  printTable(['request', '', 'other ms', 'this ms', 'times', 'other: times idle', 'this: times idle'], rows)
  rmSync(scratch, { recursive: true, force: true })
}

const namesOfKinds = {
  write: 'create a record, one connection',
  change: 'change a record, one connection',
  idle: 'get by id, 16 connections',
  scanned: 'the same, while 4 clients scan for two letters'
}
type Kind = keyof typeof namesOfKinds
const kinds = Object.keys(namesOfKinds) as Kind[]
const noFigures = (): Record<Kind, Measured[]> => ({ write: [], change: [], idle: [], scanned: [] })

type Figures = (readonly [kind: Kind, measured: Measured])[]

async function measureReads(server: ServerProcess, version: Version, seconds: number): Promise<Figures> {
  const next = inTurn(someIds(version).map(id => getRequest(`/entities/${id}`)))
  const gets = () => measure({ port: server.port, connections: 16, seconds, next })
  return [
    ['idle', await gets()],
    ['scanned', await whileScanning(server, gets)]
  ]
}

async function measureWrites({ port }: ServerProcess, version: Version, seconds: number): Promise<Figures> {
  const changes = changesOf(someIds(version))
  return [
    ['write', await measure({ port, connections: 1, seconds, next: newRecord })],
    ['change', await measure({ port, connections: 1, seconds, next: changes })]
  ]
}

const someIds = ({ catalogue }: Version) => manifestationIds(catalogue).slice(0, 1000)

/** Counted in all rounds: a value that a record has already would be no change. */
let changed = 0

/** Each record in turn gets another remark. */
const changesOf = (ids: readonly string[]) => () =>
  bodyRequest('PATCH', `/entities/${ids[changed++ % ids.length]}`, {
    metadata: [{ key: 'remark', value: `Change ${changed}` }]
  })

function copyTo(path: string, { catalogue }: Version): string {
  copyFileSync(catalogue, path)
  return path
}

/** MARC records into an empty database, on all cores; no more than manifestations are asked for. */
async function compareImports(
  kind: 'SQLite' | 'PostgreSQL',
  checkouts: readonly string[],
  { rounds, manifestations }: Pick<RunOptions, 'rounds' | 'manifestations'>
) {
  const scratch = scratchFolder()
  const base = await readBase()
  const file = join(scratch, 'records.mrc')
  const count = Math.min(manifestations, base.length * importedTimes)
  await writeCopies(base, count, file)
  const server =
    kind === 'PostgreSQL' && (await startPostgresServer({ durable: true, settings: { shared_buffers: '512MB' } }))
  const rows: string[][] = []
  try {
    for (let round = 1; round <= Math.min(2, rounds); round++) {
      const imported: Awaited<ReturnType<typeof importFile>>[] = []
      for (const checkout of checkouts) {
        const name = `import_${round}_${imported.length}`
        const database = server ? await createDatabase(server.url, name) : join(scratch, `${name}.db`)
        imported.push(await importFile(file, database, { runBy: [], checkout }))
      }
      const [before, after] = imported
      if (!before || !after) continue
      rows.push([
        kind,
        ...(['rate', 'processorRate'] as const).flatMap(each => [
          before[each].toFixed(0),
          after[each].toFixed(0),
          (after[each] / before[each]).toFixed(2)
        ])
      ])
    }
  } finally {
    if (server) await server.stop()
  }
  console.log(
    `${count} records${realFile === undefined ? '' : ', copies of real ones'}; a second of the clock, and of the processor time of the command`
  )
  printTable(['database', 'other/s', 'this/s', 'times', 'other/s of processor', 'this/s of processor', 'times'], rows)
}
