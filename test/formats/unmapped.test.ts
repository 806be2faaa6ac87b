import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { addNotMapped } from '#domain/imports/job.ts'
import { readSource } from '#formats/source/read-source.ts'
import { all } from './marc/marc-files.ts'

/* Every reader names the parts of a record that have no place in the model. */

const mrk = (...fields: string[]) => ['=LDR  00000nam a2200000 a 4500', '=001  1', ...fields].join('\n')
const xml = (namespace: string, root: string, content: string) =>
  `<${root}Collection xmlns="${namespace}"><${root}>${content}</${root}></${root}Collection>`

/** A record in each format with mapped and unmapped parts, and the names of the latter. */
const cases: readonly (readonly [format: string, text: string, names: readonly string[]])[] = [
  [
    'MARC 21',
    mrk(
      '=040  \\\\$aXX',
      '=084  \\\\$aHdb$2kssb',
      '=084  \\\\$a63$2siso',
      '=100  1\\$aLind, Eva,$d1920-$qEva Maria$0(viaf)1',
      '=245  10$aRhymes$b= Rijmen$cEva Lind',
      '=260  \\\\$aGent',
      '=264  \\1$aGent$bDe Kade',
      '=362  0\\$a1$z2',
      '=852  \\\\$aGent$hA$xsecret',
      '=880  10$6245-01$aРифмы$k1'
    ),
    ['362 $z', '852 $x', '245 $k']
  ],
  [
    'UNIMARC',
    mrk(
      '=200  1\\$aRimes$dRijmen$zdut',
      '=686  \\\\$a12$2x',
      '=700  \\1$aLind$bEva$f1920-$4070',
      '=801  \\0$aFR$bX'
    ).replace('nam a2200000 a 4500', 'nam0 2200000   450 '),
    ['200 $z']
  ],
  [
    'PICA+',
    '001A $0x\n003@ $01\n021A $aRijmen$x9\n028A $9079$VTpv1$7gnd/118540238$ALind$DEva\n045E $a13$a10\n045Q/01 $a18.10$jPoezie\n',
    ['021A $x', '045E $a', '045E $a', '045Q $j']
  ],
  [
    'MODS',
    xml(
      'http://www.loc.gov/mods/v3',
      'mods',
      '<titleInfo><title>Rhymes</title></titleInfo><originInfo><frequency>daily</frequency></originInfo><extension><a>1</a></extension><classification authority="kssb">Hdb</classification>'
    ),
    ['extension/a']
  ],
  [
    'Dublin Core',
    '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Rhymes</dc:title><dc:relation>Songs</dc:relation></oai_dc:dc>',
    ['relation']
  ],
  [
    'ONIX',
    '<ONIXMessage><Product><RecordReference>r1</RecordReference><NotificationType>03</NotificationType><DescriptiveDetail><TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>Rhymes</TitleText></TitleElement></TitleDetail></DescriptiveDetail><CollateralDetail><Prize><PrizeName>Booker</PrizeName><PrizeCountry>GB</PrizeCountry></Prize></CollateralDetail></Product></ONIXMessage>',
    ['CollateralDetail/Prize/PrizeCountry']
  ],
  [
    'Turtle',
    '@prefix bf: <http://id.loc.gov/ontologies/bibframe/> .\n<http://e.org/1> a bf:Instance ; bf:title [ bf:mainTitle "Rhymes" ] ; bf:foliation "x" .\n',
    ['bf:foliation']
  ],
  ['CSV', 'title,shelf,author\nRhymes,3,"Lind, Eva"\n', ['shelf']]
]

describe('Parts of records without a place in the model', () => {
  for (const [format, text, names] of cases)
    it(`are named by the reader of ${format}`, async () => {
      const [item] = await all(readSource([Buffer.from(text)], format === 'Turtle' ? { format: 'turtle' } : {}))
      assert.equal(item?.outcome, 'record', JSON.stringify(item?.defects))
      assert.deepEqual(item?.unmapped, names)
    })

  it('are named in authority and holdings records too', async () => {
    const record = (type: string, ...fields: string[]) => mrk(...fields).replace('nam a2200000', `n${type}  a2200000`)
    const text = [
      mrk('=245  10$aRhymes'),
      record('x', '=004  1', '=852  \\\\$aGent$hA$xsecret', '=856  40$uhttps://example.org', '=583  \\\\$aBound'),
      record('z', '=100  1\\$aLind, Eva,$d1920-', '=371  \\\\$aGent', '=374  \\\\$aPoet$2x', '=400  1\\$aL., E.$e x')
    ].join('\n\n')
    const items = await all(readSource([Buffer.from(text)]))
    assert.deepEqual(
      items.map(each => each.outcome),
      ['record', 'holdings', 'authority']
    )
    assert.deepEqual(
      items.slice(1).map(each => each.unmapped),
      [
        ['holdings 852 $x', 'holdings 583 $a'],
        ['authority 371 $a', 'authority 400 $e']
      ]
    )
  })

  it('are counted by kind, and a file with ever new kinds takes no more room', () => {
    const some = addNotMapped(undefined, ['084 $a', '084 $a', '362 $a'])
    assert.deepEqual(some, { kinds: { '084 $a': 2, '362 $a': 1 }, others: 0 })
    const many = addNotMapped(
      some,
      Array.from({ length: 10_000 }, (_, index) => `x${index} ${'y'.repeat(1000)}`)
    )
    assert.equal(Object.keys(many?.kinds ?? {}).length, 200)
    assert.equal(many?.others, 10_000 - 198)
    assert.ok(JSON.stringify(many).length < 30_000)
    assert.equal(addNotMapped(undefined, []), undefined)
  })
})
