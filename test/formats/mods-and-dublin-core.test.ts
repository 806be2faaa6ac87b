import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readMarc } from '#formats/marc/read-marc.ts'
import { isDataField, type MarcRecord } from '#formats/marc/record.ts'
import { readSource } from '#formats/source/read-source.ts'
import { all, inChunks, recordOf, textOf, told } from './marc/marc-files.ts'

const read = (text: string, size = 65_536, maxRecordBytes?: number) =>
  all(readMarc(inChunks(Buffer.from(text), size), maxRecordBytes === undefined ? {} : { maxRecordBytes }))

const linesOf = (record: MarcRecord | undefined) =>
  record?.fields.map(each =>
    isDataField(each) ? `${each.tag} ${textOf({ leader: '', fields: [each] }, each.tag)}` : `${each.tag} ${each.value}`
  )

const mods = (number: string) => `<mods:mods xmlns:mods="http://www.loc.gov/mods/v3" version="3.7">
<mods:titleInfo><mods:nonSort>The</mods:nonSort><mods:title>salt road</mods:title><mods:subTitle>a novel</mods:subTitle></mods:titleInfo>
<mods:titleInfo type="uniform"><mods:title>Zoutweg</mods:title></mods:titleInfo>
<mods:titleInfo type="alternative" displayLabel="Original title"><mods:title>De zoutweg</mods:title></mods:titleInfo>
<mods:name type="personal"><mods:namePart type="family">Lind</mods:namePart><mods:namePart type="given">Eva</mods:namePart><mods:role><mods:roleTerm type="text">translator</mods:roleTerm></mods:role></mods:name>
<mods:name type="personal" valueURI="http://viaf.org/viaf/1"><mods:namePart>Verhoeven, Mila</mods:namePart><mods:namePart type="date">1911-1984</mods:namePart><mods:role><mods:roleTerm type="code" authority="marcrelator">aut</mods:roleTerm><mods:roleTerm type="text">author</mods:roleTerm></mods:role></mods:name>
<mods:name type="corporate"><mods:namePart>Stadstheater</mods:namePart><mods:namePart>Dramaturgie</mods:namePart></mods:name>
<mods:typeOfResource>text</mods:typeOfResource><mods:genre>Fiction</mods:genre>
<mods:originInfo><mods:place><mods:placeTerm type="code">be</mods:placeTerm><mods:placeTerm type="text">Gent</mods:placeTerm></mods:place><mods:publisher>De Kade</mods:publisher><mods:dateIssued encoding="marc">1951</mods:dateIssued><mods:dateIssued>[1951?]</mods:dateIssued><mods:edition>2nd ed.</mods:edition></mods:originInfo>
<mods:language><mods:languageTerm type="code" authority="iso639-2b">eng</mods:languageTerm></mods:language>
<mods:physicalDescription><mods:form authority="marcform">print</mods:form><mods:extent>211 p.</mods:extent></mods:physicalDescription>
<mods:abstract>A road &amp; its salt.</mods:abstract>
<mods:note type="statement of responsibility">Mila Verhoeven</mods:note><mods:note>A note.</mods:note>
<mods:subject valueURI="http://x/1"><mods:topic>Salt</mods:topic><mods:topic>Trade</mods:topic><mods:geographic>Gent</mods:geographic></mods:subject>
<mods:subject><mods:name type="personal"><mods:namePart>Hildegard</mods:namePart></mods:name></mods:subject>
<mods:subject><mods:cartographics><mods:scale>1:100</mods:scale></mods:cartographics></mods:subject>
<mods:classification authority="ddc">839.31</mods:classification>
<mods:relatedItem type="series"><mods:titleInfo><mods:title>De blauwe reeks ; 12</mods:title></mods:titleInfo></mods:relatedItem>
<mods:relatedItem type="host"><mods:titleInfo><mods:title>Omnibus</mods:title></mods:titleInfo><mods:part><mods:detail type="volume"><mods:number>3</mods:number></mods:detail><mods:extent unit="pages"><mods:start>5</mods:start><mods:end>9</mods:end></mods:extent></mods:part><mods:identifier type="issn">1234-5679</mods:identifier></mods:relatedItem>
<mods:relatedItem type="constituent"><mods:titleInfo><mods:title>The ferry</mods:title></mods:titleInfo><mods:name type="personal"><mods:namePart>Okafor, Ben</mods:namePart></mods:name></mods:relatedItem>
<mods:identifier type="isbn">9789025701017</mods:identifier><mods:identifier type="isbn" invalid="yes">90257</mods:identifier><mods:identifier type="doi">10.1/x</mods:identifier><mods:identifier type="uri">https://example.org/a</mods:identifier>
<mods:location><mods:physicalLocation>Gent</mods:physicalLocation><mods:shelfLocator>A 12</mods:shelfLocator><mods:url displayLabel="Text">https://example.org/b</mods:url><mods:url access="object in context">https://example.org/c</mods:url></mods:location>
<mods:recordInfo><mods:recordIdentifier source="XX">${number}</mods:recordIdentifier></mods:recordInfo>
</mods:mods>`
const collection = (...records: string[]) =>
  `<?xml version="1.0"?>\n<modsCollection xmlns="http://www.loc.gov/mods/v3">${records.join('\n')}</modsCollection>`

