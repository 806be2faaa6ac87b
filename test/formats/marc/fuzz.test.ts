import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { type Dialect, type Form, forms, type SourceForm, sourceForms } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { writeMarc } from '../../support/records/write-marc.ts'
import { type Chance, createChance, howMany, isLong, repeatable, seed } from '../../support/records/chance.ts'
import { aBook, all, type Field, inChunks, iso, recordOf } from './marc-files.ts'

/*
 * Files with bytes changed, removed, inserted and moved. A reader returns what it can and reports
 * defects; it never throws, never returns more than there is, and never exceeds a bounded time.
 * Records that were read can be described and written.
 */

/** Changed files of each form. */
const rounds = howMany({ quick: 150, short: 500, long: 60_000, onPostgres: 500 })

const esc = '\u001b'
const contents: readonly Field[] = [
  ...aBook('fuzz', 'Été à Łódź; 日本'),
  ['041', '1 $aeng$hfre'],
  ['240', '10$aÉtranger.$lEnglish'],
  ['505', '0 $aOne / A. Writer -- Two -- Three'],
  ['700', '12$aCamus, Albert,$d1913-1960.$tPeste.'],
  ['880', '10$6245-01$aЗаглавие']
]
const marc8: readonly Field[] = [
  ...aBook('m8'),
  ['500', Buffer.from(`  \u001faCaf\xe2e ${esc}$1!Hw${esc}(B &#x4E00;`, 'latin1')]
]
const unimarc: readonly Field[] = [
  ['001', 'uni'],
  ['100', '  $a19970701d1927    m  y0frey50      ba'],
  ['101', '1 $aeng$cfre'],
  ['200', '1 $aÉtranger$aPeste$fCamus'],
  ['700', ' 1$aCamus$bAlbert$4070']
]

/** Files in the forms that are read but not written. */
const otherFiles: Readonly<Record<Exclude<SourceForm, Form>, Buffer>> = {
  aleph: Buffer.from(`000000228 LDR   L ^^^^^cam^a22^^^^^^a^4500
000000228 008   L 880715s1951^^^^be^^^^^^^^^^^^000^1^eng^d
000000228 24514 L $$aÉté à Łódź; 日本 /$$cMila Verhoeven.
000000794 FMT   L BK
000000794 24510 L $$aLast$$bone
`),
  pica: Buffer.from(`003@ $0123
010@ $ager$ceng
021A $aDie @Salzstraße$d日本$hX
028A $aVerhoeven$dMila
044K $8Salz [Ts1]

003@ \u001f0124\u001e021A \u001faLast\u001e
\u001d
\u001e003@ \u001f0125
\u001e021A \u001faVery last
`),
  picaxml: Buffer.from(
    '<collection><record><datafield tag="003@"><subfield code="0">1</subfield></datafield>' +
      '<datafield tag="021A" occurrence="01"><subfield code="a">Été</subfield></datafield></record>' +
      '<record><datafield tag="021A"><subfield code="a">Last</subfield></datafield></record></collection>'
  ),
  mods: Buffer.from(
    '<modsCollection><mods><titleInfo><nonSort>De</nonSort><title>Été</title></titleInfo><name><namePart>X</namePart>' +
      '<role><roleTerm type="code">aut</roleTerm></role></name><subject><topic>S</topic></subject></mods>' +
      '<mods><titleInfo><title>Last</title></titleInfo></mods></modsCollection>'
  ),
  dc: Buffer.from(
    '<OAI-PMH><record><header status="deleted"><identifier>x</identifier></header></record>' +
      '<record><header><identifier>y</identifier></header><oai_dc:dc><dc:title>Été : X</dc:title>' +
      '<dc:identifier>ISBN 9789025701017</dc:identifier></oai_dc:dc></record></OAI-PMH>'
  ),
  turtle: Buffer.from(`@prefix bf: <http://id.loc.gov/ontologies/bibframe/> .
<http://x/i> a bf:Instance ; bf:instanceOf [ a bf:Text ; bf:language "dut"@en ; bf:subject ( _:a 1.5 ) ] ;
  bf:title [ bf:mainTitle '''Été'''@fr , "日本\\u00e9" ] .
<http://x/j> bf:instanceOf <http://x/w> ; bf:title [ bf:mainTitle "Last" ] . # end
`),
  ntriples: Buffer.from(`<http://x/i> <http://id.loc.gov/ontologies/bibframe/instanceOf> _:w .
<http://x/i> <http://id.loc.gov/ontologies/bibframe/title> _:t .
_:t <http://id.loc.gov/ontologies/bibframe/mainTitle> "Été \\"\\u00e9"@fr .
`),
  rdfxml: Buffer.from(
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:bf="http://id.loc.gov/ontologies/bibframe/">' +
      '<bf:Instance rdf:about="http://x/i"><bf:title rdf:parseType="Resource"><bf:mainTitle xml:lang="fr">Été</bf:mainTitle>' +
      '</bf:title><bf:instanceOf><bf:Text><bf:language rdf:resource="http://x/dut"/></bf:Text></bf:instanceOf>' +
      '</bf:Instance></rdf:RDF>'
  ),
  jsonld: Buffer.from(
    '{"@context":{"@vocab":"http://id.loc.gov/ontologies/bibframe/","t":{"@id":"title","@container":"@list"}},"@graph":[' +
      '{"@id":"http://x/i","@type":"Instance","instanceOf":{"@type":"Text","language":{"@value":"dut"}},' +
      '"title":[{"mainTitle":{"@value":"Été","@language":"fr"}}]},{"@id":"http://x/j","instanceOf":{"@id":"_:w"}}]}'
  )
}

