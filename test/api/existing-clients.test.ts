import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { aProduction, aVenue, metadata, relations } from '../support/records/entities.ts'
import { ExistingClient, NonUniqueException, NotFoundException } from '../support/services/existing-client.ts'
import { aPng, fieldOf, getBytes, sha256 } from '../support/records/media.ts'
import { start } from '../support/services/start.ts'

/* Clients that exist already, written for another platform: each call by the name it has there. */

const service = await start({ after })

for (const base of ['', '/elody/v1']) {
  const client = new ExistingClient(service, { base })

  describe(`The Python SDK, at "${base}"`, () => {
    it('add_object creates an entity and reads it whole from the answer', async () => {
      const entity = await client.add_object('entities', aProduction({ title: 'Hamlet' }))
      assert.ok(
        entity._id && entity.id && entity.identifiers.includes(entity.id) && entity.identifiers.includes(entity._id)
      )
    })

    it('add_object passes parameters on', async () => {
      const entity = await client.add_object(
        'entities',
        { ...aProduction(), relations: relations({ refVenues: 'VE-LATER' }) },
        '?allow_dangling=1'
      )
      assert.equal(entity.relations[0].key, 'VE-LATER')
    })

    it('add_object raises NonUniqueException for an identifier that is taken', async () => {
      const name = `taken ${base}`
      await client.add_object('entities', { ...aVenue(), identifiers: [name] })
      await assert.rejects(client.add_object('entities', { ...aVenue(), identifiers: [name] }), (error: Error) => {
        assert.ok(error instanceof NonUniqueException)
        return /^W2004 \| identifier:.+ - /.test(JSON.parse(error.message).message)
      })
    })

    it('get_object finds by any identifier', async () => {
      const name = `test-${base.length}`
      const { id, _id } = await client.add_object('entities', { ...aVenue(), identifiers: [name] })
      for (const each of [name, id, _id]) assert.equal((await client.get_object('entities', each)).id, id)
    })

    it('get_object raises NotFoundException', async () => {
      await assert.rejects(client.get_object('entities', 'nothing'), (error: Error) => {
        assert.ok(error instanceof NotFoundException)
        return JSON.parse(error.message).message.startsWith('R0004 | id:nothing - ')
      })
    })

    it('get_all_objects lists without parameters', async () => {
      assert.ok(Array.isArray(await client.get_all_objects('entities')))
      assert.ok((await client.get_all_objects('mediafiles')).results)
    })

    it('update_object replaces, and sends back what it fetched', async () => {
      const { id } = await client.add_object('entities', aProduction({ subtitle: 'A' }))
      const fetched = await client.get_object('entities', id)
      const replaced = await client.update_object('entities', id, {
        ...fetched,
        metadata: metadata({ title: 'Other' })
      })
      assert.equal(fieldOf(replaced, 'title'), 'Other')
      assert.equal(fieldOf(replaced, 'subtitle'), undefined)
    })

    it('update_object without overwrite patches', async () => {
      const { id } = await client.add_object('entities', aProduction({ subtitle: 'A' }))
      const patched = await client.update_object('entities', id, { metadata: metadata({ title: 'Other' }) }, false)
      assert.deepEqual([fieldOf(patched, 'title'), fieldOf(patched, 'subtitle')], ['Other', 'A'])
    })

    it('delete_object takes an empty answer', async () => {
      const { id } = await client.add_object('entities', aVenue())
      assert.equal(await client.delete_object('entities', id), '')
      await assert.rejects(client.get_object('entities', id), NotFoundException)
    })

    it('update_object_relations replaces by type and key, with members of their own', async () => {
      const venue = await client.add_object('entities', aVenue())
      const { id } = await client.add_object('entities', aProduction())
      const list = [{ key: venue.id, type: 'refVenues', label: 'stage', metadata: [{ key: 'role', value: 'host' }] }]
      assert.deepEqual(await client.update_object_relations('entities', id, list), list)
    })

    it('add_object_metadata patches one entry, and a list', async () => {
      const { id } = await client.add_object('entities', aProduction())
      await client.add_object_metadata('entities', id, { key: 'subtitle', value: 'One', lang: 'nl' })
      const list = await client.add_object_metadata('entities', id, [{ key: 'subtitle', value: 'Two', lang: 'nl' }])
      assert.deepEqual(
        list.filter((entry: { key: string }) => entry.key === 'subtitle'),
        [{ key: 'subtitle', value: 'Two', lang: 'nl' }]
      )
    })

    it('add_object_metadata can read the message of every refusal', async () => {
      const { id } = await client.add_object('entities', aProduction())
      await assert.rejects(client.add_object_metadata('entities', id, { key: 'status', value: 'nonsense' }), /W5011 \|/)
    })

    it('add_object_metadata patches a media file', async () => {
      const created = (await client.create_mediafile_with_filename('a.png')).body
      const patched = await client.add_object_metadata('mediafiles', created.id, { key: 'title', value: 'A' })
      assert.equal(fieldOf(patched, 'title'), 'A')
    })

    it('add_entity_mediafiles adds a media file to an entity', async () => {
      const { id } = await client.add_object('entities', aProduction())
      const mediafile = await client.add_entity_mediafiles(id, {
        filename: 'poster.png',
        type: 'mediafile',
        metadata: metadata({ mediafile_type: 'poster' })
      })
      assert.equal(fieldOf(mediafile, 'mediafile_type'), 'posters')
      assert.deepEqual(mediafile.relations, [{ key: id, type: 'refProductions' }])
      const list = await client.get_object('entities', `${id}/mediafiles`)
      assert.deepEqual([list.count, list.results[0].id], [1, mediafile.id])
    })

    it('create_mediafile_with_filename gets exactly 201', async () => {
      const { body } = await client.create_mediafile_with_filename('b.png', 'institution-1')
      assert.deepEqual(
        ['filename', 'original_filename', 'technical_origin', 'institution'].map(key => fieldOf(body, key)),
        ['b.png', 'b.png', 'original', 'institution-1']
      )
    })

    it('create_ticket gets exactly 201 and a string, with which the bytes of that file can be sent', async () => {
      const { body } = await client.create_mediafile_with_filename('c.png')
      const ticket = await client.create_ticket('c.png')
      assert.match(ticket, /^[\w-]+\.[\w-]+$/)
      const sent = await service.call('PUT', `${base}/mediafiles/${body.id}/content?ticket=${ticket}`, {
        token: undefined,
        body: aPng(),
        headers: { 'content-type': 'image/png' }
      })
      assert.equal(sent.status, 200, sent.text)
      const other = (await client.create_mediafile_with_filename('d.png')).body
      const refused = await service.call('PUT', `${base}/mediafiles/${other.id}/content?ticket=${ticket}`, {
        token: undefined,
        body: aPng(),
        headers: { 'content-type': 'image/png' }
      })
      assert.equal(refused.status, 401)
    })

    it('get_mediafiles_and_check_existence fetches each, and raises for one that is not there', async () => {
      const { body } = await client.create_mediafile_with_filename('e.png')
      assert.equal((await client.get_mediafiles_and_check_existence([body.id]))[0].id, body.id)
      await assert.rejects(client.get_mediafiles_and_check_existence([body.id, 'MF-NONE']), NotFoundException)
    })

    it('update_object and delete_object work on media files', async () => {
      const { body } = await client.create_mediafile_with_filename('f.png')
      const replaced = await client.update_object('mediafiles', body.id, {
        metadata: metadata({ mediafile_type: 'rider' })
      })
      assert.equal(fieldOf(replaced, 'mediafile_type'), 'rider')
      assert.equal(await client.delete_object('mediafiles', body.id), '')
      await assert.rejects(client.get_object('mediafiles', body.id), NotFoundException)
    })

    it('upload_file_from_url gets a list of addresses with the id of the media file, where the bytes can be put', async () => {
      const { id } = await client.add_object('entities', aProduction())
      const answer = await client.send(
        'POST',
        `/entities/${id}/mediafiles`,
        { filename: 'g.png', type: 'mediafile' },
        { accept: 'text/uri-list' }
      )
      assert.equal(answer.status, 201)
      assert.match(String(answer.headers['content-type']), /^text\/uri-list/)
      const address = new URL(answer.text.trim())
      const mediafile = address.searchParams.get('id')
      const sent = await service.call('PUT', address.pathname + address.search, {
        token: undefined,
        body: aPng(),
        headers: { 'content-type': 'image/png' }
      })
      assert.equal(sent.status, 200, sent.text)
      assert.equal((await getBytes(service, `/mediafiles/${mediafile}/content`)).headers.etag, `"${sha256(aPng())}"`)
    })
  })

  describe(`The front-end layer of that platform, at "${base}"`, () => {
    it('POST /entities/filter takes an empty order, and parameters that mean nothing here', async () => {
      const answer = await client.send(
        'POST',
        '/entities/filter?limit=20&skip=0&order_by=&asc=1&history=&exact_count=true',
        []
      )
      assert.equal(answer.status, 200, answer.text)
      assert.equal(typeof answer.body.count, 'number')
    })

    it('POST /entities/filter takes any name before a key', async () => {
      await client.add_object('entities', aProduction({ title: `Prefixed ${base.length}` }))
      for (const prefix of ['podiumnet:1|', 'vlacc:1|', 'elody:1|', 'catalog:1|', '']) {
        for (const key of [`${prefix}properties.title.value`, [`${prefix}properties.title.value`]]) {
          const answer = await client.send('POST', '/entities/filter', [
            { type: 'text', key, value: `Prefixed ${base.length}` }
          ])
          assert.equal(answer.body.count, 1, prefix)
        }
      }
    })

    it('GET /entities takes an empty order, and a type', async () => {
      assert.equal((await client.send('GET', '/entities?limit=20&skip=0&asc=1&order_by=')).status, 200)
      assert.equal((await client.send('GET', '/entities?type=production')).status, 200)
    })

    it('soft=1 gets the string "good" where it is allowed', async () => {
      const { id } = await client.add_object('entities', aVenue())
      for (const [method, path] of [
        ['POST', '/entities'],
        ['PUT', `/entities/${id}`],
        ['PATCH', `/entities/${id}`],
        ['PATCH', `/entities/${id}/metadata`],
        ['POST', `/entities/${id}/relations`]
      ] as const) {
        const answer = await client.send(method, `${path}?soft=1`, {})
        assert.deepEqual([answer.status, answer.text], [200, '"good"'], `${method} ${path}`)
      }
      assert.equal((await client.send('DELETE', `/entities/${id}?soft=1`)).text, '"good"')
    })

    it('soft=1 on reads, filters and PUT /entities answers "good" where the caller may', async () => {
      const { id } = await client.add_object('entities', aProduction())
      for (const [method, path, body] of [
        ['GET', '/entities'],
        ['GET', `/entities/${id}`],
        ['GET', `/entities/${id}/metadata`],
        ['GET', `/entities/${id}/mediafiles`],
        ['GET', '/mediafiles'],
        ['POST', '/entities/filter', {}],
        ['PUT', '/entities', []]
      ] as const) {
        const answer = await client.send(method, `${path}?soft=1`, body)
        assert.deepEqual([answer.status, answer.text], [200, '"good"'], `${method} ${path}`)
      }
      assert.equal((await client.send('GET', '/entities/unknown?soft=1')).status, 404)
      assert.equal((await client.send('POST', '/entities?soft=1', { type: 'no_such_type' })).status, 400)
    })

    it('parameters that would have restricted the answer are refused, harmless ones are ignored', async () => {
      for (const query of ['id=x', 'q=title==Hamlet', 'ordr_by=title'])
        assert.equal((await client.send('GET', `/entities?${query}`)).status, 400, query)
      const { detail } = (await client.send('GET', '/entities?ordr_by=title')).body
      assert.match(detail, /Unknown parameter "ordr_by"; did you mean "order_by"\?/)
      for (const query of ['language=nl', '_=1', 'utm_source=x', 'exact_count=1&history=0'])
        assert.equal((await client.send('POST', `/entities/filter?limit=1&${query}`, [])).status, 200, query)
    })

    it('a media file takes metadata and relations by paths of its own, and its bytes as a form', async () => {
      const { id } = await client.add_object('entities', aProduction())
      const made = await client.send('POST', '/mediafiles', { filename: 'a.png', type: 'mediafile' })
      const file = made.body.id
      const relations = await client.send('PATCH', `/mediafiles/${file}/relations`, [
        { key: id, type: 'refProductions' }
      ])
      assert.deepEqual(relations.body, [{ key: id, type: 'refProductions' }])
      const metadata = await client.send('PATCH', `/mediafiles/${file}/metadata`, [{ key: 'title', value: 'Poster' }])
      assert.ok(metadata.body.some((each: { key: string; value: string }) => each.value === 'Poster'))
      assert.equal((await client.send('GET', `/mediafiles/${id}/relations`)).status, 404)
    })

    it('GET /tenants and GET /config get what a catalogue without them has', async () => {
      assert.deepEqual((await client.send('GET', '/tenants?limit=100&order_by=label')).body, {
        count: 0,
        results: [],
        skip: 0,
        limit: 100
      })
      assert.deepEqual((await client.send('GET', '/config')).body, {})
    })

    it('PUT /entities creates and changes many as JSON, all or none, and replaces with ?replace=1', async () => {
      const venue = await client.add_object('entities', aVenue('Old'))
      const answer = await client.send('PUT', '/entities', [{ id: venue.id, ...aVenue('New') }, aVenue('Another')])
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(
        answer.body.entities.map((each: { metadata: { value: string }[] }) => each.metadata[0]?.value),
        ['New', 'Another']
      )
      assert.deepEqual(answer.body.errors, [])
      await client.send('PATCH', `/entities/${venue.id}/metadata`, [{ key: 'city', value: 'Gent' }])
      const [changed] = (await client.send('PUT', '/entities', [{ id: venue.id, ...aVenue('Changed') }])).body.entities
      assert.equal(fieldOf(changed, 'city'), 'Gent')
      const whole = [{ id: venue.id, ...aVenue('New') }]
      const [replaced] = (await client.send('PUT', '/entities?replace=1', whole)).body.entities
      assert.equal(fieldOf(replaced, 'city'), undefined)
      const refused = await client.send('PUT', '/entities', [
        { id: venue.id, ...aVenue('Newer') },
        { type: 'nonsense' }
      ])
      assert.equal(refused.status, 400, refused.text)
      assert.equal(fieldOf(await client.get_object('entities', venue.id), 'name'), 'New')
    })

    it('PUT /entities is for tokens that only write, too', async () => {
      const venue = await client.add_object('entities', aVenue('Old'))
      const token = await service.tokenWith('write')
      const answer = await service.put('/entities', [{ id: venue.id, ...aVenue('Blind') }], { token })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(fieldOf(await client.get_object('entities', venue.id), 'name'), 'Blind')
    })

    const sendTable = (...lines: string[]) =>
      client.send('PUT', '/entities', lines.join('\r\n'), { 'content-type': 'text/csv; charset=utf-8' })

    it('PUT /entities reads numbers and lengths in a table as people write them', async () => {
      const answer = await sendTable('type;title;duration', 'production;Kort;75', 'production;Lang;1u30')
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(
        answer.body.entities.map((each: never) => fieldOf(each, 'duration')),
        [75, 90]
      )
      const venues = await sendTable('type;name;capacity', 'venue;Arena;1 200')
      assert.equal(fieldOf(venues.body.entities[0], 'capacity'), 1200)
      assert.equal((await sendTable('type;title;duration', 'production;Fout;lang')).status, 400)
    })

    it('PUT /entities changes and creates many by a table in CSV, and takes nothing away', async () => {
      const name = `table-${base.length}`
      const old = await client.add_object('entities', {
        type: 'venue',
        identifiers: [name],
        metadata: [
          { key: 'name', value: 'De Oude', lang: 'nl' },
          { key: 'city', value: 'Gent' },
          { key: 'capacity', value: 90 }
        ]
      })
      const answer = await sendTable(
        '\ufeffidentifiers;type;name;capacity;city;phone',
        `${name};venue;"De ""Nieuwe""; en groot";120;;'+32 9 1`,
        `new ${name};venue;Zaal Twee;80;Aalst;09 1 | 09 2`
      )
      assert.equal(answer.status, 200, answer.text)
      const [changed, made] = answer.body.entities
      assert.equal(changed.id, old.id)
      assert.deepEqual(changed.metadata, [
        { key: 'name', value: 'De "Nieuwe"; en groot', lang: 'nl' },
        { key: 'city', value: 'Gent' },
        { key: 'capacity', value: 120 },
        { key: 'phone', value: '+32 9 1' }
      ])
      assert.equal(made.type, 'venue')
      assert.ok(made.identifiers.includes(`new ${name}`))
      assert.deepEqual(
        made.metadata
          .filter((each: { key: string }) => each.key === 'phone')
          .map((each: { value: string }) => each.value),
        ['09 1', '09 2']
      )

      // An export that comes back as it is changes nothing; relations are added by any identifier
      // of their target.
      const exported = await client.send('GET', `/export?format=csv&type=venue&columns=id,name,city,capacity,phone`)
      const before = await client.get_object('entities', old.id)
      assert.equal((await sendTable(...exported.text.trimEnd().split('\r\n'))).status, 200)
      assert.deepEqual(await client.get_object('entities', old.id), before)
      const production = await client.add_object('entities', aProduction())
      assert.equal((await sendTable('id,relations.refVenues.key', `${production.id},${name}`)).status, 200)
      assert.deepEqual((await client.get_object('entities', production.id)).relations, [
        { type: 'refVenues', key: old.id }
      ])
    })

    it('bulkDeleteEntities deletes all or none', async () => {
      const [one, other] = [
        await client.add_object('entities', aVenue('One')),
        await client.add_object('entities', aVenue('Other'))
      ]
      const refused = await client.send('DELETE', '/entities', { ids: [one.id, 'VE-NONE'] })
      assert.equal(refused.status, 404, refused.text)
      assert.equal((await client.get_object('entities', one.id)).id, one.id)
      assert.equal((await client.send('DELETE', '/entities?soft=1', [one.id, other.id])).body, 'good')
      const done = await client.send('DELETE', '/entities', { identifiers: [one.id, other._id] })
      assert.deepEqual([done.status, done.body], [200, { deleted: [one.id, other._id], parent_job_id: '' }])
      await assert.rejects(client.get_object('entities', other.id), NotFoundException)
    })

    it('bulkDeleteEntities deletes records that refer to each other, and detaches others only where asked', async () => {
      const venue = await client.add_object('entities', aVenue())
      const show = await client.add_object('entities', {
        ...aProduction(),
        relations: relations({ refVenues: venue.id })
      })
      assert.equal((await client.send('DELETE', '/entities', [venue.id])).status, 409)
      assert.equal((await client.send('DELETE', `/entities?ids=${venue.id}&references=detach&dry_run=1`)).status, 200)
      assert.equal((await client.send('DELETE', '/entities', [venue.id, show.id])).status, 200)
      for (const body of [[], {}, [1], 'x', { ids: 'x' }])
        assert.equal((await client.send('DELETE', '/entities', JSON.stringify(body))).status, 400)
    })

    it('GetCsvExportKeysPerEntityType reads the names of the columns from a table', async () => {
      await client.add_object('entities', aVenue('In a table'))
      const answer = await client.send('GET', '/entities?type=venue&exclude_non_editable_fields=1&limit=1', undefined, {
        accept: 'text/csv'
      })
      assert.match(String(answer.headers['content-type']), /^text\/csv/)
      const [head = '', row, ...rest] = answer.text.split('\r\n')
      assert.ok(head.startsWith('id,type,') && head.split(',').includes('name'), head)
      assert.ok(row && rest.join('') === '', 'one row, as limit says')
      assert.ok(Number(answer.headers['x-total-count']) > 0)
      const filtered = await client.send(
        'POST',
        '/entities/filter?columns=id,name&limit=1',
        [{ type: 'text', key: 'properties.name.value', value: 'In a table' }],
        { accept: 'text/csv' }
      )
      assert.match(filtered.text, /^id,name\r\n[^,]+,In a table\r\n$/)
      assert.equal((await client.send('GET', '/entities?columns=!!', undefined, { accept: 'text/csv' })).status, 400)
    })

    it('POST /batch creates and changes many, as PUT /entities does', async () => {
      const venue = await client.add_object('entities', aVenue('Before'))
      const lines = ['id,type,name', `${venue.id},,After`, ',venue,New']
      const headers = { 'content-type': 'text/csv' }
      const dry = await client.send('POST', '/batch?dry_run=1', lines.join('\n'), headers)
      assert.equal(dry.status, 200, dry.text)
      assert.equal(fieldOf(await client.get_object('entities', venue.id), 'name'), 'Before')
      const { body } = await client.send('POST', '/batch', lines.join('\n'), headers)
      assert.deepEqual([body.entities.length, body.errors], [2, []])
      assert.equal(fieldOf(await client.get_object('entities', venue.id), 'name'), 'After')
    })

    it('POST /history/filter gives the versions of one record, newest first', async () => {
      const venue = await client.add_object('entities', aVenue('First'))
      await client.update_object('entities', venue.id, { metadata: metadata({ name: 'Second' }) }, false)
      const filters = [{ type: 'id', value: venue.id }]
      const { body } = await client.send('POST', '/history/filter?limit=20&skip=0&order_by=&asc=0', filters)
      assert.deepEqual(
        [body.count, body.results.map(({ object }: { object: Entity }) => [object.version, fieldOf(object, 'name')])],
        [
          2,
          [
            [2, 'Second'],
            [1, 'First']
          ]
        ]
      )
      const page = await client.send('POST', '/history/filter?limit=1', filters)
      assert.deepEqual([page.body.results.length, typeof page.body.next], [1, 'string'])
      const all = await client.send('POST', '/history/filter?limit=1', [])
      assert.deepEqual([all.body.count > 1, all.body.results[0].object.id], [true, venue.id], 'the last one changed')
      const none = await client.send('POST', '/history/filter', [{ type: 'id', value: 'NONE' }])
      assert.deepEqual([none.status, none.body.results], [200, []])
    })

    it('getUserPermissions gives the scopes of the token', async () => {
      assert.deepEqual((await client.send('GET', '/user/permissions')).body, ['admin', 'read', 'write', 'delete'])
      const token = await service.tokenWith('read:venue', 'write:venue')
      const narrow = new ExistingClient(service, { base, token })
      assert.deepEqual((await narrow.send('GET', '/user/permissions')).body, ['read:venue', 'write:venue'])
    })

    it('PUT /entities refuses a table as a whole, and says which row and why', async () => {
      const venue = await client.add_object('entities', aVenue('Before'))
      const refusals: readonly [lines: string[], pointer: string, words: RegExp][] = [
        [[''], '', /first line must name the columns/],
        [['name', 'x'], '', /needs a column "id"/],
        [['id,name,name', 'x'], '', /"name" appears twice/],
        [['id,,name', 'x'], '', /Column 2 has no name/],
        [['id,name', `${venue.id},After`, `${venue.id},a,b`], '/1', /3 cells.*first line 2/],
        [['id,name', `${venue.id},After`, 'x,"never closed'], '/1', /quotation mark/],
        [['id,name,capacity', `${venue.id},After,many`], '/0/metadata/1/value', /"capacity" must be a number/],
        [['id,type,name', `${venue.id},,After`, ',nonsense,x'], '/1/type', /nonsense/],
        [['id,name', `${venue.id},After`, 'VE-NOBODY,x'], '/1/type', /names no existing record.*needs a "type"/]
      ]
      for (const [lines, pointer, words] of refusals) {
        const answer = await sendTable(...lines)
        assert.equal(answer.status, 400, answer.text)
        assert.equal(answer.body.errors[0].pointer, pointer, answer.text)
        assert.match(answer.body.errors[0].message, words)
      }
      assert.equal(fieldOf(await client.get_object('entities', venue.id), 'name'), 'Before')
      assert.equal((await client.send('POST', '/entities', 'id', { 'content-type': 'text/csv' })).status, 415)
    })
  })
}

describe('A bearer that is not known', () => {
  it('gets 401 with the code that clients look for', async () => {
    const answer = await new ExistingClient(service, { token: 'eyJ.eyJ.x' }).send('GET', '/entities')
    assert.equal(answer.status, 401)
    assert.match(answer.body.message, /^R1013 \| /)
  })
})
