import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'

import type { Quad } from '@rdfjs/types'
import jsonld from 'jsonld'
import { Parser } from 'n3'
import { RdfXmlParser } from 'rdfxml-streaming-parser'

import type { Reading } from '#formats/marc/reading.ts'
import { isDataField, type MarcRecord } from '#formats/marc/record.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { readJsonLd } from '#formats/rdf/read-jsonld.ts'
import { createRdfXmlReader } from '#formats/rdf/read-rdfxml.ts'
import { readTurtle } from '#formats/rdf/read-turtle.ts'
import { createStatements, type Statements } from '#formats/rdf/statements.ts'
import { readSource } from '#formats/source/read-source.ts'
import { all, inChunks, recordOf, textOf, told } from '../marc/marc-files.ts'

const read = (text: string, size = 65_536) => all(readMarc(inChunks(Buffer.from(text), size)))

const linesOf = (record: MarcRecord | undefined) =>
  record?.fields.map(each =>
    isDataField(each) ? `${each.tag} ${textOf({ leader: '', fields: [each] }, each.tag)}` : `${each.tag} ${each.value}`
  )

const faultOf = (readings: readonly Reading[]) => readings[0]?.defects[0]

// Syntaxes: the same graph as readers that are not ours

const xsdString = 'http://www.w3.org/2001/XMLSchema#string'

interface AnyTerm {
  readonly termType: string
  readonly value: string
  readonly language?: string
  readonly datatype?: { readonly value: string }
}

const quadText = (term: AnyTerm): string =>
  term.termType === 'BlankNode'
    ? `_:${term.value.replaceAll(/[^\w]/g, 'x')}`
    : term.termType === 'Literal'
      ? `${JSON.stringify(term.value)}${term.language ? `@${term.language}` : `^^<${term.datatype?.value ?? xsdString}>`}`
      : `<${term.value}>`

/** A graph in canonical N-Quads, so that names of blank nodes do not count. */
const canonical = (nquads: string): Promise<string> =>
  jsonld.canonize(
    nquads as unknown as object,
    {
      algorithm: 'RDFC-1.0',
      inputFormat: 'application/n-quads',
      format: 'application/n-quads'
    } as object
  )

const ofQuads = (quads: readonly Quad[]) =>
  canonical(quads.map(each => `${[each.subject, each.predicate, each.object].map(quadText).join(' ')} .\n`).join(''))

function ofStatements(readText: (statements: Statements) => void) {
  const statements = createStatements()
  readText(statements)
  const node = (name: string) => (name.startsWith('_:') ? name : `<${name}>`)
  const lines = [...statements.nodes].flatMap(([subject, properties]) =>
    [...properties].flatMap(([predicate, values]) =>
      values.map(
        value =>
          `${node(subject)} <${predicate}> ${
            value.kind === 'iri'
              ? node(value.iri)
              : `${JSON.stringify(value.text)}${value.lang ? `@${value.lang}` : `^^<${value.datatype ?? xsdString}>`}`
          } .\n`
      )
    )
  )
  return canonical(lines.join(''))
}

const turtles: Readonly<Record<string, string>> = {
  'prefixes, bases and abbreviations': `@prefix : <http://x/#> . PREFIX p: <http://y/>
    @base <http://z/a/b> . <c> a :D ; p:e 1, 2.5, -3e2, true , "x"@NL-be, "y"^^p:t ; ; . BASE <http://w/> <#q> p:r\\,s <>, <../u> .`,
  'nested nodes and lists': `@prefix : <http://x/> .
    [ :a [ :b ( 1 ( "two" [ :c :d ] ) () ) ] ; :e _:f ] . _:f :g [] . ( :h ) :i :j . [] :k "l" .`,
  'texts with quotation marks and escapes': `<http://x/a> <http://x/b> """one "two" three""", 'it\\'s', "\\u00e9\\U0001F600\\t",
    '''a
b''', "", """quoted\\"""", "é" . # a comment . <http://no> `,
  'names with dots, percents and letters of all scripts': `@prefix é.x: <http://x/> . é.x:a.b é.x:c%20d é.x:été-日本 .`,
  'N-Triples': `<http://x/a> <http://x/b> "c\\nd"@en .\n_:a <http://x/b> _:b . # x\n<http://x/\\u00e9> <http://x/b> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n`
}

