import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { authorityTypes } from '#domain/record-types/related.ts'
import { oaiErrorCodes } from '#protocols/oai-pmh/errors.ts'
import { verbs } from '#protocols/oai-pmh/read-arguments.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { aPerson, aVenue, createBook, metadata } from '../support/records/entities.ts'
import { errorsIn, harvest, headersIn, oaiDomain, tokenIn } from '../support/services/harvest.ts'
import { start } from '../support/services/start.ts'
import { assertValid, xmlFaults } from '../support/oracles/validate-xml.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after }, { OAI_PAGE_SIZE: '50' })
const { create, get, call } = service
await loadSample(service.libretto)
const gone = await create(aVenue('Soon gone', { id: 'VE-GONE' }))
await service.delete(`/entities/${gone.id}`)

const ask = async (query: string) => {
  const answer = await get(`/oai?${query}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['content-type'], 'text/xml; charset=utf-8')
  return answer.text
}
const oai = (id: string) => `oai:${oaiDomain}:${id}`

describe('The XML check of these tests', () => {
  it('finds a wrong element name, a wrong value and an element of a format that is misspelt', async () => {
    const identify = await ask('verb=Identify')
    const record = await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${oai('PERS-SHAKESPEARE')}`)
    const mods = await ask(`verb=GetRecord&metadataPrefix=mods&identifier=${oai('M-FOLIO1623')}`)
    await assertValid(identify, record, mods)
    for (const broken of [
      identify.replaceAll('protocolVersion', 'procotolVersion'),
      identify.replace('persistent', 'perhaps'),
      record.replaceAll('dc:title', 'dc:titel'),
      mods.replaceAll('titleInfo', 'titelInfo')
    ])
      assert.notDeepEqual(await xmlFaults(broken), [], broken)
  })
})

