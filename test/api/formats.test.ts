import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { authorities, type DescribedEntities, everyEntity } from '#protocols/formats/format.ts'
import { allFormats, harvestedFormats, searchedFormats } from '#protocols/formats/registry.ts'
import { detectSource } from '#formats/source/detect-source.ts'
import { sourceFormats } from '#formats/source/source-formats.ts'
import { exportFormats, importFormats } from '../../client/formats.ts'
import { exportGroups } from '../../web/src/export/export-formats.ts'
import { adminToken, start } from '../support/services/start.ts'
import { createBook } from '../support/records/entities.ts'

/* Single records, files, harvests and searches offer the formats of one registry. */

const service = await start({ after })
const book = await createBook(service, { manifestation: { fields: { title: 'Storm' } } })

const genre = await service.create({ type: 'genre', metadata: [{ key: 'name', value: 'Storm' }] })
/** A record that has the format. */
const recordOf = (of: DescribedEntities) => (of === authorities ? genre.id : book.manifestation)

const ask = (url: string, accept = '*/*') =>
  service.app.inject({ url, headers: { authorization: `Bearer ${adminToken}`, accept } })

const mediaTypeOf = (answer: Awaited<ReturnType<typeof ask>>) => String(answer.headers['content-type']).split(';')[0]

describe('Every format', () => {
  for (const { name, mediaType, extension, of, isByNameOnly, reads } of allFormats) {
    it(`is there for one record and for a file of records: ${name}`, async () => {
      const one = await ask(`/entities/${recordOf(of)}?format=${name}`)
      assert.equal(one.statusCode, 200, one.body)
      assert.equal(mediaTypeOf(one), mediaType)
      const file = await ask(`/export?format=${name}`)
      assert.equal(file.statusCode, 200, file.body)
      assert.equal(mediaTypeOf(file), mediaType)
      assert.match(String(file.headers['content-disposition']), new RegExp(`export\\.${RegExp.escape(extension)}"$`))
      for (const answer of [one, file]) assert.match(answer.body, /Storm/, 'the title of the publication')
      if (name !== 'ndjson') assert.notEqual(file.body.slice(0, 40), (await ask('/export')).body.slice(0, 40))
    })

    it(`is chosen by Accept, unless another format has its media type: ${name}`, async () => {
      const answer = await ask(`/entities/${recordOf(of)}`, mediaType)
      const isOther = answer.body !== (await ask(`/entities/${recordOf(of)}?format=${name}`)).body
      assert.equal(isOther, isByNameOnly === true)
    })

    it(`is refused for a work if it is for other records only: ${name}`, async () => {
      const answer = await ask(`/entities/${book.work}?format=${name}`)
      assert.equal(answer.statusCode, of === everyEntity ? 200 : 406, answer.body)
    })

    if (reads !== undefined)
      it(`is recognised when it is imported: ${name}`, async () => {
        const file = await ask(`/export?format=${name}`)
        assert.equal(detectSource(file.rawPayload), reads)
        assert.equal(sourceFormats[reads].mediaType, mediaType)
      })
  }
})

describe('The protocols', () => {
  it('list the formats of the registry', async () => {
    const harvest = await ask('/oai?verb=ListMetadataFormats')
    const prefixes = [...harvest.body.matchAll(/<metadataPrefix>([^<]*)</g)].map(([, prefix]) => prefix)
    assert.deepEqual(
      prefixes,
      harvestedFormats.map(({ oai }) => oai.prefix)
    )
    const explain = await ask('/sru')
    const schemas = [...explain.body.matchAll(/<schema name="([^"]*)"/g)].map(([, schema]) => schema)
    assert.deepEqual(
      schemas,
      searchedFormats.map(({ sru }) => sru.name)
    )
  })

  for (const { oai } of harvestedFormats)
    it(`harvest records as ${oai.prefix}`, async () => {
      const answer = await ask(`/oai?verb=ListRecords&metadataPrefix=${oai.prefix}`)
      assert.match(answer.body, /<metadata>/)
      assert.ok(answer.body.includes(oai.namespace), oai.namespace)
      assert.match(answer.body, /Storm/)
    })

  for (const { sru, of } of searchedFormats)
    it(`search for records as ${sru.name}, by each of its names`, async () => {
      for (const schema of [sru.name, sru.identifier, ...(sru.otherNames ?? [])]) {
        const answer = await ask(
          `/sru${of === authorities ? '/genre' : ''}?query=Storm&recordSchema=${encodeURIComponent(schema)}`
        )
        assert.match(answer.body, new RegExp(`recordSchema>${RegExp.escape(sru.identifier)}<`), schema)
        assert.doesNotMatch(answer.body, /diagnostic/)
      }
    })
})

describe('The page and the client', () => {
  it('have every format in one of the menus', () => {
    const offered = Object.values(exportGroups).flatMap(group => group.map(({ name }) => name))
    assert.deepEqual(offered.toSorted(), allFormats.map(({ name }) => name).toSorted())
    assert.deepEqual(
      exportFormats.map(({ name }) => name),
      allFormats.map(({ name }) => name)
    )
    assert.deepEqual(
      importFormats.map(({ name }) => name),
      Object.keys(sourceFormats)
    )
  })

  it('agree with the parameters of the interface', async () => {
    const { paths } = (await ask('/openapi.json')).json()
    const parameter = (path: string) =>
      paths[path].get.parameters.find((each: { name: string }) => each.name === 'format').schema.enum
    const names = allFormats.map(({ name }) => name)
    assert.deepEqual(parameter('/export'), names)
    assert.deepEqual(parameter('/entities/{id}'), ['json', ...names])
  })
})