const inRdf = (content: string) =>
  `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/" xml:base="http://b/c">${content}</rdf:RDF>`
const xmls: Readonly<Record<string, string>> = {
  'nodes in properties in nodes': inRdf(
    '<x:A rdf:about="http://a"><x:p><x:B rdf:nodeID="n" x:q="v"/></x:p><x:p rdf:resource="#d"/><x:r rdf:nodeID="n"/></x:A>'
  ),
  'texts, languages and types': inRdf(
    '<rdf:Description rdf:ID="i" xml:lang="nl"><x:p>een &amp; &lt;twee&gt;</x:p><x:p xml:lang="en">one</x:p><x:p rdf:datatype="http://x/t">1</x:p><x:e></x:e></rdf:Description>'
  ),
  'lists, members and abbreviated properties': inRdf(
    '<rdf:Seq rdf:about="s"><rdf:li>a</rdf:li><rdf:li rdf:resource="b"/></rdf:Seq><x:C><x:l rdf:parseType="Collection"><x:D/><x:E rdf:about="e"/></x:l><x:n rdf:parseType="Collection"/><x:m rdf:parseType="Resource"><x:o>p</x:o></x:m><x:k x:y="z"/></x:C>'
  )
}

const jsons: Readonly<Record<string, object>> = {
  'prefixes, terms and types': {
    '@context': {
      '@vocab': 'http://v/',
      x: 'http://x/',
      id: '@id',
      kind: '@type',
      day: { '@id': 'x:day', '@type': 'http://www.w3.org/2001/XMLSchema#date' },
      to: { '@id': 'x:to', '@type': '@id' },
      in: { '@reverse': 'x:holds' },
      '@language': 'nl'
    },
    id: 'http://a',
    kind: ['x:A', 'B'],
    name: ['een', { '@value': 'one', '@language': 'en' }, { '@value': '2', '@type': 'x:n' }, 3, 2.5, true, null],
    day: '2026-01-01',
    to: ['x:b', { id: '_:b' }],
    in: { id: 'http://c' },
    'x:inner': { '@context': { '@language': null, name: 'x:other' }, name: 'bare' }
  },
  'lists, sets, graphs and maps': {
    '@context': {
      '@base': 'http://b/',
      x: 'http://x/',
      l: { '@id': 'x:l', '@container': '@list' },
      m: { '@id': 'x:m', '@container': '@language' }
    },
    '@graph': [
      { '@id': 'a', l: ['p', { 'x:q': 'r' }], m: { nl: 'een', en: ['one', 'uno'] } },
      { '@id': 'c', 'x:s': { '@set': [{ '@list': [] }, 't'] }, '@included': [{ '@id': 'd', 'x:u': 'v' }] }
    ]
  },
  'a list of documents': [
    { '@id': 'http://a', '@type': 'http://x/A' },
    { '@context': { n: 'http://x/n' }, '@id': 'http://b', n: 'c', unknown: 'left out' }
  ] as unknown as object
}

describe('A file of RDF', () => {
  for (const [name, text] of Object.entries(turtles))
    it(`in Turtle with ${name} is read as n3 reads it`, async () => {
      const quads = new Parser({ format: 'text/turtle' }).parse(text)
      assert.ok(quads.length > 0)
      assert.equal(await ofStatements(each => readTurtle(text, each)), await ofQuads(quads))
    })

  for (const [name, text] of Object.entries(xmls))
    it(`in RDF/XML with ${name} is read as rdfxml-streaming-parser reads it`, async () => {
      const quads: Quad[] = []
      const parser = new RdfXmlParser({ baseIRI: 'http://b/c' }) as unknown as NodeJS.ReadWriteStream
      for await (const quad of Readable.from([text]).pipe(parser)) quads.push(quad as unknown as Quad)
      assert.ok(quads.length > 0)
      const own = await ofStatements(statements => {
        const reader = createRdfXmlReader(statements)
        for (const part of text.match(/[\s\S]{1,7}/g) ?? []) reader.write(part)
        reader.end()
      })
      assert.equal(own, await ofQuads(quads))
    })

  it('in RDF/XML may have a node as its root, types as attributes, and marked sections', async () => {
    const text = `<A xmlns="http://x/" xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" r:about="http://a">
      <b>c <![CDATA[<d>]]></b><e r:type="http://x/T"/><f r:parseType="Literal">g<h>i</h></f></A>`
    const own = await ofStatements(statements => {
      const reader = createRdfXmlReader(statements)
      reader.write(text)
      reader.end()
    })
    const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>'
    const expected = `<http://a> ${type} <http://x/A> .\n<http://a> <http://x/b> "c <d>" .\n<http://a> <http://x/e> _:t .
      _:t ${type} <http://x/T> .\n<http://a> <http://x/f> "gi" .\n`
    assert.equal(own, await canonical(expected.replaceAll(/\n +/g, '\n')))
  })

  for (const [name, document] of Object.entries(jsons))
    it(`in JSON-LD with ${name} is read as jsonld reads it`, async () => {
      const quads = (await jsonld.toRDF(document as jsonld.JsonLdDocument)) as unknown as Quad[]
      assert.ok(quads.length > 0)
      assert.equal(await ofStatements(each => readJsonLd(JSON.stringify(document), each)), await ofQuads(quads))
    })
})

