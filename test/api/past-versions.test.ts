import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import {
  aManifestation,
  anExpression,
  aPerson,
  aProduction,
  aVenue,
  aWork,
  createBook,
  metadata,
  relations
} from '../support/records/entities.ts'
import { changesOf, moment } from '../support/records/changes.ts'
import { start } from '../support/services/start.ts'
import { assertProblem, fieldOf, keysOf } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, post, put, patch } = service

const rename = (id: string, name: string) => patch(`/entities/${id}`, { metadata: metadata({ name }) })
const retitle = (id: string, title: string) => patch(`/entities/${id}`, { metadata: metadata({ title }) })

const found = async (url: string) => {
  const answer = await get(url)
  assert.equal(answer.status, 200, `${url}: ${answer.text}`)
  return answer.body
}

const dayBefore = (at: string) => new Date(Date.parse(at) - 86_400_000).toISOString().slice(0, 10)

describe('GET /entities/{id}?version=', () => {
  it('gives each version as it was answered then, with its ETag', async () => {
    const first = await create(aVenue('One'))
    const second = (await rename(first.id, 'Two')).body
    const third = (await rename(first.id, 'Three')).body

    for (const each of [first, second, third]) {
      const answer = await get(`/entities/${first.id}?version=${each.version}`)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, each)
      assert.equal(answer.headers.etag, `"${each.version}"`)
    }
  })

  it('takes any identifier', async () => {
    const { id, _id } = await create(aVenue('One', { identifiers: ['urn:past:one'] }))
    await rename(id, 'Two')

    for (const identifier of [id, _id, 'urn:past:one'])
      assert.equal(fieldOf(await found(`/entities/${identifier}?version=1`), 'name'), 'One')
  })

  it('gives the versions of what is deleted, and 404 for the deletion itself', async () => {
    const first = await create(aVenue('Gone'))
    await service.delete(`/entities/${first.id}`)

    assert.deepEqual(await found(`/entities/${first.id}?version=1`), first)
    assertProblem(await get(`/entities/${first.id}?version=2`), 'not_found')
    assertProblem(await get(`/entities/${first.id}`), 'not_found')
  })

  it('answers 404 for a version that is not there yet, and for an entity that never was', async () => {
    const { id } = await create(aVenue())

    assertProblem(await get(`/entities/${id}?version=2`), 'not_found')
    assertProblem(await get('/entities/VE-never?version=1'), 'not_found')
  })

  for (const version of ['0', '-1', '1.5', 'x', '']) {
    it(`refuses version=${version}`, async () => {
      const { id } = await create(aVenue())

      assertProblem(await get(`/entities/${id}?version=${version}`), 'bad_request')
    })
  }
})

