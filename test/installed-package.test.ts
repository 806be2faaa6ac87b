import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'

import { installations } from '../docs/installations.ts'
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

/** The command of a package manager in the document, for the version that is tested here. */
function commandOf(manager: string): string {
  const text = readFileSync(join(root, 'docs/how-to/install.md'), 'utf8')
  const row = text.split('\n').find(line => line.startsWith(`| ${manager} |`))
  return /`(.+)`/.exec(row ?? '')?.[1] ?? assert.fail(`install.md has no command for ${manager}`)
}

describe('the packed archive', { timeout: 4 * hangLimit }, () => {
  const folder = temporaryFolder({ after })
  let archive: string
  let registry: string

  before(async () => {
    registry = (await run('npm', ['config', 'get', 'registry'])).stdout.trim()
    await run('npm', ['run', 'package', '--', '--pack-destination', folder], { cwd: root, maxBuffer: 16_777_216 })
    archive = join(folder, readdirSync(folder).find(each => each.endsWith('.tgz')) ?? '')
  })

  for (const { manager, version, node, comesFrom, programs } of installations)
    it(`is installed and started by ${version} on Node ${node}, as install.md says`, async t => {
      const place = join(folder, `${version} ${node}`.replaceAll(' ', '-'))
      const [toolFolder, home, bin] = [join(place, 'tools'), join(place, 'home'), join(place, 'bin')]
      for (const each of [toolFolder, home, bin]) mkdirSync(each, { recursive: true })
      writeFileSync(join(toolFolder, 'package.json'), '{}')
      copyFileSync(archive, join(home, basename(archive)))
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
      const env = {
        // With the proxies and certificates by which this machine reaches the registry.
        ...process.env,
        HOME: home,
        PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
        npm_config_registry: registry,
        YARN_NPM_REGISTRY_SERVER: registry.replace(/\/$/, ''),
        YARN_ENABLE_TELEMETRY: '0',
        YARN_UNSAFE_HTTP_WHITELIST: new URL(registry).hostname,
        ADMIN_TOKEN: adminToken,
        SAMPLE_DATA: '1',
        PORT: '0',
        DATABASE_URL: `sqlite:${join(home, 'libretto.db')}`,
        NODE_OPTIONS: '',
        NODE_TEST_CONTEXT: undefined
      }
      const { stdout } = await run(join(bin, 'node'), ['--version'], { env })
      t.diagnostic(`Node ${stdout.trim()}`)
      const child = spawn('sh', ['-c', commandOf(manager)], {
        cwd: home,
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe']
      })
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
