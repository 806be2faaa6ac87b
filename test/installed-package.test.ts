import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'

import { type Installation, installations } from '../docs/installations.ts'
import { failingCurl, readBlocks, tutorial, tutorialResults } from './support/documents/shell-blocks.ts'
import { findProgram } from './support/machines/debian.ts'
import { hangLimit } from './support/machines/hang-limit.ts'
import { adminToken } from './support/services/start.ts'
import { temporaryFolder } from './support/machines/temporary-folder.ts'

/*
 * The packed archive, installed and started in an empty folder by each package manager on each
 * Node that people have, and the first hour of the tutorial on each Node. All of them come from
 * npm: some 200 MB each, so this is for the long run.
 */

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const platform = `${process.platform}-${process.arch}`
const bun = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`

/** The command of a package manager in the document, for the version that is tested here. */
function commandOf(manager: string): string {
  const text = readFileSync(join(root, 'docs/how-to/install.md'), 'utf8')
  const row = text.split('\n').find(line => line.startsWith(`| ${manager} |`))
  return /`(.+)`/.exec(row ?? '')?.[1] ?? assert.fail(`install.md has no command for ${manager}`)
}

/** A machine of somebody who has a Node and a package manager, and nothing else from npm. */
interface Machine {
  /** An empty folder. */
  readonly home: string
  /** The folder of programs that is the first of PATH. */
  readonly bin: string
  readonly env: NodeJS.ProcessEnv
}

/** Installs a Node and a package manager in a folder. */
async function installTools(t: TestContext, place: string, installation: Installation): Promise<Machine> {
  const { node, comesFrom, programs } = installation
  const [toolFolder, home, bin] = [join(place, 'tools'), join(place, 'home'), join(place, 'bin')]
  for (const each of [toolFolder, home, bin]) mkdirSync(each, { recursive: true })
  writeFileSync(join(toolFolder, 'package.json'), '{}')
  const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', '--force']
  const packages = [`node-${platform}@${node}`, comesFrom === 'bun' ? bun : comesFrom]
  await run('npm', ['install', ...quietly, ...packages], { cwd: toolFolder })
  const modules = join(toolFolder, 'node_modules')
  const nodeProgram = join(modules, `node-${platform}/bin/node`)
  symlinkSync(nodeProgram, join(bin, 'node'))
  for (const [name, file] of Object.entries(programs)) {
    const program = comesFrom === 'bun' ? join(modules, bun, file) : `${nodeProgram} ${join(modules, file)}`
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${program} "$@"\n`)
    chmodSync(join(bin, name), 0o755)
  }
  chmodSync(nodeProgram, 0o755)
  if (comesFrom === 'bun') chmodSync(join(modules, bun, 'bin/bun'), 0o755)
  const registry = (await run('npm', ['config', 'get', 'registry'])).stdout.trim()
  const env = {
    // With the proxies and certificates by which this machine reaches the registry.
    ...process.env,
    HOME: home,
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    npm_config_registry: registry,
    // One for all: else each would fetch the Node that comes with Libretto again.
    npm_config_cache: join(place, '../cache'),
    YARN_NPM_REGISTRY_SERVER: registry.replace(/\/$/, ''),
    YARN_ENABLE_TELEMETRY: '0',
    YARN_UNSAFE_HTTP_WHITELIST: new URL(registry).hostname,
    PORT: '0',
    NODE_OPTIONS: '',
    NODE_TEST_CONTEXT: undefined
  }
  const { stdout } = await run(join(bin, 'node'), ['--version'], { env })
  assert.match(stdout, new RegExp(`^v${node}\\.`))
  t.diagnostic(`Node ${stdout.trim()}`)
  return { home, bin, env }
}

/** A command that goes on, such as a service. */
interface Running {
  readonly url: string
  readonly ended: Promise<unknown>
  /** Everything that it said so far. */
  said(): string
  /** Types keys, where it has a terminal. */
  type(keys: string): void
  end(signal: NodeJS.Signals): void
}

