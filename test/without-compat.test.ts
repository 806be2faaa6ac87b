import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'

import { isLong } from './support/records/chance.ts'
import { adminToken, secretKey, temporaryFolder } from './support/services/start.ts'

const root = join(import.meta.dirname, '..')

/** The only file that imports `src/compat`, line by line. */
const wiring = 'src/main.ts'
const isAboutCompat = (line: string) => /#compat\/|\bclientExtension\b|\breadClientFilters\b/.test(line)

describe('The service without src/compat', () => {
  it('serves the specification, but nothing that is only for other clients', async t => {
    const folder = temporaryFolder(t)
    const lines = readFileSync(join(root, wiring), 'utf8').split('\n')
    assert.equal(lines.filter(isAboutCompat).length, 4)
    cpSync(join(root, 'src'), join(folder, 'src'), {
      recursive: true,
      filter: path => path !== join(root, 'src/compat')
    })
    cpSync(join(root, 'package.json'), join(folder, 'package.json'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, wiring), lines.filter(line => !isAboutCompat(line)).join('\n'))
    writeFileSync(
      join(folder, 'tsconfig.json'),
      readFileSync(join(root, 'tsconfig.json'), 'utf8').replace(/"include": \[.*\]/, '"include": ["src"]')
    )
    if (isLong)
      await promisify(execFile)(process.execPath, [join(root, 'node_modules/.bin/tsc'), '--noEmit'], { cwd: folder })

    const { readConfig } = (await import(join(folder, 'src/config.ts'))) as typeof import('../src/config.ts')
    const { buildService, openLibretto } = (await import(join(folder, wiring))) as typeof import('../src/main.ts')
    const config = readConfig({
      DATABASE_URL: `sqlite:${join(folder, 'libretto.db')}`,
      MEDIA_URL: `file:${join(folder, 'media')}`,
      ADMIN_TOKEN: adminToken,
      SECRET_KEY: secretKey,
      LOG_LEVEL: 'silent',
      READERS: '1'
    })
    await using libretto = await openLibretto(config, { followsModel: true })
    const app = await buildService(libretto)
    await using _ = { [Symbol.asyncDispose]: () => app.close() }
    const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
      const headers = { authorization: `Bearer ${adminToken}` }
      const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
      return { status: answer.statusCode, body: answer.json() }
    }
    const create = async (id: string, type: string, title: string, relations: object[] = []) => {
      const entity = { id, type, metadata: [{ key: 'title', value: title }], relations }
      assert.equal((await call('POST', '/entities', entity)).status, 201)
    }
    await create('W-1', 'work_word', 'Hamlet')
    await create('E-1', 'expression_word', 'Hamlet', [{ type: 'refWork', key: 'W-1' }])
    await create('M-1', 'manifestation_word', 'Hamlet', [{ type: 'refExpressions', key: 'E-1' }])

    assert.deepEqual(Object.keys((await call('GET', '/entities/wem/M-1')).body), [
      'work',
      'expression',
      'manifestation'
    ])
    assert.equal((await call('GET', '/entities/wem/M-2')).status, 404)
    const list = '/entities?type=manifestation&order_by=date_updated&asc=0&limit=10&skip=0'
    assert.deepEqual(
      (await call('GET', list)).body.map((each: { _key: string }) => each._key),
      ['M-1']
    )
    assert.equal((await call('GET', '/entities/M-1')).body.id, 'M-1')
    const title = ['catalog:1|properties.title.value']
    const filters = [
      { type: 'type', value: 'work_word' },
      { type: 'text', key: title, value: 'ham*' },
      { type: 'selection', key: 'type', value: ['work_word', 'work_music'], match_exact: true }
    ]
    const found = await call('POST', '/entities/filter?skip=0&limit=10&order_by=date_created&asc=0', filters)
    assert.deepEqual(
      found.body.results.map((each: { id: string }) => each.id),
      ['W-1']
    )

    for (const path of ['/elody/v1/entities', '/v2/entities', '/tenants', '/config', '/jobs', '/filter/matchers'])
      assert.equal((await call('GET', path)).status, 404, path)
    for (const [method, path] of [
      ['DELETE', '/entities?skip_items_with_relation='],
      ['GET', '/mediafiles?q=technical_origin==original'],
      ['GET', '/saved_searches?skip=-5']
    ] as const)
      assert.equal((await call(method, path, method === 'GET' ? undefined : ['M-1'])).status, 400, path)
    const inForms = { type: 'venue', metadata: [{ key: 'name', value: 'x', lang: null }] }
    assert.equal((await call('POST', '/entities', inForms)).status, 400)
    for (const parameter of ['soft=1', 'exact_count=1', 'history=0'])
      assert.equal((await call('POST', `/entities/filter?${parameter}`, [])).status, 400, parameter)
    for (const form of [{ key: 'title' }, { key: title, parent_key: 'metadata' }, { key: title, match_exact: null }])
      assert.equal((await call('POST', '/entities/filter', [{ type: 'text', value: 'x', ...form }])).status, 400)
  })
})
