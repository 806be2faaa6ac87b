import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { loadSample } from '../../src/cli/sample.ts'
import { needDebian, runTool } from '../support/machines/debian.ts'
import { isLong } from '../support/records/chance.ts'
import { start, temporaryFolder } from '../support/services/start.ts'

/*
 * The sample catalogue as citations and as linked data, read by programs that were not written by
 * us. biber is large, so they are installed for `npm run test:long` only; test/real does the same
 * with a real file.
 */

if (isLong)
  describe('The sample catalogue', async () => {
    const service = await start({ after })
    await loadSample(service.libretto)
    const folder = temporaryFolder({ after })

    it('is cited so that biber reads every entry', async t => {
      if (!needDebian(t, ['biber'])) return
      const { text } = await service.get('/export?format=bibtex')
      const entries = text.match(/^@/gm)?.length ?? 0
      const file = join(folder, 'sample.bib')
      writeFileSync(file, text)
      const said = await runTool('biber', ['--tool', '--output-file', `${file}.out`, file])
      const isKnown = (each: string) => /'illustrator' invalid in data model|ISBN '.*' in entry/.test(each)
      assert.deepEqual(
        said.split('\n').filter(each => /^(?:WARN|ERROR)/.test(each) && !isKnown(each)),
        []
      )
      assert.equal(readFileSync(`${file}.out`, 'utf8').match(/^@/gm)?.length, entries)
    })

    it('is linked data in which rdflib reads the same statements in each form', async t => {
      if (!needDebian(t, ['python3-rdflib'])) return
      const script = [
        'import sys',
        'from rdflib import Graph',
        'for form in ["turtle", "nt", "xml"]:',
        '  graph = Graph()',
        '  graph.parse(sys.argv[1] + "." + form, format=form)',
        '  print(len(graph))'
      ].join('\n')
      for (const [format, form] of [
        ['turtle', 'turtle'],
        ['ntriples', 'nt'],
        ['rdfxml', 'xml']
      ] as const) {
        writeFileSync(join(folder, `all.${form}`), (await service.get(`/export?format=${format}`)).text)
      }
      const counts = (await runTool('/usr/bin/python3', ['-c', script, join(folder, 'all')])).trim().split('\n')
      assert.equal(counts.length, 3)
      assert.ok(Number(counts[0]) > 1000)
      assert.equal(new Set(counts).size, 1, counts.join())
    })
  })