// Publications

/** The vocabularies of the RDA registry and of IFLA. */
const registries = `
@prefix rdaw: <http://rdaregistry.info/Elements/w/> .
@prefix rdae: <http://rdaregistry.info/Elements/e/> .
@prefix rdam: <http://rdaregistry.info/Elements/m/> .
@prefix rdaa: <http://rdaregistry.info/Elements/a/> .
@prefix rdap: <http://rdaregistry.info/Elements/p/> .
@prefix lrm: <http://iflastandards.info/ns/lrm/lrmer/> .
@prefix frbrer: <http://iflastandards.info/ns/fr/frbr/frbrer/> .`

const prefixes = `@prefix bf: <http://id.loc.gov/ontologies/bibframe/> .
@prefix bflc: <http://id.loc.gov/ontologies/bflc/> .
@prefix lrmoo: <http://iflastandards.info/ns/lrm/lrmoo/> .
@prefix crm: <http://www.cidoc-crm.org/cidoc-crm/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix x: <http://example.org/> .
`
const bibframe = `${prefixes}
x:hub a bf:Hub ; bf:title [ a bf:Title ; bf:mainTitle "Zoutweg" ] ; bf:language <http://id.loc.gov/vocabulary/languages/dut> ; bf:hasExpression x:work .
x:work a bf:Work, bf:Text ; bf:expressionOf x:hub ;
  bf:title [ a bf:Title ; bf:mainTitle "The salt road" ] ;
  bf:contribution [ a bf:PrimaryContribution ; bf:agent <http://id.loc.gov/authorities/names/n1> ; bf:role <http://id.loc.gov/vocabulary/relators/aut> ],
    [ a bf:Contribution ; bf:agent [ a bf:Person ; rdfs:label "Lind, Eva, 1920-" ] ; bf:role [ rdfs:label "translator" ] ],
    [ a bf:Contribution ; bf:agent [ a bf:Organization ; rdfs:label "Stadstheater" ] ; bf:role [ rdfs:label "inventor of doubts" ] ],
    [ a bf:Contribution ; bf:agent <http://id.loc.gov/authorities/names/n404> ] ;
  bf:language <http://id.loc.gov/vocabulary/languages/eng> ;
  bf:content <http://id.loc.gov/vocabulary/contentTypes/txt> ;
  bf:subject [ a bf:Topic ; rdfs:label "Salt--Trade--19th century" ], [ a bf:Place ; rdfs:label "Gent" ], [ a bf:Person ; rdfs:label "Hildegard" ], "Roads" ;
  bf:genreForm [ rdfs:label "Novels" ] ;
  bf:classification [ a bf:ClassificationDdc ; bf:classificationPortion "839.31" ], [ a bf:ClassificationLcc ; bf:classificationPortion "PT5881" ; bf:itemPortion ".V4" ], [ a bf:Classification ; bf:classificationPortion "K2" ; bf:source [ bf:code "zizo" ] ] ;
  bf:summary [ a bf:Summary ; rdfs:label "A road." ] ;
  bf:hasInstance x:instance .
<http://id.loc.gov/authorities/names/n1> a bf:Person ; bflc:marcKey "1001 $aVerhoeven, Mila,$d1911-1984" ; rdfs:label "Verhoeven, Mila, 1911-1984" .
x:instance a bf:Instance ; bf:title [ a bf:Title ; bf:mainTitle "The salt road" ; bf:subtitle "a novel" ; bflc:nonSortNum "4" ],
    [ a bf:VariantTitle ; bf:mainTitle "Salt" ] ;
  bf:responsibilityStatement "Mila Verhoeven" ; bf:editionStatement "2nd ed." ;
  bf:identifiedBy [ a bf:Isbn ; rdf:value "9789025701017" ; bf:qualifier "paperback" ], [ a bf:Isbn ; rdf:value "90257" ; bf:status <http://id.loc.gov/vocabulary/mstatus/cancinv> ], [ a bf:Local ; rdf:value "42" ; bf:assigner [ bf:code "XX" ] ] ;
  bf:provisionActivity [ a bf:Publication ; bf:place [ rdfs:label "Gent" ] ; bf:agent [ rdfs:label "De Kade" ] ; bf:date "1951" ] ;
  bf:extent [ a bf:Extent ; rdfs:label "211 p." ] ; bf:dimensions "21 cm" ; bf:duration "PT90M" ;
  bf:seriesStatement "De blauwe reeks ; 12" ; bf:hasSeries [ a bf:Series ; rdfs:label "De blauwe reeks" ; bf:identifiedBy [ a bf:Issn ; rdf:value "1234-5679" ] ] ;
  bf:note [ a bf:Note ; rdfs:label "A note." ] ; bf:electronicLocator <https://example.org/text> ;
  bf:partOf [ a bf:Instance ; rdfs:label "Omnibus" ] ; bf:foliation "i-x" .
x:copy a bf:Item ; bf:itemOf x:instance ; bf:heldBy [ rdfs:label "Gent" ] ; bf:shelfMark [ rdfs:label "A 12" ] ; bf:identifiedBy [ a bf:Barcode ; rdf:value "007" ] ; bf:status [ rdfs:label "on loan" ] .
`

