import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readMarc } from '#formats/marc/read-marc.ts'
import { isDataField } from '#formats/marc/record.ts'
import { readSource } from '#formats/source/read-source.ts'
import { all, inChunks, recordOf, textOf, told } from './marc/marc-files.ts'

const read = (text: string | Buffer, size = 65_536, maxRecordBytes?: number) =>
  all(readMarc(inChunks(Buffer.from(text as string), size), maxRecordBytes === undefined ? {} : { maxRecordBytes }))

const plain = `002@ $0Aau
003@ $0123456789
004A $A9789025701017$fkart.
010@ $ager$ceng
011@ $a1955
021A $aDie @Salzstraße$dein Roman$hMila Verhoeven ; übersetzt von Eva Lind
022A $aThe @salt road
028A $aVerhoeven$dMila$cvan$h1911-1984$7gnd/118540238
028B/01 $PHildegard$lvon Bingen
028C $8Lind, Eva *1920-1999* [Tp1]$BÜbersetzerIn$4trl
029F $aStadttheater$bDramaturgie$gGent$4pbl
030F $aSalztagung$j3$kGent$p1954
032@ $a2. Aufl.
033A $pGent$nDe Kade
034D $a211 S.
034I $a20 cm
036E $aDe @blauwe reeks$l12
037A $aPrice $$5
044K $8Salz [Ts1]$7gnd/4051382-0
044K $8Gent [Tg1]
044N $atrade
101@ $a20
209A/01 $aA 12$fMag
209G/01 $a84$$12
`

const other = plain.replace('123456789', '12345678X')

/** The same record in the other serializations. */
const separated = (text: string) => text.replaceAll('$$', '\0').replaceAll('$', '\u001f').replaceAll('\0', '$')
const fieldsOf = (text: string) => separated(text).split('\n').filter(Boolean)
const normalized = (text: string) => `${fieldsOf(text).join('\u001e')}\u001e\n`
const binary = (text: string) => normalized(text).replace('\n', '\u001d')
const importFormat = (text: string) => `\u001d\n\u001e${fieldsOf(text).join('\n\u001e')}\n`
const xml = (...records: string[]) =>
  `<?xml version="1.0"?><p:collection xmlns:p="info:srw/schema/5/picaXML-v1.0">${records
    .map(record => {
      const fields = fieldsOf(record).map(field => {
        const [head = '', ...parts] = field.split('\u001f')
        const [tag, occurrence] = head.trim().split('/')
        const number = occurrence === undefined ? '' : ` occurrence="${occurrence}"`
        const subfields = parts.map(each => `<p:subfield code="${each[0]}">${each.slice(1)}</p:subfield>`).join('')
        return `<p:datafield tag="${tag}"${number}>${subfields}</p:datafield>`
      })
      return `<p:record>${fields.join('')}</p:record>`
    })
    .join('\n')}</p:collection>`

const files: Readonly<Record<string, string>> = {
  plain: `${plain}\n${other}`,
  normalized: normalized(plain) + normalized(other),
  binary: binary(plain) + binary(other),
  import: importFormat(plain) + importFormat(other),
  XML: xml(plain, other),
  'plain with ƒ': `${plain}\n${other}`.replaceAll('$$', '\0').replaceAll('$', 'ƒ').replaceAll('\0', '$')
}