describe('GET /entities/{id}?at=', () => {
  it('is refused beside a version, since each names one moment', async () => {
    const { id } = await create(aVenue('One'))

    assertProblem(await get(`/entities/${id}?version=1&at=${await moment()}`), 'bad_request')
  })

  it('gives the version that held at the moment', async () => {
    const { id } = await create(aVenue('One'))
    const then = await moment()
    await rename(id, 'Two')
    const later = await moment()
    await rename(id, 'Three')

    assert.equal(fieldOf(await found(`/entities/${id}?at=${then}`), 'name'), 'One')
    assert.equal(fieldOf(await found(`/entities/${id}?at=${later}`), 'name'), 'Two')
    assert.equal((await get(`/entities/${id}?at=${later}`)).headers.etag, '"2"')
    assert.equal(fieldOf(await found(`/entities/${id}?at=${await moment()}`), 'name'), 'Three')
  })

  it('counts what was written at the very moment', async () => {
    const { id, audit } = await create(aVenue('One'))

    assert.equal((await found(`/entities/${id}?at=${audit.created.at}`)).version, 1)
    const before = new Date(Date.parse(audit.created.at) - 1).toISOString()
    assertProblem(await get(`/entities/${id}?at=${before}`), 'not_found')
  })

  it('takes a moment in any zone, and one that is still to come', async () => {
    const { id, audit } = await create(aVenue())
    const at = new Date(Date.parse(audit.created.at) + 3_600_000).toISOString().replace('Z', '+01:00')

    assert.equal((await found(`/entities/${id}?at=${encodeURIComponent(at)}`)).version, 1)
    assert.equal((await found(`/entities/${id}?at=2999-01-01T00:00:00Z`)).version, 1)
  })

  it('takes a bare date as the end of that day, in UTC', async () => {
    const { id } = await create(aVenue('One'))
    const { audit } = (await rename(id, 'Two')).body

    assert.equal((await found(`/entities/${id}?at=${audit.updated.at.slice(0, 10)}`)).version, 2)
    assertProblem(await get(`/entities/${id}?at=${dayBefore(audit.created.at)}`), 'not_found')
  })

  it('answers 404 before the creation, 404 while it was deleted, and the record again after it came back', async () => {
    const beforeAll = await moment()
    const { id } = await create(aVenue('Back'))
    const alive = await moment()
    await service.delete(`/entities/${id}`)
    const dead = await moment()
    await post(`/entities/${id}/revert`, { version: 1 })
    const again = await moment()

    assertProblem(await get(`/entities/${id}?at=${beforeAll}`), 'not_found')
    assert.equal((await found(`/entities/${id}?at=${alive}`)).version, 1)
    assertProblem(await get(`/entities/${id}?at=${dead}`), 'not_found')
    assert.equal((await found(`/entities/${id}?at=${again}`)).version, 3)
  })

  it('gives what had an id then, whatever has it now', async () => {
    const first = await create(aVenue('First', { id: 'VE-reused' }))
    const then = await moment()
    await service.delete('/entities/VE-reused')
    const between = await moment()
    const second = await create(aVenue('Second', { id: 'VE-reused' }))

    assert.deepEqual(await found(`/entities/VE-reused?at=${then}`), first)
    assertProblem(await get(`/entities/VE-reused?at=${between}`), 'not_found')
    assert.deepEqual(await found(`/entities/VE-reused?at=${await moment()}`), second)
    assert.deepEqual(await found(`/entities/${first._id}?at=${then}`), first)
  })

  it('gives what a name meant then: before a merge the victim, by every one of its identifiers, after it the survivor', async () => {
    const survivor = await create(aVenue('Survivor'))
    const victim = await create(aVenue('Victim', { identifiers: ['urn:past:victim'] }))
    const before = await moment()
    await post(`/entities/${survivor.id}/merge`, { victim_id: victim.id })
    const merged = await moment()
    await post(`/entities/${survivor.id}/unmerge`, {})
    const unmerged = await moment()

    for (const identifier of victim.identifiers) {
      const nameAt = async (at: string) => fieldOf(await found(`/entities/${identifier}?at=${at}`), 'name')
      assert.equal(await nameAt(before), 'Victim', identifier)
      assert.equal(await nameAt(merged), 'Survivor', identifier)
      assert.equal(await nameAt(unmerged), 'Victim', identifier)
    }
  })

  it('gives what a name meant then also while the merge still holds', async () => {
    const survivor = await create(aVenue('Survivor'))
    const victim = await create(aVenue('Victim', { identifiers: ['urn:past:still-merged'] }))
    const before = await moment()
    await post(`/entities/${survivor.id}/merge`, { victim_id: victim.id })

    for (const identifier of victim.identifiers)
      assert.equal(fieldOf(await found(`/entities/${identifier}?at=${before}`), 'name'), 'Victim', identifier)
  })

  it('knows an identifier that an entity has since given up', async () => {
    const { id } = await create(aVenue('One', { identifiers: ['urn:past:given-up'] }))
    const then = await moment()
    await put(`/entities/${id}`, { ...aVenue('One'), identifiers: [] })

    assert.equal((await found(`/entities/urn:past:given-up?at=${then}`)).id, id)
    assertProblem(await get('/entities/urn:past:given-up'), 'not_found')
  })

  it('goes on to answer when the changes of that time are forgotten', async t => {
    const forgetful = await start(t)
    const { id } = await forgetful.create(aVenue('One'))
    const then = await moment()
    await forgetful.patch(`/entities/${id}`, { metadata: metadata({ name: 'Two' }) })
    await forgetful.libretto.store.deleteChanges(await moment())

    assert.equal((await forgetful.get(`/entities/${id}?at=${then}`)).body.version, 1)
    assert.equal((await forgetful.get(`/entities/${id}?at=${await moment()}`)).body.version, 2)
  })

  for (const at of [
    'yesterday',
    '2026-02-30',
    '2026-13-01T00:00:00Z',
    '12:00',
    '',
    '1763000000',
    '2026-01-01T25:00Z'
  ]) {
    it(`refuses at=${at}`, async () => {
      const { id } = await create(aVenue())
      const answer = await get(`/entities/${id}?at=${at}`)

      assertProblem(answer, 'invalid')
      assert.deepEqual(
        answer.body.errors.map((each: { pointer: string }) => each.pointer),
        ['at']
      )
    })
  }

  it('changes nothing', async () => {
    const { id, audit } = await create(aVenue())

    assert.deepEqual(await changesOf(service, () => found(`/entities/${id}?at=${audit.created.at}`)), [])
  })
})

