import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

import { loadSample } from '../../src/cli/sample.ts'
import { needDebian, runTool } from '../support/debian.ts'
import { listen } from '../support/listen.ts'
import { start, type Teardown, temporaryFolder } from '../support/start.ts'

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
})
