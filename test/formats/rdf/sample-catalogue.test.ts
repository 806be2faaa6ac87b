import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { mappings } from '#formats/rdf/mapping.ts'
import { loadSample } from '../../../src/cli/sample.ts'
import { readJsonLd, readNTriples, readRdfXml, readTurtle } from '../../support/oracles/rdf-graphs.ts'
import { howMany, someOfEachType } from '../../support/records/chance.ts'
import { start } from '../../support/services/start.ts'

/* Records of the sample catalogue of every type as linked data, read by parsers of others. */

const publicUrl = 'https://catalogue.example.org'
const service = await start({ after }, { PUBLIC_URL: publicUrl })
await loadSample(service.libretto)
const context = (await service.get('/context.jsonld', { token: undefined })).body as unknown
const entities = (await service.get('/entities?limit=1000')).body as { id: string; type: string }[]
const tried = someOfEachType(entities, howMany({ quick: 6, short: 1000, long: 1000, onPostgres: 6 }))
const fetchAs = async (id: string, format: string) => {
  const { status, text } = await service.get(`/entities/${id}?format=${format}`)
  assert.equal(status, 200, text)
  return text
}

describe('Each record of the sample catalogue', () => {
  it('is the same graph in all four forms, and a node with classes in it', async () => {
    assert.ok(entities.length > 400)
    for (const { id } of tried) {
      const lines = readNTriples(await fetchAs(id, 'ntriples'))
      assert.deepEqual(readTurtle(await fetchAs(id, 'turtle')), lines, id)
      assert.deepEqual(await readRdfXml(await fetchAs(id, 'rdfxml')), lines, id)
      const jsonLd = await readJsonLd(await fetchAs(id, 'jsonld'), `${publicUrl}/context.jsonld`, context)
      assert.deepEqual(jsonLd, lines, id)
      const node = `<${publicUrl}/entities/${id}>`
      assert.ok(
        lines.some(line => line.startsWith(`${node} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>`)),
        id
      )
    }
  })

  it('has a form for web pages that names it and says what it is', async () => {
    for (const { id, type } of tried) {
      const { '@id': node, '@type': classes, ...members } = JSON.parse(await fetchAs(id, 'schema'))
      assert.equal(node, `${publicUrl}/entities/${id}`)
      // A uniform title is a part of BIBFRAME's, and nothing that schema.org knows.
      if (type !== 'title') assert.ok(classes.length > 0, id)
      assert.equal(members['@context'], 'https://schema.org')
    }
  })
})

describe('The tables of linked data', () => {
  it('have rows for every record type, by its name or its umbrella', () => {
    for (const { type, umbrella } of service.libretto.model.recordTypes)
      assert.ok(type in mappings || (umbrella ?? '') in mappings, type)
  })

  it('name only types, fields and relations that exist', () => {
    const { model } = service.libretto
    for (const [name, { fields = {}, relations = {}, referrers = {} }] of Object.entries(mappings)) {
      const types = model.typesNamed(name).map(type => model.findType(type))
      assert.ok(types.length > 0, `there is no type ${name}`)
      // Authorities share rows, too; some types of them lack some.
      const isAuthority = 'scheme' in fields
      for (const key of Object.keys(fields)) {
        // Organisations share rows, and some of them are known by their name only.
        const isShared = ['website', 'email', 'phone', 'city', 'country'].includes(key) || isAuthority
        assert.ok(isShared || types.every(type => type && key in type.fields), `${name} has no field ${key}`)
      }
      for (const key of Object.keys(relations)) {
        // Rows about content are the same at all three levels.
        const isShared = ['refLanguages', 'refTargetAudiences', 'refSisos', 'refZizos'].includes(key) || isAuthority
        assert.ok(isShared || types.every(type => type && key in type.relations), `${name} has no relation ${key}`)
      }
      const known = new Set(model.recordTypes.flatMap(each => Object.keys(each.relations)))
      for (const key of Object.keys(referrers)) assert.ok(known.has(key), `there is no relation ${key}`)
    }
  })
})
