import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aPerson, aRecord, createBook, metadata, relations } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get } = service

const wemOf = async (manifestation: string) => {
  const answer = await get(`/entities/wem/${encodeURIComponent(manifestation)}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

/**
 * A manifestation whose work has one relation to a record; gives that relation as the WEM shows it.
 */
const resolved = async (relationType: string, target: Record<string, unknown>) => {
  const { id } = await create(target)
  const { manifestation } = await createBook(service, { work: { relations: relations({ [relationType]: id }) } })
  return (await wemOf(manifestation)).work.relations[id]
}

describe('GET /entities/wem/{manifestation_id}', () => {
  it('answers exactly three members: work, expression and manifestation', async () => {
    const { manifestation } = await createBook(service)

    const answer = await get(`/entities/wem/${manifestation}`, { headers: { accept: 'application/json' } })

    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    assert.deepEqual(Object.keys(answer.body).sort(), ['expression', 'manifestation', 'work'])
  })

  it('gives each level exactly type, metadata and relations', async () => {
    const { manifestation } = await createBook(service)

    const wem = await wemOf(manifestation)

    for (const level of ['work', 'expression', 'manifestation']) {
      assert.deepEqual(Object.keys(wem[level]).sort(), ['metadata', 'relations', 'type'], level)
    }
  })

  it('starts from the manifestation, follows to its expression, then to its work', async () => {
    await createBook(service, { work: { fields: { title: 'Another work' } } })
    const { manifestation } = await createBook(service, {
      work: { fields: { title: 'The Tempest' } },
      expression: { fields: { title: 'De storm' } },
      manifestation: { fields: { title: 'De storm, tweede druk' } }
    })

    const wem = await wemOf(manifestation)

    assert.equal(wem.manifestation.metadata.title.value, 'De storm, tweede druk')
    assert.equal(wem.expression.metadata.title.value, 'De storm')
    assert.equal(wem.work.metadata.title.value, 'The Tempest')
  })

  for (const material of ['map', 'music', 'serial', 'footage', 'mixed_material', 'word', 'computer_file']) {
    it(`answers for a manifestation_${material}, with the type of each level`, async () => {
      const { manifestation } = await createBook(service, {
        work: { type: `work_${material}` },
        expression: { type: `expression_${material}` },
        manifestation: { type: `manifestation_${material}` }
      })

      const wem = await wemOf(manifestation)

      assert.equal(wem.work.type, `work_${material}`)
      assert.equal(wem.expression.type, `expression_${material}`)
      assert.equal(wem.manifestation.type, `manifestation_${material}`)
    })
  }

  for (const way of ['reading', 'listening', 'watching', 'playing', 'orienting', 'easy_reading']) {
    it(`climbs through an expression of type ${way}`, async () => {
      const { manifestation } = await createBook(service, { expression: { type: way } })

      assert.equal((await wemOf(manifestation)).expression.type, way)
    })
  }

  it('answers for any identifier of the manifestation: its id, its UUID, and those a client added', async () => {
    const { manifestation } = await createBook(service, {
      manifestation: { identifiers: ['urn:isbn:9789025363161', 'shelf 12/B'] }
    })
    const byId = await wemOf(manifestation)
    const { _id: uuid } = (await get(`/entities/${manifestation}`)).body

    assert.deepEqual(await wemOf(uuid), byId)
    assert.deepEqual(await wemOf('urn:isbn:9789025363161'), byId)
    assert.deepEqual(await wemOf('shelf 12/B'), byId)
  })

  it('answers for the _key of a manifestation in a list', async () => {
    const { manifestation } = await createBook(service)

    const listed = (await get('/entities?type=manifestation&order_by=date_created&asc=0&limit=1')).body

    assert.equal(listed[0]._key, manifestation)
    await wemOf(listed[0]._key)
  })

  it('takes the first expression where there are several', async () => {
    const first = await createBook(service, { expression: { fields: { title: 'First story' } } })
    const second = await createBook(service, { expression: { fields: { title: 'Second story' } } })
    const anthology = await create(
      aRecord('manifestation_word', { title: 'Two stories' }, { refExpressions: [second.expression, first.expression] })
    )

    const wem = await wemOf(anthology.id)

    assert.equal(wem.expression.metadata.title.value, 'Second story')
    assert.deepEqual(wem.manifestation.relations, {})
  })

  it('does not repeat the structural relations refExpressions and refWork', async () => {
    const author = await create(aPerson())
    const { manifestation } = await createBook(service, {
      expression: { relations: relations({ refAuthors: author.id }) },
      manifestation: { relations: relations({ refAuthors: author.id }) }
    })

    const wem = await wemOf(manifestation)

    assert.deepEqual(Object.keys(wem.manifestation.relations), [author.id])
    assert.deepEqual(Object.keys(wem.expression.relations), [author.id])
    assert.deepEqual(wem.work.relations, {})
  })
})

describe('Metadata of a WEM level', () => {
  it('is a dictionary by field name, each with a value', async () => {
    const { manifestation } = await createBook(service, {
      manifestation: { fields: { title: 'Hamlet', subtitle: 'Prins van Denemarken', extent: '212 p.' } }
    })

    assert.deepEqual((await wemOf(manifestation)).manifestation.metadata, {
      title: { value: 'Hamlet' },
      subtitle: { value: 'Prins van Denemarken' },
      extent: { value: '212 p.' }
    })
  })

  it('gives title, isbn and year_of_publication as strings, however they were stored', async () => {
    const { manifestation } = await createBook(service, {
      manifestation: { fields: { title: '1984', isbn: '978-90-253-6316-1', year_of_publication: 1984 } }
    })

    const { metadata } = (await wemOf(manifestation)).manifestation

    assert.deepEqual(metadata.title, { value: '1984' })
    assert.deepEqual(metadata.isbn, { value: '978-90-253-6316-1' })
    assert.deepEqual(metadata.year_of_publication, { value: '1984' })
  })

  it('gives a field of another kind as it is stored', async () => {
    const { manifestation } = await createBook(service, {
      manifestation: { fields: { is_omnibus: true, shelf_mark: 12, weights: [{ gram: 300 }] } }
    })

    const { metadata } = (await wemOf(manifestation)).manifestation

    assert.deepEqual(metadata.is_omnibus, { value: true })
    assert.deepEqual(metadata.shelf_mark, { value: 12 })
    assert.deepEqual(metadata.weights, { value: { gram: 300 } })
  })

  it('gives a repeated key its first value, and all of them as values', async () => {
    const { manifestation } = await createBook(service, {
      manifestation: { fields: { isbn: ['90-253-6316-4', '978-90-253-6316-1'] } }
    })

    assert.deepEqual((await wemOf(manifestation)).manifestation.metadata.isbn, {
      value: '90-253-6316-4',
      values: ['90-253-6316-4', '978-90-253-6316-1']
    })
  })

  it('keeps the language of a value', async () => {
    const work = await create({ type: 'work_word', metadata: [{ key: 'title', value: 'De storm', lang: 'nl' }] })
    const expression = await create(aRecord('expression_word', { title: 'De storm' }, { refWork: work.id }))
    const { id } = await create(aRecord('manifestation_word', { title: 'De storm' }, { refExpressions: expression.id }))

    assert.deepEqual((await wemOf(id)).work.metadata.title, { value: 'De storm', lang: 'nl' })
  })

  it('keeps the language of each of several values', async () => {
    const work = await create({
      type: 'work_word',
      metadata: [
        { key: 'title', value: 'De storm', lang: 'nl' },
        { key: 'title', value: 'The Tempest', lang: 'en' },
        { key: 'title', value: 'Storm' }
      ]
    })
    const expression = await create(aRecord('expression_word', { title: 'De storm' }, { refWork: work.id }))
    const { id } = await create(aRecord('manifestation_word', { title: 'De storm' }, { refExpressions: expression.id }))

    assert.deepEqual((await wemOf(id)).work.metadata.title, {
      value: 'De storm',
      lang: 'nl',
      values: ['De storm', 'The Tempest', 'Storm'],
      langs: ['nl', 'en', null]
    })
  })
})

describe('A resolved relation', () => {
  /**
   * Related type, relation type, fields of the related record, and exactly the members that the
   * resolved relation has besides its type.
   */
  const rows: readonly [string, string, Record<string, unknown>, Record<string, unknown>][] = [
    ['language', 'refLanguages', { name: 'Dutch', code: 'nld' }, { value: 'Dutch', code: 'nld' }],
    [
      'person',
      'refAuthors',
      { name: 'Shakespeare, William', life_dates: '1564-1616' },
      { value: 'Shakespeare, William', life_dates: '1564-1616' }
    ],
    ['corporation', 'refAuthors', { name: 'Toneelgroep' }, { value: 'Toneelgroep' }],
    ['publisher', 'refPublishers', { name: 'Querido' }, { value: 'Querido' }],
    ['target_audience', 'refTargetAudiences', { name: 'Adults' }, { value: 'Adults' }],
    ['genre', 'refGenres', { name: 'Tragedy' }, { value: 'Tragedy' }],
    ['place', 'refPlaces', { name: 'Elsinore' }, { value: 'Elsinore' }],
    ['time', 'refTimes', { name: '17th century' }, { value: '17th century' }],
    [
      'title',
      'refUniformTitles',
      { title: 'Hamlet', subtitle: 'Prince of Denmark' },
      { value: 'Hamlet', subtitle: 'Prince of Denmark' }
    ],
    [
      'siso',
      'refSisos',
      { code: '822.1', land_or_language: 'England' },
      { code: '822.1', land_or_language: 'England' }
    ],
    [
      'code_wording',
      'refCodeWordings',
      { code: 'aut', wording: 'author', code_wording_type: 'role' },
      { code: 'aut', wording: 'author', code_wording_type: 'role' }
    ]
  ]
  for (const [type, relationType, fields, added] of rows) {
    it(`to a ${type} carries ${Object.keys(added).join(', ')}, with the label ${type}`, async () => {
      assert.deepEqual(await resolved(relationType, aRecord(type, { ...fields, note: 'not shown' })), {
        type: relationType,
        label: type,
        ...added
      })
    })
  }

  it('to a subject carries value, and its label is always nomen', async () => {
    assert.deepEqual(await resolved('refSubjects', aRecord('subject', { name: 'Revenge' })), {
      type: 'refSubjects',
      label: 'nomen',
      value: 'Revenge'
    })
  })

  it('to a zizo carries code as an array of strings, title, and levels', async () => {
    assert.deepEqual(await resolved('refZizos', aRecord('zizo', { code: [['LIT', 'LIT.T']], title: 'Literature' })), {
      type: 'refZizos',
      label: 'zizo',
      code: ['LIT', 'LIT.T'],
      title: 'Literature',
      levels: [{ level: '1', title: 'Literature' }]
    })
  })

  it('to a person without life dates has no life_dates', async () => {
    assert.deepEqual(await resolved('refAuthors', aPerson('Anonymous')), {
      type: 'refAuthors',
      label: 'person',
      value: 'Anonymous'
    })
  })

  it('to a person whose life dates are empty has no life_dates', async () => {
    assert.deepEqual(await resolved('refAuthors', aRecord('person', { name: 'Anonymous', life_dates: '' })), {
      type: 'refAuthors',
      label: 'person',
      value: 'Anonymous'
    })
  })

  it('to a title, a siso or a code wording has every member, empty where the record has no value', async () => {
    assert.deepEqual(await resolved('refUniformTitles', aRecord('title', { title: 'Hamlet' })), {
      type: 'refUniformTitles',
      label: 'title',
      value: 'Hamlet',
      subtitle: ''
    })
    assert.deepEqual(await resolved('refSisos', aRecord('siso', { code: '822' })), {
      type: 'refSisos',
      label: 'siso',
      code: '822',
      land_or_language: ''
    })
    assert.deepEqual(await resolved('refCodeWordings', aRecord('code_wording', { code: 'ill' })), {
      type: 'refCodeWordings',
      label: 'code_wording',
      code: 'ill',
      wording: '',
      code_wording_type: ''
    })
  })

  it('to a type outside the table has the type as its label and its main field as value', async () => {
    assert.deepEqual(await resolved('refRelatedWorks', aRecord('work_music', { title: 'Otello', year: '1887' })), {
      type: 'refRelatedWorks',
      label: 'work_music',
      value: 'Otello'
    })
    assert.deepEqual(await resolved('refVenues', aRecord('venue', { name: 'Globe', city: 'London' })), {
      type: 'refVenues',
      label: 'venue',
      value: 'Globe'
    })
  })

  it('is there at all three levels', async () => {
    const language = await create(aRecord('language', { name: 'Dutch', code: 'nld' }))
    const asked = { relations: relations({ refLanguages: language.id }) }
    const { manifestation } = await createBook(service, { work: asked, expression: asked, manifestation: asked })

    const wem = await wemOf(manifestation)

    const expected = { [language.id]: { type: 'refLanguages', label: 'language', value: 'Dutch', code: 'nld' } }
    assert.deepEqual(wem.work.relations, expected)
    assert.deepEqual(wem.expression.relations, expected)
    assert.deepEqual(wem.manifestation.relations, expected)
  })

  it('is keyed by the id of the related entity, whichever identifier the relation was written with', async () => {
    const author = await create(aPerson('Vondel', { identifiers: ['viaf:61540536'] }))
    const { manifestation } = await createBook(service, {
      work: { relations: relations({ refAuthors: 'viaf:61540536' }) },
      expression: { relations: relations({ refAuthors: author._id }) }
    })

    const wem = await wemOf(manifestation)

    assert.deepEqual(Object.keys(wem.work.relations), [author.id])
    assert.deepEqual(Object.keys(wem.expression.relations), [author.id])
  })

  it('lists all types where the same entity is related under several, the first as its type', async () => {
    const author = await create(aPerson('Claus, Hugo'))
    const { manifestation } = await createBook(service, {
      manifestation: {
        relations: [
          { key: author.id, type: 'refIllustrators' },
          { key: author.id, type: 'refAuthors' },
          { key: author.id, type: 'refEditors' }
        ]
      }
    })

    assert.deepEqual((await wemOf(manifestation)).manifestation.relations, {
      [author.id]: {
        type: 'refIllustrators',
        label: 'person',
        value: 'Claus, Hugo',
        types: ['refIllustrators', 'refAuthors', 'refEditors']
      }
    })
  })

  it('has no types where there is one', async () => {
    assert.equal('types' in (await resolved('refAuthors', aPerson())), false)
  })

  it('shows its own metadata, such as a role', async () => {
    const author = await create(aPerson('Komrij, Gerrit'))
    const role = metadata({ role: 'translator' })
    const { manifestation } = await createBook(service, {
      expression: { relations: [{ key: author.id, type: 'refAuthors', metadata: role }] }
    })

    assert.deepEqual((await wemOf(manifestation)).expression.relations[author.id], {
      type: 'refAuthors',
      label: 'person',
      value: 'Komrij, Gerrit',
      metadata: [{ key: 'role', value: 'translator' }]
    })
  })

  it('shows the metadata of every one of several types, together and by type', async () => {
    const author = await create(aPerson('Claus, Hugo'))
    const { manifestation } = await createBook(service, {
      work: {
        relations: [
          { key: author.id, type: 'refAuthors', metadata: metadata({ role: 'author' }) },
          { key: author.id, type: 'refEditors', metadata: metadata({ role: 'editor' }) }
        ]
      }
    })

    const relation = (await wemOf(manifestation)).work.relations[author.id]
    assert.deepEqual(relation.metadata, [
      { key: 'role', value: 'author' },
      { key: 'role', value: 'editor' }
    ])
    assert.deepEqual(relation.roles, {
      refAuthors: [{ key: 'role', value: 'author' }],
      refEditors: [{ key: 'role', value: 'editor' }]
    })
  })

  it('to an entity that does not exist has the label missing', async () => {
    const { manifestation } = await createBook(service, {
      work: { relations: [{ key: 'PERS-NOBODY', type: 'refAuthors', metadata: metadata({ role: 'author' }) }] },
      manifestation: { relations: relations({ refPublishers: 'PUB-NOBODY' }) }
    })

    const wem = await wemOf(manifestation)

    assert.deepEqual(wem.manifestation.relations, { 'PUB-NOBODY': { type: 'refPublishers', label: 'missing' } })
    assert.deepEqual(wem.work.relations['PERS-NOBODY'], {
      type: 'refAuthors',
      label: 'missing',
      metadata: [{ key: 'role', value: 'author' }]
    })
  })

  it('is resolved as soon as the missing entity is created', async () => {
    const { manifestation } = await createBook(service, {
      work: { relations: relations({ refAuthors: ['PERS-LATE', 'viaf:late'] }) }
    })
    assert.equal((await wemOf(manifestation)).work.relations['PERS-LATE'].label, 'missing')

    await create(aPerson('Late, One', { id: 'PERS-LATE' }))
    await create(aPerson('Late, Two', { identifiers: ['viaf:late'] }))

    const { relations: now } = (await wemOf(manifestation)).work
    assert.equal(now['PERS-LATE'].value, 'Late, One')
    assert.equal(now['viaf:late'].value, 'Late, Two')
  })

  it('is there for every relation, however many there are', async () => {
    const subjects = await Promise.all(
      Array.from({ length: 600 }, (_, index) => create(aRecord('subject', { name: `Subject ${index}` })))
    )
    const { manifestation } = await createBook(service, {
      work: { relations: relations({ refSubjects: subjects.map(subject => subject.id) }) }
    })

    const wem = await wemOf(manifestation)

    assert.deepEqual(
      Object.values(wem.work.relations as Record<string, { value: string }>).map(relation => relation.value),
      subjects.map((_, index) => `Subject ${index}`)
    )
  })
})

describe('The levels of a zizo relation', () => {
  const zizo = (title: string, parent?: string) =>
    create(aRecord('zizo', { code: [[title]], title }, parent === undefined ? {} : { refParentZizo: parent }))

  it('run from broad, level 1, to the term itself, and hold the complete hierarchy', async () => {
    const literature = await zizo('Literature')
    const theatre = await zizo('Theatre', literature.id)
    const tragedy = await zizo('Tragedy', theatre.id)
    const revenge = await zizo('Revenge tragedy', tragedy.id)
    const { manifestation } = await createBook(service, { work: { relations: relations({ refZizos: revenge.id }) } })

    assert.deepEqual((await wemOf(manifestation)).work.relations[revenge.id], {
      type: 'refZizos',
      label: 'zizo',
      code: ['Revenge tragedy'],
      title: 'Revenge tragedy',
      levels: [
        { level: '1', title: 'Literature' },
        { level: '2', title: 'Theatre' },
        { level: '3', title: 'Tragedy' },
        { level: '4', title: 'Revenge tragedy' }
      ]
    })
  })

  it('hold a hierarchy of any depth', async () => {
    let parent: string | undefined
    for (let depth = 1; depth <= 40; depth++) parent = (await zizo(`Depth ${depth}`, parent)).id
    const { manifestation } = await createBook(service, {
      manifestation: { relations: relations({ refZizos: String(parent) }) }
    })

    const { levels } = (await wemOf(manifestation)).manifestation.relations[String(parent)]

    assert.deepEqual(
      levels,
      Array.from({ length: 40 }, (_, index) => ({ level: String(index + 1), title: `Depth ${index + 1}` }))
    )
  })

  it('end where the data has a cycle', async () => {
    const one = await zizo('One')
    const two = await zizo('Two', one.id)
    const three = await zizo('Three', two.id)
    await service.patch(`/entities/${one.id}`, { relations: relations({ refParentZizo: three.id }) })
    const { manifestation } = await createBook(service, { work: { relations: relations({ refZizos: three.id }) } })

    assert.deepEqual((await wemOf(manifestation)).work.relations[three.id].levels, [
      { level: '1', title: 'One' },
      { level: '2', title: 'Two' },
      { level: '3', title: 'Three' }
    ])
  })

  it('hold a class once that is its own parent', async () => {
    const odd = await zizo('Odd')
    await service.patch(`/entities/${odd.id}`, { relations: relations({ refParentZizo: odd.id }) })
    const { manifestation } = await createBook(service, { work: { relations: relations({ refZizos: odd.id }) } })

    assert.deepEqual((await wemOf(manifestation)).work.relations[odd.id].levels, [{ level: '1', title: 'Odd' }])
  })

  it('begin where a parent is missing', async () => {
    const orphan = await create(
      aRecord('zizo', { code: [['O']], title: 'Orphan' }, { refParentZizo: 'ZIZO-NONE' }),
      '?allow_dangling=1'
    )
    const { manifestation } = await createBook(service, { work: { relations: relations({ refZizos: orphan.id }) } })
    assert.deepEqual((await wemOf(manifestation)).work.relations[orphan.id].levels, [{ level: '1', title: 'Orphan' }])

    await create(aRecord('zizo', { code: [['P']], title: 'Found parent' }, {}, { id: 'ZIZO-NONE' }))

    assert.deepEqual((await wemOf(manifestation)).work.relations[orphan.id].levels, [
      { level: '1', title: 'Found parent' },
      { level: '2', title: 'Orphan' }
    ])
  })
})

describe('A WEM that nobody asked for before', () => {
  const bookWith = async (relationType: string, key: string) =>
    (await createBook(service, { work: { relations: relations({ [relationType]: key }) } })).manifestation
  const relationIn = async (manifestation: string, key: string) => (await wemOf(manifestation)).work.relations[key]

  it('shows a related record as it is now, also when another WEM showed it as it was', async () => {
    const author = await create(aPerson('Before, Anna'))
    const first = await bookWith('refAuthors', author.id)
    const second = await bookWith('refAuthors', author.id)
    assert.equal((await relationIn(first, author.id)).value, 'Before, Anna')

    await service.patch(`/entities/${author.id}`, { metadata: metadata({ name: 'After, Bea' }) })

    assert.equal((await relationIn(second, author.id)).value, 'After, Bea')
    assert.equal((await relationIn(first, author.id)).value, 'After, Bea')
  })

  it('shows the classes above a class as they are now', async () => {
    const zizo = (title: string, parent: readonly string[]) =>
      create(aRecord('zizo', { code: [[title]], title }, { refParentZizo: parent }))
    const arts = await zizo('Arts', [])
    const stage = await zizo('Stage', [])
    const opera = await zizo('Opera', [arts.id])
    const first = await bookWith('refZizos', opera.id)
    const second = await bookWith('refZizos', opera.id)
    const levelsIn = async (manifestation: string) =>
      (await relationIn(manifestation, opera.id)).levels.map((level: { title: string }) => level.title)
    assert.deepEqual(await levelsIn(first), ['Arts', 'Opera'])

    await service.patch(`/entities/${arts.id}`, { metadata: metadata({ title: 'The arts' }) })
    assert.deepEqual(await levelsIn(second), ['The arts', 'Opera'])

    await service.put(`/entities/${opera.id}`, { ...opera, relations: relations({ refParentZizo: stage.id }) })
    assert.deepEqual(await levelsIn(second), ['Stage', 'Opera'])
    assert.deepEqual(await levelsIn(first), ['Stage', 'Opera'])
  })

  it('shows whom a name belongs to now, and that it belongs to nobody any more', async () => {
    const dangling = (key: string) => bookWith('refAuthors', key)
    const books = [await dangling('viaf:moves'), await dangling('viaf:moves'), await dangling('viaf:moves')]
    const [first = '', second = '', third = ''] = books
    const one = await create(aPerson('One', { identifiers: ['viaf:moves'] }))
    const other = await create(aPerson('Other'))
    assert.equal((await relationIn(first, 'viaf:moves')).value, 'One')

    const { identifiers, ...rest } = (await get(`/entities/${one.id}`)).body
    const without = identifiers.filter((each: string) => each !== 'viaf:moves')
    assert.equal((await service.put(`/entities/${one.id}`, { ...rest, identifiers: without })).status, 200)
    assert.equal((await relationIn(second, 'viaf:moves')).label, 'missing')
    const named = { ...(await get(`/entities/${other.id}`)).body, identifiers: [other._id, other.id, 'viaf:moves'] }
    assert.equal((await service.put(`/entities/${other.id}`, named)).status, 200)

    for (const book of [third, second, first]) assert.equal((await relationIn(book, 'viaf:moves')).value, 'Other')
  })
})

describe('What GET /entities/wem/{manifestation_id} refuses', () => {
  it('answers 404 when the manifestation does not exist', async () => {
    const answer = await get('/entities/wem/M-NOWHERE')

    assert.equal(answer.status, 404)
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
    assert.equal(answer.body.type, '/problems/not-found')
    assert.equal(answer.body.status, 404)
    assert.equal(answer.body.detail, 'No manifestation with id "M-NOWHERE"')
    assert.match(answer.body.message, /^R0004 \| id:M-NOWHERE - /)
  })

  it('answers 404 for what is not a manifestation', async () => {
    const { work, expression } = await createBook(service)
    const person = await create(aPerson())

    for (const id of [work, expression, person.id]) {
      const answer = await get(`/entities/wem/${id}`)
      assert.equal(answer.status, 404)
      assert.equal(answer.body.type, '/problems/not-found')
    }
  })

  it('answers 404 with its own problem type, naming the expression, when that is missing', async () => {
    const { id } = await create(
      aRecord('manifestation_word', { title: 'Alone' }, { refExpressions: 'E-NONE' }),
      '?allow_dangling=1'
    )

    const answer = await get(`/entities/wem/${id}`)

    assert.equal(answer.status, 404)
    assert.equal(answer.body.type, '/problems/incomplete-wem')
    assert.equal(answer.body.detail, `The expression of manifestation "${id}" is missing`)
    assert.equal(answer.body.missing_level, 'expression')
  })

  it('answers 404 with its own problem type, naming the work, when that is missing', async () => {
    const expression = await create(
      aRecord('expression_word', { title: 'Alone' }, { refWork: 'W-NONE' }),
      '?allow_dangling=1'
    )
    const { id } = await create(aRecord('manifestation_word', { title: 'Alone' }, { refExpressions: expression.id }))

    const answer = await get(`/entities/wem/${id}`)

    assert.equal(answer.status, 404)
    assert.equal(answer.body.type, '/problems/incomplete-wem')
    assert.equal(answer.body.detail, `The work of manifestation "${id}" is missing`)
    assert.equal(answer.body.missing_level, 'work')
  })

  it('answers 200 as soon as the missing level is created', async () => {
    const { id } = await create(
      aRecord('manifestation_word', { title: 'Early' }, { refExpressions: 'E-LATER' }),
      '?allow_dangling=1'
    )
    assert.equal((await get(`/entities/wem/${id}`)).status, 404)

    const work = await create(aRecord('work_word', { title: 'Early' }))
    await create(aRecord('expression_word', { title: 'Early' }, { refWork: work.id }, { id: 'E-LATER' }))

    assert.equal((await get(`/entities/wem/${id}`)).status, 200)
  })

  it('answers 401 when the bearer token is missing', async () => {
    const { manifestation } = await createBook(service)

    const answer = await get(`/entities/wem/${manifestation}`, { token: undefined })

    assert.equal(answer.status, 401)
    assert.match(String(answer.headers['www-authenticate']), /^Bearer/)
    assert.match(answer.body.message, /^R1013 \|/)
  })

  it('answers 401 when the bearer token is invalid, whether or not the manifestation exists', async () => {
    const { manifestation } = await createBook(service)

    assert.equal((await get(`/entities/wem/${manifestation}`, { token: 'wrong' })).status, 401)
    assert.equal((await get('/entities/wem/M-NOWHERE', { token: 'wrong' })).status, 401)
  })
})

describe('The ETag of a WEM answer', () => {
  const tagOf = async (manifestation: string) => String((await get(`/entities/wem/${manifestation}`)).headers.etag)

  it('stays while nothing that is shown changes', async () => {
    const { manifestation } = await createBook(service)
    const tag = await tagOf(manifestation)

    await createBook(service)
    await create(aPerson('Somebody else'))

    assert.match(tag, /^"[^"]+"$/)
    assert.equal(await tagOf(manifestation), tag)
  })

  it('gives 304 without a body to whoever has the answer', async () => {
    const { manifestation } = await createBook(service)
    const tag = await tagOf(manifestation)

    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await get(`/entities/wem/${manifestation}`, { headers: { 'if-none-match': known } })
      assert.equal(answer.status, 304, known)
      assert.equal(answer.text, '')
      assert.equal(answer.headers.etag, tag)
    }
    assert.equal((await get(`/entities/wem/${manifestation}`, { headers: { 'if-none-match': '"other"' } })).status, 200)
  })

  it('changes when a related author is renamed, and the new name is shown', async () => {
    const author = await create(aPerson('Evans, Mary Ann'))
    const { manifestation } = await createBook(service, { work: { relations: relations({ refAuthors: author.id }) } })
    const tag = await tagOf(manifestation)

    await service.patch(`/entities/${author.id}`, { metadata: metadata({ name: 'Eliot, George' }) })

    const answer = await get(`/entities/wem/${manifestation}`, { headers: { 'if-none-match': tag } })
    assert.equal(answer.status, 200)
    assert.notEqual(answer.headers.etag, tag)
    assert.equal(answer.body.work.relations[author.id].value, 'Eliot, George')
  })

  for (const level of ['work', 'expression', 'manifestation'] as const) {
    it(`changes when the ${level} changes`, async () => {
      const book = await createBook(service)
      const tag = await tagOf(book.manifestation)

      await service.patch(`/entities/${book[level]}`, { metadata: metadata({ title: 'Changed' }) })

      assert.notEqual(await tagOf(book.manifestation), tag)
      assert.equal((await wemOf(book.manifestation))[level].metadata.title.value, 'Changed')
    })
  }

  it('changes when a broader class of a zizo is renamed', async () => {
    const top = await create(aRecord('zizo', { code: [['T']], title: 'Top' }))
    const middle = await create(aRecord('zizo', { code: [['M']], title: 'Middle' }, { refParentZizo: top.id }))
    const term = await create(aRecord('zizo', { code: [['B']], title: 'Term' }, { refParentZizo: middle.id }))
    const { manifestation } = await createBook(service, { work: { relations: relations({ refZizos: term.id }) } })
    const tag = await tagOf(manifestation)

    await service.patch(`/entities/${top.id}`, { metadata: metadata({ title: 'Summit' }) })

    assert.notEqual(await tagOf(manifestation), tag)
    assert.equal((await wemOf(manifestation)).work.relations[term.id].levels[0].title, 'Summit')
  })

  it('changes when a role in a relation changes', async () => {
    const author = await create(aPerson())
    const relation = (role: string) => [{ key: author.id, type: 'refAuthors', metadata: metadata({ role }) }]
    const { work, manifestation } = await createBook(service, { work: { relations: relation('author') } })
    const tag = await tagOf(manifestation)

    await service.patch(`/entities/${work}`, { relations: relation('compiler') })

    assert.notEqual(await tagOf(manifestation), tag)
  })

  it('changes when a related entity is deleted from the answer', async () => {
    const author = await create(aPerson())
    const { manifestation } = await createBook(service, { work: { relations: relations({ refAuthors: author.id }) } })
    const tag = await tagOf(manifestation)

    assert.equal((await service.delete(`/entities/${author.id}?references=detach`)).status, 204)

    assert.notEqual(await tagOf(manifestation), tag)
    assert.deepEqual((await wemOf(manifestation)).work.relations, {})
  })

  it('is the same whichever identifier of the manifestation is used', async () => {
    const { manifestation } = await createBook(service, { manifestation: { identifiers: ['tag-by-any-name'] } })

    assert.equal(await tagOf('tag-by-any-name'), await tagOf(manifestation))
  })
})

describe('A WEM by a number', () => {
  const isbn = '978-0-306-40615-7'

  it('is found by ISBN, ISSN or EAN, in any form, when exactly one manifestation has it', async () => {
    const { manifestation } = await createBook(service, {
      manifestation: { fields: { title: 'Numbered', isbn: '9780306406157', issn: '1234-5679', ean: '4006381333931' } }
    })
    for (const number of [isbn, '9780306406157', '0306406152', '1234-5679', '12345679', '4006381333931']) {
      const answer = await get(`/entities/wem/${number}`)
      assert.equal(answer.status, 200, `${number}: ${answer.text}`)
      assert.equal(answer.text, (await get(`/entities/wem/${manifestation}`)).text)
    }
    const marc = await get(`/entities/wem/${isbn}?format=marcxml`)
    assert.match(marc.text, /Numbered/)
  })

  it('answers 300 with the candidates when several have it, and only those that the token may read', async () => {
    const fields = { title: 'Twice', isbn: '9783161484100' }
    const [one, other] = [
      await createBook(service, { manifestation: { fields } }),
      await createBook(service, { manifestation: { fields } })
    ]
    const answer = await get('/entities/wem/9783161484100')
    assertProblem(answer, 'several_matches')
    assert.deepEqual(
      answer.body.candidates.map((each: { id: string; title: string }) => [each.id, each.title]),
      [one, other].map(({ manifestation }) => [manifestation, 'Twice'])
    )
    const token = await service.tokenWith('read:person')
    assert.equal((await get('/entities/wem/9783161484100', { token })).status, 404)
  })

  it('answers 404 for a number that no manifestation has, and for what is no number', async () => {
    for (const each of ['9780000000002', '12345678', 'Hamlet', '123'])
      assertProblem(await get(`/entities/wem/${each}`), 'not_found')
  })
})
