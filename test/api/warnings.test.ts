import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { createBook, metadata } from '../support/records/entities.ts'
import { start } from '../support/services/start.ts'

/* Values and keys that look wrong are stored, and the answer says so. */

const service = await start({ after })
const { get, patch, post } = service
const { manifestation } = await createBook(service)

interface Warned {
  readonly status: number
  readonly body: {
    readonly id: string
    readonly warnings?: readonly {
      readonly [member in 'pointer' | 'message' | 'code' | 'key' | 'value']: string
    }[]
  }
}
/** The codes of warnings, for programs that say them in another language. */
const codesOf = ({ body }: Warned) => (body.warnings ?? []).map(({ code, key, value }) => [code, key, value])
const warningsOf = ({ body }: Warned) => (body.warnings ?? []).map(({ pointer, message }) => `${pointer} ${message}`)
const made = async (type: string, fields: Record<string, string>) => {
  const answer = await post('/entities', { type, metadata: metadata(fields) })
  assert.equal(answer.status, 201, answer.text)
  return answer as unknown as Warned
}

describe('A value that looks wrong', () => {
  it('is stored with a warning: ISSN, EAN, code of a language, year, e-mail address, time without a zone', async () => {
    const patched = async (key: string, value: string) =>
      warningsOf((await patch(`/entities/${manifestation}`, { metadata: [{ key, value }] })) as unknown as Warned)
    for (const [key, value, message] of [
      ['issn', '1234-5678', /wrong check digit/],
      ['issn', '12', /form of an ISSN/],
      ['ean', '5412345678901', /wrong check digit/],
      ['year_of_publication', 'MCMLX', /no year in digits/]
    ] as const) {
      const [warning, ...others] = await patched(key, value)
      assert.match(warning ?? '', message, `${key} ${value}`)
      assert.deepEqual(others, [])
    }
    for (const [key, value] of [
      ['issn', '1234-5679'],
      ['issn', '2434-561X'],
      ['ean', '5412345678908'],
      ['year_of_publication', '[ca. 1960]']
    ] as const)
      assert.deepEqual(await patched(key, value), [], `${key} ${value}`)
    assert.match(warningsOf(await made('language', { name: 'Dutch', code: 'Dutch' }))[0] ?? '', /ISO 639/)
    assert.deepEqual(warningsOf(await made('language', { name: 'Nederlands', code: 'nld' })), [])
    const venue = await made('venue', { name: 'Zaal', email: 'zaal' })
    assert.deepEqual(warningsOf(venue), [
      '/metadata/1/value The email "zaal" is not an e-mail address; it is stored as typed'
    ])
    assert.ok(JSON.stringify((await get(`/entities/${venue.body.id}`)).body).includes('"zaal"'))
    assert.deepEqual(codesOf(venue), [['doubtful_value', 'email', 'zaal']])
    assert.deepEqual(codesOf(await made('venue', { name: 'Zaal 2', emial: 'x' })), [
      ['undeclared_name', 'emial', 'emial']
    ])
    const isbn = await patch(`/entities/${manifestation}`, { metadata: [{ key: 'isbn', value: '12345' }] })
    assert.deepEqual(codesOf(isbn as unknown as Warned), [['doubtful_value', 'isbn', '12345']])
  })
})

describe('A key that looks like a field', () => {
  it('is stored with a warning that names the field, and so are other keys', async () => {
    const production = { title: 'Storm', description_short: 'x' }
    for (const [key, meant] of Object.entries({
      desciption: 'description',
      Status: 'status',
      premieredate: 'premiere_date'
    }))
      assert.match(
        warningsOf(await made('production', { ...production, [key]: 'x' }))[0] ?? '',
        new RegExp(`/metadata/2/key .*did you mean "${meant}"`)
      )
    assert.deepEqual(warningsOf(await made('production', { ...production, house_number: '12', foo: 'x' })), [
      '/metadata/2/key A production has no field "house_number"; it is stored as typed',
      '/metadata/3/key A production has no field "foo"; it is stored as typed'
    ])
  })

  it('counts for relations too', async () => {
    const venue = await made('venue', { name: 'Huis' })
    const answer = await post('/entities', {
      type: 'production',
      metadata: metadata({ title: 'Storm' }),
      relations: [{ type: 'refVenue', key: venue.body.id }]
    })
    assert.match(warningsOf(answer as unknown as Warned).join(), /did you mean "refVenues"/)
  })
})
