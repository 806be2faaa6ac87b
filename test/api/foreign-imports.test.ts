import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { importPayload, workOn } from '../support/services/import-file.ts'
import { start, type TestService } from '../support/services/start.ts'

/*
 * Records of other systems that are read as MARC 21. Each file has a novel, a second edition of it,
 * and a translation; all of them are of one work.
 */

interface ForeignFile {
  readonly type: string
  readonly text: string
  /** Dublin Core does not say that a translation is one. */
  readonly works?: number
  /** The stored source is not a piece of the file, but the statements about the record. */
  readonly isGraph?: boolean
}

/** Records of MODS, and of Dublin Core, in an answer of OAI-PMH. */
const editions = [
  { number: '1', title: 'The salt road', subtitle: 'a novel', year: 1951, language: 'eng', isbn: '9789025701017' },
  { number: '2', title: 'The salt road', year: 1963, language: 'eng' },
  { number: '3', title: 'De zoutweg', year: 1955, language: 'dut', original: 'The salt road' }
]

const mods = editions.map(
  ({ number, title, subtitle = '', year, language, isbn = '', original }) => `<mods>
<titleInfo><title>${title}</title><subTitle>${subtitle}</subTitle></titleInfo>
${original === undefined ? '' : `<titleInfo type="uniform"><title>${original}</title></titleInfo>`}
<name type="personal"><namePart>Verhoeven, Mila</namePart><namePart type="date">1911-1984</namePart><role><roleTerm type="code">aut</roleTerm></role></name>
${original === undefined ? '' : '<name type="personal"><namePart>Lind, Eva</namePart><role><roleTerm type="code">trl</roleTerm></role></name>'}
<typeOfResource>text</typeOfResource>
<originInfo><publisher>De Kade</publisher><dateIssued>${year}</dateIssued></originInfo>
<language><languageTerm type="code">${language}</languageTerm></language>
<identifier type="isbn">${isbn}</identifier>
<recordInfo><recordIdentifier>m${number}</recordIdentifier></recordInfo></mods>`
)
const dublinCore = editions.map(
  ({ number, title, subtitle, year, language, isbn }) =>
    `<record><header><identifier>oai:x:${number}</identifier></header><metadata><oai_dc:dc>
<dc:title>${[title, subtitle].filter(Boolean).join(' : ')}</dc:title><dc:creator>Verhoeven, Mila</dc:creator>
<dc:date>${year}</dc:date><dc:language>${language}</dc:language>
<dc:identifier>${isbn === undefined ? '' : `urn:isbn:${isbn}`}</dc:identifier></oai_dc:dc></metadata></record>`
)

/** The same editions in BIBFRAME, whose hub joins them. */
const bibframe = `@prefix bf: <http://id.loc.gov/ontologies/bibframe/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix x: <http://example.org/> .
x:hub a bf:Hub ; bf:title [ bf:mainTitle "The salt road" ] ; bf:language <http://id.loc.gov/vocabulary/languages/eng> ;
  bf:contribution [ bf:agent [ a bf:Person ; rdfs:label "Verhoeven, Mila" ; bf:date "1911-1984" ] ; bf:role <http://id.loc.gov/vocabulary/relators/aut> ] .
${editions
  .map(
    ({
      number,
      title,
      subtitle = '',
      year,
      language,
      isbn,
      original
    }) => `x:w${number} a bf:Text ; bf:expressionOf x:hub ;
  ${original === undefined ? '' : 'bf:contribution [ bf:agent [ a bf:Person ; rdfs:label "Lind, Eva" ] ; bf:role <http://id.loc.gov/vocabulary/relators/trl> ] ;'}
  bf:language <http://id.loc.gov/vocabulary/languages/${language}> .
x:i${number} a bf:Instance ; bf:instanceOf x:w${number} ; bf:title [ bf:mainTitle "${title}" ; bf:subtitle "${subtitle}" ] ;
  ${isbn === undefined ? '' : `bf:identifiedBy [ a bf:Isbn ; rdf:value "${isbn}" ] ;`}
  bf:provisionActivity [ a bf:Publication ; bf:agent [ rdfs:label "De Kade" ] ; bf:date "${year}" ] .`
  )
  .join('\n')}
`

interface Listed {
  readonly id: string
  readonly metadata: readonly { readonly key: string; readonly value: string }[]
}

const files: Readonly<Record<string, ForeignFile>> = {
  aleph: {
    type: 'text/plain',
    text: `000000228 FMT   L BK
000000228 LDR   L ^^^^^nam^a22^^^^^^a^4500
000000228 008   L 880715s1951^^^^be^^^^^^^^^^^^000^1^eng^d
000000228 020   L $$a9789025701017
000000228 1001  L $$aVerhoeven, Mila,$$d1911-1984
000000228 24514 L $$aThe salt road :$$ba novel /$$cMila Verhoeven.
000000228 264 1 L $$aGent :$$bDe Kade,$$c1951.
000000229 FMT   L BK
000000229 008   L 880715s1963^^^^be^^^^^^^^^^^^000^1^eng^d
000000229 1001  L $$aVerhoeven, Mila,$$d1911-1984
000000229 24514 L $$aThe salt road /$$cMila Verhoeven.
000000229 264 1 L $$aGent :$$bDe Kade,$$c1963.
000000230 FMT   L BK
000000230 008   L 880715s1955^^^^be^^^^^^^^^^^^000^1^dut^d
000000230 0411  L $$adut$$heng
000000230 1001  L $$aVerhoeven, Mila
000000230 24010 L $$aSalt road.$$lDutch
000000230 24513 L $$aDe zoutweg /$$cMila Verhoeven ; vertaald door Eva Lind.
000000230 264 1 L $$aGent :$$bDe Kade,$$c1955.
000000230 7001  L $$aLind, Eva$$4trl
`
  },
  pica: {
    type: 'text/plain',
    text: `003@ $0100000001
004A $09789025701017
010@ $aeng
011@ $a1951
021A $aThe @salt road$da novel$hMila Verhoeven
028A $aVerhoeven$dMila$h1911-1984
033A $pGent$nDe Kade

003@ $0100000002
010@ $aeng
011@ $a1963
021A $aThe @salt road$hMila Verhoeven
028A $aVerhoeven$dMila$h1911-1984
033A $pGent$nDe Kade

003@ $0100000003
010@ $adut$ceng
011@ $a1955
021A $aDe @zoutweg$hMila Verhoeven
022A $aThe @salt road
028A $aVerhoeven$dMila
028C $aLind$dEva$4trl
033A $pGent$nDe Kade
`
  },
  mods: { type: 'application/xml', text: `<modsCollection>${mods.join('')}</modsCollection>` },
  dc: {
    type: 'application/xml',
    text: `<OAI-PMH><ListRecords>${dublinCore.join('')}</ListRecords></OAI-PMH>`,
    works: 2
  },
  turtle: { type: 'text/turtle', text: bibframe, isGraph: true }
}

