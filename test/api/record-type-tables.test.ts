import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { start } from '../support/services/start.ts'
import { assertProblem } from '../support/records/write-cases.ts'

const service = await start({ after })

interface Row {
  readonly type: string
  readonly fields: readonly { readonly key: string; readonly kind: string }[]
  readonly relations: readonly { readonly type: string; readonly to: readonly string[] }[]
  readonly may: readonly string[]
}

const rows = async (token?: string) => {
  const answer = await service.get('/record-types', token === undefined ? {} : { token })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.record_types as Row[]
}

describe('GET /record-types', () => {
  it('has a row for every record type, in the order of the tables, with its fields and relations', async () => {
    const all = await rows()

    assert.deepEqual(
      all.map(({ type, fields, relations }) => [type, fields.map(({ key }) => key), relations.map(each => each.type)]),
      builtInRecordTypes.map(({ type, fields, relations }) => [type, Object.keys(fields), Object.keys(relations)])
    )
    const production = all.find(({ type }) => type === 'production')
    assert.deepEqual(
      production?.fields.find(({ key }) => key === 'status'),
      {
        key: 'status',
        kind: 'choice',
        required: false,
        repeatable: false,
        translatable: false,
        of: ['concept', 'published', 'archived'],
        default: 'concept',
        facet: { order: 110, for_readers: true, open: false }
      }
    )
    assert.deepEqual(production?.may, ['read', 'write', 'delete'])
  })

  it('names the subtypes that a relation may point to, not their umbrella', async () => {
    const all = await rows()
    const toWork = all.find(({ type }) => type === 'expression_word')?.relations.find(({ type }) => type === 'refWork')
    assert.ok(toWork?.to.includes('work_word'))
    assert.ok(!toWork?.to.includes('work'))
  })

  it('leaves out what the token may neither read nor write, and relations that only lead there', async () => {
    const token = await service.tokenWith('read:production', 'read:venue', 'write:season')
    const all = await rows(token)

    assert.deepEqual(
      all.map(({ type, may }) => [type, may]),
      [
        ['production', ['read']],
        ['venue', ['read']],
        ['season', ['write']]
      ]
    )
    assert.deepEqual(
      all[0]?.relations.map(({ type, to }) => [type, to]),
      [
        ['refVenues', ['venue']],
        ['refSeasons', ['season']]
      ]
    )
  })

  it('needs a token', async () => {
    assertProblem(await service.get('/record-types', { token: undefined }), 'unauthenticated')
  })
})

describe('GET /me', () => {
  it('says whose token it is', async () => {
    assert.deepEqual((await service.get('/me')).body, { name: 'token:admin', is_admin: true })
    const token = await service.tokenWith('read:venue')
    assert.deepEqual((await service.get('/me', { token })).body, { name: 'token:test', is_admin: false })
  })

  it('refuses a token that is none', async () => {
    assertProblem(await service.get('/me', { token: 'nothing' }), 'unauthenticated')
  })
})
