import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import {
  aPerson,
  aProduction,
  aRecord,
  aVenue,
  aWork,
  anExpression,
  createBook,
  metadata,
  relations
} from '../support/records/entities.ts'
import { readJsonLd, readNTriples, readRdfXml, readTurtle } from '../support/oracles/rdf-graphs.ts'
import { start, temporaryFolder } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const publicUrl = 'https://catalogue.example.org'
const service = await start({ after }, { PUBLIC_URL: publicUrl })
const { create, get, patch } = service

const author = await create(
  aPerson('Shakespeare, William', { id: 'PERS-author', identifiers: ['http://www.wikidata.org/entity/Q692'] })
)
const translator = await create(aPerson('Oldenkamp, Marit', { id: 'PERS-translator' }))
const book = await createBook(service, {
  work: { relations: [{ key: author.id, type: 'refAuthors', metadata: metadata({ role: 'author' }) }] },
  expression: { relations: [{ key: translator.id, type: 'refAuthors', metadata: metadata({ role: 'translator' }) }] },
  manifestation: { fields: { title: 'Hamlet', isbn: '978-90-9764-019-1' } }
})
const { work, expression, manifestation } = book

const as = (accept: string) => ({ headers: { accept } })
const node = (id: string) => `<${publicUrl}/entities/${id}>`
const schema = (name: string) => `<https://schema.org/${name}>`
const typeOf = async (path: string, accept: string) => {
  const { status, headers } = await get(path, as(accept))
  return status === 200 ? String(headers['content-type']).split(';')[0] : status
}
const triplesOf = async (id: string, options = {}) =>
  readNTriples((await get(`/entities/${id}?format=ntriples`, options)).text)

