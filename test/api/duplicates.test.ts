import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, createBook, metadata, relations } from '../support/records/entities.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { importPayload } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

/* Records that are likely to be the same: the list of them, and records said to be different. */

const service = await start({ after })
const { get, post } = service
const { expression } = await createBook(service)

interface Group {
  readonly count: number
  readonly records: readonly { id: string; type: string; label: string; merge: string; relations: string }[]
  readonly reasons: readonly { reason: string; value: string }[]
  readonly different: readonly (readonly string[])[]
  readonly score?: number
  readonly same_as?: string
}

const list = async (query = '', token?: string): Promise<{ count: number; results: Group[]; next?: string }> => {
  const answer = await get(`/duplicates${query}`, token === undefined ? {} : { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/** The groups that have one of some records, as ids and reasons. */
const groupsWith = async (ids: readonly string[], query = '?limit=200', token?: string) =>
  (await list(query, token)).results
    .filter(({ records }) => records.some(({ id }) => ids.includes(id)))
    .map(({ records, reasons }) => [records.map(({ id }) => id), reasons.map(each => `${each.reason} ${each.value}`)])

const anEdition = (fields: Record<string, unknown>, type = 'manifestation_word') =>
  service
    .create({ type, metadata: metadata(fields), relations: relations({ refExpressions: expression }) })
    .then(({ id }) => id)
const person = (name: string, life_dates?: string) =>
  service
    .create(aPerson(name, life_dates === undefined ? {} : { metadata: metadata({ name, life_dates }) }))
    .then(({ id }) => id)
const different = (one: string, other: string) =>
  post(`/entities/${one}/relations`, [{ type: 'refDifferentFrom', key: other }])

describe('Similar records', () => {
  const similar = async (ids: readonly string[], query = '') =>
    (await list(`?reason=similar&limit=200${query}`)).results
      .filter(({ records }) => records.some(({ id }) => ids.includes(id)))
      .map(({ records, score, reasons }) => [records.map(({ id }) => id), score, reasons.map(each => each.reason)])

  it('are persons of one name with and without dates, until one could be several', async () => {
    const lowe = [await person('Lowe-Porter, Helen', '1876-1963'), await person('Lowe-Porter, Helen')]
    assert.deepEqual(await similar(lowe), [[lowe, 95, ['similar']]])
    assert.deepEqual(await groupsWith(lowe), [])
    const initials = [await person('Hagerup, I.'), await person('Hagerup, I.', '1905-1985')]
    assert.deepEqual(await similar(initials), [[initials, 90, ['similar']]])
    assert.deepEqual(await similar(initials, '&min_score=95'), [])
    const other = await person('Lowe-Porter, Helen', '1920-')
    assert.deepEqual(await similar([...lowe, other]), [])
    assert.deepEqual(await similar([...lowe, other], '&min_score=30'), [[lowe, 30, ['similar']]])
    await different(initials[0] ?? '', initials[1] ?? '')
    assert.deepEqual(await similar(initials), [])
  })

  it('are publications with and without an ISBN, of one year and extent; not two with their own', async () => {
    const facts = { title: 'De vuurtoren', year_of_publication: '1998' }
    const editions = [
      await anEdition({ ...facts, extent: '125 p.', isbn: '978-0-262-13472-9' }),
      await anEdition({ ...facts, extent: '125 pages ; 20 cm' }),
      await anEdition({ ...facts, extent: '90 p.' })
    ]
    assert.deepEqual(await similar(editions), [[editions.slice(0, 2), 70, ['similar']]])
    const own = await anEdition({ ...facts, extent: '125 p.', isbn: '9783161484100' })
    const found = await similar([...editions, own])
    assert.ok(
      found.every(([ids]) => !(ids as string[]).includes(own) || !(ids as string[]).includes(editions[0] ?? ''))
    )
  })

  it('are refused with a score that is none', async () => {
    assertProblem(await get('/duplicates?reason=similar&min_score=101'), 'bad_request')
  })
})

describe('Terms of several schemes', () => {
  const named = async (type: string, name: string): Promise<string> => {
    const { body } = await service.filter([
      { type: 'type', value: type },
      { type: 'selection', key: ['name'], value: name, match_exact: true }
    ])
    return body.results[0]?.id
  }
  const across = async (ids: readonly string[]) =>
    (await list('?reason=identifier&limit=200')).results
      .filter(({ records }) => records.some(({ id }) => ids.includes(id)))
      .map(({ records, score, same_as }) => [records.map(({ id }) => id), score, same_as])

  it('are listed by an equal number of a third file, or one of them that names the other', async () => {
    const job = await importPayload(
      service,
      marcFile({
        cats: `LDR/06 z
010 ## $ash 85021262
024 7# $ahttp://www.wikidata.org/entity/Q146$2wikidata
040 ## $flcsh
150 ## $aCats`,
        katze: `LDR/06 z
024 7# $a4030046-8$2gnd
024 7# $aQ146$2wikidata
150 ## $aKatze`,
        dogs: `LDR/06 z
010 ## $ash 85038796
040 ## $flcsh
150 ## $aDogs
750 #7 $aHund$0(DE-588)4026181-5$2gnd
750 #7 $aChiens$0(rvm)1$2rvm`,
        hund: 'LDR/06 z\n024 7# $a4026181-5$2gnd\n150 ## $aHund',
        horses: 'LDR/06 z\n024 7# $aQ726$2wikidata\n040 ## $flcsh\n150 ## $aHorses',
        equines: 'LDR/06 z\n024 7# $aQ726$2wikidata\n040 ## $flcsh\n150 ## $aHorses and ponies'
      })
    )
    assert.equal(job.counts.created, 6)
    const [cats, katze, dogs, hund, horses, equines] = await Promise.all(
      ['Cats', 'Katze', 'Dogs', 'Hund', 'Horses', 'Horses and ponies'].map(name => named('subject', name))
    )
    assert.ok(cats && katze && dogs && hund && horses && equines)
    assert.deepEqual(await across([cats, katze, dogs, hund, horses]), [
      [[cats, katze], 95, 'refSameAs'],
      [[dogs, hund], 95, 'refSameAs'],
      // Two terms of one scheme are one term too many.
      [[horses, equines], undefined, undefined]
    ])
    const own = await get(`/entities/${dogs}`)
    assert.deepEqual(
      own.body.metadata.filter(({ key }: { key: string }) => key === 'same_as'),
      [{ key: 'same_as', value: 'https://d-nb.info/gnd/4026181-5' }]
    )

    // Joined, they keep their schemes, are not listed, and lead to each other in MARC and SKOS.
    assert.equal((await post(`/entities/${katze}/relations`, [{ type: 'refSameAs', key: cats }])).status, 201)
    assert.deepEqual(await across([cats, katze]), [])
    const skos = await get(`/entities/${cats}?format=skos`)
    assert.match(skos.text, new RegExp(`closeMatch[^>]*${katze}`))
    const own_ = await service.create({
      type: 'subject',
      metadata: metadata({ name: 'Felis' }),
      relations: relations({ refSameAs: katze })
    })
    const marc = await get(`/entities/${own_.id}?format=marcauth`)
    assert.match(
      marc.text,
      /<datafield tag="750" ind1=" " ind2="7">\s*<subfield code="a">Katze<\/subfield>\s*<subfield code="0">https:\/\/d-nb.info\/gnd\/4030046-8<\/subfield>\s*<subfield code="2">gnd</
    )
  })

  it('are merged where one has no scheme, and persons with one number under two names are too', async () => {
    const number = 'https://d-nb.info/gnd/4067488-5'
    const terms = [
      await service.create({
        type: 'subject',
        metadata: metadata({ name: 'Wolf', scheme: 'gnd', identifier: number })
      }),
      await service.create({ type: 'subject', metadata: metadata({ name: 'Wolves', identifier: number }) })
    ].map(({ id }) => id)
    assert.deepEqual(await across(terms), [[terms, undefined, undefined]])
    const viaf = 'http://viaf.org/viaf/102333412'
    const persons = [
      await service.create(aPerson('Austen, Jane', { metadata: metadata({ name: 'Austen, Jane', identifier: viaf }) })),
      await service.create(
        aPerson('Osten, Dzhein', { metadata: metadata({ name: 'Osten, Dzhein', identifier: '(viaf)102333412' }) })
      )
    ].map(({ id }) => id)
    assert.deepEqual(await across(persons), [[persons, undefined, undefined]])
    assert.deepEqual(await groupsWith(persons), [[persons, [`identifier ${viaf}`]]])
  })
})

describe('The list of likely duplicates', () => {
  it('has records with an equal number, whatever its form, of one kind', async () => {
    const isbn = [
      await anEdition({ title: 'Een', isbn: '90-253-6388-1' }),
      await anEdition({ title: 'Twee', isbn: ['9780804429573', '978 90 253 6388 8'] }),
      await anEdition({ title: 'Drie', ean: '9789025363888' }, 'manifestation_music')
    ]
    const issn = [
      await anEdition({ title: 'Vier', issn: '2434-561x' }),
      await anEdition({ title: 'Vijf', issn: '2434561X' })
    ]
    await anEdition({ title: 'Zes', issn: '1234-5679', isbn: 'not an isbn' })
    await anEdition({ title: 'Zeven', isbn: 'not an isbn' })
    assert.deepEqual(await groupsWith([...isbn, ...issn]), [
      [isbn, ['isbn 9789025363888']],
      [issn, ['issn 2434561X']]
    ])
    assert.deepEqual(await groupsWith(isbn, '?reason=issn'), [])
    assert.deepEqual(await groupsWith(isbn, '?reason=isbn&type=manifestation'), [[isbn, ['isbn 9789025363888']]])
    assert.deepEqual(await groupsWith(isbn, '?type=manifestation_word'), [[isbn.slice(0, 2), ['isbn 9789025363888']]])
    assert.deepEqual(await groupsWith(isbn, '?type=work,person'), [])
  })

  it('has records with an equal name that nothing tells apart', async () => {
    const tolkien = [
      await person('Tolkien, J.R.R.', '1892-1973'),
      await person('TOLKIEN, J. R. R.', '1892–1973'),
      await person('Tolkien, J.R.R.', '1892')
    ]
    const dateless = [await person('Tolkien, J.R.R.'), await person('Tolkien, J.R.R.')]
    await service.create({ type: 'corporation', metadata: metadata({ name: 'Tolkien, J.R.R.' }) })
    assert.deepEqual(await groupsWith([...tolkien, ...dateless]), [
      [tolkien.slice(0, 2), ['name Tolkien, J.R.R.']],
      [dateless, ['name Tolkien, J.R.R.']]
    ])
    const work = (author: string) =>
      service
        .create({
          type: 'work_word',
          metadata: metadata({ title: 'De hobbit' }),
          relations: relations({ refAuthors: author })
        })
        .then(({ id }) => id)
    const works = [await work(tolkien[0] ?? ''), await work(tolkien[0] ?? ''), await work(dateless[0] ?? '')]
    assert.deepEqual(await groupsWith(works, '?type=work'), [[works.slice(0, 2), ['name De hobbit']]])
  })

  it('joins the reasons of the same records, and follows every change', async () => {
    const [one, other] = [
      await anEdition({ title: 'Dubbel', isbn: '978-0-306-40615-7', lccn: 'n 78-890351' }),
      await anEdition({ title: 'dubbel', isbn: '0306406152', lccn: 'n78890351' })
    ]
    assert.deepEqual(await groupsWith([one]), [
      [
        [one, other],
        ['isbn 9780306406157', 'lccn N78890351']
      ]
    ])
    const replaced = { type: 'manifestation_word', relations: relations({ refExpressions: expression }) }
    await service.put(`/entities/${other}`, { ...replaced, metadata: metadata({ title: 'Dubbel', lccn: 'n78890351' }) })
    assert.deepEqual(await groupsWith([one]), [[[one, other], ['lccn N78890351']]])
    await service.put(`/entities/${one}`, { ...replaced, metadata: metadata({ title: 'dubbel!', lccn: 'n78890351' }) })
    assert.deepEqual(await groupsWith([one]), [
      [
        [one, other],
        ['lccn N78890351', 'name dubbel!']
      ]
    ])
    await service.delete(`/entities/${other}`)
    assert.deepEqual(await groupsWith([one]), [])
  })

  it('names the paths that merge records', async () => {
    const [one, other] = [await person('Mergel, M.'), await person('Mergel, M.')]
    const group = (await list('?limit=200')).results.find(each => each.records.some(({ id }) => id === one))
    assert.equal(group?.count, 2)
    assert.deepEqual(group?.records[0], {
      id: one,
      type: 'person',
      label: 'Mergel, M.',
      merge: `/entities/${one}/merge`,
      relations: `/entities/${one}/relations`
    })
    assert.equal((await post(group?.records[0]?.merge ?? '', { victim_id: other })).status, 200)
    assert.deepEqual(await groupsWith([one]), [])
  })

  it('is paged by a cursor, with the exact count', async () => {
    for (let number = 0; number < 5; number++) for (const _ of 'xx') await person(`Bladzijde ${number}`)
    const whole = await list('?type=person&limit=200')
    assert.equal(whole.count, whole.results.length)
    const paged: Group[] = []
    let pages = 0
    for (let next: string | undefined = '?type=person&limit=2'; next !== undefined; pages++) {
      const page = await list(next.replace('/duplicates', ''))
      assert.equal(page.count, whole.count)
      paged.push(...page.results)
      next = page.next
    }
    assert.deepEqual(paged, whole.results)
    assert.equal(pages, Math.ceil(whole.count / 2))
    const { next = '' } = await list('?type=person&limit=2')
    assertProblem(await get(next.replace('type=person', 'type=work')), 'invalid')
    for (const query of ['cursor=x', 'reason=colour', 'type=nothing'])
      assertProblem(await get(`/duplicates?${query}`), 'invalid')
    for (const query of ['limit=201', 'limit=x']) assertProblem(await get(`/duplicates?${query}`), 'bad_request')
  })
})

describe('Records that somebody said are different', () => {
  it('are not listed together, in either direction, until it is taken back', async () => {
    const [one, other, third] = [await person('Jansen, J.'), await person('Jansen, J.'), await person('Jansen, J.')]
    const all = [one, other, third]
    assert.equal((await different(other, one)).status, 201)
    const [group] = (await list('?limit=200')).results.filter(({ records }) => records.some(({ id }) => id === one))
    assert.deepEqual(
      group?.records.map(({ id }) => id),
      all
    )
    assert.deepEqual(group?.different, [[one, other]])
    await different(one, third)
    assert.deepEqual(await groupsWith(all), [[[other, third], ['name Jansen, J.']]])
    await different(third, other)
    assert.deepEqual(await groupsWith(all), [])
    const taken = await service.call('DELETE', `/entities/${one}/relations`, {
      body: [{ type: 'refDifferentFrom', key: third }]
    })
    assert.equal(taken.status, 200, taken.text)
    assert.deepEqual(await groupsWith(all), [[[one, third], ['name Jansen, J.']]])
  })

  it('are of one kind, and a merge carries it over to the record that remains', async () => {
    const [one, other, third] = [await person('Pieters, P.'), await person('Pieters, P.'), await person('Pieters, P.')]
    assertProblem(await different(one, expression), 'invalid')
    await different(one, other)
    await service.post(`/entities/${third}/merge`, { victim_id: other })
    assert.deepEqual(await groupsWith([one, third]), [])
    await service.post(`/entities/${third}/merge`, { victim_id: one })
    const { body } = await get(`/entities/${third}`)
    assert.deepEqual(body.relations, [])
  })

  it('can be deleted, unless other relations refer to them', async () => {
    const [one, other] = [await person('Willems, W.'), await person('Willems, W.')]
    await different(one, other)
    const work = await service.create({
      type: 'work_word',
      metadata: metadata({ title: 'Willemsen' }),
      relations: relations({ refAuthors: other })
    })
    const refused = await service.delete(`/entities/${other}`)
    assertProblem(refused, 'still_referenced')
    const inTheWay = (refused.body.references as { relation: string }[]).filter(
      ({ relation }) => relation !== 'refDifferentFrom'
    )
    assert.deepEqual(inTheWay, [{ id: work.id, type: 'work_word', relation: 'refAuthors' }])
    assert.equal((await get(`/entities/${one}/relations`)).body.length, 1)
    await service.delete(`/entities/${work.id}`)
    assert.equal((await service.delete(`/entities/${other}`)).status, 204)
    assert.deepEqual((await get(`/entities/${one}/relations`)).body, [])
  })
})

describe('A write', () => {
  const warningsOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
    assert.ok(status === 200 || status === 201, JSON.stringify(body))
    return ((body.warnings ?? []) as { code?: string; value?: string; message: string }[])
      .filter(({ code }) => code === 'duplicate')
      .map(({ value, message }) => `${value} ${/name|isbn|issn/.exec(message)?.[0]}`)
  }
  const edition = (fields: Record<string, unknown>, type = 'manifestation_word') => ({
    type,
    metadata: metadata(fields),
    relations: relations({ refExpressions: expression })
  })

  it('warns of another record with an equal number, or an equal name and equal dates, of the same kind', async () => {
    const first = await anEdition({ title: 'Waarschuwing', isbn: '978-0-14-044913-6', issn: '0317-8471' })
    for (const [given, warned] of [
      [edition({ title: 'x1', isbn: '0-14-044913-2' }), [`${first} isbn`]],
      [edition({ title: 'x2', ean: '9780140449136' }, 'manifestation_music'), [`${first} isbn`]],
      [edition({ title: 'x3', issn: '03178471' }), [`${first} issn`]],
      [edition({ title: 'x4', isbn: '9780140449137' }), []],
      [edition({ title: 'WAARSCHUWING', isbn: '978-0-14-044913-6', issn: '0317-8471' }), [`${first} isbn`]],
      [edition({ title: 'waarschuwing' }), []]
    ] as const) {
      assert.deepEqual(warningsOf(await post('/entities?dry_run=1', given)), warned, JSON.stringify(given))
    }
    const somebody = await person('Gelijk, G.', '1950')
    assert.deepEqual(warningsOf(await post('/entities', aPerson('Gelijk, G.'))), [])
    await person('Slechts, N.')
    assert.deepEqual(warningsOf(await post('/entities', aPerson('Slechts, N.'))), [])
    const same = { type: 'person', metadata: metadata({ name: 'GELIJK, G.', life_dates: '1950' }) }
    const written = await post('/entities', same)
    assert.deepEqual(warningsOf(written), [`${somebody} name`])
    const warning = written.body.warnings[0]
    assert.equal(warning.message, `The person "${somebody}" has the same name, "Gelijk, G."; it may be the same record`)
    assert.ok(!('warnings' in (await get(`/entities/${written.body.id}`)).body))
  })

  it('warns again when it is repeated with its key, and never of itself', async () => {
    const somebody = await person('Sleutel, S.', '1950')
    const whole = (name: string) => ({ type: 'person', metadata: metadata({ name, life_dates: '1950' }) })
    const headers = { 'idempotency-key': 'warned-once' }
    const [first, again] = [
      await post('/entities', whole('Sleutel, S.'), { headers }),
      await post('/entities', whole('Sleutel, S.'), { headers })
    ]
    assert.deepEqual(warningsOf(first), [`${somebody} name`])
    assert.deepEqual(again.body, first.body)
    // Searching and writing take place at the same time.
    const many = await Promise.all(
      Array.from({ length: 100 }, (_, at) => post('/entities', whole(`Zichzelf, Z. ${at}`)))
    )
    assert.deepEqual(many.flatMap(warningsOf), [])
  })

  it('that changes a record warns if it concerns the number, the name, or what tells records apart', async () => {
    const [one, other] = [await person('Wijzig, W.', '1960'), await person('Wijzig, W.', '1961')]
    const changed = async (metadata: readonly unknown[]) =>
      warningsOf(await service.patch(`/entities/${other}`, { metadata }))
    assert.deepEqual(await changed([{ key: 'non_preferred_name', value: 'W.W.' }]), [])
    assert.deepEqual(await changed([{ key: 'life_dates', value: '1960.' }]), [`${one} name`])
    assert.deepEqual(await changed([{ key: 'non_preferred_name', value: 'V.V.' }]), [])
    assert.deepEqual(await changed([{ key: 'name', value: 'Wijzig, X.' }]), [])
    const whole = { type: 'person', metadata: metadata({ name: 'Wijzig, W.', life_dates: '1960' }) }
    assert.deepEqual(warningsOf(await service.put(`/entities/${other}`, whole)), [`${one} name`])
  })

  it('does not warn of a record that somebody said is different, in either direction', async () => {
    const [one, other] = [await person('Anders, A.', '1950'), await person('Bnders, A.', '1950')]
    const rename = async (name: string) =>
      warningsOf(await service.patch(`/entities/${other}`, { metadata: [{ key: 'name', value: name }] }))
    await different(one, other)
    assert.deepEqual(await rename('Anders, A.'), [])
    await rename('Bnders, A.')
    await service.call('DELETE', `/entities/${one}/relations`, { body: [{ type: 'refDifferentFrom', key: other }] })
    assert.deepEqual(await rename('Anders, A.'), [`${one} name`])
    await rename('Bnders, A.')
    await different(other, one)
    assert.deepEqual(await rename('Anders, A.'), [])
  })

  it('does not betray records that its token may not read', async () => {
    const hidden = await person('Geheim, G.', '1950')
    const writer = await service.tokenWith('write:person', 'read:work')
    const whole = { type: 'person', metadata: metadata({ name: 'Geheim, G.', life_dates: '1950' }) }
    const answer = await post('/entities', whole, { token: writer })
    assert.deepEqual(warningsOf(answer), [])
    assert.ok(!answer.text.includes(hidden))
    const work = (author: string) => ({
      type: 'work_word',
      metadata: metadata({ title: 'Geheim' }),
      relations: relations({ refAuthors: author })
    })
    const known = await service.create(work(hidden))
    // The author is hidden: it neither tells the works apart nor makes them equal.
    const token = await service.tokenWith('read:work', 'write:work', 'write:person')
    const other = await person('Ander, A.')
    for (const author of [hidden, other])
      assert.deepEqual(warningsOf(await post('/entities?dry_run=1', work(author), { token })), [`${known.id} name`])
    assert.deepEqual(warningsOf(await post('/entities?dry_run=1', work(other))), [])
  })
})

describe('The list of likely duplicates for a token', () => {
  it('has only records that it may read, and compares them without hidden ones', async () => {
    const authors = [await person('Verborgen, V.', '1900'), await person('Verborgen, V.', '1901')]
    const works = []
    for (const author of authors)
      works.push(
        (
          await service.create({
            type: 'work_word',
            metadata: metadata({ title: 'Zonder auteur' }),
            relations: relations({ refAuthors: author })
          })
        ).id
      )
    assert.deepEqual(await groupsWith(works), [])
    const blind = await service.tokenWith('read:work')
    assert.deepEqual(await groupsWith(works, '', blind), [[works, ['name Zonder auteur']]])
    const { results } = await list('', blind)
    assert.ok(results.every(({ records }) => records.every(({ type }) => type.startsWith('work_'))))
    assert.deepEqual(await list('?type=person', blind), { count: 0, results: [] })
    assertProblem(await get('/duplicates', { token: await service.tokenWith('write:person') }), 'forbidden')
  })

  it('has no records that are hidden by their status', async () => {
    const shows = ['concept', 'published', 'published'].map(status =>
      service.create({ type: 'production', metadata: metadata({ title: 'Sluier', description_short: 'x', status }) })
    )
    const [concept, ...published] = (await Promise.all(shows)).map(({ id }) => id)
    const token = await service.tokenWith('read:production:published', 'read:person')
    assert.deepEqual(
      (await groupsWith(published, '', token)).map(([ids]) => ids?.toSorted()),
      [published.toSorted()]
    )
    assert.equal((await groupsWith([concept ?? ''])).length, 1)
    await service.patch(`/entities/${published[0]}`, { metadata: [{ key: 'status', value: 'concept' }] })
    assert.deepEqual(await groupsWith(published, '', token), [])
  })
})
