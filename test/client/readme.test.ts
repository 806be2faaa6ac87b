import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

import { loadSample } from '../../src/cli/sample.ts'
import { listen } from '../support/services/listen.ts'
import { aPng } from '../support/records/media.ts'
import { adminToken, start, temporaryFolder } from '../support/services/start.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const tsc = join(root, 'node_modules', '.bin', 'tsc')

const service = await start({ after })
await loadSample(service.libretto)
const baseUrl = `http://127.0.0.1:${await listen(service)}`

/** The programs and their faults; both are type-checked at once, which takes seconds. */
interface Checked {
  readonly folder: string
  faultsOf(name: string): string[]
}

async function checkPrograms(programs: Readonly<Record<string, string>>): Promise<Checked> {
  const folder = temporaryFolder({ after })
  mkdirSync(join(folder, 'client'))
  for (const name of readdirSync(join(root, 'client')))
    if (name.endsWith('.ts')) cpSync(join(root, 'client', name), join(folder, 'client', name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const compilerOptions = { noEmit: true, types: ['node'], rootDir: '.', paths: {} }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts', 'client/*.ts'] })
  )
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text)
  const { stdout } = await run(tsc, ['-p', folder]).catch((error: { stdout: string }) => error)
  const faults = stdout.split('\n').filter(line => line.includes('error TS'))
  return { folder, faultsOf: name => faults.filter(line => line.includes(`${name}(`)) }
}

/** The blocks of the README as one program, with its imports first. */
function readmeProgram(): string {
  const text = readFileSync(join(root, 'client/README.md'), 'utf8')
  const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  assert.ok(blocks.length >= 8)
  const lines = blocks.flatMap(block => block.split('\n'))
  const imports = lines.filter(line => line.startsWith('import '))
  const rest = lines.filter(line => !line.startsWith('import '))
  return [...imports, ...rest]
    .join('\n')
    .replaceAll("from 'libretto-client'", "from './client/index.ts'")
    .replaceAll("declare module 'libretto-client'", "declare module './client/api.ts'")
    .replace("'https://catalogue.example.org'", "process.env.BASE_URL ?? ''")
}

const first = [
  `import { createClient, type Entity, related, value } from './client/index.ts'`,
  `const { entities, changes, suggest, exports, imports, media, tokens } = createClient()`,
  `const entity = await entities.read('x')`,
  `const show = await entities.readAs('production', 'x')`,
  `const { results } = await entities.find([{ type: 'type', value: 'venue' }, { type: 'search', value: 'x' }])`,
  `const file = new Blob()`
]
const right = [
  `await entities.find([{ type: 'text', key: ['catalog:1|properties.title.value', 'type'], value: 'x' }])`,
  `await entities.find([{ type: 'type', value: ['work', 'venue'] }], { orderBy: 'year,title' })`,
  `await entities.find([{ type: String(1), key: \`properties.\${String(2)}.value\`, value: 3 }], { orderBy: String(4) })`,
  `await entities.create({ type: 'venue', metadata: [{ key: 'capacity', value: 3 }, { key: 'name', value: 'x' }] })`,
  `const length: number | undefined = value(entity, 'duration')`,
  `changes.follow({ types: 'production,entity.deleted' })`,
  `const state: 'concept' | 'published' | 'archived' | undefined = value(show, 'status')`,
  `const capacity: number | undefined = results[0] && value(results[0], 'capacity')`,
  `await entities.find([{ type: 'type', value: 'work' }], { facets: ['properties.ref_genres.value', 'type'] })`,
  `await entities.find([{ type: 'together', key: 'work', value: [{ type: 'type', value: 'work' }] }])`,
  `await entities.patch('x', { metadata: [{ key: 'city', value: 'x' }], relations: [{ type: 'refGenres', key: 'x' }] })`,
  `await entities.patch('x', { metadata: [{ key: String(1), value: 'x' }] })`,
  `for (const { key } of show.metadata) if (key === 'credits') break`,
  `await tokens.create({ name: 'x', scopes: ['read', 'write:production', 'read:production:published'] })`,
  `const entityOfAnyType: Entity = show`
]
const wrong = [
  `await entities.find([{ type: 'serach', value: 1 }])`,
  `await entities.find([{ type: 'text', key: 'properties.titel.value', value: 'x' }])`,
  `await entities.find([{ type: 'text', kee: 'properties.title.value', value: 'x' }])`,
  `await entities.find([{ type: 'type', value: 'prodction' }])`,
  `await entities.find([], { orderBy: 'title,yeer' })`,
  `await entities.create({ type: 'prodction', metadata: [] })`,
  `await entities.create({ type: 'venue', metadata: [{ key: 'nam', value: 'x' }] })`,
  `await entities.create({ type: 'venue', metadata: [{ key: 'capacity', value: 'many' }] })`,
  `changes.follow({ types: 'produtcion' })`,
  `for await (const event of changes.follow()) if (event.type === 'entity.upated') break`,
  `value(entity, 'titel')`,
  `related(entity, 'refVenue')`,
  `if (entity.type === 'prodction') throw 1`,
  `if (show.type === 'venue') throw 1`,
  `value(show, 'capacity')`,
  `related(show, 'refSubjects')`,
  `if (value(show, 'status') === 'publishd') throw 1`,
  `for (const { key } of show.metadata) if (key === 'titel') break`,
  `if (results[0]) value(results[0], 'duration')`,
  `await entities.readAs('prodction', 'x')`,
  `await entities.find([{ type: 'text', key: 'properties.ref_season.value', value: 'x' }])`,
  `await entities.find([{ type: 'search', value: 'x', or: [{ type: 'serach', value: 'x' }] }])`,
  `await entities.find([{ type: 'together', key: 'work', value: [{ type: 'serach', value: 'x' }] }])`,
  `await entities.find([], { facets: ['properties.titel.value'] })`,
  `await entities.patch('x', { metadata: [{ key: 'titel', value: 'x' }] })`,
  `await entities.patch('x', { relations: [{ type: 'refVenue', key: 'x' }] })`,
  `await entities.replace('x', { metadata: [{ key: 'capacity', value: 'many' }] })`,
  `await entities.create({ type: 'production', relations: [{ type: 'refSubjects', key: 'x' }] })`,
  `await entities.references('x', { type: 'refVenue' })`,
  `await suggest('x', { types: ['prodction'] })`,
  `await exports.matching([{ type: 'serach', value: 1 }], 'csv')`,
  `await exports.matching([], 'marcxm')`,
  `await exports.one('x', 'bibtx')`,
  `await imports.add(file, { format: 'iso2079' })`,
  `await media.add('x', file, 'x', { mediafile_type: 'poster' })`,
  `await media.add('x', file, 'x', { copyrigth: 'x' })`,
  `await media.list('x', { category: 'poster' })`,
  `await media.thumbnail('x', 300)`,
  `await tokens.create({ name: 'x', scopes: ['raed'] })`,
  `await tokens.create({ name: 'x', scopes: ['write:prodction'] })`
]

const checked = await checkPrograms({
  'readme.ts': readmeProgram(),
  'names.ts': [...first, ...right, ...wrong, 'void [length, state, capacity, entityOfAnyType]'].join('\n')
})

describe('The README of the client', () => {
  it('has examples that compile, and run against the sample catalogue', async t => {
    const { folder } = checked
    assert.deepEqual(checked.faultsOf('readme.ts'), [])
    writeFileSync(join(folder, 'poster.png'), aPng())
    const records = await service.get('/export?format=marc21&type=manifestation')
    writeFileSync(join(folder, 'records.mrc'), records.text)
    let isOver = false
    const changing = (async () => {
      while (!isOver) {
        const made = await service.post('/entities', { type: 'production', metadata: [{ key: 'title', value: 'x' }] })
        await service.delete(`/entities/${made.body.id}`)
        await setTimeout(200)
      }
    })()
    t.after(async () => {
      isOver = true
      await changing
    })
    const env = { ...process.env, BASE_URL: baseUrl, LIBRETTO_TOKEN: adminToken }
    const { stdout } = await run(process.execPath, [join(folder, 'readme.ts')], { cwd: folder, env })
    for (const part of ['Hamlet', 'expression_word', 'entity.deleted', 'poster.png', '<collection', '201'])
      assert.ok(stdout.includes(part), `${part}: ${stdout}`)
  })
})

describe('Names in programs that use the client', () => {
  it('are checked where they are literals', () => {
    const lines = checked.faultsOf('names.ts').map(fault => Number(/names\.ts\((\d+)/.exec(fault)?.[1]))
    const firstWrong = first.length + right.length + 1
    assert.deepEqual(
      [...new Set(lines)].sort((one, other) => one - other),
      wrong.map((_, index) => firstWrong + index)
    )
  })
})
