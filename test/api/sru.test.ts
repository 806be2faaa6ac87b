import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { diagnosticMessages } from '#protocols/sru/diagnostics.ts'
import { indexes } from '#protocols/sru/indexes.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { aPerson, aVenue, createBook, metadata } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { assertValid, xmlFaults } from '../support/oracles/validate-xml.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const { get, create } = service
await loadSample(service.libretto)

const ask = async (query: string, path = '/sru') => {
  const answer = await get(`${path}?${query}`)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['content-type'], 'text/xml; charset=utf-8')
  return answer.text
}
const old = 'version=1.2&operation=searchRetrieve'
const search = (cql: string, more = '', path = '/sru') =>
  ask(`${old}&query=${encodeURIComponent(cql)}&recordSchema=json&maximumRecords=100${more}`, path)
const asText = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
const idsIn = (document: string) =>
  [...document.matchAll(/<zs:recordData>(\{.*?\})<\/zs:recordData>/g)].map(
    ([, json]) => (JSON.parse(asText(json ?? '')) as { id: string }).id
  )
const countIn = (document: string) => Number(/<zs:numberOfRecords>(\d+)</.exec(document)?.[1])
const diagnosticsIn = (document: string) =>
  [...document.matchAll(/info:srw\/diagnostic\/1\/(\d+)/g)].map(([, number]) => Number(number))
const find = async (cql: string, path?: string) => {
  const document = await search(cql, '', path)
  assert.deepEqual(diagnosticsIn(document), [], `${cql}: ${document}`)
  const ids = idsIn(document)
  assert.equal(countIn(document), ids.length)
  return ids.sort()
}

/** A book of which every part has words of its own. */
const author = await create(aPerson('Zwetajewa, Marina', { id: 'PERS-SRU' }))
await service.post(`/entities/${author.id}/metadata`, [{ key: 'non_preferred_name', value: 'Seewind, M.' }])
const waves = await create({
  type: 'series',
  metadata: metadata({ name: 'Bibliothek der Wellen', non_preferred_name: 'Wellenbuecher' })
})
const translator = await create(aPerson('Übersetzer, Örtlich', { id: 'PERS-SRU2' }))
const dutch = await create({ type: 'language', metadata: metadata({ name: 'Kleinfries', code: 'qfy' }) })
const subject = await create({ type: 'subject', metadata: metadata({ name: 'Quallenkunde' }) })
const publisher = await create({ type: 'publisher', metadata: metadata({ name: 'Verlag Nadelöhr' }) })
const relation = (type: string, { id }: { id: string }) => ({ key: id, type })
const book = await createBook(service, {
  work: {
    fields: { title: 'Urtitel des Werkes', original_title: 'Oerding' },
    relations: [relation('refAuthors', author), relation('refSubjects', subject)]
  },
  expression: {
    fields: { title: 'Übertragener Titel' },
    relations: [relation('refAuthors', translator), relation('refLanguages', dutch)]
  },
  manifestation: {
    fields: {
      title: 'Die Woman-Studie: Eine Reise',
      subtitle: 'nach Überall',
      isbn: '978-90-9758-078-7',
      year_of_publication: '1871',
      edition: 'Dritte Auflage'
    },
    relations: [relation('refPublishers', publisher), relation('refSeries', waves)]
  }
})
const found = [book.manifestation]

