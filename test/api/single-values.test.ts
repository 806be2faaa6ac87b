import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { type Field, isTranslatable, type RecordType } from '#domain/record-types/record-type.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { contentHashField } from '#domain/entity/server-fields.ts'
import { start } from '../support/services/start.ts'
import {
  assertProblem,
  createOneOfEach,
  goodValue,
  jsonPatch,
  mergePatch,
  smallest
} from '../support/records/write-cases.ts'

/*
 * The tables of record types say which fields repeat; every way of writing allows one value of the
 * others.
 */

const service = await start({ after })
const { create, get, patch, post, put } = service
const targets = await createOneOfEach(service)

/** One type of each table: the subtypes of an umbrella share theirs. */
const tables = builtInRecordTypes.filter(each => each.umbrella === undefined || each.type.endsWith('_word'))
const singles = (recordType: RecordType): [string, Field][] =>
  Object.entries(recordType.fields).filter(([key, field]) => !field.repeatable && key !== contentHashField)

/** Ways to give a record, which may exist already, all of these metadata entries. */
const waysToWrite: Record<string, (recordType: RecordType, entries: readonly object[]) => Promise<{ status: number }>> =
  {
    'POST /entities': (recordType, entries) =>
      post('/entities', { ...smallest(recordType, targets), metadata: entries }),
    'PUT /entities/{id}': async (recordType, entries) => {
      const { id } = await create(smallest(recordType, targets))
      return put(`/entities/${id}`, { ...smallest(recordType, targets), metadata: entries })
    },
    'PATCH /entities/{id}': async (recordType, entries) => {
      const { id } = await create(smallest(recordType, targets))
      return patch(`/entities/${id}`, { metadata: entries })
    },
    'PATCH /entities/{id} as a merge patch': async (recordType, entries) => {
      const { id } = await create(smallest(recordType, targets))
      return patch(`/entities/${id}`, { metadata: entries }, mergePatch)
    },
    'PATCH /entities/{id} as a JSON patch': async (recordType, entries) => {
      const { id } = await create(smallest(recordType, targets))
      return patch(`/entities/${id}`, [{ op: 'replace', path: '/metadata', value: entries }], jsonPatch)
    },
    'PATCH /entities/{id}/metadata': async (recordType, entries) => {
      const { id } = await create(smallest(recordType, targets))
      return patch(`/entities/${id}/metadata`, entries)
    },
    'PUT /entities/{id}/metadata': async (recordType, entries) => {
      const { id } = await create(smallest(recordType, targets))
      return put(`/entities/${id}/metadata`, entries)
    },
    'a line of an atomic batch': async (recordType, entries) => {
      const entity = { ...smallest(recordType, targets), metadata: entries }
      return post('/entities/batch?atomic=1', [{ op: 'create', entity }])
    },
    'a merge that chooses metadata': async (recordType, entries) => {
      const { id } = await create(smallest(recordType, targets))
      const victim = await create(smallest(recordType, targets))
      return post(`/entities/${id}/merge`, { victim_id: victim.id, metadata: entries })
    }
  }

describe('A declared field that is not repeatable has one value', () => {
  for (const [way, write] of Object.entries(waysToWrite)) {
    it(`in ${way}, whatever the type`, async () => {
      for (const recordType of tables) {
        const [key, field] = singles(recordType)[0] ?? assert.fail(`${recordType.type} has no single field`)
        const others = smallest(recordType, targets).metadata.filter(entry => entry.key !== key)
        const twice = [...others, { key, value: goodValue(field) }, { key, value: goodValue(field) }]
        const answer = await write(recordType, twice)
        assertProblem(answer as Parameters<typeof assertProblem>[0], 'invalid')
        assert.match(JSON.stringify(answer), new RegExp(`\\\\"${key}\\\\" has one value`), `${recordType.type} ${way}`)
      }
    })
  }

  it('with POST /entities/{id}/metadata too, for each field of each type, with and without a language', async () => {
    for (const recordType of tables) {
      const { id } = await create(smallest(recordType, targets))
      for (const [key, field] of singles(recordType)) {
        const value = goodValue(field)
        const isThere = (await get(`/entities/${id}`)).body.metadata.some((each: { key: string }) => each.key === key)
        if (!isThere) assert.ok((await post(`/entities/${id}/metadata`, [{ key, value }])).status < 300, key)
        assertProblem(await post(`/entities/${id}/metadata`, [{ key, value }]), 'invalid')
        const translated = await post(`/entities/${id}/metadata`, [{ key, value, lang: 'nl' }])
        assert.equal(translated.status, isTranslatable(field) ? 201 : 400, `${recordType.type} ${key}`)
      }
    }
  })

  it('and several where it is repeatable', async () => {
    for (const recordType of tables) {
      for (const [key, field] of Object.entries(recordType.fields).filter(([, each]) => each.repeatable)) {
        const entry = { key, value: goodValue(field) }
        const whole = smallest(recordType, targets)
        const made = await post('/entities', { ...whole, metadata: [...whole.metadata, entry, entry] })
        assert.equal(made.status, 201, `${recordType.type} ${key}`)
      }
    }
  })
})
