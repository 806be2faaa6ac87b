import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { loadSample } from '../../src/cli/sample.ts'
import { needDebian, runTool } from '../support/machines/debian.ts'

import { listen } from '../support/services/listen.ts'
import { freePort } from '../support/databases/postgres-process.ts'
import { start, type Teardown, temporaryFolder } from '../support/services/start.ts'

/*
 * Clients that others wrote: those of YAZ, and Catmandu. Which database is behind the service makes
 * no difference to them.
 */

async function startOpen(t: Teardown) {
  const service = await start(t, { ANONYMOUS_ACCESS: 'read' })
  await loadSample(service.libretto)
  const [count, titles] = [
    Number(/numberOfRecords>(\d+)/.exec((await service.get('/sru?query=dc.title=hamlet')).text)?.[1]),
    (await service.get('/entities?type=manifestation&limit=1000')).body.length as number
  ]
  return { url: `http://127.0.0.1:${await listen(service)}/sru`, hamlets: count, publications: titles }
}

describe('Third-party SRU clients', () => {
  it('search, present and scan: zoomsh and yaz-client', async t => {
    if (!needDebian(t, ['yaz'])) return
    const { url, hamlets } = await startOpen(t)
    for (const version of ['1.1', '1.2', '2.0'])
      for (const how of ['get', 'post']) {
        const shown = await runTool('zoomsh', [
          ...['set preferredRecordSyntax xml', `set sru ${how}`, `set sru_version ${version}`, 'set schema mods'],
          ...[`connect ${url}`, 'search cql:dc.title=hamlet', 'show 0 3', 'quit']
        ])
        assert.match(shown, new RegExp(`: ${hamlets} hits`), `${version} ${how}: ${shown}`)
        assert.equal(shown.match(/<mods /g)?.length, 3, shown)
      }
    const session = [
      'sru get 1.2',
      `open ${url}`,
      'querytype cql',
      'schema marcxml',
      'find dc.title=hamlet',
      'show 1+2',
      'scan dc.title=ham',
      'quit'
    ]
    const printed = await runTool('yaz-client', [], `${session.join('\n')}\n`)
    assert.match(printed, new RegExp(`Number of hits: ${hamlets}`))
    assert.equal(printed.match(/<leader>/g)?.length, 2, printed)
    assert.match(printed, /^Hamlet: \d+ Hamlet$/m)
    const refused = await runTool(
      'yaz-client',
      [],
      `sru get 1.2\nopen ${url}\nquerytype cql\nfind dc.nothing=1\nquit\n`
    )
    assert.match(refused, /info:srw\/diagnostic\/1\/16/)
  })

  it('read all publications as MARC: Catmandu, and yaz-marcdump after it', async t => {
    if (!needDebian(t, ['yaz', 'libcatmandu-sru-perl', 'libcatmandu-marc-perl'])) return
    const { url, publications } = await startOpen(t)
    const query = [
      'convert',
      'SRU',
      '--base',
      url,
      '--recordSchema',
      'marcxml',
      '--parser',
      'marcxml',
      '--query',
      'cql.allRecords=1'
    ]
    const records = JSON.parse(
      await runTool('catmandu', [...query, 'to', 'JSON', '--fix', 'marc_map(245a,t);retain(_id,t)'])
    ) as { t?: string }[]
    assert.equal(records.length, publications)
    assert.ok(records.every(({ t: title }) => title !== undefined && title !== ''))
    const xml = await runTool('catmandu', [...query, 'to', 'MARC', '--type', 'XML'])
    const file = join(temporaryFolder(t), 'all.xml')
    writeFileSync(file, xml)
    const lines = await runTool('yaz-marcdump', ['-i', 'marcxml', '-o', 'line', file])
    assert.equal(lines.match(/^245 /gm)?.length, publications)
  })

  it('search by Z39.50 through the gateway of the examples: yaz-client', async t => {
    if (!needDebian(t, ['yaz', 'libnet-z3950-simpleserver-perl'])) return
    const { url, hamlets } = await startOpen(t)
    const address = `127.0.0.1:${await freePort()}`
    const gateway = spawn('perl', ['examples/z3950/gateway.pl', '-S', `tcp:${address}`], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, BASE: url.replace(/\/sru$/, '') },
      stdio: 'ignore'
    })
    const ended = once(gateway, 'exit')
    t.after(async () => {
      gateway.kill()
      await ended
    })
    await isOpen(Number(address.split(':')[1]))
    const ask = async (...commands: readonly string[]) =>
      runTool('yaz-client', [], [`open tcp:${address}`, 'format usmarc', ...commands, 'quit', ''].join('\n'))
    const printed = await ask('find @attr 1=4 hamlet', 'show 1+2', 'format xml', 'show 1')
    assert.match(printed, new RegExp(`Number of hits: ${hamlets}`))
    assert.equal(printed.match(/^245 .*Hamlet/gm)?.length, 2, printed)
    assert.equal(printed.match(/<leader>/g)?.length, 1, printed)
    const hitsOf = async (query: string) => Number(/Number of hits: (\d+)/.exec(await ask(`find ${query}`))?.[1])
    const count = async (cql: string) =>
      Number(/numberOfRecords>(\d+)/.exec(await (await fetch(`${url}?query=${encodeURIComponent(cql)}`)).text())?.[1])
    for (const [query, cql] of Object.entries({
      '@and @attr 1=1003 shakespeare @attr 1=54 eng': 'dc.creator=shakespeare and dc.language=eng',
      '@not @attr 1=1003 shakespeare @attr 1=4 hamlet': 'dc.creator=shakespeare not dc.title=hamlet',
      '@or @attr 1=4 @attr 5=1 haml @attr 1=4 faust': 'dc.title=haml* or dc.title=faust',
      '@attr 1=31 @attr 2=4 1990': 'dc.date>=1990',
      '@attr 1=4 @attr 4=1 "max havelaar"': 'dc.title="max havelaar"',
      '@attr 1=4 @attr 3=1 max': 'dc.title=^max',
      '@attr 1=4 @attr 6=3 hamlet': 'dc.title==hamlet'
    }))
      assert.equal(await hitsOf(query), (await count(cql)) || 'none', query)
    const refusals = { '@attr 1=63 x': 114, '@attr 1=4 @attr 5=104 x': 120, '@attr 1=4 @attr 2=5 x': 117 }
    for (const [query, code] of Object.entries(refusals))
      assert.match(await ask(`find ${query}`), new RegExp(`\\[${code}\\]`), query)
    assert.match(await ask('format sutrs', 'find @attr 1=4 hamlet', 'show 1'), /\[239\]/)
  })
})

/** Resolves when something listens at a port. */
async function isOpen(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isConnected = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false)
    ]).catch(() => false)
    socket.destroy()
    if (isConnected) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
