import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { settings } from '../src/config.ts'
import { needDebian, runTool } from './support/machines/debian.ts'

/* The files of `deploy/`, held against the code and against the programs that read them. */

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Maximum exposure level that `systemd-analyze security` may find, of 10. */
const maxExposure = 3

describe('deploy/libretto.service', () => {
  const unit = read('deploy/libretto.service')
  const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]

  it('starts the program of the package, with its settings from a file and its data in a folder of its own', () => {
    const { bin } = JSON.parse(read('package.json')) as { bin: Record<string, string> }
    assert.equal(settingOf('ExecStart'), `/opt/libretto/node_modules/.bin/${Object.keys(bin)[0]} serve`)
    assert.equal(settingOf('EnvironmentFile'), '/etc/libretto/libretto.env')
    assert.equal(settingOf('WorkingDirectory'), `/var/lib/${settingOf('StateDirectory')}`)
    assert.ok(Number(settingOf('TimeoutStopSec')) * 1000 > Number(settings.shutdownGrace.defaultText))
    assert.match(read('deploy/libretto.sysusers'), new RegExp(`^u ${settingOf('User')} `, 'm'))
  })

  it('is started again as the documents say', () => {
    const told = globSync('docs/**/*.md', { cwd: root }).flatMap(file => [...read(file).matchAll(/Restart=([\w-]+)/g)])
    assert.ok(told.length > 0)
    for (const [, value] of told) assert.equal(value, settingOf('Restart'))
  })

  it('is exposed little, as systemd counts', async t => {
    if (!needDebian(t, ['systemd'])) return
    const file = join(root, 'deploy/libretto.service')
    const told = await runTool('systemd-analyze', ['security', '--offline=true', '--no-pager', file])
    const exposure = Number(/Overall exposure level[^:]*: ([\d.]+)/.exec(told)?.[1])
    assert.ok(exposure > 0 && exposure < maxExposure, told)
  })
})

describe('deploy/libretto.env', () => {
  it('sets only settings that exist, to values that they take', () => {
    const lines = read('deploy/libretto.env').split('\n')
    const pairs = lines.filter(line => /^#?[A-Z_]+=/.test(line)).map(line => line.replace(/^#/, '').split(/=(.*)/s))
    assert.ok(pairs.length > 3)
    for (const [name, value = ''] of pairs) {
      const setting = Object.values(settings).find(each => each.name === name) ?? assert.fail(`there is no ${name}`)
      if (value !== '') setting.read(value)
    }
    const database = pairs.find(([name]) => name === 'DATABASE_URL')?.[1] ?? ''
    assert.ok(database.startsWith('sqlite:/var/lib/libretto/'))
  })

  it('holds no secret', () => {
    assert.doesNotMatch(read('deploy/libretto.env'), /^#?[A-Z_]*(TOKEN|KEY|PASSWORD)=./m)
  })
})

describe('deploy/nginx.conf', () => {
  it('allows only cipher suites with forward secrecy and authenticated encryption', () => {
    const suites = /^ *ssl_ciphers (.*);$/m.exec(read('deploy/nginx.conf'))?.[1]?.split(':') ?? []
    assert.ok(suites.length > 3)
    for (const suite of suites) assert.match(suite, /^ECDHE-(?:ECDSA|RSA)-(?:AES\d+-GCM-SHA\d+|CHACHA20-POLY1305)$/)
  })
})

/** The names of metrics that the source gives. */
const metrics = new Set(
  ['src/cli/measure-service.ts', 'src/cli/measure-imports.ts', 'src/http/observe/request-metrics.ts'].flatMap(file =>
    [...read(file).matchAll(/'((?:libretto|process|nodejs)_[a-z_]+)'/g)].map(([, name = '']) => name)
  )
)
const unknownIn = (text: string) =>
  [...text.matchAll(/\b(?:libretto|process|nodejs)_[a-z_]+\b/g)]
    .map(([name]) => name)
    .filter(name => !metrics.has(name.replace(/_bucket$/, '')))

describe('monitoring', () => {
  const howTo = read('docs/how-to/monitoring.md')

  it('uses only metrics that the service has, in alerts, in the dashboard and in the how-to', () => {
    assert.ok(metrics.size > 15)
    for (const file of ['deploy/alerts.yml', 'deploy/grafana-dashboard.json'])
      assert.deepEqual(unknownIn(read(file)), [])
    assert.deepEqual(unknownIn(howTo), [])
    assert.deepEqual(unknownIn('rate(libretto_no_such_total[5m])'), ['libretto_no_such_total'])
  })

  it('names each metric in the how-to', () => {
    const ends = [...howTo.matchAll(/`…(_[a-z_]+)`/g)].map(([, end = '']) => end)
    const isNamed = (name: string) => howTo.includes(`\`${name}\``) || ends.some(end => name.endsWith(end))
    assert.deepEqual(
      [...metrics].filter(name => !isNamed(name)),
      []
    )
    assert.ok(!isNamed('libretto_no_such_thing'))
  })

  it('explains each alert, and no other', () => {
    const alerts = [...read('deploy/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
    const explained = [...howTo.matchAll(/^\| `(Libretto\w+)` \|/gm)].map(([, name = '']) => name)
    assert.ok(alerts.length > 5)
    assert.deepEqual(explained, alerts)
  })
})

describe('docs/how-to', () => {
  it('name every file of deploy/', () => {
    const texts = ['run-the-service', 'reverse-proxy', 'monitoring'].filter(name =>
      existsSync(join(root, `docs/how-to/${name}.md`))
    )
    const said = texts.map(name => read(`docs/how-to/${name}.md`)).join('\n')
    for (const file of [
      'libretto.service',
      'libretto.env',
      'libretto.sysusers',
      'nginx.conf',
      'Caddyfile',
      'alerts.yml',
      'grafana-dashboard.json'
    ])
      assert.ok(said.includes(`deploy/${file}`), file)
  })
})