describe('GET /entities/{id} as linked data', () => {
  it('answers the form that is asked for, all four saying the same', async () => {
    const context = (await get('/context.jsonld', { token: undefined })).body
    const path = `/entities/${manifestation}`
    const jsonLd = await get(path, as('application/ld+json'))
    const turtle = await get(path, as('text/turtle'))
    const nTriples = await get(path, as('application/n-triples'))
    const rdfXml = await get(path, as('application/rdf+xml'))

    assert.match(String(jsonLd.headers['content-type']), /^application\/ld\+json/)
    assert.match(String(turtle.headers['content-type']), /^text\/turtle; charset=utf-8$/)
    assert.match(String(nTriples.headers['content-type']), /^application\/n-triples/)
    assert.match(String(rdfXml.headers['content-type']), /^application\/rdf\+xml/)
    const lines = readNTriples(nTriples.text)
    assert.ok(lines.length > 20)
    assert.deepEqual(readTurtle(turtle.text), lines)
    assert.deepEqual(await readRdfXml(rdfXml.text), lines)
    assert.deepEqual(await readJsonLd(jsonLd.text, `${publicUrl}/context.jsonld`, context), lines)
  })

  it('says the three levels in LRMoo, BIBFRAME and schema.org, in both directions', async () => {
    const lines = await triplesOf(manifestation)
    const lrmoo = (name: string) => `<http://iflastandards.info/ns/lrm/lrmoo/${name}>`
    const bf = (name: string) => `<http://id.loc.gov/ontologies/bibframe/${name}>`
    for (const line of [
      `${node(manifestation)} ${lrmoo('R4_embodies')} ${node(expression)}`,
      `${node(expression)} ${lrmoo('R3i_realises')} ${node(work)}`,
      `${node(manifestation)} ${bf('instanceOf')} ${node(expression)}`,
      `${node(expression)} ${bf('expressionOf')} ${node(work)}`,
      `${node(manifestation)} ${schema('exampleOfWork')} ${node(work)}`,
      `${node(work)} ${schema('workExample')} ${node(manifestation)}`,
      `${node(manifestation)} ${schema('isbn')} ["9789097640191","http://www.w3.org/2001/XMLSchema#string"]`
    ])
      assert.ok(lines.includes(line), line)
  })

  it('names people by their roles, at the publication too', async () => {
    const lines = await triplesOf(manifestation)

    assert.ok(lines.includes(`${node(work)} ${schema('author')} ${node(author.id)}`))
    assert.ok(lines.includes(`${node(manifestation)} ${schema('author')} ${node(author.id)}`))
    assert.ok(lines.includes(`${node(manifestation)} ${schema('translator')} ${node(translator.id)}`))
    const role = `${node(expression).slice(0, -1)}#contribution-${translator.id}> <http://id.loc.gov/ontologies/bibframe/role>`
    assert.ok(lines.includes(`${role} <http://id.loc.gov/vocabulary/relators/trl>`))
    assert.ok(lines.includes(`${node(author.id)} ${schema('sameAs')} <http://www.wikidata.org/entity/Q692>`))
  })

  it('shows who points here: the expressions of a work, the performances of a production with their venues', async () => {
    const venue = await create(aVenue('De Linde', { id: 'VE-linde' }))
    const production = await create(aProduction({}, { id: 'PR-shown' }))
    const performance = await create(
      aRecord(
        'performance',
        { start: '2026-01-16T20:00:00+01:00', status: 'cancelled', url: 'https://tickets.example.org/1' },
        { refProduction: production.id, refVenues: venue.id }
      )
    )

    assert.ok((await triplesOf(work)).some(line => line.startsWith(`${node(expression)} `)))
    const lines = await triplesOf(production.id)
    assert.ok(lines.includes(`${node(production.id)} ${schema('subEvent')} ${node(performance.id)}`))
    assert.ok(lines.includes(`${node(performance.id)} ${schema('location')} ${node(venue.id)}`))
    assert.ok(lines.includes(`${node(performance.id)} ${schema('eventStatus')} ${schema('EventCancelled')}`))
    assert.ok(
      lines.includes(`${node(performance.id)} ${schema('name')} ["Hamlet","http://www.w3.org/2001/XMLSchema#string"]`)
    )
    assert.ok(
      lines.includes(
        `${node(performance.id)} ${schema('startDate')} ["2026-01-16T19:00:00Z","http://www.w3.org/2001/XMLSchema#dateTime"]`
      )
    )
  })

  it('is answered by any identifier of the entity, and under the alias, with the same names', async () => {
    const byId = await get(`/entities/${author.id}`, as('text/turtle'))

    assert.equal((await get(`/entities/${author._id}`, as('text/turtle'))).text, byId.text)
    assert.equal((await get(`/elody/v1/entities/${author.id}`, as('text/turtle'))).text, byId.text)
  })

  it('is found by ?format= too, which counts more than Accept', async () => {
    const { headers, text } = await get(`/entities/${author.id}?format=turtle`, as('application/rdf+xml'))

    assert.match(String(headers['content-type']), /^text\/turtle/)
    assert.equal(text, (await get(`/entities/${author.id}`, as('text/turtle'))).text)
    assert.equal((await get(`/entities/${author.id}?format=json`)).text, (await get(`/entities/${author.id}`)).text)
    assertProblem(await get(`/entities/${author.id}?format=docx`), 'bad_request')
  })
})

describe('GET /entities/wem/{id} as linked data', () => {
  it('is the graph of the manifestation, and 404 in the same words where the WEM is not whole', async () => {
    const wem = await get(`/entities/wem/${manifestation}`, as('text/turtle'))

    assert.equal(wem.status, 200)
    assert.equal(wem.text, (await get(`/entities/${manifestation}`, as('text/turtle'))).text)
    for (const path of ['/entities/wem/nowhere', `/entities/wem/${work}`])
      assert.equal((await get(path, as('text/turtle'))).text, (await get(path)).text)
  })
})