const dublinCore = (
  title: string
) => `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>${title} : a novel</dc:title><dc:title>Zoutweg</dc:title>
<dc:creator>Verhoeven, Mila</dc:creator><dc:creator>Okafor, Ben</dc:creator><dc:contributor>Lind, Eva</dc:contributor>
<dc:subject>Salt</dc:subject><dc:description>A road.</dc:description><dc:publisher>De Kade</dc:publisher>
<dc:date>1951-05-01</dc:date><dc:type>Text</dc:type><dc:type>Fiction</dc:type><dc:format>211 p.</dc:format><dc:format>text/html</dc:format>
<dc:identifier>urn:isbn:9789025701017</dc:identifier><dc:identifier>ISSN 1234-5679</dc:identifier><dc:identifier>https://doi.org/10.1000/x</dc:identifier>
<dc:identifier>https://example.org/a</dc:identifier><dc:identifier>b7</dc:identifier><dc:identifier>9399601167320</dc:identifier>
<dc:language>en</dc:language><dc:rights>Free</dc:rights></oai_dc:dc>`
const oai = (...records: string[]) =>
  `<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>${records.join('')}</ListRecords></OAI-PMH>`
const inOai = (id: string, content: string) =>
  `<record><header><identifier>${id}</identifier></header><metadata>${content}</metadata></record>`
const goneInOai = (id: string) => `<record><header status="deleted"><identifier>${id}</identifier></header></record>`

