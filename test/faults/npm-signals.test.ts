import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

import { hangLimit } from '../support/machines/hang-limit.ts'
import { childrenOf, isRunning } from '../support/machines/processes.ts'
import { pause } from '../support/services/server-process.ts'
import { adminToken, secretKey, temporaryFolder } from '../support/services/start.ts'

/*
 * npm starts a shell that starts the service. At SIGTERM npm and the shell end, and the service is
 * not told. `npm run test:long` also tries other versions of npm; npm 9 ignores SIGTERM itself.
 */

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }

const commands = { 'npm start': ['start'], 'npx libretto serve': ['exec', '--no', '--', 'libretto', 'serve'] }
const versions = process.env.LONG ? [undefined, 10, 11] : [undefined]

for (const version of versions)
  describe(`SIGTERM to npm${version === undefined ? '' : ` ${version}`}`, () => {
    for (const [name, words] of Object.entries(commands))
      it(`stops the service that ${name} started`, async t => {
        const npm = findNpm(t, version)
        if (npm === undefined) return
        const { child, output } = startByNpm(t, npm, words)
        await until(() => output().includes('listens at'), `it to listen: ${output()}`)
        const started = descendantsOf(child.pid ?? 0)
        assert.ok(started.length > 0)
        child.kill('SIGTERM')
        await until(() => started.every(pid => !isRunning(pid)), `the end of ${started.join(', ')}: ${output()}`)
      })
  })

describe('npm start', () => {
  it('restarts a service whose process was ended', async t => {
    const { child, output } = startByNpm(t, ['npm'], commands['npm start'])
    await until(() => output().includes('listens at'), `it to listen: ${output()}`)
    const address = /listens at (\S+)/.exec(output())?.[1]
    const serving = descendantsOf(child.pid ?? 0).at(-1) ?? 0
    process.kill(serving, 'SIGKILL')
    await until(() => !isRunning(serving), `the end of ${serving}`)
    await until(() => isReady(`${address}/health/ready`), `another process: ${output()}`)
  })
})

const isReady = async (address: string) => (await fetch(address).catch(() => undefined))?.ok ?? false

/** The program of npm, as it is here or of a version; skips the test where that cannot be had. */
function findNpm(t: TestContext, version: number | undefined): readonly [string, ...string[]] | undefined {
  if (version === undefined) return ['npm']
  const folder = temporaryFolder(t)
  const { status } = spawnSync('npm', ['install', '--prefix', folder, `npm@${version}`], { encoding: 'utf8' })
  if (status === 0) return [process.execPath, join(folder, 'node_modules/npm/bin/npm-cli.js')]
  t.skip(`npm ${version} cannot be installed here`)
  return undefined
}

/** Starts the service by the scripts and programs of this package, in a folder of its own. */
function startByNpm(t: TestContext, [npm, ...given]: readonly [string, ...string[]], words: readonly string[]) {
  const folder = temporaryFolder(t)
  const start = scripts.start.replace('src/cli/libretto.ts', join(root, 'src/cli/libretto.ts'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'x', version: '1.0.0', scripts: { start } }))
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(join(root, 'bin/libretto.cjs'), join(folder, 'node_modules/.bin/libretto'))
  let said = ''
  const child = spawn(npm, [...given, ...words], {
    cwd: folder,
    env: {
      PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
      HOME: folder,
      DATABASE_URL: `sqlite:${join(folder, 'catalogue.db')}`,
      PORT: '0',
      SAMPLE_DATA: '0',
      ADMIN_TOKEN: adminToken,
      SECRET_KEY: secretKey
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      said += text
    })
  let started: number[] = []
  const watching = setInterval(() => {
    started = [...new Set([...started, ...descendantsOf(child.pid ?? 0)])]
  }, 50)
  t.after(() => {
    clearInterval(watching)
    for (const pid of [child.pid ?? 0, ...started]) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  })
  return { child, output: () => said }
}

const descendantsOf = (pid: number): number[] => childrenOf(pid).flatMap(each => [each, ...descendantsOf(each)])

async function until(isTrue: () => boolean | Promise<boolean>, what: string) {
  const giveUp = performance.now() + hangLimit
  while (!(await isTrue())) {
    if (performance.now() > giveUp) assert.fail(`Waited in vain for ${what}`)
    await pause(50)
  }
}
