import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'

import { version } from '../src/version.ts'
import { hangLimit } from './support/machines/hang-limit.ts'
import { isBroken, linksOf } from './support/documents/links.ts'
import { startReceiver } from './support/services/receiver.ts'
import { compileCache } from './support/services/server-process.ts'
import { adminToken } from './support/services/start.ts'
import { temporaryFolder } from './support/machines/temporary-folder.ts'

/*
 * The package that `npm run package` makes: what is in it, and that it runs from `node_modules` in
 * a folder that holds nothing else.
 */

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

const maxFiles = 600
const maxInstalledMegabytes = 60

interface Packed {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

interface Component {
  readonly name: string
  readonly version: string
  readonly scope: string
  readonly licenses: readonly unknown[]
  readonly properties: readonly { readonly value: string }[]
}

interface LockedPackage {
  readonly version: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly link?: boolean
}

const isAtRunTime = ({ dev, devOptional, optional, link }: LockedPackage) => !(dev || devOptional || optional || link)
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

describe('the npm package', { timeout: hangLimit }, () => {
  const folder = temporaryFolder({ after })
  const home = join(folder, 'home')
  const installed = join(home, 'node_modules')
  let packed: Packed

  before(async () => {
    // npm's folders are those of the user; its settings come with them.
    const { stdout } = await run('npm', ['run', '--silent', 'package', '--', '--json', '--pack-destination', folder], {
      cwd: root,
      maxBuffer: 16_777_216
    })
    packed = JSON.parse(stdout.slice(stdout.indexOf('[')))[0]
    mkdirSync(home)
    writeFileSync(join(home, 'package.json'), '{}')
    const archive = join(folder, packed.filename)
    // Without the Node that comes with it, which is 150 MB and the one that runs this test.
    const options = ['--omit=optional', '--prefer-offline', '--no-audit', '--no-fund']
    await run('npm', ['install', ...options, archive], { cwd: home })
  })

  it('holds the built program, the page and the sample, and no source, no test and no script', () => {
    const paths = packed.files.map(({ path }) => path)
    for (const path of [
      'bin/libretto.cjs',
      'lib/libretto.js',
      'web/dist/index.html',
      'sample/books.ndjson',
      'sbom.cdx.json',
      'THIRD-PARTY-LICENCES.md',
      'LICENSE',
      'README.md',
      'CHANGELOG.md',
      'docs/README.md',
      'deploy/libretto.service'
    ])
      assert.ok(paths.includes(path), path)
    assert.deepEqual(
      paths.filter(path => /^(?!examples\/).*\.tsx?$|^(src|test|scripts)\//.test(path)),
      []
    )
    assert.ok(paths.length <= maxFiles, String(paths.length))
    assert.equal(packed.filename, `libretto-${version}.tgz`)
  })

  it('has documents whose links lead to files of the package, and all those that messages name', () => {
    const place = join(installed, 'libretto')
    const links = globSync('**/*.md', { cwd: place }).flatMap(file =>
      linksOf(file, readFileSync(join(place, file), 'utf8'))
    )
    assert.ok(links.length > 300, String(links.length))
    assert.deepEqual(
      links.filter(link => isBroken(link, place)).map(({ from, file }) => `${from} → ${file}`),
      []
    )
    const named = globSync(['lib/*.js', 'deploy/{*.*,Caddyfile,sites/*}'], { cwd: place }).flatMap(file =>
      [...readFileSync(join(place, file), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([path]) => path)
    )
    assert.ok(named.length > 4, String(named.length))
    assert.deepEqual(
      named.filter(path => !existsSync(join(place, path))),
      []
    )
  })

  it('imports only modules of Node: all packages but `sharp`, which is optional, are inside', () => {
    const lib = join(installed, 'libretto/lib')
    const imported = globSync('*.js', { cwd: lib }).flatMap(file =>
      [
        ...readFileSync(join(lib, file), 'utf8').matchAll(
          /^import .*?["']([^"'.][^"']*)["'];$|\bimport\("([^".][^"]*)"\)/gm
        )
      ].map(([, one, other]) => one ?? other ?? '')
    )
    assert.ok(imported.includes('node:sqlite'))
    assert.deepEqual(
      imported.filter(name => !isBuiltin(name)),
      []
    )
    const { dependencies } = readJson(join(installed, 'libretto/package.json'))
    assert.equal(dependencies, undefined)
  })

  it('has a file for each thread that it starts', () => {
    const lib = join(installed, 'libretto/lib')
    const threads = globSync('*.js', { cwd: lib }).flatMap(file =>
      [
        ...readFileSync(join(lib, file), 'utf8').matchAll(/new URL\(["']\.\/([\w-]+\.js)["'], import\.meta\.url\)/g)
      ].map(([, name = '']) => name)
    )
    assert.ok(threads.length > 4, threads.join())
    assert.deepEqual(
      threads.filter(name => !existsSync(join(lib, name))),
      []
    )
  })

  it(`needs no other package beside Node, and at most ${maxInstalledMegabytes} MB`, () => {
    const locked = Object.keys(readJson(join(installed, '.package-lock.json')).packages)
    assert.deepEqual(locked, ['node_modules/libretto'])
    const files = globSync('**/*', { cwd: installed }).map(file => statSync(join(installed, file)))
    const bytes = files.reduce((sum, each) => sum + (each.isFile() ? each.size : 0), 0)
    assert.ok(bytes > 1_000_000 && bytes < maxInstalledMegabytes * 1_000_000, String(bytes))
  })

  it('names each package inside with its licence, in the list of licences and in the bill of materials', () => {
    const { packages } = readJson(join(root, 'package-lock.json')) as { packages: Record<string, LockedPackage> }
    const inside = Object.entries(packages)
      .filter(([path, each]) => path.startsWith('node_modules/') && isAtRunTime(each))
      .map(([path, each]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${each.version}`)
    const bill = readJson(join(installed, 'libretto/sbom.cdx.json')) as { components: Component[] }
    const named = bill.components
      .filter(each => each.properties[0]?.value === 'service')
      .map(each => `${each.name}@${each.version}`)
    assert.ok(inside.some(each => each.startsWith('fastify@')))
    assert.deepEqual(named.toSorted(), inside.toSorted())
    assert.ok(bill.components.every(each => each.licenses.length === 1))
    const parts = new Set(bill.components.map(each => each.properties[0]?.value))
    assert.deepEqual([...parts].sort(), ['node', 'page', 'service'])
    const licences = readFileSync(join(installed, 'libretto/THIRD-PARTY-LICENCES.md'), 'utf8')
    for (const each of bill.components) assert.ok(licences.includes(`| ${each.name} | ${each.version} | `), each.name)
    assert.match(licences, /SIL OPEN FONT LICENSE/i)
    assert.match(licences, /Fastify Team/i)
  })

  it('starts in an empty folder, and every thread of it runs: reads, lists, writes, imports, webhooks', async t => {
    const receiver = await startReceiver(t)
    let service = await serve(t, home, { SAMPLE_DATA: '1', WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1' })
    const ask = async (path: string, body?: unknown) => {
      const response = await fetch(service.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      assert.ok(response.ok, `${path}: ${response.status} ${text}`)
      return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
    }
    assert.match(await ask('/'), /<script async type="module"/)
    assert.match(JSON.stringify(await ask('/entities/wem/M-REINEKE1999')), /Reineke Fuchs/)
    const found = await ask('/entities/filter', [{ type: 'type', value: 'work' }])
    assert.ok(found.results.length > 0)
    const byExpression = { type: 'text', key: ['properties.title.value'], value: '^Ham', regex: true }
    assert.ok((await ask('/entities/filter', [byExpression])).count > 0)
    assert.match(await ask('/help/docs/how-to/install.md'), /<h1/)
    const webhook = await ask('/webhooks', { url: receiver.url })
    await ask(`/webhooks/${webhook.id}/test`, {})
    assert.equal((await receiver.waitFor(1)).length, 1)
    const lines = join(home, 'one.ndjson')
    writeFileSync(
      lines,
      `${JSON.stringify({ id: 'W-PACKED', type: 'work_word', metadata: [{ key: 'title', value: 'Packed' }] })}\n`
    )
    const { stdout } = await run(join(installed, '.bin/libretto'), ['import', lines], {
      cwd: home,
      env: environment(home)
    })
    assert.match(stdout, /\b1\b/)
    assert.equal((await ask('/entities/W-PACKED')).id, 'W-PACKED')
    assert.equal(await service.stop(), 0)
    // With records at the start, a thread builds the index.
    service = await serve(t, home, {})
    const again = await ask('/entities/filter?limit=1000', [{ type: 'type', value: 'work' }])
    assert.equal(again.count, found.count + 1)
    assert.equal(await service.stop(), 0)
    assert.ok(existsSync(join(home, 'libretto.db')))
  })
})

const environment = (home: string) => ({
  PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
  ADMIN_TOKEN: adminToken,
  DATABASE_URL: `sqlite:${join(home, 'libretto.db')}`,
  NODE_COMPILE_CACHE: compileCache
})

/** Runs `libretto serve` as it was installed. */
async function serve(t: TestContext, home: string, settings: Readonly<Record<string, string>>) {
  const child = spawn(join(home, 'node_modules/.bin/libretto'), ['serve'], {
    cwd: home,
    env: { ...environment(home), PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  t.after(() => {
    child.kill('SIGKILL')
  })
  const ended = once(child, 'close')
  const url = await listensAt(child)
  const stop = async () => {
    child.kill('SIGTERM')
    return (await ended)[0] as number | null
  }
  return { url, stop, child, ended }
}

/** Waits until a process says where it listens. Rejects with what it said when it ends before. */
async function listensAt(child: ReturnType<typeof spawn>): Promise<string> {
  let said = ''
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', chunk => {
        said += chunk
        const url = /listens at (\S+)/.exec(said)?.[1]
        if (url !== undefined) resolve(url)
      })
    child.on('close', () => reject(new Error(`It ended: ${said}`)))
  })
}

describe('the launcher', { timeout: hangLimit }, () => {
  const launcher = join(root, 'bin/libretto.cjs')

  /** Arguments that run the launcher as on a Node of that version. */
  const on = (t: TestContext, nodeVersion: string, program = launcher) => {
    const pretend = join(temporaryFolder(t), 'pretend.cjs')
    writeFileSync(pretend, `Object.defineProperty(process.versions, 'node', { value: '${nodeVersion}' })`)
    return ['--require', pretend, program]
  }

  it('runs the program on the Node that it was started with, from the oldest one that will do', async t => {
    // The preloaded file would pretend in a second process too: only there is no second one.
    const { stdout } = await run(process.execPath, [...on(t, '26.5.1'), '--version'])
    assert.equal(stdout.trim(), version)
  })

  it('starts the Node that was installed with it where that one is older, passes SIGTERM on and ends alike', async t => {
    const folder = temporaryFolder(t)
    const child = spawn(process.execPath, [...on(t, '26.5.0'), 'serve'], {
      env: { ...environment(folder), PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    t.after(() => {
      child.kill('SIGKILL')
    })
    const ended = once(child, 'close')
    const url = await listensAt(child)
    assert.equal((await fetch(`${url}/health/ready`)).status, 200)
    const processes = globSync(`/proc/${child.pid}/task/*/children`).map(file => readFileSync(file, 'utf8').trim())
    if (existsSync('/proc')) assert.match(processes.join(''), /^\d+$/)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    await assert.rejects(fetch(`${url}/health/live`))
    const failed = await run(process.execPath, [...on(t, '18.20.8'), 'no-such-command']).catch(error => error)
    assert.equal(failed.code, 2)
  })

  it('says which Node is needed where none was installed with it', async t => {
    const folder = temporaryFolder(t)
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/libretto.cjs'), readFileSync(launcher))
    const failed = await run(process.execPath, [...on(t, '20.1.0', join(folder, 'bin/libretto.cjs')), 'serve']).catch(
      error => error
    )
    assert.equal(failed.code, 1)
    assert.match(failed.stderr, /^Libretto needs Node 26\.5\.1 or newer; this is 20\.1\.0\./)
  })

  it('accepts the versions that the program accepts', () => {
    const [, oldest] = /oldestNode = \[(.*)\]/.exec(readFileSync(launcher, 'utf8')) ?? []
    const [, safe] = /oldestSafeNode = \[(.*)\]/.exec(readFileSync(join(root, 'src/version.ts'), 'utf8')) ?? []
    assert.ok(oldest)
    assert.equal(oldest, safe)
  })

  it('knows each package with a Node, which are the optional dependencies', () => {
    const named = [...readFileSync(launcher, 'utf8').matchAll(/: '(node-[a-z0-9-]+)'/g)].map(([, name]) => name)
    const { optionalDependencies } = readJson(join(root, 'package.json'))
    assert.deepEqual(named.sort(), Object.keys(optionalDependencies).sort())
    assert.equal(new Set(Object.values(optionalDependencies)).size, 1)
  })
})
