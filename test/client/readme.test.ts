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
  `import { createClient, related, value } from './client/index.ts'`,
  `const { entities, changes } = createClient()`,
  `const entity = await entities.read('x')`
]
const right = [
  `await entities.find([{ type: 'text', key: ['catalog:1|properties.title.value', 'type'], value: 'x' }])`,
  `await entities.find([{ type: 'type', value: ['work', 'venue'] }], { orderBy: 'year,title' })`,
  `await entities.find([{ type: String(1), key: \`properties.\${String(2)}.value\`, value: 3 }], { orderBy: String(4) })`,
  `await entities.create({ type: 'venue', metadata: [{ key: 'capacity', value: 3 }, { key: 'name', value: 'x' }] })`,
  `const length: number | undefined = value(entity, 'duration')`,
  `changes.follow({ types: 'production,entity.deleted' })`
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
  `related(entity, 'refVenue')`
]

const checked = await checkPrograms({
  'readme.ts': readmeProgram(),
  'names.ts': [...first, ...right, ...wrong, 'void length'].join('\n')
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
