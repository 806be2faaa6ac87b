import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'

import { isLong } from '../support/records/chance.ts'
import { listen } from '../support/services/listen.ts'
import { adminToken, start, temporaryFolder } from '../support/services/start.ts'

/*
 * Tools of others that read the OpenAPI document: generators of clients, whose clients are compiled
 * and used, and a linter. They are fetched for `npm run test:long` only, since together they are
 * 200 MB and 300 packages.
 */

const packages = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  'swagger-typescript-api@13.13.0',
  'typescript@5.9.3',
  'tsx@4.20.6',
  '@types/node@24.10.1',
  '@stoplight/spectral-core@1.24.1',
  '@stoplight/spectral-rulesets@1.23.1'
]

/** The program of each client: it creates a venue, reads it, finds it, and reads a problem. */
const venue = `{ type: 'venue', metadata: [{ key: 'name', value: 'De Zaal' }] }`
const filters = `[{ type: 'type', value: 'venue' }]`
const head = `const [baseUrl = '', token = ''] = [process.env.BASE_URL, process.env.TOKEN]
const headers = { authorization: \`Bearer \${token}\` }
// With \`soft=1\` most answers are the word "good" instead.
const whole = <Data>(data: Data) => data as Exclude<Data, string | undefined>
`
const programs = {
  'openapi-typescript': {
    generate: ['openapi-typescript', 'openapi.json', '-o', 'openapi-typescript/client.ts'],
    program: `import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript/client.ts'
${head}const client = createClient<paths>({ baseUrl, headers })
const made = await client.POST('/entities', { body: ${venue} })
const { id } = whole(made.data)
const read = await client.GET('/entities/{id}', { params: { path: { id } } })
// In other formats it is any object.
const entity = whole(read.data)
const found = await client.POST('/entities/filter', { params: { query: { limit: 1 } }, body: ${filters} })
const gone = await client.GET('/entities/{id}', { params: { path: { id: 'NONE' } } })
console.log(JSON.stringify(['type' in entity && entity.type, whole(found.data).count, gone.error?.code]))`
  },
  'hey-api': {
    generate: ['openapi-ts', '-i', 'openapi.json', '-o', 'hey-api', '-c', '@hey-api/client-fetch'],
    program: `import { getEntitiesId, postEntities, postEntitiesFilter } from './hey-api/index.ts'
import { client } from './hey-api/client.gen.ts'
${head}client.setConfig({ baseUrl, headers })
const made = await postEntities({ body: ${venue} })
const { id } = whole(made.data)
const read = await getEntitiesId({ path: { id } })
const found = await postEntitiesFilter({ query: { limit: 1 }, body: ${filters} })
const gone = await getEntitiesId({ path: { id: 'NONE' } })
console.log(JSON.stringify([whole(read.data).type, whole(found.data).count, gone.error?.code]))`
  },
  'swagger-typescript-api': {
    generate: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', 'swagger', '-n', 'client.ts'],
    program: `import { Api } from './swagger/client.ts'
${head}const { entities } = new Api({ baseUrl, baseApiParams: { headers } })
const made = (await entities.postEntities(${venue})).data
const { id } = whole(made)
const read = await entities.getEntitiesId(id)
const found = await entities.postEntitiesFilter(${filters}, { limit: 1 })
const gone = await entities.getEntitiesId('NONE').catch(answer => answer)
console.log(JSON.stringify([whole(read.data).type, whole(found.data).count, gone.error.code]))`
  }
}

const run = promisify(execFile)
const compilerOptions = [
  ...['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions', '--types', 'node'],
  ...['--target', 'esnext', '--lib', 'esnext,dom,dom.iterable', '--module', 'esnext', '--moduleResolution', 'bundler']
]

if (isLong)
  describe('The OpenAPI document', async () => {
    const folder = temporaryFolder({ after })
    const service = await start({ after })
    const baseUrl = `http://127.0.0.1:${await listen(service)}`

    /** The number of venues that were made. */
    let made = 0

    before(async () => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
      writeFileSync(join(folder, 'openapi.json'), (await service.get('/openapi.json')).text)
      await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], { cwd: folder })
    })

    for (const [name, { generate, program }] of Object.entries(programs))
      it(`makes a client of ${name} that compiles and works`, async () => {
        const [command = '', ...parameters] = generate
        await run(join(folder, 'node_modules/.bin', command), parameters, { cwd: folder })
        writeFileSync(join(folder, `${name}.ts`), program)
        const { stdout: faults } = await run(
          join(folder, 'node_modules/.bin/tsc'),
          [...compilerOptions, `${name}.ts`],
          { cwd: folder }
        ).catch((error: { stdout: string }) => error)
        assert.equal(faults, '')
        const env = { ...process.env, BASE_URL: baseUrl, TOKEN: adminToken }
        const { stdout } = await run(join(folder, 'node_modules/.bin/tsx'), [`${name}.ts`], { cwd: folder, env })
        assert.deepEqual(JSON.parse(stdout), ['venue', ++made, 'not_found'])
      })

    it('has no error and no warning of the recommended rules of Spectral', async () => {
      const program = `import core from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { readFileSync } from 'node:fs'
const spectral = new core.Spectral()
spectral.setRuleset({ extends: [[rulesets.oas, 'recommended']] })
const found = await spectral.run(readFileSync('openapi.json', 'utf8'))
console.log(JSON.stringify(found.map(({ code, message, path }) => [code, message, path.join('/')])))`
      writeFileSync(join(folder, 'spectral.js'), program)
      const { stdout } = await run(process.execPath, ['spectral.js'], { cwd: folder })
      assert.deepEqual(JSON.parse(stdout), [])
    })
  })
