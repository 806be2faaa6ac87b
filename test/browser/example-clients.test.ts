import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'

import { buildBrowserFile } from '../../scripts/build-client.ts'
import { findProgram } from '../support/machines/debian.ts'
import { startExampleSite } from '../support/services/example-site.ts'
import { adminToken, temporaryFolder } from '../support/services/start.ts'
import { accessibilityFaults, openStage } from './stage.ts'

/* The programs of examples/clients, and the one file of the client, as people use them. */

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const examples = join(root, 'examples/clients')

let catalogue = ''
const folder = temporaryFolder({ after })
const address = await startExampleSite({ after }, folder, () => catalogue)

const stage = await openStage({ after }, { ANONYMOUS_ACCESS: 'read', CORS_ORIGINS: address })
catalogue = stage.url
const { create, filter } = stage.service
await create({ id: 'VE-NIGHT', type: 'venue', metadata: [{ key: 'name', value: 'De Nacht' }] })
await create({
  id: 'PR-NIGHT',
  type: 'production',
  metadata: [
    { key: 'title', value: 'Driekoningenavond', lang: 'nl' },
    { key: 'title', value: 'Twelfth Night', lang: 'en-GB' }
  ]
})
await create({
  id: 'PF-NIGHT',
  type: 'performance',
  metadata: [{ key: 'start', value: new Date(Date.now() + 3_600_000).toISOString() }],
  relations: [
    { type: 'refProduction', key: 'PR-NIGHT' },
    { type: 'refVenues', key: 'VE-NIGHT' }
  ]
})
const coming = [
  { type: 'type', value: 'performance' },
  { type: 'date', key: 'properties.start.value', value: { min: new Date().toISOString() } }
]
const { body } = await filter(coming, '?order_by=start&limit=20')
const wanted = (body.results as { id: string }[]).map(({ id }) => id)
const settings = { LIBRETTO_URL: stage.url, LIBRETTO_TOKEN: adminToken, PATH: process.env.PATH }

/** Opens a page, and compares its list with the catalogue. */
async function showsComing(t: TestContext, path: string) {
  const { page, complaints } = await stage.visit(t, { token: undefined })
  t.after(() => page.close())
  await page.goto(`${address}/${path}`)
  await page.locator('ul[aria-busy="false"]').waitFor()
  assert.equal(await page.getByRole('status').textContent(), '')
  assert.deepEqual(await page.locator('li').evaluateAll(all => all.map(each => each.id)), wanted)
  assert.match(String(await page.locator('#PF-NIGHT').textContent()), /^Twelfth Night, De Nacht /)
  assert.deepEqual(await accessibilityFaults(page), [])
  assert.deepEqual(
    complaints.filter(each => !each.startsWith(`asked ${address}`)),
    []
  )
}

describe('the examples of clients in a browser', { skip: stage.skip }, () => {
  it('run as a plain page, with the one file of the client and without a build', async t => {
    await buildBrowserFile(join(folder, 'libretto-client.js'))
    cpSync(join(examples, 'plain.html'), join(folder, 'plain.html'))
    const size = readFileSync(join(folder, 'libretto-client.js')).length
    assert.ok(size < 40_000, `the file has ${size} bytes`)
    await showsComing(t, 'plain.html')
  })

  it('run as a React page', async t => {
    await using bundle = await rolldown({
      cwd: root,
      input: join(examples, 'react.tsx'),
      platform: 'browser',
      resolve: { alias: { 'libretto-client': join(root, 'client/index.ts') } },
      transform: { jsx: { runtime: 'automatic' }, define: { 'process.env.NODE_ENV': '"production"' } }
    })
    await bundle.write({ file: join(folder, 'react.js'), format: 'esm', codeSplitting: false })
    writeFileSync(
      join(folder, 'react.html'),
      `<!doctype html><html lang="en" data-catalogue="http://127.0.0.1:8080"><title>Coming performances</title>
       <body><div id="root"></div><script type="module" src="react.js"></script>`
    )
    await showsComing(t, 'react.html')
  })
})

describe('the examples of clients on a command line', () => {
  const shows = (output: string) => {
    const lines = output.trim().split('\n')
    assert.deepEqual(
      lines.map(line => line.split(' ')[0]),
      wanted
    )
    assert.match(output, /^PF-NIGHT \S+ Twelfth Night De Nacht$/m)
  }

  it('run on Node', async () => {
    // The sources stand for the built package.
    const loader = `import { registerHooks } from 'node:module'
      registerHooks({ resolve: (name, context, next) =>
        name === 'libretto-client' ? next(${JSON.stringify(join(root, 'client/index.ts'))}, context) : next(name, context) })`
    writeFileSync(join(folder, 'loader.mjs'), loader)
    const program = join(examples, 'node.mjs')
    const options = { cwd: folder, env: settings }
    shows((await run(process.execPath, ['--import', join(folder, 'loader.mjs'), program], options)).stdout)
  })

  it('run on Python', async t => {
    const python = findProgram('python3')
    if (python === undefined) return t.skip('needs python3: apt-get install python3')
    shows((await run(python, [join(examples, 'shows.py')], { env: settings })).stdout)
  })
})