describe('What a client accepts', () => {
  it('is JSON, byte for byte as without it, for those who do not ask for anything else', async () => {
    for (const path of [`/entities/${manifestation}`, `/entities/wem/${manifestation}`]) {
      const plain = await get(path)
      assert.match(String(plain.headers['content-type']), /^application\/json; charset=utf-8$/)
      for (const accept of [
        ...['*/*', 'application/json', '', 'application/*', '*', 'application/json, text/plain, */*'],
        ...['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json;q=0.1, */*;q=0.1'],
        ...['application/problem+json, application/json', 'application/json; charset=utf-8']
      ]) {
        const { text, headers } = await get(path, as(accept))
        assert.equal(text, plain.text, accept)
        assert.equal(headers['content-type'], plain.headers['content-type'], accept)
        assert.equal(headers.etag, plain.headers.etag, accept)
      }
    }
  })

  it('is weighed by quality, by how exactly it is named, and refused by 0', async () => {
    const path = `/entities/${manifestation}`
    const cases: readonly (readonly [string, string | number])[] = [
      ['text/turtle, */*;q=0.1', 'text/turtle'],
      ['text/turtle;q=0.4, application/ld+json;q=0.8', 'application/ld+json'],
      ['application/ld+json;q=0.5, application/json;q=0.6', 'application/json'],
      ['text/*', 'text/turtle'],
      ['TEXT/Turtle', 'text/turtle'],
      ['application/json;q=0, */*', 'application/ld+json'],
      ['application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', 'application/ld+json'],
      ['application/*;q=0.2, application/rdf+xml', 'application/rdf+xml'],
      ['application/*, application/json;q=0.1', 'application/ld+json'],
      ['text/turtle;q=0', 406],
      ['text/html', 303],
      ['image/*;q=0.9, text/html', 303],
      ['image/*;q=0.9', 406],
      ['application/json;q=0', 406]
    ]
    for (const [accept, expected] of cases) assert.equal(await typeOf(path, accept), expected, accept)
  })

  it('is told what there is, when it is nothing of that', async () => {
    const problem = await get(`/entities/${manifestation}`, as('text/plain'))

    assertProblem(problem, 'not_acceptable')
    for (const form of [
      'application/json',
      'application/ld+json',
      'text/turtle',
      'application/n-triples',
      'application/rdf+xml'
    ])
      assert.ok(problem.body.detail.includes(form), form)
  })

  it('is JSON only for the past, which has no other form', async () => {
    assert.equal(
      await typeOf(`/entities/${manifestation}?version=1`, 'text/turtle, application/json;q=0.1'),
      'application/json'
    )
    assert.equal(await typeOf(`/entities/${manifestation}?version=1`, 'text/turtle'), 406)
  })

  it('is named in Vary, since the answer depends on it', async () => {
    for (const accept of ['*/*', 'text/turtle', 'text/turtle;q=0', 'application/ld+json'])
      assert.equal(
        (await get(`/entities/${manifestation}`, as(accept))).headers.vary,
        'Accept, Accept-Encoding, Accept-Language',
        accept
      )
  })
})

describe('The tag of a form', () => {
  it('is its own, answers 304, and changes with whatever is shown', async () => {
    const path = `/entities/${manifestation}`
    const tags = new Map<string, string>()
    for (const accept of [
      'application/json',
      'application/ld+json',
      'text/turtle',
      'application/n-triples',
      'application/rdf+xml'
    ])
      tags.set(accept, String((await get(path, as(accept))).headers.etag))
    assert.equal(new Set(tags.values()).size, tags.size)
    for (const [accept, etag] of tags) {
      const known = await get(path, { headers: { accept, 'if-none-match': etag } })
      assert.equal(known.status, 304, accept)
      assert.equal(known.text, '')
      const other = [...tags.values()].find(each => each !== etag) ?? ''
      assert.equal((await get(path, { headers: { accept, 'if-none-match': other } })).status, 200, accept)
    }

    await patch(`/entities/${translator.id}`, { metadata: metadata({ name: 'Oldenkamp-Visser, Marit' }) })
    const [accept, etag] = ['text/turtle', tags.get('text/turtle') ?? '']
    const changed = await get(path, { headers: { accept, 'if-none-match': etag } })
    assert.equal(changed.status, 200)
    assert.match(changed.text, /Oldenkamp-Visser/)
  })
})