describe('A search by CQL', () => {
  it('finds publications by their own words and by those of the works they hold', async () => {
    for (const cql of [
      'dc.title = studie',
      'title = "WOMAN STUDIE"',
      'dc.title = "uberall"',
      'dc.title = urtitel',
      'dc.title = "übertragener titel"',
      'bib.titleAlternative = oerding',
      'dc.creator = zwetajewa',
      'dc.creator = "Marina Zwetajewa" or dc.creator all "Marina Zwetajewa"',
      'dc.contributor = ortlich',
      'bib.namePersonal = "zwetajewa marina"',
      'dc.subject = quallenkunde',
      'dc.publisher = nadelohr',
      'dc.language = qfy',
      'dc.language = kleinfries',
      'bib.edition = dritte and dc.date = 1871',
      'zwetajewa and reise',
      '"studie zwetajewa"',
      'cql.anywhere all "quallenkunde studie 1871" or cql.anywhere all "quallenkunde studie"',
      `rec.identifier = ${book.manifestation}`,
      'bath.isbn = 9789097580787',
      'dc.identifier = 9097580781 and dc.title = studie',
      '9789097580787 and studie'
    ])
      assert.ok((await find(cql)).includes(book.manifestation), cql)
    for (const cql of [
      'dc.title = zwetajewa',
      'dc.creator = studie',
      'dc.title = studi',
      'dc.title = man',
      'quallen',
      'bib.titleSub = studie'
    ])
      assert.ok(!(await find(cql)).includes(book.manifestation), cql)
  })

  it('answers terms of many masks, also those that fit nothing, and everything else meanwhile', async () => {
    const ended = new Set(await find('dc.title = "*z"'))
    const masks = '*?'.repeat(8)
    for (const path of ['/sru', '/elody/v1/sru'])
      for (const id of await find(`dc.title = "${masks}z"`, path)) assert.ok(ended.has(id), id)
    assert.equal((await get('/entities?limit=1')).status, 200)
  })

  it('knows words, beginnings and ends of a field, masks, and letters that are no masks', async () => {
    const all = 'and dc.creator = zwetajewa'
    for (const cql of [
      'dc.title = stud*',
      'dc.title = *udie',
      'dc.title = st?die',
      'dc.title = "wom?n stud*"',
      'dc.title = ^die',
      'dc.title = "reise^"',
      'dc.title == "die woman-studie eine reise"',
      'dc.title == "die*reise"',
      'dc.title exact "Urtitel des Werkes"',
      'dc.title =/string "URTITEL DES WERKES"',
      'dc.title any "unsinn reise"',
      'dc.title all "reise woman"',
      'dc.title adj "woman studie"'
    ])
      assert.deepEqual(await find(`${cql} ${all}`), found, cql)
    for (const cql of [
      'dc.title = ^reise',
      'dc.title = "die^"',
      'dc.title = stu?',
      'dc.title = "stud\\\\*"',
      'dc.title =/unmasked stud*',
      'dc.title == "die woman"',
      'dc.title adj "studie woman"',
      'dc.title all "reise unsinn"'
    ])
      assert.deepEqual(await find(`${cql} ${all}`), [], cql)
  })

  it('compares years and moments', async () => {
    const all = 'and dc.creator = zwetajewa'
    for (const cql of [
      'dc.date = 1871',
      'dc.date < 1872',
      'dc.date <= 1871',
      'dc.date > 1870',
      'dc.date within "1870 1880"',
      'dc.date any "1 1871"',
      'dc.date <> 1999',
      'rec.creationDate > 2020-01-01',
      'rec.lastModificationDate within "2020-01-01 2999-01-01"'
    ])
      assert.deepEqual(await find(`${cql} ${all}`), found, cql)
    for (const cql of [
      'dc.date < 1871',
      'dc.date > 1871',
      'dc.date <> 1871',
      'rec.creationDate < 2020-01-01',
      'rec.creationDate = 2020-01-01'
    ])
      assert.deepEqual(await find(`${cql} ${all}`), [], cql)
  })

  it('joins clauses by and, or and not, from the left', async () => {
    const everything = countIn(await search('cql.allRecords = 1'))
    const hamlets = countIn(await search('dc.title = hamlet'))
    assert.equal(countIn(await search('cql.allRecords = 1 not dc.title = hamlet')), everything - hamlets)
    assert.deepEqual(await find('dc.title = studie or dc.title = unsinn and dc.creator = zwetajewa'), found)
    assert.deepEqual(await find('dc.title = hamlet and (dc.title = unsinn or dc.creator = zwetajewa)'), [])
  })

  it('sorts, and turns pages', async () => {
    const titlesOf = async (cql: string, more = '') =>
      [
        ...(
          await ask(`${old}&query=${encodeURIComponent(cql)}&recordSchema=libretto&maximumRecords=100${more}`)
        ).matchAll(/<field key="year_of_publication">(\d+)</g)
      ].map(([, year]) => Number(year))
    const up = await titlesOf('dc.creator = shakespeare sortBy dc.date')
    assert.deepEqual(
      up,
      up.toSorted((one, other) => one - other)
    )
    assert.deepEqual(await titlesOf('dc.creator = shakespeare sortBy dc.date/sort.descending'), up.toReversed())
    assert.deepEqual(await titlesOf('dc.creator = shakespeare', '&sortKeys=date,,0'), up.toReversed())
    const whole = idsIn(await search('cql.allRecords=1 sortBy dc.title'))
    const pages: string[] = []
    for (let next: number | undefined = 1; next !== undefined; ) {
      const document = await ask(
        `${old}&recordSchema=json&query=${encodeURIComponent('cql.allRecords=1 sortBy dc.title')}&startRecord=${next}&maximumRecords=17`
      )
      pages.push(...idsIn(document))
      const position = /<zs:nextRecordPosition>(\d+)</.exec(document)?.[1]
      next = position === undefined ? undefined : Number(position)
    }
    assert.deepEqual(pages, whole)
  })

  it('sorts by the first author, and each key in its own direction', async () => {
    const person = async (name: string) => (await create(aPerson(name))).id
    const [adams, zola] = [await person('Adams, Ann'), await person('Zola, Zoë')]
    const book = async (title: string, year: string, ...authors: string[]) => {
      const refAuthors = authors.map(key => ({ type: 'refAuthors', key }))
      const { manifestation } = await createBook(service, {
        work: { fields: { title }, relations: refAuthors },
        expression: { fields: { title } },
        manifestation: { fields: { title, year_of_publication: year } }
      })
      return manifestation
    }
    const late = await book('Sorteerboek', '1990', zola, adams)
    const nobody = await book('Sorteerboek', '1970')
    const newer = await book('Sorteerboek', '1999', adams)
    const older = await book('Sorteerboek', '1950', adams, zola)
    const sorted = async (order: string) => idsIn(await search(`dc.title = sorteerboek sortBy ${order}`))
    // Records without an author come last in both directions.
    assert.deepEqual(await sorted('dc.creator dc.date'), [older, newer, late, nobody])
    assert.deepEqual(await sorted('dc.creator dc.date/sort.descending'), [newer, older, late, nobody])
    assert.deepEqual(await sorted('dc.creator/sort.descending dc.date'), [late, older, newer, nobody])
    assert.deepEqual(await sorted('dc.title dc.date/sort.descending'), [newer, late, nobody, older])
    const byKeys = `${old}&recordSchema=json&query=dc.title=sorteerboek&sortKeys=${encodeURIComponent('creator,,0 date,,1')}`
    assert.deepEqual(idsIn(await ask(byKeys)), [late, older, newer, nobody])
  })

  it('puts the best match first where words are looked for in titles, names or subjects', async () => {
    const named = async (title: string) => {
      const level = { fields: { title } }
      return (await createBook(service, { work: level, expression: level, manifestation: level })).manifestation
    }
    const [longer, exact] = [await named('Zeegras en wier van de haven'), await named('Zeegras')]
    assert.deepEqual(idsIn(await search('dc.title = zeegras')), [exact, longer])
    assert.deepEqual(idsIn(await search('dc.title = zeegras sortBy rec.creationDate')), [longer, exact])
    assert.deepEqual(idsIn(await search('dc.title = zeegras not dc.title = wier')), [exact])
    // The order changes nothing about what is found.
    for (const cql of [
      'dc.title = hamlet',
      'dc.title all "van de"',
      'dc.title = "prins van denemarken"',
      'dc.title = ham*',
      'dc.creator = shakespeare and dc.title = hamlet',
      'dc.creator = "Marina Zwetajewa" or dc.title = hamlet',
      'dc.creator = seewind',
      'dc.subject = quallenkunde and dc.title = "woman studie"',
      'cql.allRecords = 1 not dc.title = hamlet'
    ])
      assert.equal(countIn(await search(cql)), countIn(await search(`${cql} sortBy dc.title`)), cql)
  })

  it('finds authors and series by their other names', async () => {
    assert.deepEqual(await find('dc.creator = seewind'), found)
    for (const name of [
      'bib.titleSeries = wellenbuecher',
      'dc.relation = wellenbuecher',
      'cql.anywhere adj wellenbuecher'
    ])
      assert.deepEqual(await find(name), found, name)
  })

  it('finds classes of any scheme and numbers of any kind', async () => {
    const { manifestation } = await createBook(service, {
      manifestation: {
        fields: {
          title: 'Zahlenreise',
          classification: ['Hdb.01=c (kssb/8)', 'ST 230 (rvk)'],
          other_number: ['10.1000/182 (doi)', 'X-17'],
          identifier: '(OCoLC)12345'
        }
      }
    })
    for (const query of [
      'bib.classification="Hdb.01=c"',
      'bib.classification="st 230"',
      'dc.identifier="10.1000/182"',
      'dc.identifier=X-17',
      'dc.identifier="(OCoLC)12345"'
    ])
      assert.deepEqual(await find(query), [manifestation], query)
    for (const query of ['bib.classification="ST 23"', 'dc.identifier="10.1000/18"'])
      assert.deepEqual(await find(query), [], query)
  })

  it('counts facets in answers of 2.0, with the terms that find them again', async () => {
    const document = await ask(
      `query=${encodeURIComponent('dc.creator = shakespeare')}&facetLimit=2:dc.language,3:date`
    )
    await assertValid(document)
    const facets = [...document.matchAll(/<fr:facet>(.*?)<\/fr:facet>/gs)].map(([, facet = '']) => ({
      index: /<fr:index>(.*?)</.exec(facet)?.[1] ?? '',
      terms: [...facet.matchAll(/<fr:actualTerm>(.*?)<\/fr:actualTerm><fr:count>(\d+)</g)].map(
        ([, term = '', count]) => ({
          term: asText(term),
          count: Number(count)
        })
      )
    }))
    assert.deepEqual(
      facets.map(({ index, terms }) => [index, terms.length]),
      [
        ['dc.language', 2],
        ['dc.date', 3]
      ]
    )
    for (const { index, terms } of facets)
      for (const { term, count } of terms)
        assert.equal(countIn(await search(`dc.creator = shakespeare and ${index} == "${term}"`)), count, term)
    assert.equal((await ask('query=hamlet&facetLimit=1')).match(/<fr:facet>/g)?.length, 8)
    assert.doesNotMatch(await ask('query=hamlet&facetLimit=0'), /<fr:facet>/)
    for (const [more, number] of [
      ['facetLimit=x', 6],
      ['facetLimit=2:dc.title', 16],
      ['facetLimit=2:nothing', 16],
      ['facetLimit=2:no.thing', 15],
      ['version=1.2&operation=searchRetrieve&facetLimit=2', 8]
    ] as const)
      assert.deepEqual(diagnosticsIn(await ask(`query=hamlet&${more}`)), [number], more)
  })

  it('searches records of other types under their names', async () => {
    assert.deepEqual(await find('dc.title = zwetajewa', '/sru/person'), [author.id])
    assert.deepEqual(await find('zwetajewa', '/sru/related'), [author.id])
    assert.ok((await find('zwetajewa', '/sru/all')).includes(book.work))
    assert.ok((await find('hamlet', '/sru/production')).length > 0)
    assertProblem(await get('/sru/nonsense'), 'no_such_path')
  })
})