describe('GET /entities/{id} of the past: what a token may see', () => {
  it('does not exist for a token that may not read the type', async () => {
    const { id, audit } = await create(aVenue())
    await service.delete(`/entities/${id}`)
    const token = await service.tokenWith('read:person')

    assertProblem(await get(`/entities/${id}?version=1`, { token }), 'not_found')
    assertProblem(await get(`/entities/${id}?at=${audit.created.at}`, { token }), 'not_found')
  })

  it('leaves out relations to types that a token may not read, deleted or not', async () => {
    const [venue, gone] = [await create(aVenue()), await create(aVenue())]
    const genre = await create({ type: 'genre', metadata: metadata({ name: 'drama' }) })
    const { id, audit } = await create(
      aProduction({}, { relations: relations({ refVenues: [venue.id, gone.id], refGenres: genre.id }) })
    )
    await service.delete(`/entities/${gone.id}?references=detach`)
    const token = await service.tokenWith('read:production', 'read:genre')

    for (const query of ['version=1', `at=${audit.created.at}`]) {
      const { body } = await get(`/entities/${id}?${query}`, { token })
      assert.deepEqual(keysOf(body, 'refVenues'), [])
      assert.deepEqual(keysOf(body, 'refGenres'), [genre.id])
    }
  })
})