describe('A type that a token may not read, in linked data', () => {
  it('is not there: not as a record, not as what a record points to, not as what points to it', async () => {
    const secret = await create(
      aPerson('Secret, Person', { id: 'PERS-secret', identifiers: ['https://secret.example.org/1'] })
    )
    const venue = await create(aVenue('Secret venue', { id: 'VE-secret' }))
    const shown = await create(
      aProduction({}, { id: 'PR-narrow', relations: relations({ refAuthors: secret.id, refVenues: venue.id }) })
    )
    await create(
      aRecord(
        'performance',
        { start: '2026-03-01T19:00:00Z' },
        { refProduction: shown.id, refVenues: venue.id },
        { id: 'PF-secret' }
      )
    )
    const token = await service.tokenWith('read:production')

    const lines = await triplesOf(shown.id, { token })
    assert.ok(lines.length > 3)
    assert.doesNotMatch(lines.join('\n'), /secret/i)
    for (const format of ['jsonld', 'turtle', 'ntriples', 'rdfxml', 'schema']) {
      const { text } = await get(`/entities/${shown.id}?format=${format}`, { token })
      assert.doesNotMatch(text, /secret/i, format)
      const hidden = await get(`/entities/${secret.id}?format=${format}`, { token })
      assertProblem(hidden, 'not_found')
      const unknown = await get(`/entities/PERS-unknown?format=${format}`, { token })
      assert.equal(hidden.text.replaceAll(secret.id, 'X'), unknown.text.replaceAll('PERS-unknown', 'X'))
    }
    assertProblem(await get(`/entities/${shown.id}?format=turtle`, { token: undefined }), 'unauthenticated')
  })
})

describe('Linked data of any catalogue', () => {
  it('has types of a model file by their names, and names by the address listened on where PUBLIC_URL is not set', async t => {
    const file = join(temporaryFolder(t), 'model.json')
    const festival = {
      ...{ type: 'festival', idPrefix: 'FEST', description: 'A festival', nameField: 'name' },
      ...{ fields: { name: { kind: 'text', required: true } }, relations: {} }
    }
    writeFileSync(file, JSON.stringify({ types: [festival] }))
    const extended = await start(t, { MODEL: file })
    const { id } = await extended.create(aRecord('festival', { name: 'Zomer' }))
    // The host that a client names has no influence: an IRI must not depend on the client.
    const { text } = await extended.get(`/entities/${id}?format=ntriples`, { headers: { host: 'other.example.org' } })
    const lines = readNTriples(text)

    const festivalNode = `<http://127.0.0.1:8080/entities/${id}>`
    assert.ok(lines.includes(`${festivalNode} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ${schema('Thing')}`))
    assert.ok(lines.includes(`${festivalNode} ${schema('name')} ["Zomer","http://www.w3.org/2001/XMLSchema#string"]`))
    assert.doesNotMatch(text, /other/)
  })

  it('says where the rest is when more than 1,000 point to a record', async () => {
    const work = await create(aWork('Bijbel', { id: 'W-many' }))
    const expressions = Array.from({ length: 1001 }, (_, index) => ({
      op: 'create',
      entity: anExpression(work.id, `Bijbel ${index}`, { id: `E-many-${index}` })
    }))
    assert.equal((await service.post('/entities/batch?atomic=1', expressions)).status, 200)
    const lines = await triplesOf(work.id)

    const seeAlso = `${node(work.id)} <http://www.w3.org/2000/01/rdf-schema#seeAlso>`
    assert.ok(lines.includes(`${seeAlso} <${publicUrl}/entities/W-many/references?type=refWork>`))
    const examples = lines.filter(line => line.startsWith(`${node(work.id)} ${schema('workExample')} `))
    assert.equal(examples.length, 1000)
  })
})

describe('GET /context.jsonld', () => {
  it('needs no bearer, may be read by any page, and may be kept', async () => {
    const { status, headers } = await get('/context.jsonld', {
      token: undefined,
      ...as('application/ld+json, application/json;q=0.9')
    })

    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^application\/ld\+json/)
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.match(String(headers['cache-control']), /^public, max-age=\d+$/)
  })
})
