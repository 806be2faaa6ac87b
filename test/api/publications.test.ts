import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { readPublications } from '#catalogue/publications/read-publications.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { createPrincipal } from '#domain/permissions.ts'
import type { Publication } from '#domain/entity/publication.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { writeIso2709 } from '#formats/marc/iso2709.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { bareIsbn } from '../support/oracles/description-lines.ts'
import { start, type Teardown, type TestService } from '../support/services/start.ts'

async function startWithSample(t: Teardown): Promise<TestService & { manifestations: readonly string[] }> {
  const service = await start(t)
  await loadSample(service.libretto)
  const answer = await service.filter([{ type: 'type', value: 'manifestation' }], '?limit=1000')
  return { ...service, manifestations: answer.body.results.map((each: Entity) => each.id) }
}

const names = (level: Publication['manifestation'] | undefined, relation: string) =>
  level?.related.filter(each => each.type === relation).map(({ entity }) => entity.id)

describe('Publications', () => {
  it('are a manifestation with its expressions, their works, and everything related, in the order asked for', async t => {
    const { libretto } = await startWithSample(t)
    const found = await libretto.catalogue.publications.readMany(libretto.operator, [
      'M-HAMLETNL2019',
      'urn:isbn:9097112192',
      'M-NOBODY',
      'W-HAMLET'
    ])
    assert.deepEqual([...found.keys()], ['M-HAMLETNL2019', 'urn:isbn:9097112192'])
    const hamlet = found.get('M-HAMLETNL2019')
    assert.equal(hamlet?.manifestation.entity.id, 'M-HAMLETNL2019')
    assert.deepEqual(names(hamlet?.manifestation, 'refPublishers'), ['PUB-ZAALLICHT'])
    assert.deepEqual(names(hamlet?.manifestation, 'refExpressions'), [])
    const [expression] = hamlet?.expressions ?? []
    assert.equal(expression?.entity.id, 'E-HAMLETNL2')
    assert.deepEqual(names(expression, 'refAuthors'), ['PERS-OLDENKAMP'])
    assert.deepEqual(names(expression, 'refWork'), [])
    assert.equal(expression?.work?.entity.id, 'W-HAMLET')
    assert.deepEqual(names(expression?.work, 'refAuthors'), ['PERS-SHAKESPEARE'])
    assert.deepEqual(expression?.work?.related[0]?.metadata, [{ key: 'role', value: 'author' }])
    const anthology = found.get('urn:isbn:9097112192')
    assert.deepEqual(
      anthology?.expressions.map(each => each.work?.entity.id),
      ['W-HAMLET', 'W-MACBETH', 'W-ROMEO']
    )
  })

  it('hold nothing of a type that may not be read, by any path', async t => {
    const { libretto } = await startWithSample(t)
    const view = (...scopes: string[]) => createPrincipal(libretto.model, 'narrow', scopes)
    const read = async (...scopes: string[]) =>
      (await libretto.catalogue.publications.readMany(view(...scopes), ['M-HAMLETNL2019'])).get('M-HAMLETNL2019')
    const withoutPeople = await read('read:manifestation', 'read:expression', 'read:work', 'read:language')
    assert.equal(withoutPeople?.expressions[0]?.work?.entity.id, 'W-HAMLET')
    const text = JSON.stringify(withoutPeople)
    for (const hidden of ['PERS-', 'PUB-', 'SUBJ-', 'TIT-', 'Shakespeare, William', 'Zaallicht'])
      assert.ok(!text.includes(hidden), hidden)
    assert.ok(text.includes('LANG-NLD'))
    assert.deepEqual((await read('read:manifestation', 'read:work'))?.expressions, [])
    assert.equal(await read('read:work', 'read:expression'), undefined)
    await assert.rejects(read('write'), { code: 'forbidden' })
  })

  it('are found with four questions to the store, however many they are', async t => {
    const { libretto, manifestations } = await startWithSample(t)
    let questions = 0
    const store = {
      ...libretto.store,
      findEntities: (identifiers: readonly string[]) => {
        questions++
        return libretto.store.findEntities(identifiers)
      }
    }
    const parts = { store, model: libretto.model } as Parameters<typeof readPublications>[0]
    const found = await readPublications(parts, libretto.operator, manifestations)
    assert.equal(found.size, manifestations.length)
    assert.ok(found.size > 50)
    assert.equal(questions, 4)
  })

  it('of the sample catalogue become MARC records that say the same', async t => {
    const { libretto, manifestations } = await startWithSample(t)
    const found = await libretto.catalogue.publications.readMany(libretto.operator, manifestations)
    for (const [id, { manifestation, expressions }] of found) {
      const { record } = composeRecord({ manifestation, expressions })
      assert.ok(writeIso2709(record).length > 100, id)
      const described = describeRecord(record)
      assert.deepEqual(
        described.problems.filter(each => each.kind !== 'unknown_role'),
        [],
        id
      )
      const said = (key: string) =>
        manifestation.entity.metadata.filter(each => each.key === key).map(each => each.value)
      const read = (key: string) =>
        described.manifestation.metadata.filter(each => each.key === key).map(each => each.value)
      for (const key of ['isbn', 'issn', 'ean', 'edition', 'extent', 'material_type', 'series_statement', 'subtitle'])
        assert.deepEqual(
          read(key),
          said(key).map(each => (key === 'isbn' ? bareIsbn(String(each)) : String(each))),
          `${id} ${key}`
        )
      assert.equal(described.manifestation.type, manifestation.entity.type, id)
      const works = new Set(expressions.map(each => each.work?.entity.id))
      if (works.size > 1) {
        assert.equal(described.isAggregate, true, id)
        assert.equal(described.works.length - 1, expressions.length, id)
      } else assert.equal(described.works[0]?.type, expressions[0]?.work?.entity.type, id)
    }
  })
})