describe('GET /entities/wem/{manifestation_id} of the past', () => {
  it('gives every level and every related record as of that moment', async () => {
    const author = await create(aPerson('Old name'))
    const role = [{ key: 'role', value: 'author' }]
    const book = await createBook(service, {
      work: { relations: [{ key: author.id, type: 'refAuthors', metadata: role }] },
      manifestation: { fields: { title: 'Hamlet', isbn: '9789025363888' } }
    })
    const url = `/entities/wem/${book.manifestation}`
    const then = await found(url)
    const at = await moment()
    await rename(author.id, 'New name')
    await retitle(book.work, 'New work')
    await retitle(book.expression, 'New expression')
    await retitle(book.manifestation, 'New manifestation')

    assert.deepEqual(await found(`${url}?at=${at}`), then)
    assert.equal((await found(url)).work.relations[author.id].value, 'New name')
  })

  it('gives the moment of a version of the manifestation', async () => {
    const author = await create(aPerson('Old name'))
    const book = await createBook(service, { work: { relations: relations({ refAuthors: author.id }) } })
    const url = `/entities/wem/${book.manifestation}`
    const first = await found(url)
    await rename(author.id, 'New name')
    await retitle(book.manifestation, 'Second edition')
    const second = await found(url)
    await rename(author.id, 'Newest name')

    assert.deepEqual(await found(`${url}?version=1`), first)
    assert.deepEqual(await found(`${url}?version=2`), second)
  })

  it('gives the whole of what was written together with that version', async () => {
    const lines = [
      { op: 'create', ...aManifestation('E-together', 'Hamlet', { id: 'M-together' }) },
      { op: 'create', ...anExpression('W-together', 'Hamlet', { id: 'E-together' }) },
      { op: 'create', ...aWork('Hamlet', { id: 'W-together', relations: relations({ refAuthors: 'PERS-together' }) }) },
      { op: 'create', ...aPerson('Together', { id: 'PERS-together' }) }
    ]
    assert.equal((await post('/entities/batch?atomic=1', lines)).status, 200)
    const then = await found('/entities/wem/M-together')
    await rename('PERS-together', 'Later')

    assert.deepEqual(await found('/entities/wem/M-together?version=1'), then)
  })

  it('shows a version of the manifestation, not a later one of the same instant', async () => {
    const book = await createBook(service)
    // Group commit gives several writes one instant now and then; here they are many enough that
    // some do.
    const titles = Array.from({ length: 30 }, (_, index) => `Edition ${index}`)
    await Promise.all(titles.map(title => retitle(book.manifestation, title)))

    for (let version = 1; version <= 31; version++) {
      const entity = await found(`/entities/${book.manifestation}?version=${version}`)
      const wem = await found(`/entities/wem/${book.manifestation}?version=${version}`)
      assert.equal(wem.manifestation.metadata.title.value, fieldOf(entity, 'title'))
    }
  })

  it('tells which level was missing while an expression was deleted, and is whole again after it came back', async () => {
    const book = await createBook(service)
    const url = `/entities/wem/${book.manifestation}`
    const whole = await found(url)
    const first = await moment()
    const other = await create(anExpression(book.work, 'Other'))
    await put(`/entities/${book.manifestation}/relations`, relations({ refExpressions: other.id }))
    await service.delete(`/entities/${book.expression}`)
    const second = await moment()
    await post(`/entities/${book.expression}/revert`, { version: 1 })
    await post(`/entities/${book.manifestation}/revert`, { version: 1 })
    const third = await moment()

    assert.deepEqual(await found(`${url}?at=${first}`), whole)
    assert.equal((await found(`${url}?at=${second}`)).expression.metadata.title.value, 'Other')
    assert.deepEqual(await found(`${url}?at=${third}`), whole)
    assertProblem(await get(`/entities/${book.expression}?at=${second}`), 'not_found')
  })

  it('shows a record under its own name before it was merged away, and the survivor after', async () => {
    const survivor = await create(aPerson('Survivor'))
    const victim = await create(aPerson('Victim'))
    const book = await createBook(service, { work: { relations: relations({ refAuthors: victim.id }) } })
    const url = `/entities/wem/${book.manifestation}`
    const before = await moment()
    await post(`/entities/${survivor.id}/merge`, { victim_id: victim.id })
    const after = await moment()

    const authorsAt = async (at: string) =>
      Object.entries((await found(`${url}?at=${at}`)).work.relations).map(([key, each]) => [
        key,
        (each as { value: string }).value
      ])
    assert.deepEqual(await authorsAt(before), [[victim.id, 'Victim']])
    assert.deepEqual(await authorsAt(after), [[survivor.id, 'Survivor']])
  })

  it('climbs from the expression of then to the work of then, across a merge of works', async () => {
    const survivor = await create(aWork('Survivor'))
    const book = await createBook(service, { work: { fields: { title: 'Victim' } } })
    const url = `/entities/wem/${book.manifestation}`
    const before = await moment()
    await post(`/entities/${survivor.id}/merge`, { victim_id: book.work })
    const merged = await moment()
    await post(`/entities/${survivor.id}/unmerge`, {})

    const workAt = async (at: string) => (await found(`${url}?at=${at}`)).work.metadata.title.value
    assert.equal(await workAt(before), 'Victim')
    assert.equal(await workAt(merged), 'Survivor')
    assert.equal(await workAt(await moment()), 'Victim')
  })

  it('takes a bare date, and answers 404 before the manifestation was there and after it was deleted', async () => {
    const book = await createBook(service)
    const { audit } = await found(`/entities/${book.manifestation}`)
    const url = `/entities/wem/${book.manifestation}`

    assert.equal((await get(`${url}?at=${audit.created.at.slice(0, 10)}`)).status, 200)
    assertProblem(await get(`${url}?at=${dayBefore(audit.created.at)}`), 'not_found')
    await service.delete(`/entities/${book.manifestation}`)
    assertProblem(await get(`${url}?at=${await moment()}`), 'not_found')
    assertProblem(await get(`${url}?version=2`), 'not_found')
    assert.equal((await get(`${url}?version=1`)).status, 200)
  })

  it('refuses bad values, and answers 404 for what was never a manifestation', async () => {
    const { manifestation, work } = await createBook(service)

    assertProblem(await get(`/entities/wem/${manifestation}?at=soon`), 'invalid')
    assertProblem(await get(`/entities/wem/${manifestation}?version=0`), 'bad_request')
    assertProblem(await get(`/entities/wem/${manifestation}?version=9`), 'not_found')
    assertProblem(await get(`/entities/wem/${work}?version=1`), 'not_found')
    assertProblem(await get(`/entities/wem/M-never?at=${await moment()}`), 'not_found')
  })

  it('leaves out relations to types that a token may not read', async () => {
    const author = await create(aPerson())
    const book = await createBook(service, { work: { relations: relations({ refAuthors: author.id }) } })
    const at = await moment()
    await service.delete(`/entities/${author.id}?references=detach`)
    const token = await service.tokenWith('read:manifestation', 'read:expression', 'read:work')

    for (const query of [`at=${at}`, 'version=1']) {
      const { body } = await get(`/entities/wem/${book.manifestation}?${query}`, { token })
      assert.deepEqual(body.work.relations, {})
    }
  })
})
