import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { aRecord } from '../support/records/entities.ts'
import { importPayload } from '../support/services/import-file.ts'
import { adminToken, start } from '../support/services/start.ts'

/* The same edits of people, and the same changes of a table, for every kind of item with fields. */

const service = await start({ after })
const { get, patch, create } = service

interface Content {
  readonly metadata: readonly { readonly key: string; readonly value: unknown }[]
  readonly relations: readonly { readonly type: string; readonly key: string }[]
}

const send = (mapping: unknown, ...rows: string[]) => sendWith('', mapping, rows)
const sendWith = (query: string, mapping: unknown, rows: readonly string[]) =>
  importPayload(service, ['Nr,Title,Subtitle,Note,Names', ...rows].join('\n'), {
    query: `?mapping=${encodeURIComponent(JSON.stringify(mapping))}${query}`,
    type: 'text/csv'
  })
const read = async (id: string) => (await get(`/entities/${encodeURIComponent(id)}`)).body
const valuesOf = ({ metadata }: Content, key: string) =>
  metadata.filter(each => each.key === key).map(each => each.value)
const namesOf = async ({ relations }: Content, type: string) =>
  Promise.all(relations.filter(each => each.type === type).map(async each => valuesOf(await read(each.key), 'name')[0]))

/** Mappings of one table, each with the relation that its last column fills. */
const kinds = {
  'A record of a publication': {
    relation: 'refPublishers',
    to: 'publisher',
    note: 'note',
    prefix: '(TEST)',
    mapping: {
      agency: 'TEST',
      columns: {
        Nr: 'name',
        Title: { level: 'manifestation', key: 'title' },
        Subtitle: { level: 'manifestation', key: 'subtitle' },
        Note: { level: 'manifestation', key: 'note' },
        Names: { level: 'manifestation', relation: 'refPublishers', separator: ';' }
      }
    }
  },
  'A row with an identifier': {
    relation: 'refCompanies',
    to: 'company',
    note: 'description',
    prefix: 'show-',
    mapping: {
      records: [
        {
          type: 'production',
          id: 'show-{Nr}',
          fields: { title: 'Title', subtitle: 'Subtitle', description: 'Note' },
          relations: { refCompanies: { from: 'Names', split: ';' } }
        }
      ]
    }
  }
}

for (const [kind, { relation, to, note, prefix, mapping }] of Object.entries(kinds))
  describe(kind, () => {
    it('keeps every edit of people when the file changes the same field, and follows the file elsewhere', async () => {
      const id = `${prefix}1`
      await send(mapping, `1,Old,Sub,,Alpha;Beta`)
      const first = await read(id)
      assert.deepEqual(await namesOf(first, relation), ['Alpha', 'Beta'])
      const own = await create(aRecord(to, { name: 'Gamma' }))
      const [, beta] = first.relations.filter((each: { type: string }) => each.type === relation)
      await service.app.inject({
        method: 'DELETE',
        url: `/entities/${first.id}/relations`,
        headers: { authorization: `Bearer ${adminToken}` },
        payload: [{ type: relation, key: beta.key }]
      })
      await patch(`/entities/${first.id}`, {
        metadata: [{ key: 'title', value: 'Edited' }],
        relations: [{ type: relation, key: own.id }]
      })
      await send(mapping, `1,New,New sub,,Alpha;Beta;Delta`)
      const now = await read(id)
      assert.deepEqual(
        [valuesOf(now, 'title'), valuesOf(now, 'subtitle'), await namesOf(now, relation)],
        [['Edited'], ['New sub'], ['Alpha', 'Gamma', 'Delta']]
      )
      // The file no longer has a name, and the edits last beyond the next import.
      await send(mapping, `1,Newer,,,Delta`)
      const last = await read(id)
      assert.deepEqual(
        [valuesOf(last, 'title'), valuesOf(last, 'subtitle'), await namesOf(last, relation)],
        [['Edited'], [], ['Gamma', 'Delta']]
      )
    })

    it('follows the file in a value that is stored in another form than the file has it', async () => {
      const id = `${prefix}2`
      const line = (text: string) => `2,Title,,<p onclick=x()>${text}</p>,`
      await send(mapping, line('One'))
      await send(mapping, line('One'))
      const done = await send(mapping, line('Two'))
      assert.deepEqual([done.counts.created, done.counts.updated], [0, 1])
      assert.match(String(valuesOf(await read(id), note)[0]), /Two/)
      const again = await send(mapping, line('Two'))
      assert.deepEqual([again.counts.updated, again.counts.unchanged], [0, 1])
    })
  })

describe('A row', () => {
  const mapping = (...others: string[]) => ({
    records: [
      {
        type: 'production',
        id: 'own-{Nr}',
        fields: Object.fromEntries([['title', 'Title'], ...others.map(key => [key, 'Subtitle'])])
      }
    ]
  })

  it('gives a record that people made with its identifier only the values that it lacks', async () => {
    await create(aRecord('production', { title: 'By hand' }, {}, { identifiers: ['own-1'] }))
    await send(mapping('subtitle'), '1,From the file,Sub,,')
    const now = await read('own-1')
    assert.deepEqual([valuesOf(now, 'title'), valuesOf(now, 'subtitle')], [['By hand'], ['Sub']])
  })

  it('leaves a field as it is that the mapping does not fill any more', async () => {
    await send(mapping('subtitle'), '2,Title,Sub,,')
    await send(mapping(), '2,New title,,,')
    const now = await read('own-2')
    assert.deepEqual([valuesOf(now, 'title'), valuesOf(now, 'subtitle')], [['New title'], ['Sub']])
  })

  it('changes the time of a performance that got its offset from the venue', async () => {
    const shows = {
      records: [
        {
          type: 'performance',
          id: 'at-{Nr}',
          fields: { start: 'Title' },
          relations: { refVenues: 'venue', refProduction: 'production' }
        },
        { type: 'production', id: 'at-show-{Nr}', fields: { title: 'Names' } },
        { type: 'venue', find: 'name', fields: { name: 'Names', time_zone: 'Subtitle' } }
      ]
    }
    await send(shows, '3,2027-03-04 20:00,America/New_York,,Hall')
    await send(shows, '3,2027-03-04 21:00,America/New_York,,Hall')
    assert.deepEqual(valuesOf(await read('at-3'), 'start'), ['2027-03-04T21:00:00-05:00'])
  })

  it('is counted in a preview as it will be when a later batch describes its record again', async () => {
    const shows = {
      records: [
        {
          type: 'performance',
          id: 'many-{Nr}',
          fields: { start: 'Title' },
          relations: { refProduction: 'production' }
        },
        { type: 'production', id: 'many-{Note}', fields: { title: 'Names', description: 'Note' } }
      ]
    }
    const lines = Array.from({ length: 450 }, (_, at) => `${at},2027-03-${10 + (at % 20)},,Tour,The tour`)
    const preview = await sendWith('&preview=1', shows, lines)
    const done = await send(shows, ...lines)
    assert.deepEqual([preview.counts, preview.entities], [done.counts, done.entities])
    assert.equal(done.entities.production.created, 1)
  })
})
