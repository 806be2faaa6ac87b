import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { detectForm } from '#formats/source/detect-source.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { detectDialect, forms } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { writeMarc } from '../../support/records/write-marc.ts'
import { isLong } from '../../support/records/chance.ts'
import { aBook, all, inChunks, iso, recordOf, told } from './marc-files.ts'

describe('A file in any form', () => {
  it('is told from its first bytes', () => {
    const cases: readonly [string | Buffer, string | undefined][] = [
      [iso(aBook('x')), 'iso2709'],
      [Buffer.concat([Buffer.from('\r\n'), iso(aBook('x'))]), 'iso2709'],
      [Buffer.concat([Buffer.from('garbage '), iso(aBook('x'))]), 'iso2709'],
      ['<?xml version="1.0"?><collection/>', 'marcxml'],
      ['\ufeff<collection>', 'marcxml'],
      [Buffer.from('\ufeff<collection>', 'utf16le'), 'marcxml'],
      ['\n<record>', 'marcxml'],
      ['{"leader":', 'json'],
      [' [ {', 'json'],
      ['=LDR  00000nam', 'mrk'],
      ['\ufeff=001  x', 'mrk'],
      ['000000001 LDR   L 00755cam^^22002414a^4500', 'aleph'],
      ['\ufeff000000001 24510 L $$aT', 'aleph'],
      ['003@ $0123\n021A $aX', 'pica'],
      ['\u001d\n\u001e001@ \u001f01-2\n', 'pica'],
      ['028B/01 ƒaX', 'pica'],
      ['<r><record xmlns="info:srw/schema/5/picaXML-v1.0"/></r>', 'picaxml'],
      ['<r><record><datafield tag="021A">', 'picaxml'],
      ['<m:mods xmlns:m="x">', 'mods'],
      ['<?xml version="1.0"?><!-- x --><rdf:RDF xmlns:rdf="x">', 'rdfxml'],
      ['# x\n@prefix bf: <http://x/> .', 'turtle'],
      ['PREFIX : <http://x/>', 'turtle'],
      ['<http://x/a> <http://x/b> "c" .', 'ntriples'],
      ['_:a <http://x/b> "c" .', 'ntriples'],
      ['[{"@context": "x", "id": 1}]', 'jsonld'],
      ['<?xml version="1.0"?><OAI-PMH><record><metadata><oai_dc:dc >', 'dc'],
      ['<OAI-PMH><record><metadata><record><leader>x</leader><mods>', 'marcxml'],
      ['id;title\n1;Hamlet', undefined],
      ['Hello', undefined]
    ]
    for (const [head, form] of cases) assert.equal(detectForm(Buffer.from(head)), form, String(head))
  })

  it('is read without being told its form, whatever the size of the chunks', async () => {
    const records = (await all(readMarc([iso(aBook('a', 'Zee')), iso(aBook('b', 'Été'))]))).map(recordOf)
    const sound = records.filter(each => each !== undefined)
    assert.equal(sound.length, 2)
    for (const form of forms) {
      const bytes = Buffer.concat(await all(writeMarc(sound, form)))
      for (const size of [1, 100, 65_536]) {
        const readings = await all(readMarc(inChunks(bytes, size)))
        assert.deepEqual(readings.map(told), ['record a', 'record b'], form)
        assert.deepEqual(readings.map(recordOf), sound, form)
        assert.ok(readings.every(each => each.form === form))
      }
    }
  })

  it('that is none of them is told once, and the file is let go', async () => {
    let isClosed = false
    async function* source() {
      try {
        for (let count = 0; count < 1000; count++) yield Buffer.from('Lorem ipsum dolor sit amet. '.repeat(40))
      } finally {
        isClosed = true
      }
    }
    assert.deepEqual((await all(readMarc(source()))).map(told), ['unreadable - not_marc'])
    assert.ok(isClosed)
  })

  it('is let go when nobody reads on', async () => {
    let isClosed = false
    async function* source() {
      try {
        for (let count = 0; count < 1000; count++) yield iso(aBook(String(count)))
      } finally {
        isClosed = true
      }
    }
    for await (const reading of readMarc(source())) {
      assert.equal(reading.controlNumber, '0')
      break
    }
    assert.ok(isClosed)
  })

  it('that is empty holds no record', async () => {
    assert.deepEqual(await all(readMarc([])), [])
  })
})

if (isLong)
  describe('A file of 300,000 records', () => {
    it('takes no more memory than a small one, in any form', async () => {
      setFlagsFromString('--expose_gc')
      const collectGarbage = runInNewContext('gc') as () => void
      const records = (await all(readMarc([iso(aBook('a', 'Zee '.repeat(200)))])))
        .map(recordOf)
        .filter(each => each !== undefined)
      // A record without an end holds all others, for a parser of XML.
      const unended = `${writers.marcxml.head}<record><leader>x</leader>`
      for (const [form, start] of [
        ...forms.map(each => [each, writers[each].head] as const),
        ['marcxml', unended] as const
      ]) {
        const { tail, write } = writers[form]
        const piece = Buffer.concat(
          records.flatMap(record => Array.from({ length: 100 }, () => Buffer.from(write(record))))
        )
        const samples: number[] = []
        let count = 0
        const source = function* () {
          yield Buffer.from(start)
          for (let round = 0; round < 3_000; round++) yield piece
          yield Buffer.from(tail)
        }
        for await (const reading of readMarc(source(), { form })) {
          if (reading.outcome !== 'record') continue
          if (++count % 10_000 !== 0) continue
          collectGarbage()
          const { heapUsed, arrayBuffers } = process.memoryUsage()
          samples.push((heapUsed + arrayBuffers) / 1e6)
        }
        assert.equal(count, 300_000)
        // The runner has memory of its own, so only what is added counts.
        const growth = Math.max(...samples) - (samples[0] ?? 0)
        assert.ok(growth < 20, `${form}: ${growth} MB more`)
      }
    })
  })

describe('The dialect of a record', () => {
  it('is told by where the title stands, and else by the leader', () => {
    const dialect = (leader: string, ...tags: string[]) =>
      detectDialect({ leader, fields: tags.map(tag => ({ tag, value: 'x' })) })
    assert.equal(dialect('00000nam a2200000 a 4500', '245'), 'marc21')
    assert.equal(dialect('00000nam  2200000   450 ', '200'), 'unimarc')
    assert.equal(dialect('00000nam  2200000   4500', '200', '245'), 'marc21')
    assert.equal(dialect('00000nam  2200000   450 ', '700'), 'unimarc')
    assert.equal(dialect('00000nam  2200000   4500', '700'), 'marc21')
  })
})
