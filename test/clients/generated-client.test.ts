import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'

import { clientTypes, type OpenApiDocument } from '../../docs/client-types.ts'
import { listen } from '../support/services/listen.ts'
import { adminToken, start, temporaryFolder } from '../support/services/start.ts'

/*
 * A client generated from the document that a running service serves: it is type-checked, and a
 * program that uses it makes the main calls. A call that is missing from the document cannot be
 * made.
 */

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const service = await start({ after })
const baseUrl = `http://127.0.0.1:${await listen(service)}`

/** Writes the client, with types made from the served document, and a program that uses it. */
async function generate(folder: string, program: string) {
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApiDocument
  mkdirSync(join(folder, 'client'))
  for (const name of readdirSync(join(root, 'client')))
    if (name.endsWith('.ts') && name !== 'api.ts') cpSync(join(root, 'client', name), join(folder, 'client', name))
  writeFileSync(join(folder, 'client/api.ts'), clientTypes(document))
  writeFileSync(join(folder, 'program.ts'), program)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { noEmit: true, types: ['node'], rootDir: '.', paths: {} },
      include: ['program.ts', 'client/*.ts']
    })
  )
}

/** The faults that the type check of a folder tells, one line each. */
async function typeCheck(folder: string): Promise<string[]> {
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(
    (error: { stdout: string }) => error
  )
  return stdout.split('\n').filter(line => line.includes('error TS'))
}

const calls = `
import { createClient } from './client/index.ts'

const { send } = createClient({ baseUrl: process.env.BASE_URL ?? '', token: process.env.TOKEN ?? '' })
const name = (value: string) => ({ metadata: [{ key: 'name', value }] })
const said: unknown[] = []

const venue = (await send('POST /entities', { body: { type: 'venue', ...name('De Zaal') } })).data as { id: string }
const read = await send('GET /entities/{id}', { path: { id: venue.id } })
said.push(read.data.type, read.etag)
const changed = await send('PATCH /entities/{id}', { path: { id: venue.id }, body: name('Het Huis') })
said.push((changed.data as { version: number }).version)
await send('PUT /entities/{id}/metadata', { path: { id: venue.id }, body: [{ key: 'name', value: 'De Zaal' }] })
const found = await send('POST /entities/filter', {
  query: { limit: 5, order_by: 'name' },
  body: [{ type: 'type', value: 'venue' }, { type: 'text', key: 'properties.name.value', value: 'zaal' }]
})
said.push(found.data.count, found.data.results.length)
const list = await send('GET /entities', { query: { type: 'venue', envelope: 1 } })
said.push(Array.isArray(list.data) ? 'array' : list.data.count)
const history = await send('GET /entities/{id}/history', { path: { id: venue.id } })
said.push(history.data.count)
const changes = await send('GET /changes', { query: { limit: 1 } })
said.push(changes.data.changes[0]?.type)
const types = await send('GET /record-types', {})
said.push(types.data.record_types.some(each => each.type === 'venue'))
const wem = await send('GET /entities/wem/{manifestation_id}', { path: { manifestation_id: 'M-1' } })
said.push(wem.data.work.type, wem.data.manifestation.metadata.title?.value)
await send('DELETE /entities/{id}', { path: { id: venue.id } })
const gone = await send('GET /entities/{id}', { path: { id: venue.id } }).catch(error => (error as { status: number }).status)
said.push(gone)
console.log(JSON.stringify(said))
`

describe('A client that is generated from /openapi.json', () => {
  it('is sound, and makes the main calls', async t => {
    const title = { metadata: [{ key: 'title', value: 'Hamlet' }] }
    await service.create({ id: 'W-1', type: 'work_word', ...title })
    await service.create({ id: 'E-1', type: 'expression_word', ...title, relations: [{ type: 'refWork', key: 'W-1' }] })
    const expressions = [{ type: 'refExpressions', key: 'E-1' }]
    await service.create({ id: 'M-1', type: 'manifestation_word', ...title, relations: expressions })

    const folder = temporaryFolder(t)
    await generate(folder, calls)
    assert.deepEqual(await typeCheck(folder), [])
    const environment = { ...process.env, BASE_URL: baseUrl, TOKEN: adminToken }
    const { stdout } = await run(process.execPath, [join(folder, 'program.ts')], { env: environment })
    assert.deepEqual(JSON.parse(stdout), [
      ...['venue', '"1"', 2, 1, 1, 1, 3, 'entity.created', true, 'work_word', 'Hamlet', 404]
    ])
  })

  it('cannot call what the document does not say', async t => {
    const folder = temporaryFolder(t)
    const wrong = [
      `await send('GET /nothing', {})`,
      `await send('GET /entities/{id}', {})`,
      `await send('GET /entities', { query: { ordr_by: 'title' } })`,
      `await send('POST /entities', { body: { metadata: [] } })`,
      `(await send('GET /entities/{id}', { path: { id: 'x' } })).data.titel`
    ]
    await generate(
      folder,
      `import { createClient } from './client/index.ts'\nconst { send } = createClient()\n${wrong.join(';\n')}\n`
    )
    const faults = await typeCheck(folder)
    const lines = new Set(faults.map(fault => Number(/program\.ts\((\d+)/.exec(fault)?.[1]) - 2))
    assert.deepEqual([...lines].sort(), [1, 2, 3, 4, 5])
  })
})
