import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'

import { listen } from '../support/services/listen.ts'
import { adminToken, start } from '../support/services/start.ts'
import { temporaryFolder } from '../support/machines/temporary-folder.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const tools = join(root, 'node_modules', '.bin')

describe('the package of the client', () => {
  it('is built into JavaScript that a program elsewhere imports, and into types that it is checked by', async t => {
    const folder = temporaryFolder(t)
    const installed = join(folder, 'node_modules', 'libretto-client')
    mkdirSync(installed, { recursive: true })
    await run(join(tools, 'tsc'), [
      '-p',
      join(root, 'client', 'tsconfig.build.json'),
      '--outDir',
      join(installed, 'dist')
    ])
    cpSync(join(root, 'client', 'package.json'), join(installed, 'package.json'))
    assert.ok(readdirSync(join(installed, 'dist')).includes('index.js'))

    const service = await start(t)
    const baseUrl = `http://127.0.0.1:${await listen(service)}`
    const program = (id: string) => `
      import { createClient, isProblem } from 'libretto-client'
      const libretto = createClient({ baseUrl: ${JSON.stringify(baseUrl)}, token: ${JSON.stringify(adminToken)} })
      const { id } = await libretto.entities.create({ type: 'venue', metadata: [{ key: 'name', value: 'De Zwaluw' }] })
      const read = await libretto.entities.read(${id})
      console.log(read.metadata[0]?.value, await libretto.entities.read('none').catch(error => isProblem(error, 'not_found')))
    `
    writeFileSync(join(folder, 'use.mjs'), program('id'))
    const { stdout } = await run(process.execPath, [join(folder, 'use.mjs')], {
      env: { PATH: dirname(process.execPath) }
    })
    assert.equal(stdout, 'De Zwaluw true\n')

    const check = async (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      const options = [
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'esnext',
        '--lib',
        'esnext,dom'
      ]
      return run(join(tools, 'tsc'), [...options, '--types', '', join(folder, name)]).then(
        () => '',
        ({ stdout: said }: { stdout: string }) => said
      )
    }
    assert.equal(await check('good.mts', program('id')), '')
    assert.match(await check('bad.mts', program('17')), /'number' is not assignable to parameter of type 'string'/)
  })
})