describe('A publication of BIBFRAME', () => {
  it('becomes MARC 21, with remarks about what has no place there', async () => {
    const [reading, ...others] = await read(bibframe)
    assert.deepEqual(others, [])
    const record = recordOf(reading)
    assert.equal(record?.leader, '00000naa a2200000   4500')
    assert.deepEqual(linesOf(record), [
      '001 http://example.org/instance',
      '008 ||||||s1951    xx |||||||||||||||||eng||',
      '020   $a9789025701017$qpaperback',
      '020   $z90257',
      '035   $a(XX)42',
      '041 1 $aeng$hdut',
      '050  4$aPT5881$b.V4',
      '082 04$a839.31',
      '084   $aK2$2zizo',
      '100 1 $aVerhoeven, Mila,$d1911-1984$4aut$0http://id.loc.gov/authorities/names/n1',
      '240 10$aZoutweg$1http://example.org/hub',
      '245 14$aThe salt road$ba novel$cMila Verhoeven',
      '246 3 $aSalt',
      '250   $a2nd ed.',
      '264  1$aGent$bDe Kade$c1951',
      '300   $a211 p.$c21 cm',
      '306   $a013000',
      '336   $btxt',
      '490 1 $aDe blauwe reeks$v12',
      '500   $aA note.',
      '520   $aA road.',
      '600 1 $aHildegard',
      '650  7$aSalt$xTrade$y19th century',
      '650  7$aRoads',
      '651  7$aGent',
      '655  7$aNovels',
      '700 1 $aLind, Eva$d1920-$4trl',
      '710 2 $aStadstheater$einventor of doubts',
      '773 0 $tOmnibus',
      '830  0$aDe blauwe reeks$x1234-5679',
      '852   $81.1\\x$aGent$hA 12$p007',
      '856 40$uhttps://example.org/text',
      '876   $81.1\\x$p007$jon loan'
    ])
    assert.deepEqual(
      reading?.defects.map(each => `${each.kind} ${each.message}`),
      ['bad_value Without a name in the file, and left out: http://id.loc.gov/authorities/names/n404']
    )
  })

  it('keeps its statements, from which the same record is read, whatever the order and syntax of the file', async () => {
    const [first] = await read(bibframe)
    const source = Buffer.from(first?.source ?? [])
    const [again] = await all(readMarc([source], { form: 'ntriples' }))
    assert.deepEqual(linesOf(recordOf(again)), linesOf(recordOf(first)))
    assert.deepEqual(again?.defects, first?.defects)
    assert.equal(Buffer.from(again?.source ?? []).toString(), source.toString())
    const lines = source.toString().trimEnd().split('\n')
    const [turned] = await read(`${lines.toReversed().join('\n')}\n`)
    assert.deepEqual(linesOf(recordOf(turned))?.toSorted(), linesOf(recordOf(first))?.toSorted())
    const quads = new Parser().parse(source.toString())
    const document = await jsonld.fromRDF(quads as unknown as object)
    const [inJson] = await read(JSON.stringify({ '@graph': document }))
    assert.deepEqual(linesOf(recordOf(inJson))?.toSorted(), linesOf(recordOf(first))?.toSorted())
  })

  it('with several works has an entry for each, under the author that they have in common', async () => {
    const work = (name: string, title: string) => `x:${name} a bf:Text ; bf:expressionOf x:h${name} .
      x:h${name} a bf:Hub ; bf:title [ bf:mainTitle "${title}" ] ; bf:contribution [ bf:agent x:mila ] .`
    const [reading] =
      await read(`${prefixes}${work('a', 'One')}${work('b', 'Two')} x:mila a bf:Person ; rdfs:label "Verhoeven, Mila" .
      x:i a bf:Instance ; bf:instanceOf x:a, x:b ; bf:title [ bf:mainTitle "Both" ] .`)
    assert.deepEqual(linesOf(recordOf(reading))?.slice(2), [
      '100 1 $aVerhoeven, Mila$0http://example.org/mila',
      '245 10$aBoth',
      '700 12$aVerhoeven, Mila$tOne$1http://example.org/ha',
      '700 12$aVerhoeven, Mila$tTwo$1http://example.org/hb'
    ])
  })

  it('is found in LRMoo, with works, texts and the events of their making', async () => {
    const [reading, ...others] = await read(`${prefixes}
x:w a lrmoo:F1_Work ; rdfs:label "Zoutweg" ; lrmoo:R3_is_realised_in x:e .
x:e a lrmoo:F2_Expression ; crm:P72_has_language [ rdfs:label "English" ] ; lrmoo:R4i_is_embodied_in x:m .
x:m a lrmoo:F3_Manifestation ; crm:P102_has_title [ crm:P190_has_symbolic_content "The salt road" ] ;
  crm:P1_is_identified_by [ crm:P190_has_symbolic_content "9789025701017" ; crm:P2_has_type [ rdfs:label "ISBN" ] ] .
[] lrmoo:R16_created x:w ; crm:P14_carried_out_by [ rdfs:label "Verhoeven, Mila" ] .
[] lrmoo:R17_created x:e ; crm:P14_carried_out_by [ rdfs:label "Lind, Eva" ] ; bf:role "translator" .
[] lrmoo:R24_created x:m ; crm:P14_carried_out_by [ rdfs:label "De Kade" ] ; crm:P7_took_place_at [ rdfs:label "Gent" ] ; crm:P4_has_time-span [ rdfs:label "1951" ] .
`)
    assert.deepEqual(others, [])
    assert.deepEqual(linesOf(recordOf(reading)), [
      '001 http://example.org/m',
      '008 ||||||s1951    xx |||||||||||||||||eng||',
      '020   $a9789025701017',
      '041 0 $aeng',
      '100 1 $aVerhoeven, Mila',
      '240 10$aZoutweg$1http://example.org/w',
      '245 10$aThe salt road',
      '264  1$aGent$bDe Kade$c1951',
      '700 1 $aLind, Eva$4trl'
    ])
  })

  it('is found in the vocabulary of RDA, by the numbers of its properties', async () => {
    const text = `${prefixes}${registries}
x:a rdaa:P50094 "Verhoeven, Mila, 1911-1984" ; rdaa:P50117 "Mila Verhoeven" ; rdaa:P50121 "1911" .
x:k rdaa:P50041 "Het Zoutgilde" .
x:w rdaw:P10061 x:a ; rdaw:object/P10065 x:k ; rdaw:P10223 "De zoutweg" ; rdaw:P10256 "Salt" ; rdaw:P10078 x:e, x:f .
x:e rdae:P20001 <http://rdaregistry.info/termList/RDAContentType/1020> ; rdae:P20006 "en" ; rdae:P20037 "Lind, Eva" ;
  rdae:P20231 x:w .
x:f rdae:P20006 "fr" .
x:m rdam:P30139 x:e ; rdam:P30156 "The salt road" ; rdam:P30142 "a history" ; rdam:P30128 "Salt" ;
  rdam:P30001 <http://rdaregistry.info/termList/RDACarrierType/1049> ; rdam:P30002 [ rdfs:label "unmediated" ] ;
  rdam:P30004 "ISBN 1-56308-969-6 (paperback)", "urn:isbn:9789025701017" ; rdam:P30105 "Mila Verhoeven" ;
  rdam:P30133 "Second edition" ; rdam:P30088 [ rdap:P70001 "Gent" ] ; rdam:P30083 [ rdaa:P50385 "De Kade" ] ;
  rdam:P30011 "1951" ; rdam:P30078 "Drukkerij Lam" ; rdam:P30181 "212 pages" ; rdam:P30169 "21 cm" ;
  rdam:P30157 "Roads" ; rdam:P30014 "3" ; rdam:P30137 "With maps" ; rdam:P30160 "20 euro" .
`.replace('rdaw:object/P10065', '<http://www.rdaregistry.info/Elements/w/object/P10065>')
    const [reading, ...others] = await read(text)

    assert.deepEqual(others, [])
    assert.deepEqual(linesOf(recordOf(reading)), [
      '001 http://example.org/m',
      '008 ||||||s1951    xx |||||||||||||||||eng||',
      '020   $a1-56308-969-6$qpaperback',
      '020   $a9789025701017',
      '041 0 $aeng',
      '100 1 $aVerhoeven, Mila$d1911-$4aut$0http://example.org/a',
      '240 10$aDe zoutweg$1http://example.org/w',
      '245 10$aThe salt road$ba history$cMila Verhoeven',
      '246 3 $aSalt',
      '250   $aSecond edition',
      '264  1$aGent$bDe Kade$c1951',
      '264  3$bDrukkerij Lam',
      '300   $a212 pages$c21 cm',
      '336   $btxt',
      '337   $aunmediated',
      '338   $bnc',
      '490 1 $aRoads$v3',
      '500   $aWith maps',
      '650  7$aSalt',
      '700 1 $aLind, Eva$4trl',
      '710 2 $aHet Zoutgilde$4cre$0http://example.org/k'
    ])
    // Other properties are counted. The source has the statements of the file, without other texts.
    assert.ok(reading?.outcome === 'record')
    assert.deepEqual(reading.unmapped, ['rdam:P30160'])
    const source = String(reading.source)
    assert.match(source, /P30160> "20 euro"/)
    assert.doesNotMatch(source, /bibframe|example\.org\/f/)
    const again = await read(source)
    assert.deepEqual(
      again.map(each => linesOf(recordOf(each))),
      [linesOf(recordOf(reading))]
    )
  })

  it('is found in the vocabulary of RDA by the names of its properties, with types as texts', async () => {
    const [reading, ...others] = await read(`${prefixes}${registries}
x:m <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "http://rdaregistry.info/Elements/c/C10007" ;
  rdam:title "The salt road" ; rdam:publisher x:k ; rdam:identifierForTheManifestation "978-90-257-0101-7" ;
  rdam:workManifested x:w .
x:k rdaa:nameOfTheCorporateBody "De Kade" .
x:w rdaw:titleOfTheWork "De zoutweg" ; rdaw:preferredTitleForTheWork "Zoutweg" ; rdaw:creator "Verhoeven, Mila" ;
  frbrer:hasAsSubjectConcept [ frbrer:hasTermForTheConcept "Salt" ] .
`)
    assert.deepEqual(others, [])
    assert.deepEqual(linesOf(recordOf(reading)), [
      '001 http://example.org/m',
      '008 ||||||s        xx |||||||||||||||||   ||',
      '020   $a978-90-257-0101-7',
      '100 1 $aVerhoeven, Mila$4cre',
      '240 10$aZoutweg$1http://example.org/w',
      '245 10$aThe salt road',
      '246 3 $iOriginal title:$aDe zoutweg',
      '264  1$bDe Kade',
      '650  7$aSalt'
    ])
  })

  it('is found in IFLA LRM, whose names are nomens', async () => {
    const [reading, ...others] = await read(`${prefixes}${registries}
x:w a lrm:E2 ; lrm:R13 [ a lrm:E9 ; lrm:E9A2 "De zoutweg" ] ; lrm:R5 x:a ; lrm:E2A1 "Novels" ; lrm:R2 x:e, x:f ;
  lrm:R12 [ lrm:R13 [ lrm:E9A2 "Salt" ] ] .
x:e a lrm:E3 ; lrm:E3A6 "en" ; lrm:R6 [ a lrm:E7 ; lrm:R13 [ lrm:E9A2 "Lind, Eva" ] ] ; lrm:R3 x:m .
x:f a lrm:E3 ; lrm:E3A6 "nl" .
x:a a lrm:E7 ; lrm:R13 [ lrm:E9A2 "Verhoeven, Mila, 1911-1984" ] .
x:m a lrm:E4 ; lrm:R13 [ lrm:E9A2 "The salt road" ] ; lrm:E4A2 "212 pages" ; lrm:E1A2 "With maps" ;
  lrm:R7 [ a lrm:E8 ; lrm:R13 [ lrm:E9A2 "De Kade" ] ] ; lrm:R33 [ a lrm:E10 ; lrm:R13 [ lrm:E9A2 "Gent" ] ] ;
  lrm:R35 [ a lrm:E11 ; lrm:R13 [ lrm:E9A2 "1951" ] ] .
`)
    assert.deepEqual(others, [])
    assert.deepEqual(linesOf(recordOf(reading)), [
      '001 http://example.org/m',
      '008 ||||||s1951    xx |||||||||||||||||eng||',
      '041 0 $aeng',
      '100 1 $aVerhoeven, Mila$d1911-1984$0http://example.org/a',
      '240 10$aDe zoutweg$1http://example.org/w',
      '245 10$aThe salt road',
      '264  1$aGent$bDe Kade$c1951',
      '300   $a212 pages',
      '500   $aWith maps',
      '650  7$aSalt',
      '655  7$aNovels',
      '700 1 $aLind, Eva$4ctb'
    ])
  })

  it('without a name of its own is named by its content', async () => {
    const [item] = await all(
      readSource([Buffer.from(`${prefixes}[] a bf:Instance ; bf:title [ bf:mainTitle "One" ] .`)])
    )
    assert.ok(item?.outcome === 'record')
    assert.match(item.name, /^sha256:/)
  })
})