describe('An SRU answer', () => {
  it('is valid XML of its version, in every schema and both packings', async () => {
    const documents: string[] = []
    const query = encodeURIComponent('dc.title = hamlet or dc.title = studie')
    for (const schema of ['dc', 'marcxml', 'mods', 'libretto', 'json']) {
      for (const packing of ['xml', 'string']) {
        documents.push(await ask(`${old}&query=${query}&recordSchema=${schema}&recordPacking=${packing}`))
        documents.push(await ask(`query=${query}&recordSchema=${schema}&recordXMLEscaping=${packing}`))
      }
      documents.push(await ask(`version=1.1&operation=searchRetrieve&query=${query}&recordSchema=${schema}`))
    }
    documents.push(
      await ask('version=1.2&operation=explain'),
      await ask(''),
      await ask('version=1.2&operation=scan&scanClause=dc.title=h'),
      await ask('scanClause=dc.title=h'),
      await ask(`${old}&query=dc.nothing=1`),
      await ask('query=dc.nothing=1'),
      await ask('scanClause=dc.nothing=1'),
      await ask(`${old}&query=shakespeare&recordSchema=marcxml`, '/sru/all')
    )
    await assertValid(...documents)
    const [first = ''] = documents
    assert.notDeepEqual(await xmlFaults(first.replaceAll('numberOfRecords', 'numberofRecords')), [])
    assert.notDeepEqual(await xmlFaults(first.replaceAll('dc:title', 'dc:titel')), [])
  })

  it('has a diagnostic in the place of a record that cannot be had in the schema', async () => {
    const document = await ask(`${old}&query=zwetajewa&recordSchema=marcxml`, '/sru/all')
    assert.ok(countIn(document) > 1)
    assert.ok(diagnosticsIn(document).every(number => number === 67))
    assert.equal(diagnosticsIn(document).length, countIn(document) - 1)
    assert.match(document, /<zs:recordSchema>info:srw\/schema\/1\/diagnostics-v1\.1</)
    assert.match(document, /245/)
  })

  it('explains every index, and each of them can be searched, and scanned and sorted by where it says so', async () => {
    const explained = await ask('version=1.2&operation=explain')
    for (const { set, name, kind, scan, sort } of indexes) {
      assert.match(explained, new RegExp(`<name set="${set}">${name}</name>`))
      const term = kind === 'year' ? '1900' : kind === 'moment' ? '2026-01-01' : 'x'
      assert.deepEqual(diagnosticsIn(await search(`${set}.${name} = ${term}`)), [], name)
      const scanned = await ask(`scanClause=${encodeURIComponent(`${set}.${name} = ${term}`)}&maximumTerms=1`)
      assert.deepEqual(diagnosticsIn(scanned), scan ? [] : [16], name)
      const sorted = await search(`x sortBy ${set}.${name}`)
      assert.deepEqual(diagnosticsIn(sorted), sort ? [] : [88], name)
    }
  })

  it('lists terms in order, from a place on and around it, with how often each is there', async () => {
    const scan = async (clause: string, more = '') => {
      const document = await ask(`version=1.2&operation=scan&scanClause=${encodeURIComponent(clause)}${more}`)
      return [
        ...document.matchAll(/<zs:term><zs:value>([^<]*)<\/zs:value><zs:numberOfRecords>(\d+)<.*?<\/zs:term>/g)
      ].map(
        ([whole, value, count]) => [asText(value ?? ''), Number(count), /whereInList>(\w+)/.exec(whole)?.[1]] as const
      )
    }
    const [first] = await scan('dc.creator = zwet', '&maximumTerms=1')
    assert.deepEqual(first, ['Zwetajewa, Marina', 1, 'last'])
    const all = await scan('dc.publisher = 0', '&maximumTerms=100')
    assert.equal(all[0]?.[2], 'first')
    assert.equal(all.at(-1)?.[2], 'last')
    const names = all.map(([value]) => value)
    assert.ok(names.includes('Verlag Nadelöhr'))
    const at = names.indexOf('Verlag Nadelöhr')
    assert.deepEqual(
      (await scan('dc.publisher = "verlag nadelöhr"', '&maximumTerms=3&responsePosition=2')).map(([value]) => value),
      names.slice(at - 1, at + 2)
    )
    for (const [value, count] of all)
      assert.equal(countIn(await search(`dc.publisher == "${value.replaceAll(/["\\*?^]/g, '\\$&')}"`)), count, value)
    assert.deepEqual(await scan('dc.creator = zzzz', '&maximumTerms=5'), [])
  })

  it('tells what is wrong by the numbers of the standard', async () => {
    const cases: readonly [query: string, ...numbers: (keyof typeof diagnosticMessages)[]][] = [
      ['operation=dance&version=1.2', 4],
      ['operation=searchRetrieve&version=3.0&query=x', 5],
      [`${old}&query=x&maximumRecords=many`, 6],
      [`${old}&query=x&startRecord=0`, 6],
      [`${old}&query=x&query=y`, 6],
      [old, 7],
      ['operation=searchRetrieve&query=x', 7],
      ['version=1.2&operation=scan', 7],
      [`${old}&query=x&colour=red`, 8],
      ['query=a%20and', 10],
      ['query=x&queryType=pqf', 11],
      [`query=${'x'.repeat(5000)}`, 12],
      ['query=(a', 13],
      ['query=%22a', 14],
      ['query=foo.title=x', 15],
      ['query=dc.foo=x', 16],
      ['query=dc.title%20near%20x', 19],
      ['query=dc.title%20=/stem%20x', 20],
      ['query=dc.title%3C3', 22],
      [`query=${'x'.repeat(600)}`, 23],
      ['query=%22%22', 27],
      ['query=dc.title=%22...%22', 27],
      ['query=a^b', 28],
      [`query=${'a*'.repeat(20)}`, 28],
      ['query=dc.date=soon', 36],
      ['query=rec.creationDate=soon', 36],
      [`query=${encodeURIComponent(Array(80).fill('a').join(' or '))}`, 38],
      ['query=a%20prox%20b', 39],
      ['query=a%20and/rel.combine=sum%20b', 46],
      [`${old}&query=hamlet&startRecord=5000`, 61],
      ['query=hamlet&recordSchema=onix', 66],
      [`${old}&query=x&recordPacking=zip`, 71],
      ['query=x&recordPacking=unpacked', 71],
      [`${old}&query=x&recordXPath=/a`, 72],
      [`query=${encodeURIComponent('x sortBy dc.subject')}`, 88],
      [`${old}&query=x&sortKeys=dc.title,,2`, 90],
      [`query=${encodeURIComponent('x sortBy dc.date/sort.respectCase')}`, 91],
      [`query=${encodeURIComponent('x sortBy dc.date/sort.missingFail')}`, 92],
      [`${old}&query=x&stylesheet=/a.xsl`, 110],
      ['scanClause=dc.title=x&maximumTerms=2&responsePosition=9', 120]
    ]
    const documents: string[] = []
    for (const [query, ...numbers] of cases) {
      const document = await ask(query)
      assert.deepEqual(diagnosticsIn(document), numbers, query)
      documents.push(document)
    }
    await assertValid(...documents)
  })

  it('takes prefixes for context sets as a query gives them', async () => {
    assert.deepEqual(await find('> d = "info:srw/cql-context-set/1/dc-v1.1" d.title = studie'), found)
    assert.deepEqual(await find('> "info:srw/cql-context-set/1/bib-v1.1" name = zwetajewa'), found)
    assert.deepEqual(diagnosticsIn(await search('> d = "info:nonsense" d.title = studie')), [15])
  })

  it('is the same for a form', async () => {
    const posted = await service.call('POST', '/sru', {
      body: `${old}&query=${encodeURIComponent('dc.title = studie')}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' }
    })
    assert.equal(countIn(posted.text), 1)
  })
})

describe('A type that a token may not read, for SRU', () => {
  it('is not found, not shown, not counted and not listed', async () => {
    const token = await service.tokenWith('read:manifestation', 'read:expression', 'read:work')
    const asReader = async (query: string, path = '/sru') => (await get(`${path}?${query}`, { token })).text
    const count = async (cql: string, path?: string) =>
      countIn(await asReader(`query=${encodeURIComponent(cql)}`, path))
    assert.equal(await count('dc.title = studie'), 1)
    for (const cql of ['dc.creator = zwetajewa', 'zwetajewa', 'dc.subject = quallenkunde', 'dc.language = qfy'])
      assert.equal(await count(cql), 0, cql)
    assert.equal(await count('zwetajewa', '/sru/person'), 0)
    assert.doesNotMatch(await asReader('query=dc.title=studie'), /Zwetajewa/)
    assert.doesNotMatch(await asReader('scanClause=dc.creator=zwet'), /Zwetajewa/)
  })

  it('is the same for records that may not be read', async () => {
    const house = await create(aVenue('Verschlusshaus'))
    await create({
      type: 'production',
      metadata: metadata({ title: 'Geheimstück' }),
      relations: [relation('refVenues', house)]
    })
    const token = await service.tokenWith('read:production:published', 'read:venue')
    for (const [path, counted] of [
      ['/sru/production?query=dc.title=geheimstuck', 0],
      ['/sru/production?query=dc.title=geheim*', 0],
      ['/sru/all?query=geheimstuck', 0],
      ['/sru/venue?query=verschlusshaus', 1]
    ] as const)
      assert.equal(countIn((await get(path, { token })).text), counted, path)
    assert.doesNotMatch((await get('/sru/production?scanClause=dc.title=geheim', { token })).text, /Geheim/)
    assert.match((await get('/sru/production?scanClause=dc.title=geheim')).text, /Geheim/)
  })

  it('needs a bearer, unless anybody may read', async t => {
    assertProblem(await get('/sru', { token: undefined }), 'unauthenticated')
    assertProblem(await get('/sru', { token: await service.tokenWith('write') }), 'forbidden')
    const open = await start(t, { ANONYMOUS_ACCESS: 'read:venue' })
    await open.create(aVenue('Open house'))
    assert.equal(countIn((await open.get('/sru/all?query=open', { token: undefined })).text), 1)
  })
})