describe('PICA+', () => {
  it('becomes MARC 21', async () => {
    const record = recordOf((await read(plain))[0])
    const lines = record?.fields.map(each =>
      isDataField(each)
        ? `${each.tag} ${textOf({ leader: '', fields: [each] }, each.tag)}`
        : `${each.tag} ${each.value}`
    )
    assert.equal(record?.leader, '00000nam a2200000   4500')
    assert.deepEqual(lines, [
      '001 123456789',
      '008 ||||||s1955    xx |||||||||||||||||ger||',
      '020   $a9789025701017$qkart.',
      '041 1 $ager$heng',
      '100 1 $aVerhoeven, Mila van$d1911-1984$0(DE-588)118540238',
      '240 14$aThe salt road',
      '245 14$aDie Salzstraße$bein Roman$cMila Verhoeven ; übersetzt von Eva Lind',
      '250   $a2. Aufl.',
      '264  1$aGent$bDe Kade$c1955',
      '300   $a211 S.$c20 cm',
      '490 0 $aDe blauwe reeks$v12',
      '500   $aPrice $5',
      '650  7$aSalz$0(DE-588)4051382-0',
      '651  7$aGent',
      '653   $atrade',
      '700 0 $aHildegard$cvon Bingen$4aut',
      '700 1 $aLind, Eva$d1920-1999$eÜbersetzerIn$4trl',
      '710 2 $aStadttheater (Gent)$bDramaturgie$4pbl',
      '711 2 $aSalztagung$n3$d1954$cGent',
      '852   $aILN 20$cMag$hA 12$p84$12'
    ])
  })

  for (const [name, text] of Object.entries(files))
    it(`is read alike, in ${name}, whatever the size of the chunks`, async () => {
      const expected = recordOf((await read(plain))[0])
      for (const size of [1, 100, 65_536]) {
        const readings = await read(text, size)
        assert.deepEqual(readings.map(told), ['record 123456789', 'record 12345678X'])
        assert.deepEqual(recordOf(readings[0]), expected)
        const bytes = Buffer.from(text)
        for (const { position, source } of readings)
          assert.deepEqual(Buffer.from(source), bytes.subarray(position.offset, position.offset + position.length))
      }
    })

  it('tells kinds of material, articles with their host, volumes, and records that were deleted', async () => {
    const leaderOf = async (lines: string) => recordOf((await read(`003@ $01\n${lines}`))[0])?.leader.slice(5, 8)
    assert.equal(await leaderOf('002@ $0Abv\n021A $aX'), 'nas')
    assert.equal(await leaderOf('002@ $0Kav\n021A $aX'), 'nem')
    assert.equal(await leaderOf('002@ $0Gau\n002C $bspw\n021A $aX'), 'nim')
    assert.equal(await leaderOf('002@ $0Oau\n002C $bntm\n021A $aX'), 'ncm')
    assert.equal(await leaderOf('002@ $0Aau\n001E $001-01-20'), 'dam')
    const article = recordOf(
      (await read('002@ $0Asu\n003@ $01\n021A $aX\n031A $d12$j1999$e3$h5-9\n039B $tTheater$CISSN$61234-5679'))[0]
    )
    assert.equal(article?.leader[7], 'a')
    assert.equal(textOf(article, '773'), '0 $tTheater$g12 (1999), 3, p. 5-9$x1234-5679')
    const volume = recordOf((await read('003@ $01\n002@ $0Afu\n021A $aThe sea\n036C $aThe @salt road$l2'))[0])
    assert.equal(textOf(volume, '245'), '04$aThe salt road$n2$pThe sea')
  })

  it('has names and numbers of linked authority records in capital subfields, as K10plus writes them', async () => {
    const lines = `003@ $01
021A $aX
028A $9079$VTpv1$7gnd/118540238$31604$AVerhoeven$DMila$Cvan$E1911$M1984$BVerfasserIn$4aut
028C $9082$VTpv1$7gnd/122848551$ALind$DEva$E1960
029F $9101$VTbv1$7gnd/46107-6$AVlaanderen$GGewest$FStadttheater$FDramaturgie
030F $9103$VTfv1$7gnd/2038241-8$ASalztagung$J3$P1954$KGent
036E $aDe @blauwe reeks$pDeel B$m12
036F $X12$9130$7zdb/967681-8$10537-796X$VTbv1$7gnd/2013822-2$AStadttheater$aBlauwe reeks$l12
036E/01 $aLosse reeks
044K $9079$VTpv1$7gnd/118540238$AVerhoeven$DMila$E1911$M1984
044K $9104$VTgvz$7gnd/4011889-7$AVlaanderen$GGewest
045Q/01 $9106$VTkv$a18.10$jLiteratuur
`
    const record = recordOf((await read(lines))[0])
    const texts = (record?.fields ?? [])
      .filter(isDataField)
      .map(each => `${each.tag} ${textOf({ leader: '', fields: [each] }, each.tag)}`)
    assert.deepEqual(
      texts.filter(each => !each.startsWith('245')),
      [
        '084   $a18.10$2bkl',
        '100 1 $aVerhoeven, Mila van$d1911-1984$eVerfasserIn$4aut$0(DE-588)118540238',
        '490 1 $aDe blauwe reeks. Deel B$v12',
        '490 0 $aLosse reeks',
        '600 17$aVerhoeven, Mila$d1911-1984$0(DE-588)118540238',
        '651  7$aVlaanderen (Gewest)$0(DE-588)4011889-7',
        '700 1 $aLind, Eva$d1960-$0(DE-588)122848551',
        '710 2 $aVlaanderen (Gewest)$bStadttheater$bDramaturgie$0(DE-588)46107-6',
        '711 2 $aSalztagung$n3$d1954$cGent$0(DE-588)2038241-8',
        '830  0$aBlauwe reeks$v12$x0537-796X'
      ]
    )
  })

  it('may hold authority records, with variant names, life dates and the number in the GND', async () => {
    const lines =
      '002@ $0Tp1\n003@ $01\n007K $agnd$0118540238\n028A $aVerhoeven$dMila\n028@ $aV., M.\n060R $a1911$b1984\n'
    const [item] = await all(readSource([Buffer.from(lines)]))
    assert.ok(item?.outcome === 'authority')
    assert.equal(item.authority.type, 'person')
    assert.deepEqual(
      item.authority.metadata.map(({ key, value }) => `${key} ${value}`),
      ['name Verhoeven, Mila', 'life_dates 1911-1984']
    )
    assert.deepEqual([item.authority.variants, item.authority.identifiers], [['V., M.'], ['(DE-588)118540238']])
  })

  it('names the field that is wrong, and reads the others', async () => {
    const cases: readonly [string, string, RegExp][] = [
      ['Hello', 'bad_field', /^Field 25 of the record does not begin with a tag: "Hello"/],
      ['037A', 'empty_field', /^Field 25 of the record is empty/],
      ['037A x$aNote', 'bad_field', /^Field 25 of the record has text before/],
      ['037A $aNote$', 'bad_subfield', /^Field 25 of the record has a subfield without a code/]
    ]
    for (const [line, kind, message] of cases) {
      const readings = await read(`${plain}${line}\n\n${other}`)
      assert.deepEqual(readings.map(told), [`record 123456789 ${kind}`, 'record 12345678X'], line)
      assert.match(readings[0]?.defects[0]?.message ?? '', message)
    }
    assert.deepEqual((await read(`${plain}\nHello\n\n${other}`)).map(told), [
      'record 123456789',
      'unreadable - bad_field not_marc',
      'record 12345678X'
    ])
    const latin = Buffer.concat([Buffer.from(plain), Buffer.from('037A $aCaf\xe9\n', 'latin1')])
    assert.deepEqual((await read(latin)).map(told), ['record 123456789 undecodable'])
    assert.deepEqual(
      (await read(xml(plain, other).replace('</p:subfield>', ''))).map(each => each.outcome),
      ['unreadable', 'record']
    )
  })

  it('leaves out a record over the limit', async () => {
    const long = plain.replace('ein Roman', 'y'.repeat(20_000))
    for (const text of [`${long}\n${other}`, normalized(long) + normalized(other), binary(long) + binary(other)])
      assert.deepEqual((await read(text, 1000, 5_000)).map(told), ['unreadable - over_limit', 'record 12345678X'])
  })
})