describe('A file of another system', () => {
  const hooks: (() => unknown)[] = []
  after(async () => {
    for (const hook of hooks.reverse()) await hook()
  })
  let started: Promise<TestService> | undefined
  const service = () => (started ??= start({ after: hook => hooks.push(hook) }))

  const run = async (file: string, type: string, query = '') => importPayload(await service(), file, { query, type })

  for (const [format, { type, text, works = 1, isGraph = false }] of Object.entries(files))
    it(`in ${format} gives one work with its editions; again it changes nothing; and it can be undone`, async () => {
      const { get, post, libretto } = await service()
      const done = await run(text, type, '?agency=XX')
      assert.deepEqual([done.counts.created, done.counts.unreadable, done.entities.work_word.created], [3, 0, works])
      assert.equal(done.entities.expression_word.created, 2)

      const { body: found } = await get('/entities?type=manifestation_word')
      const titles = found.map((each: Listed) => each.metadata.find(({ key }) => key === 'title')?.value)
      assert.deepEqual(titles.sort(), ['De zoutweg', 'The salt road', 'The salt road'])
      const { body: wem } = await get('/entities/wem/9789025701017')
      assert.equal(wem.manifestation.metadata.year_of_publication.value, '1951')
      assert.equal(wem.manifestation.metadata.subtitle.value, 'a novel')

      const again = await run(text, type, '?agency=XX')
      assert.deepEqual([again.counts.created, again.counts.unchanged], [0, 3])

      const id = found.find((each: Listed) => each.metadata.some(({ key }) => key === 'isbn')).id
      const { text: marc } = await get(`/entities/${id}?format=marcxml`)
      assert.match(marc, /<subfield code="a">9789025701017/)
      // The imported record as it came, whatever its format.
      const sources = await libretto.catalogue.publications.findSourceRecords(libretto.operator, [id])
      const source = Buffer.from(sources.get(id)?.bytes ?? []).toString()
      if (isGraph)
        assert.match(source, /^<http:\/\/example.org\/i1> .*\n(?:[\s\S]*\n)?_:n\d+ <[^>]*> "9789025701017" \.$/m)
      else assert.ok(text.includes(source || '-'))

      assert.equal((await post(`/imports/${done.id}/undo`, undefined)).status, 202)
      await workOn(await service(), done.id)
      assert.equal((await get(`/imports/${done.id}`)).body.state, 'undone')
      assert.deepEqual((await get('/entities?type=manifestation_word')).body, [])
    })
  const exports: Readonly<Record<string, string>> = {
    mods: '/oai?verb=ListRecords&metadataPrefix=mods&set=bibliographic:manifestation',
    oai_dc: '/oai?verb=ListRecords&metadataPrefix=oai_dc&set=bibliographic:manifestation',
    turtle: '/export?format=turtle&type=manifestation',
    ntriples: '/export?format=ntriples&type=manifestation',
    jsonld: '/export?format=jsonld&type=manifestation'
  }
  for (const [prefix, path] of Object.entries(exports))
    it(`that this program exported as ${prefix} comes in with the same title, people, year and ISBN`, async t => {
      const { get } = await service()
      const done = await run(files.aleph?.text ?? '', 'text/plain', '?agency=XX')
      const { text } = await get(path)
      const before = await told(await service())
      const { post } = await service()
      await post(`/imports/${done.id}/undo`, undefined)
      await workOn(await service(), done.id)
      const again = await run(text, 'application/xml')
      assert.equal(again.counts.created, 3)
      assert.deepEqual(await told(await service()), before)
      t.diagnostic(before.join('; '))
      await post(`/imports/${again.id}/undo`, undefined)
      await workOn(await service(), again.id)
    })
})

/** Each publication with its title, subtitle, year, ISBN, and the people of its levels. */
async function told({ get }: TestService): Promise<string[]> {
  const { body } = await get('/entities?type=manifestation_word')
  const lines = await Promise.all(
    body.map(async ({ id }: Listed) => {
      const { body: wem } = await get(`/entities/wem/${id}`)
      const values = ['title', 'subtitle', 'year_of_publication', 'isbn'].map(
        key => wem.manifestation.metadata[key]?.value ?? ''
      )
      const people = [wem.manifestation, wem.expression, wem.work].flatMap(level =>
        Object.values(level.relations as Record<string, { type: string; value: string }>)
          .filter(each => each.type === 'refAuthors')
          .map(each => each.value)
      )
      return [...values, ...new Set(people)].join(' | ')
    })
  )
  return lines.sort()
}