describe('MODS', () => {
  it('becomes MARC 21', async () => {
    const record = recordOf((await read(mods('b7')))[0])
    assert.equal(record?.leader, '00000naa a2200000   4500')
    assert.deepEqual(linesOf(record), [
      '001 b7',
      '003 XX',
      '008 ||||||s1951    xx |||||||||||||||||eng||',
      '020   $a9789025701017',
      '020   $z90257',
      '024 7 $a10.1/x$2doi',
      '041 0 $aeng',
      '082   $a839.31',
      '100 1 $aVerhoeven, Mila$d1911-1984$4aut$0http://viaf.org/viaf/1',
      '240 10$aZoutweg',
      '245 14$aThe salt road$ba novel$cMila Verhoeven',
      '246 3 $iOriginal title:$aDe zoutweg',
      '250   $a2nd ed.',
      '255   $a1:100',
      '264  1$aGent$bDe Kade$c[1951?]',
      '300   $a211 p.',
      '490 0 $aDe blauwe reeks$v12',
      '500   $aA note.',
      '520   $aA road & its salt.',
      '600 1 $aHildegard',
      '650  7$aSalt$xTrade$zGent$0http://x/1',
      '655  7$aFiction',
      '700 1 $aLind, Eva$etranslator',
      '700 12$aOkafor, Ben$tThe ferry',
      '710 2 $aStadstheater$bDramaturgie',
      '773 0 $tOmnibus$g3, p. 5-9$x1234-5679',
      '852   $aGent$hA 12',
      '856 40$uhttps://example.org/a',
      '856 40$uhttps://example.org/b$yText'
    ])
  })

  it('is read from a collection and from an answer of OAI-PMH, whatever the size of the chunks', async () => {
    for (const size of [1, 500, 65_536]) {
      const text = collection(mods('a'), mods('b'))
      const readings = await read(text, size)
      assert.deepEqual(readings.map(told), ['record a', 'record b'])
      for (const { position, source, form } of readings) {
        assert.equal(form, 'mods')
        assert.equal(
          Buffer.from(text)
            .subarray(position.offset, position.offset + position.length)
            .toString(),
          Buffer.from(source).toString()
        )
      }
      const harvest = await read(
        oai(inOai('oai:x:1', mods('a')), goneInOai('oai:x:2'), inOai('oai:x:3', mods('b'))),
        size
      )
      assert.deepEqual(harvest.map(told), ['record a', 'deletion oai:x:2', 'record b'])
      assert.deepEqual(
        harvest.map(each => each.position.number),
        [1, 2, 3]
      )
    }
  })

  it('that is broken is told with its place, and the other records are read', async () => {
    const broken = mods('x').replace('</mods:titleInfo>', '')
    const unended = mods('x').replace('</mods:mods>', '')
    for (const [bad, kind] of [
      [broken, 'not_well_formed'],
      [unended, 'not_well_formed']
    ] as const) {
      const readings = await read(collection(mods('a'), bad, mods('b')))
      assert.deepEqual(readings.map(told), ['record a', `unreadable - ${kind}`, 'record b'])
      assert.match(readings[1]?.defects[0]?.message ?? '', /\w/)
    }
    assert.deepEqual((await read(collection(mods('a'), mods('b')).slice(0, -200))).map(told), [
      'record a',
      'unreadable - truncated'
    ])
    const long = mods('x').replace('A note.', 'y'.repeat(20_000))
    assert.deepEqual((await read(collection(long, mods('b')), 1000, 10_000)).map(told), [
      'unreadable - over_limit',
      'record b'
    ])
    const declared = `<!DOCTYPE mods [<!ENTITY x "y">]>${mods('a')}`
    assert.deepEqual((await read(declared)).map(told), ['unreadable - refused'])
  })
})

describe('Dublin Core', () => {
  it('becomes MARC 21', async () => {
    const record = recordOf((await read(dublinCore('The salt road')))[0])
    assert.deepEqual(linesOf(record), [
      '001 b7',
      '008 ||||||s1951    xx |||||||||||||||||eng||',
      '020   $a9789025701017',
      '022   $a1234-5679',
      '024 7 $a10.1000/x$2doi',
      '024 3 $a9399601167320',
      '041 0 $aeng',
      '100 1 $aVerhoeven, Mila',
      '245 10$aThe salt road$ba novel',
      '246 3 $aZoutweg',
      '264  1$bDe Kade$c1951',
      '300   $a211 p.',
      '520   $aA road.',
      '540   $aFree',
      '653   $aSalt',
      '655  7$aFiction',
      '700 1 $aOkafor, Ben$4aut',
      '700 1 $aLind, Eva',
      '856 40$uhttps://example.org/a'
    ])
  })

  it('is read from an answer of OAI-PMH, with deletions, and named by the identifier there', async () => {
    const text = oai(inOai('oai:x:1', dublinCore('One')), goneInOai('oai:x:2'), inOai('oai:x:3', dublinCore('Two')))
    for (const size of [1, 65_536])
      assert.deepEqual((await read(text, size)).map(told), ['record oai:x:1', 'deletion oai:x:2', 'record oai:x:3'])
    const items = await all(readSource([Buffer.from(text)], { agency: 'XX' }))
    assert.deepEqual(
      items.map(each => ('name' in each ? each.name : '')),
      ['(XX)oai:x:1', '(XX)oai:x:2', '(XX)oai:x:3']
    )
  })

  it('without elements that are known has no title, which is told', async () => {
    const [item] = await all(readSource([Buffer.from('<dc><x>y</x></dc>')]))
    assert.ok(item?.outcome === 'record')
    assert.deepEqual(
      item.description.problems.map(each => each.kind),
      ['no_title']
    )
  })
})