/** Runs a command until it says where it listens. */
async function listen(t: TestContext, command: readonly [string, ...string[]], { home, env }: Machine) {
  const [program, ...options] = command
  const child = spawn(program, options, { cwd: home, env, detached: true, stdio: 'pipe' })
  const ended = once(child, 'close')
  const end = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid ?? 0), signal)
    } catch {
      // All of them have ended.
    }
  }
  t.after(() => end('SIGKILL'))
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        said += chunk
        const found = /listens at (\S+)/.exec(said)?.[1]
        if (found !== undefined) resolve(found)
      })
    child.on('close', () => reject(new Error(`It ended: ${said}`)))
  })
  const running: Running = { url, ended, said: () => said, type: keys => child.stdin.write(keys), end }
  return running
}

describe('the packed archive', { timeout: 4 * hangLimit }, () => {
  const folder = temporaryFolder({ after })
  const archives = () => globSync('*.tgz', { cwd: folder }).map(name => join(folder, name))

  before(async () => {
    const options = { cwd: root, maxBuffer: 16_777_216 }
    await run('npm', ['run', 'package', '--', '--pack-destination', folder], options)
    await run('npm', ['pack', '-w', 'client', '--pack-destination', folder], options)
  })

  for (const installation of installations) {
    const { manager, version, node } = installation
    it(`is installed and started by ${version} on Node ${node}, as install.md says`, async t => {
      const place = join(folder, `${version} ${node}`.replaceAll(' ', '-'))
      const machine = await installTools(t, place, installation)
      const { home } = machine
      const archive = archives().find(each => !each.includes('client')) ?? ''
      copyFileSync(archive, join(home, basename(archive)))
      const env = { ...machine.env, ADMIN_TOKEN: adminToken, SAMPLE_DATA: '1' }
      const service = await listen(t, ['sh', '-c', commandOf(manager)], {
        ...machine,
        env: { ...env, DATABASE_URL: `sqlite:${join(home, 'libretto.db')}` }
      })
      const wem = await fetch(`${service.url}/entities/wem/M-REINEKE1999`, {
        headers: { authorization: `Bearer ${adminToken}` }
      })
      assert.equal(wem.status, 200)
      assert.match(await wem.text(), /Reineke Fuchs/)
      service.end('SIGTERM')
      await service.ended
    })
  }

  const missing = ['script', 'bash', 'curl'].filter(program => findProgram(program) === undefined)
  const skip = missing.length > 0 && `needs ${missing.join(' and ')}`
  for (const installation of installations.filter(each => each.manager.startsWith('npm')))
    it(`goes through the first hour with Node ${installation.node}, as printed`, { skip }, async t => {
      const place = join(folder, `tutorial-${installation.node}`)
      const machine = await installTools(t, place, installation)
      const { home, bin, env } = machine
      for (const archive of archives()) copyFileSync(archive, join(home, basename(archive)))
      assert.equal(readdirSync(home).length, 2)
      writeFileSync(join(bin, 'curl'), `#!/bin/bash${failingCurl(hangLimit / 1000)}\n`)
      chmodSync(join(bin, 'curl'), 0o755)

      const blocks = readBlocks(tutorial)
      const isService = (commands: string) => /^(?:.* )?npx libretto serve$/m.test(commands)
      const [secondTerminal = ''] = blocks.flatMap(({ commands }) => (commands.startsWith('export') ? [commands] : []))
      let service: Running | undefined
      let shown = ''
      for (const { commands, line } of blocks) {
        const result = tutorialResults.find(({ beginning }) => commands.startsWith(beginning))
        if (isService(commands)) {
          // Control-C in the terminal where the service runs.
          service?.type('\u0003')
          await service?.ended
          service = await listen(t, ['script', '-qfec', `set -e\n${commands}`, '/dev/null'], machine)
          shown = service.said()
        } else {
          const text = [secondTerminal, commands, result?.afterwards ?? '']
            .join('\n')
            .replaceAll('http://127.0.0.1:8080', service?.url ?? '')
          const options = { cwd: home, env: { ...env, BASE: undefined } }
          const { stdout, stderr } = await run('bash', ['-euo', 'pipefail', '-c', text], options).catch(error =>
            assert.fail(`${tutorial}, line ${line}: ${error.message}${error.stdout}`)
          )
          shown = stdout + stderr
        }
        for (const pattern of result?.shows ?? []) assert.match(shown, pattern, `${tutorial}, line ${line}`)
      }
      service?.type('\u0003')
      await service?.ended
    })
})