describe('A broken or hostile file of RDF', () => {
  const rdfxml = (content: string) =>
    inRdf(content).replace('xmlns:x=', 'xmlns:bf="http://id.loc.gov/ontologies/bibframe/" xmlns:x=')
  const broken: readonly [what: string, text: string, kind: string, message: RegExp][] = [
    [
      'a prefix that is not declared',
      `${prefixes}\nx:a bf:title no:b .`,
      'not_well_formed',
      /^Line 9, column 14: The prefix "no:"/
    ],
    [
      'a text without an end',
      `${prefixes}x:a bf:note "open\n .`,
      'not_well_formed',
      /^Line 8, column 13: A text without an end/
    ],
    ['no full stop', `${prefixes}x:a bf:note "b"`, 'not_well_formed', /^Line 8, .*The end of the file where "\."/],
    [
      'deep nesting',
      `${prefixes}x:a bf:note ${'[ bf:note '.repeat(100_000)}`,
      'not_well_formed',
      /nested more than 64 deep/
    ],
    ['deep lists', `${prefixes}x:a bf:note ${'('.repeat(100_000)}`, 'not_well_formed', /nested more than 64 deep/],
    ['statements about statements', `${prefixes}<< x:a x:b x:c >> x:d x:e .`, 'not_well_formed', /are not supported/],
    ['four terms', '<http://a> <http://b> <http://c> <http://d> .', 'not_well_formed', /where "\." should be/],
    [
      'an endless name',
      `${prefixes}x:${'a'.repeat(100_000)} x:b x:c .`,
      'not_well_formed',
      /more than 8000 characters/
    ],
    ['an endless IRI', `<http://${'a'.repeat(100_000)}> <http://b> "c" .`, 'not_well_formed', /longer than 8000/],
    ['a wrong end tag', `${rdfxml('\n<bf:Work><x:a></bf:Work>')}`, 'not_well_formed', /^Line 2, column 15: /],
    [
      'a text among nodes',
      rdfxml('\n\n<bf:Work>text</bf:Work>'),
      'not_well_formed',
      /^Line 3: A text where only elements/
    ],
    [
      'two values of one property',
      rdfxml('<bf:Work><x:a><x:B/><x:C/></x:a></bf:Work>'),
      'not_well_formed',
      /more than one value/
    ],
    ['deep elements', rdfxml('<x:A><x:b>'.repeat(5_000)), 'not_well_formed', /nested more than 64 deep/],
    [
      'entities that grow',
      `<!DOCTYPE rdf:RDF [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${rdfxml('<x:A x:b="&b;"/>')}`,
      'refused',
      /document type/
    ],
    [
      'an external entity',
      `<?xml version="1.0"?><!DOCTYPE r SYSTEM "file:///etc/passwd">${rdfxml('<x:A/>').slice(21)}`,
      'refused',
      /document type/
    ],
    ['broken JSON', '{"@context":{},\n "@id": tru}', 'not_well_formed', /^Line 2, column 9: This is not JSON/],
    [
      'a remote context',
      '{"@context":"http://169.254.169.254/c","@id":"http://a"}',
      'refused',
      /169\.254\.169\.254\/c" is not fetched/
    ],
    ['an imported context', '{"@context":{"@import":"http://c"},"@id":"http://a"}', 'refused', /@import/],
    [
      'deep objects',
      `{"@graph":${'[{"http://x/a":'.repeat(10_000)}1${'}]'.repeat(10_000)}}`,
      'over_limit',
      /nested more than/
    ],
    [
      'deep sets',
      `{"@id":"http://a","http://x/b":${'{"@list":['.repeat(10_000)}1${']}'.repeat(10_000)}}`,
      'over_limit',
      /nested more than/
    ],
    [
      'deep contexts',
      `{"@context":${'['.repeat(10_000)}{}${']'.repeat(10_000)},"@id":"http://a"}`,
      'over_limit',
      /nested more than/
    ],
    ['no publication', `${prefixes}x:a a bf:Agent .`, 'not_a_record', /no bf:Instance/],
    [
      'works without publications',
      `${prefixes}x:a a bf:Work . x:b a bf:Work .`,
      'not_a_record',
      /2 works, for example http:\/\/example\.org\/a/
    ]
  ]
  for (const [what, text, kind, message] of broken)
    it(`with ${what} is told with its place`, async () => {
      const readings = await read(text)
      assert.deepEqual(
        readings.map(each => each.outcome),
        ['unreadable']
      )
      assert.equal(faultOf(readings)?.kind, kind)
      assert.match(faultOf(readings)?.message ?? '', message)
    })

  it('with works that are parts of each other, and of themselves, is read', async () => {
    const text = `${prefixes}x:i a bf:Instance ; bf:instanceOf x:a ; bf:title [ bf:mainTitle "One" ] ; bf:partOf x:i .
x:a a bf:Work ; bf:expressionOf x:b, x:a ; bf:hasPart x:a, x:b ; bf:translationOf x:a ; bf:subject x:a ; bf:title [ bf:mainTitle "One" ] .
x:b a bf:Hub ; bf:expressionOf x:a ; bf:hasPart x:b ; bf:hasExpression x:a, x:b ; bf:title [ bf:mainTitle "Two" ; bf:title x:b ] .`
    const readings = await read(text)
    assert.deepEqual(readings.map(told), ['record http://example.org/i'])
  })

  it('with a text of some megabytes is read, and refused as a record by its limits only', async () => {
    const [reading] = await read(
      `${prefixes}x:i a bf:Instance ; bf:title [ bf:mainTitle "${'a\\n'.repeat(1_000_000)}" ] .`
    )
    assert.equal(reading?.outcome, 'record')
  })

  it('with more bytes than the limit is not read on', async () => {
    let sent = 0
    async function* endless() {
      for (const chunk of [prefixes, ...Array<string>(200).fill(`${'#'.repeat(999_999)}\n`)]) {
        sent += chunk.length
        yield Buffer.from(chunk)
      }
    }
    const [reading] = await all(readMarc(endless(), { form: 'turtle' }))
    assert.equal(faultOf(reading ? [reading] : [])?.kind, 'over_limit')
    assert.ok(sent < 70_000_000)
  })

  it('with too many statements about one work gives no endless record', async () => {
    const many = Array.from({ length: 6_000 }, (_, at) => `bf:note "${at}"`).join(' ; ')
    const [reading] = await read(`${prefixes}x:i a bf:Instance ; bf:title [ bf:mainTitle "One" ] ; ${many} .`)
    assert.equal(faultOf(reading ? [reading] : [])?.kind, 'over_limit')
  })
})