async function files(): Promise<Readonly<Record<SourceForm, Buffer>>> {
  const leader = '00000nam  2200000 a 4500'
  const bytes = Buffer.concat([
    iso(contents),
    iso(marc8, { leader }),
    iso(unimarc, { leader: '00000nam  2200000   450 ' }),
    iso(aBook('last'))
  ])
  const records = (await all(readMarc([bytes]))).map(recordOf).filter(each => each !== undefined)
  const made = await Promise.all(
    forms.map(async form => [form, form === 'iso2709' ? bytes : Buffer.concat(await all(writeMarc(records, form)))])
  )
  return { ...Object.fromEntries(made), ...otherFiles }
}

/** The bytes that readers search for: misplaced ones are most likely to mislead them. */
const tokens = [
  '\u001d',
  '\u001e',
  '\u001f',
  esc,
  '00000',
  '99999',
  '4500',
  '22',
  '\0',
  '\n',
  '\r\n',
  '\xff',
  '\xc3',
  '<',
  '>',
  '&',
  ';',
  '"',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '$',
  '=',
  '=LDR  ',
  '<record>',
  '</record>',
  '<!DOCTYPE x [',
  ']]>',
  '<!--',
  '"leader"',
  ' ',
  'é',
  '\ud800',
  '001',
  '245',
  '$$',
  '000000228 ',
  '^',
  '@',
  '021A ',
  '$8',
  '<mods>',
  '</mods>',
  '<header>',
  'bf:',
  '_:a ',
  '"@id"',
  '"@context"',
  '"@list":',
  'rdf:about',
  ' xmlns:x="y"'
] as const

function mutate(file: Buffer, chance: Chance): Buffer {
  let bytes = Buffer.from(file)
  for (let count = 1 + chance.below(6); count > 0; count--) {
    const at = chance.below(bytes.length + 1)
    const length = chance.below(chance.oneIn(4) ? 200 : 4)
    const token = Buffer.from(chance.pickOr(tokens, ''), chance.oneIn(2) ? 'latin1' : 'utf8')
    const kind = chance.below(6)
    if (kind === 0) bytes[at % Math.max(1, bytes.length)] = chance.below(256)
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), token, bytes.subarray(at)])
    else if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, at), token, bytes.subarray(at + token.length)])
    else if (kind === 4) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(chance.below(bytes.length + 1))])
    else if (bytes.length < 20_000)
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)])
  }
  return bytes
}

describe('A mutated file', () => {
  for (const form of sourceForms) {
    it(
      `in ${form} is read to its end, each byte at most once, and nothing is thrown`,
      { timeout: isLong ? 3_600_000 : 1_200_000 },
      () =>
        repeatable(async () => {
          const file = (await files())[form]
          const chance = createChance(seed + sourceForms.indexOf(form))
          for (let round = 0; round < rounds; round++) {
            const bytes = mutate(file, chance)
            const isTold = chance.oneIn(3)
            const started = process.cpuUsage().user
            let end = 0
            let number = 0
            for await (const reading of readMarc(inChunks(bytes, 1 + chance.below(900)), isTold ? { form } : {})) {
              const { position } = reading
              const where = `round ${round}`
              assert.equal(position.number, ++number, where)
              assert.ok(position.offset >= end && position.length >= 0, where)
              end = position.offset + position.length
              // UTF-16 and broken UTF-8 count in the bytes that they would have in UTF-8.
              if (form === 'iso2709' && reading.form === form) assert.ok(end <= bytes.length, where)
              assert.ok(
                reading.outcome === 'record' || reading.defects.length > 0 || reading.outcome === 'deletion',
                where
              )
              const record = recordOf(reading)
              if (record === undefined) continue
              assert.equal(record.leader.length, 24, where)
              for (const dialect of ['marc21', 'unimarc'] satisfies Dialect[]) describeRecord(record, dialect)
              writers.json.write(record)
              writers.mrk.write(record)
              const xml = Buffer.from(writers.marcxml.head + writers.marcxml.write(record) + writers.marcxml.tail)
              const [again] = await all(readMarc([xml], { form: 'marcxml' }))
              assert.ok(again?.outcome === reading.outcome, where)
            }
            assert.ok(number <= bytes.length + 1, `round ${round}: more records than bytes`)
            assert.ok(process.cpuUsage().user - started < 5e6, `round ${round}: took too long`)
          }
        })
    )
  }
})
