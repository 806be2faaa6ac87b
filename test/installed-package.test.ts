import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'

import { hangLimit } from './support/machines/hang-limit.ts'
import { adminToken } from './support/services/start.ts'
import { temporaryFolder } from './support/machines/temporary-folder.ts'

/*
 * The packed archive, installed and started in an empty folder by each package manager on each
 * Node that people have. All of them come from npm: some 200 MB each, so this is for the long run.
 */

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const platform = `${process.platform}-${process.arch}`
const bun = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`

interface Tool {
  readonly name: string
  /** The packages that bring the tool and the Node that it runs on. */
  readonly packages: readonly string[]
  /** Prepares an empty folder. */
  readonly install?: readonly string[]
  readonly serve: readonly string[]
}

/** `npx` in one command, as a person would try it. */
const npx = (node: number, npm: number): Tool => ({
  name: `npm ${npm} on Node ${node}`,
  packages: [`node-${platform}@${node}`, `npm@${npm}`],
  serve: ['node', 'npm/bin/npx-cli.js', '--yes', '--package=ARCHIVE', 'libretto', 'serve']
})

const tools: readonly Tool[] = [
  npx(18, 9),
  npx(20, 10),
  npx(22, 10),
  npx(24, 11),
  npx(26, 11),
  {
    name: 'pnpm on Node 22',
    packages: [`node-${platform}@22`, 'pnpm@10'],
    install: ['node', 'pnpm/bin/pnpm.cjs', 'add', 'ARCHIVE'],
    serve: ['node', 'pnpm/bin/pnpm.cjs', 'exec', 'libretto', 'serve']
  },
  {
    name: 'bun beside Node 20',
    packages: [`node-${platform}@20`, bun],
    install: [`${bun}/bin/bun`, 'add', 'ARCHIVE'],
    serve: [`${bun}/bin/bun`, 'x', 'libretto', 'serve']
  }
]

describe('the packed archive', { timeout: 4 * hangLimit }, () => {
  const folder = temporaryFolder({ after })
  let archive: string
  let registry: string

  before(async () => {
    registry = (await run('npm', ['config', 'get', 'registry'])).stdout.trim()
    await run('npm', ['pack', '--pack-destination', folder], { cwd: root })
    archive = join(folder, readdirSync(folder).find(each => each.endsWith('.tgz')) ?? '')
  })

  for (const { name, packages, install, serve } of tools)
    it(`is installed and started by ${name}`, async t => {
      const place = join(folder, name.replaceAll(' ', '-'))
      const [toolFolder, home] = [join(place, 'tools'), join(place, 'home')]
      for (const each of [toolFolder, home]) mkdirSync(each, { recursive: true })
      writeFileSync(join(toolFolder, 'package.json'), '{}')
      writeFileSync(join(home, 'package.json'), '{}')
      const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
      await run('npm', ['install', ...quietly, ...packages], { cwd: toolFolder })
      const inTools = (path: string) => join(toolFolder, 'node_modules', path)
      const nodeFolder = inTools(`node-${platform}/bin`)
      const env = {
        // With the proxies and certificates by which this machine reaches the registry.
        ...process.env,
        HOME: home,
        PATH: `${nodeFolder}:/usr/local/bin:/usr/bin:/bin`,
        npm_config_registry: registry,
        ADMIN_TOKEN: adminToken,
        SAMPLE_DATA: '1',
        PORT: '0',
        DATABASE_URL: `sqlite:${join(home, 'libretto.db')}`,
        NODE_OPTIONS: '',
        NODE_TEST_CONTEXT: undefined
      }
      const commandOf = ([first = '', ...rest]: readonly string[]) => {
        const program = first === 'node' ? join(nodeFolder, 'node') : inTools(first)
        chmodSync(program, 0o755)
        const [script, ...others] = rest.map(each => each.replace('ARCHIVE', archive))
        return [program, first === 'node' ? [inTools(script ?? ''), ...others] : [script ?? '', ...others]] as const
      }
      const { stdout } = await run(join(nodeFolder, 'node'), ['--version'], { env })
      t.diagnostic(`Node ${stdout.trim()}`)
      if (install) await run(...commandOf(install), { cwd: home, env })

      const child = spawn(...commandOf(serve), { cwd: home, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
      const ended = once(child, 'close')
      const endAll = (signal: NodeJS.Signals) => {
        try {
          process.kill(-(child.pid ?? 0), signal)
        } catch {
          // All of them have ended.
        }
      }
      t.after(() => endAll('SIGKILL'))
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
      const wem = await fetch(`${url}/entities/wem/M-REINEKE1999`, {
        headers: { authorization: `Bearer ${adminToken}` }
      })
      assert.equal(wem.status, 200)
      assert.match(await wem.text(), /Reineke Fuchs/)
      endAll('SIGTERM')
      await ended
    })
})