describe('GET /oai', () => {
  it('identifies the repository', async () => {
    const document = await ask('verb=Identify')
    await assertValid(document)
    assert.match(document, /<repositoryName>Libretto<\/repositoryName>/)
    assert.match(document, /<deletedRecord>persistent<\/deletedRecord>/)
    assert.match(document, /<granularity>YYYY-MM-DDThh:mm:ssZ<\/granularity>/)
    assert.match(document, /<request verb="Identify">http:\/\/localhost(:80)?\/oai<\/request>/)
  })

  it('is found at the public address, whatever name it was asked by', async t => {
    const { get } = await start(t, { PUBLIC_URL: 'https://catalogue.example.org/books' })
    const document = (await get('/oai?verb=Identify')).text
    assert.match(document, /<baseURL>https:\/\/catalogue\.example\.org\/books\/oai<\/baseURL>/)
    assert.match(document, /<repositoryIdentifier>catalogue\.example\.org<\/repositoryIdentifier>/)
    await assertValid(document)
  })

  it('lists the formats, and those that a record comes in', async () => {
    const documents: string[] = []
    const formats = async (query: string) => {
      const document = await ask(`verb=ListMetadataFormats${query}`)
      documents.push(document)
      return [...document.matchAll(/<metadataPrefix>(\w+)</g)].map(([, prefix]) => prefix)
    }
    assert.deepEqual(await formats(''), ['oai_dc', 'rdf', 'marcxml', 'mods', 'marcauth', 'skos', 'libretto'])
    assert.deepEqual(await formats(`&identifier=${oai('M-FOLIO1623')}`), [
      'oai_dc',
      'rdf',
      'marcxml',
      'mods',
      'libretto'
    ])
    assert.deepEqual(await formats(`&identifier=${oai('PERS-SHAKESPEARE')}`), [
      'oai_dc',
      'rdf',
      'marcauth',
      'skos',
      'libretto'
    ])
    assert.deepEqual(await formats(`&identifier=${oai(gone.id)}`), ['oai_dc', 'rdf', 'libretto'])
    await assertValid(...documents)
  })

  it('lists sets by family, umbrella and type, and each holds what the one above it does', async () => {
    const document = await ask('verb=ListSets')
    await assertValid(document)
    const specs = [...document.matchAll(/<setSpec>([^<]*)</g)].map(([, spec]) => spec ?? '')
    for (const spec of [
      'bibliographic',
      'bibliographic:manifestation',
      'bibliographic:manifestation:manifestation_word'
    ])
      assert.ok(specs.includes(spec), spec)
    assert.ok(specs.includes('related:person') && specs.includes('stage:venue') && specs.includes('stage'))
    const inSet = async (set: string) =>
      (await harvest(ask, `verb=ListIdentifiers&metadataPrefix=oai_dc&set=${set}`)).records
    const all = await inSet('bibliographic')
    for (const record of await inSet('bibliographic:manifestation')) {
      assert.match(record.set, /^bibliographic:manifestation:manifestation_\w+$/)
      assert.ok(all.some(({ id }) => id === record.id))
    }
    assert.ok(all.some(({ set }) => set === 'bibliographic:work:work_word'))
  })

  it('gives every record in every format it has, as XML that its schema knows', async () => {
    const countOf = async (type: string) => Number((await get(`/entities?limit=0${type}`)).headers['x-total-count'])
    const everything = (await countOf('')) + 1
    const publications = await countOf('&type=manifestation')
    const counts = await Promise.all(authorityTypes.map(({ type }) => countOf(`&type=${type}`)))
    const authorities = counts.reduce((sum, count) => sum + count)
    assert.ok(authorities > 10)
    const expected = {
      oai_dc: everything,
      libretto: everything,
      rdf: everything,
      marcxml: publications,
      mods: publications,
      marcauth: authorities,
      skos: authorities
    }
    for (const [prefix, count] of Object.entries(expected)) {
      const { records, documents } = await harvest(ask, `verb=ListRecords&metadataPrefix=${prefix}`)
      // No schema describes RDF; other tests read it.
      if (prefix !== 'rdf' && prefix !== 'skos') await assertValid(...documents)
      assert.equal(records.length, count, prefix)
      assert.equal(new Set(records.map(({ id }) => id)).size, records.length)
      for (const record of records) assert.equal(record.metadata === '', record.isDeleted, record.id)
      assert.deepEqual(
        records.filter(({ isDeleted }) => isDeleted).map(({ id }) => id),
        count === everything ? [gone.id] : []
      )
    }
  })

  it('counts the records before each page, and ends a list of several pages with an empty token, one of one page with none', async () => {
    const { documents } = await harvest(ask, 'verb=ListIdentifiers&metadataPrefix=oai_dc')
    assert.deepEqual(
      documents.map(document => Number(/<resumptionToken cursor="(\d+)"/.exec(document)?.[1])),
      documents.map((_, index) => index * 50)
    )
    assert.equal(tokenIn(documents.at(-1) ?? ''), '')
    assert.equal(tokenIn(await ask('verb=ListIdentifiers&metadataPrefix=oai_dc&set=stage:season')), undefined)
  })

  it('gives the same page for the same token again', async () => {
    const token = tokenIn(await ask('verb=ListIdentifiers&metadataPrefix=oai_dc')) ?? ''
    const pages = [1, 2].map(() => ask(`verb=ListIdentifiers&resumptionToken=${token}`))
    const [once, again] = await Promise.all(pages)
    assert.deepEqual(headersIn(once ?? ''), headersIn(again ?? ''))
  })

  it('takes a day or a second for from and until, and both are included', async () => {
    const now =
      headersIn(await ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=${oai(gone.id)}`))[0]?.datestamp ?? ''
    const count = async (range: string) => {
      const document = await ask(`verb=ListIdentifiers&metadataPrefix=oai_dc&set=stage:venue${range}`)
      return headersIn(document).filter(({ id }) => id === gone.id).length
    }
    assert.equal(await count(`&from=${now}`), 1)
    assert.equal(await count(`&until=${now}`), 1)
    assert.equal(await count(`&from=${now}&until=${now}`), 1)
    assert.equal(await count(`&from=${now.slice(0, 10)}&until=${now.slice(0, 10)}`), 1)
    assert.equal(await count('&until=2001-01-01'), 0)
    assert.equal(await count('&from=2999-01-01T00:00:00Z'), 0)
  })

  it('tells what is wrong with a request, with every code of the standard that can happen here', async () => {
    const token = tokenIn(await ask('verb=ListIdentifiers&metadataPrefix=oai_dc')) ?? ''
    const cases: readonly [query: string, ...codes: (typeof oaiErrorCodes)[number][]][] = [
      ['', 'badVerb'],
      ['verb=', 'badVerb'],
      ['verb=identify', 'badVerb'],
      ['verb=Identify&verb=Identify', 'badVerb'],
      ['verb=constructor', 'badVerb'],
      ['verb=Identify&set=stage', 'badArgument'],
      ['verb=ListRecords', 'badArgument'],
      ['verb=GetRecord', 'badArgument', 'badArgument'],
      ['verb=GetRecord&metadataPrefix=oai_dc', 'badArgument'],
      ['verb=ListRecords&metadataPrefix=oai_dc&metadataPrefix=oai_dc', 'badArgument'],
      ['verb=ListRecords&metadataPrefix=oai_dc&colour=red&size=1', 'badArgument', 'badArgument'],
      [`verb=ListIdentifiers&metadataPrefix=oai_dc&resumptionToken=${token}`, 'badArgument'],
      ['verb=ListRecords&metadataPrefix=oai_dc&from=yesterday', 'badArgument'],
      ['verb=ListRecords&metadataPrefix=oai_dc&from=2026-02-30', 'badArgument'],
      ['verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01T00:00:00', 'badArgument'],
      ['verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01T00:00:00.000Z', 'badArgument'],
      ['verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-01&until=2026-01-01T00:00:00Z', 'badArgument'],
      ['verb=ListRecords&metadataPrefix=oai_dc&from=2026-01-02&until=2026-01-01', 'badArgument'],
      ['verb=ListRecords&metadataPrefix=oai_dc&set=a%20b', 'badArgument'],
      ['verb=ListRecords&resumptionToken=', 'badResumptionToken'],
      ['verb=ListRecords&resumptionToken=nonsense', 'badResumptionToken'],
      [`verb=ListRecords&resumptionToken=${token}`, 'badResumptionToken'],
      [`verb=ListIdentifiers&resumptionToken=${token.slice(0, -3)}`, 'badResumptionToken'],
      ['verb=ListSets&resumptionToken=1', 'badResumptionToken'],
      ['verb=ListRecords&metadataPrefix=oai_marc', 'cannotDisseminateFormat'],
      ['verb=ListRecords&metadataPrefix=', 'cannotDisseminateFormat'],
      [`verb=GetRecord&metadataPrefix=marcxml&identifier=${oai('PERS-SHAKESPEARE')}`, 'cannotDisseminateFormat'],
      [`verb=GetRecord&metadataPrefix=oai_dc&identifier=${oai('PERS-NOBODY')}`, 'idDoesNotExist'],
      ['verb=GetRecord&metadataPrefix=oai_dc&identifier=PERS-SHAKESPEARE', 'idDoesNotExist'],
      ['verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:example.org:PERS-SHAKESPEARE', 'idDoesNotExist'],
      [`verb=GetRecord&metadataPrefix=oai_dc&identifier=${oai('%00')}`, 'idDoesNotExist'],
      ['verb=ListMetadataFormats&identifier=x', 'idDoesNotExist'],
      ['verb=ListRecords&metadataPrefix=oai_dc&until=2001-01-01', 'noRecordsMatch'],
      ['verb=ListRecords&metadataPrefix=oai_dc&set=stage:unheard_of', 'noRecordsMatch'],
      ['verb=ListRecords&metadataPrefix=marcxml&set=stage', 'noRecordsMatch']
    ]
    const documents: string[] = []
    for (const [query, ...codes] of cases) {
      const document = await ask(query)
      assert.deepEqual(errorsIn(document), codes, query)
      // Arguments that were not understood are not repeated in the answer; all others are.
      const isUnderstood = !codes.includes('badVerb') && !codes.includes('badArgument')
      assert.equal(/<request [^>]*verb=/.test(document), isUnderstood, query)
      documents.push(document)
    }
    // A prefix or an identifier that is none may be repeated, and the schema of the standard knows
    // none such.
    const repeatable = documents.filter(document => !/metadataPrefix=""|identifier="[^"]*\ufffd/.test(document))
    await assertValid(...repeatable)
    assert.deepEqual(new Set(cases.flatMap(([, ...codes]) => codes)), new Set(oaiErrorCodes))
  })

  it('takes each verb as a form too, and nothing else', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const queries: Readonly<Record<keyof typeof verbs, string>> = {
      Identify: '',
      ListMetadataFormats: '',
      ListSets: '',
      ListIdentifiers: 'metadataPrefix=oai_dc&set=stage%3Avenue',
      ListRecords: 'metadataPrefix=libretto&set=stage%3Avenue',
      GetRecord: `metadataPrefix=mods&identifier=${encodeURIComponent(oai('M-FOLIO1623'))}`
    }
    const withoutDate = (document: string) => document.replace(/<responseDate>.*?<\/responseDate>/, '')
    for (const [verb, query] of Object.entries(queries)) {
      const posted = await call('POST', '/oai', { body: `verb=${verb}&${query}`, headers: form })
      assert.equal(posted.status, 200)
      assert.equal(withoutDate(posted.text), withoutDate(await ask(`verb=${verb}&${query}`)))
    }
    assertProblem(await service.post('/oai', { verb: 'Identify' }), 'unsupported_media_type')
    assertProblem(await service.post('/oai', [['verb', 'Identify']]), 'unsupported_media_type')
    assertProblem(await call('POST', '/entities', { body: 'type=venue', headers: form }), 'unsupported_media_type')
  })

  it('writes whatever text a record holds as XML that can be read', async () => {
    const odd = 'a<b>&"\' ]]> \u0001\u0008\u001f\ufffe\uffff \ud83d\ude00 \r\n\t <![CDATA[ &#0; \u0085\u2028'
    const person = await create({
      ...aPerson(odd, { identifiers: ['urn:odd:<&">'] }),
      metadata: [
        { key: 'name', value: odd, lang: 'not a language' },
        { key: '<&"\u0002>', value: { deep: [odd] } },
        { key: 'empty', value: '' }
      ]
    })
    const book = await createBook(service, {
      work: { relations: [{ key: person.id, type: 'refAuthors', metadata: [{ key: 'role', value: odd }] }] },
      manifestation: { fields: { title: odd, subtitle: odd, isbn: odd, extent: odd } }
    })
    const documents: string[] = []
    for (const prefix of ['oai_dc', 'libretto', 'marcxml', 'mods'])
      documents.push(await ask(`verb=GetRecord&metadataPrefix=${prefix}&identifier=${oai(book.manifestation)}`))
    for (const prefix of ['oai_dc', 'rdf', 'libretto'])
      documents.push(await ask(`verb=GetRecord&metadataPrefix=${prefix}&identifier=${oai(person.id)}`))
    await assertValid(...documents)
    assert.ok(documents.every(document => document.includes('\u{1f600}')))
    await service.delete(`/entities/${person.id}?references=detach`)
  })

  it('publishes the schema of its own format', async () => {
    const [schema] = /http:\/\/localhost(:80)?\/oai\/libretto\.xsd/.exec(await ask('verb=ListMetadataFormats')) ?? []
    const answer = await get(new URL(schema ?? '').pathname, { token: undefined })
    assert.match(answer.text, /targetNamespace="urn:libretto:record:1"/)
  })

  it('needs a bearer that may read', async () => {
    assertProblem(await get('/oai?verb=Identify', { token: undefined }), 'unauthenticated')
    const writer = await service.tokenWith('write')
    for (const verb of Object.keys(verbs)) assertProblem(await get(`/oai?verb=${verb}`, { token: writer }), 'forbidden')
  })

  it('lets anybody read what the setting says, and refuses a bearer that is none', async t => {
    const open = await start(t, { ANONYMOUS_ACCESS: 'read:venue,read:work' })
    await open.create(aVenue())
    await open.create(aPerson())
    const anonymous = { token: undefined }
    const document = (await open.get('/oai?verb=ListRecords&metadataPrefix=oai_dc', anonymous)).text
    assert.deepEqual(
      headersIn(document).map(({ set }) => set),
      ['stage:venue']
    )
    assertProblem(await open.get('/oai?verb=Identify', { token: 'nonsense' }), 'unauthenticated')
    assertProblem(await open.get('/me', anonymous), 'unauthenticated')
    await assert.rejects(start(t, { ANONYMOUS_ACCESS: 'read:unheard_of' }), /ANONYMOUS_ACCESS/)
    await assert.rejects(start(t, { ANONYMOUS_ACCESS: 'write' }), /ANONYMOUS_ACCESS/)
  })
})

describe('A type that a token may not read, for harvesters', () => {
  it('is in no list, no set and no record, deleted or not', async () => {
    const token = await service.tokenWith('read:manifestation', 'read:expression', 'read:work')
    const asReader = async (query: string) => (await get(`/oai?${query}`, { token })).text
    assert.doesNotMatch(await asReader('verb=ListSets'), /person|venue|stage/)
    for (const id of ['PERS-SHAKESPEARE', gone.id])
      for (const query of [
        `verb=GetRecord&metadataPrefix=oai_dc&identifier=${oai(id)}`,
        `verb=ListMetadataFormats&identifier=${oai(id)}`
      ])
        assert.deepEqual(errorsIn(await asReader(query)), ['idDoesNotExist'])
    assert.deepEqual(errorsIn(await asReader('verb=ListRecords&metadataPrefix=oai_dc&set=related:person')), [
      'noRecordsMatch'
    ])
    for (const prefix of ['oai_dc', 'libretto', 'marcxml', 'mods']) {
      const { records, documents } = await harvest(asReader, `verb=ListRecords&metadataPrefix=${prefix}`)
      assert.ok(records.every(({ set }) => set.startsWith('bibliographic:')))
      for (const document of documents) assert.doesNotMatch(document, /Shakespeare, William|PERS-SHAKESPEARE/)
    }
  })

  it('does not show in the earliest datestamp when the first record was written', async () => {
    const earliest = async (token?: string) => {
      const { text } = await get('/oai?verb=Identify', token === undefined ? {} : { token })
      return /<earliestDatestamp>(.*?)<\/earliestDatestamp>/.exec(text)?.[1]
    }
    assert.match((await earliest()) ?? '', /^20/)
    for (const scopes of [['read:person'], ['read:production:published']])
      assert.equal(await earliest(await service.tokenWith(...scopes)), '1970-01-01T00:00:00Z')
  })

  it('does not move the datestamp of what names it', async t => {
    const own = await start(t)
    const person = await own.create(aPerson())
    const { manifestation } = await createBook(own, { work: { relations: [{ key: person.id, type: 'refAuthors' }] } })
    const token = await own.tokenWith('read:manifestation', 'read:expression', 'read:work')
    const { catalogue, model, operator } = own.libretto
    const { createPrincipal } = await import('#domain/permissions.ts')
    const narrow = createPrincipal(model, 'narrow', ['read:manifestation', 'read:expression', 'read:work'])
    const before = await catalogue.lists.findHarvested(narrow, manifestation)
    await own.patch(`/entities/${person.id}`, { metadata: metadata({ name: 'Marlowe, Christopher' }) })
    assert.equal((await catalogue.lists.findHarvested(narrow, manifestation))?.stamp, before?.stamp)
    assert.notEqual((await catalogue.lists.findHarvested(operator, manifestation))?.stamp, before?.stamp)
    assert.doesNotMatch(
      (await own.get(`/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=${oai(manifestation)}`, { token })).text,
      /Marlowe/
    )
  })
})
