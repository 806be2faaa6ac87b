import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { after, describe, it } from 'node:test'

import { loadSample } from '../../src/cli/sample.ts'
import { needDebian, runTool } from '../support/machines/debian.ts'
import { needPython } from '../support/machines/python.ts'
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
    const inFolder = (name: string) => join(folder, name)

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

    it('is linked data that conforms to our shapes, and a broken graph does not', async () => {
      const { text } = await service.get('/export?format=turtle')
      const shapes = fileURLToPath(new URL('../fixtures/linked-data.shacl.ttl', import.meta.url))
      // Two tools were compared: this one needs no engine for SPARQL, unlike shacl-engine.
      const packages = ['rdf-validate-shacl@0.6.5', 'n3@2.13.12']
      const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages]
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
      await runTool('npm', [...npm, '--prefix', folder])
      const program = `import { readFileSync } from 'node:fs'
import { Parser, Store } from 'n3'
import Validator from 'rdf-validate-shacl'
const read = file => new Store(new Parser().parse(readFileSync(file, 'utf8')))
const [, , shapes, ...files] = process.argv
for (const file of files) {
  const report = await new Validator(read(shapes)).validate(read(file))
  const said = report.results.map(each => [each.focusNode?.value, each.path?.value, each.message[0]?.value].join(' '))
  console.log(JSON.stringify(said))
}`
      writeFileSync(join(folder, 'shacl.js'), program)
      writeFileSync(join(folder, 'sample.ttl'), text)
      const broken = text.replaceAll('bf:mainTitle', 'bf:subtitle').replaceAll('lrmoo:R3i_realises', 'bf:relatedTo')
      writeFileSync(join(folder, 'broken.ttl'), broken)
      const [sample = '', ofBroken = ''] = (
        await runTool(process.execPath, [inFolder('shacl.js'), shapes, inFolder('sample.ttl'), inFolder('broken.ttl')])
      ).split('\n')
      assert.deepEqual(JSON.parse(sample), [])
      const wrong: string[] = JSON.parse(ofBroken)
      for (const path of ['bibframe/mainTitle', 'R3i_realises'])
        assert.ok(
          wrong.some(each => each.includes(path)),
          `${path} of ${wrong.length}`
        )
    })

    it('is MARC that pymarc reads as it was written, in each form', async t => {
      if (!(await needPython(t, folder, ['pymarc==5.4.0']))) return
      const forms = { mrc: 'marc21', xml: 'marcxml', json: 'marcjson' }
      for (const [extension, format] of Object.entries(forms)) {
        const { text } = await service.get(`/export?format=${format}`)
        writeFileSync(join(folder, `all.${extension}`), text)
      }
      const script = `import sys, json
folder = sys.argv[1]
sys.path.insert(0, folder)
import pymarc
def say(records):
  print(json.dumps([[str(r.leader)[17:20], [str(f) for f in r.fields]] for r in records]))
with open(folder + '/all.mrc', 'rb') as file:
  say(list(pymarc.MARCReader(file, to_unicode=True, permissive=False)))
say(pymarc.parse_xml_to_array(folder + '/all.xml'))
with open(folder + '/all.json') as file:
  say([record for line in file for record in pymarc.JSONReader(line)])`
      const said = await runTool('python3', ['-c', script, folder])
      const [iso, xml, json] = said
        .trim()
        .split('\n')
        .map((line): unknown[] => JSON.parse(line))
      assert.ok(iso && iso.length > 30, `${iso?.length} records`)
      assert.deepEqual(xml, iso)
      assert.deepEqual(json, iso)
    })
  })
