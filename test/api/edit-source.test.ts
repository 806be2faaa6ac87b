import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { writeIso2709 } from '#formats/marc/iso2709.ts'
import { writeMarcXml } from '#formats/marc/marcxml.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import type { MarcRecord } from '#formats/marc/record.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { start } from '../support/services/start.ts'
import { marcFile } from '../support/records/marc-files.ts'

/* Source records that are edited as MARC, and the records of the catalogue that follow. */

const service = await start({ after })
const { get, patch } = service

const tide = (number: number, more = '', title = `The tide ${number}`) => ({
  [`tide${number}`]: `020 ## $a9789025701017
084 ## $aHdb.01=c$2kssb
100 1# $aVerhoeven, Mila,$d1911-1984
245 14 $a${title} :$ba novel /$cMila Verhoeven.
264 #1 $aGent :$bDe Kade,$c1951.
650 #0 $aTides${more}`
})

interface MarcJson {
  leader: string
  fields: Record<string, string | { ind1: string; ind2: string; subfields: Record<string, string>[] }>[]
}

/** Imports a record, and finds its publication. */
async function imported(number: number, more = '', title?: string): Promise<string> {
  await importPayload(service, marcFile(tide(number, more, title)), { query: '?agency=TEST' })
  const { body } = await get(`/entities/${encodeURIComponent(`(TEST)tide${number}`)}`)
  return body.id
}

const shown = async (id: string): Promise<MarcJson> =>
  JSON.parse((await get(`/entities/${id}?format=marcjson`)).text.trim())
const textOf = async (id: string, tag: string) =>
  (await shown(id)).fields
    .flatMap(each => each[tag] ?? [])
    .map(field => (typeof field === 'string' ? field : field.subfields.flatMap(each => Object.values(each)).join(' ')))
const entity = async (id: string) => (await get(`/entities/${id}`)).body

/** The titles of the works in a publication, by their ids. */
async function worksIn(id: string): Promise<Map<string, unknown>> {
  const keysOf = (of: { relations: { type: string; key: string }[] }, type: string) =>
    of.relations.flatMap(each => (each.type === type ? [each.key] : []))
  const texts = await Promise.all(keysOf(await entity(id), 'refExpressions').map(entity))
  const works = await Promise.all(texts.flatMap(each => keysOf(each, 'refWork')).map(entity))
  return new Map(works.map(each => [each.id, fieldOf(each, 'title')]))
}

const fieldOf = (record: { metadata: { key: string; value: unknown }[] }, key: string) =>
  record.metadata.find(each => each.key === key)?.value

/** A record with the first subfield of a tag replaced. */
const withText = (record: MarcJson, tag: string, text: string): MarcJson => ({
  ...record,
  fields: record.fields.map(each => {
    const field = each[tag]
    if (field === undefined || typeof field === 'string') return each
    const [first = {}, ...rest] = field.subfields
    return { [tag]: { ...field, subfields: [{ [Object.keys(first)[0] ?? 'a']: text }, ...rest] } }
  })
})

const marcJson = { 'content-type': 'application/marc+json' }

const send = (id: string, body: unknown, query = '', headers: Record<string, string> = { 'if-match': '*' }) =>
  service.put(`/entities/${id}${query}`, body, { headers: { ...marcJson, ...headers } })

const toRecord = async (given: MarcJson): Promise<MarcRecord> => {
  for await (const reading of readMarc([Buffer.from(JSON.stringify(given))], { form: 'json' }))
    if (reading.outcome === 'record') return reading.record
  assert.fail('no record')
}

describe('An edited source record', () => {
  it('replaces the source record, in each form of MARC, and the model follows', async () => {
    const id = await imported(1)
    const forms = {
      'application/marc+json': (_: MarcRecord, given: MarcJson) => JSON.stringify(given),
      'application/marcxml+xml': (record: MarcRecord) => writeMarcXml(record),
      'application/marc': (record: MarcRecord) => writeIso2709(record)
    }
    for (const [type, write] of Object.entries(forms)) {
      const next = withText(await shown(id), '245', `The flood in ${type} :`)
      const answer = await send(id, write(await toRecord(next), next), '', { 'content-type': type, 'if-match': '*' })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(fieldOf(answer.body, 'title'), `The flood in ${type}`)
      assert.equal(fieldOf(await entity(id), 'title'), `The flood in ${type}`)
      assert.match((await textOf(id, '245'))[0] ?? '', new RegExp(`The flood in ${type.replace('+', '.')}`))
    }
  })

  it('changes what the model does not name, with a version and a datestamp of its own', async () => {
    const id = await imported(2)
    const before = await entity(id)
    const answer = await send(id, withText(await shown(id), '084', 'Hdb.02'))
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.version, before.version + 1)
    assert.deepEqual(await textOf(id, '084'), ['Hdb.02 kssb'])
    const history = (await get(`/entities/${id}/history`)).body
    assert.equal(history.count, before.version + 1)
  })

  it('shows in a dry run what would change, and writes nothing', async () => {
    const id = await imported(3)
    const [before, marc] = [await entity(id), await shown(id)]
    const next = withText(withText(marc, '245', 'Ebb :'), '650', 'Moons')
    const answer = await send(id, next, '?dry_run=1')
    assert.equal(answer.status, 200, answer.text)
    assert.equal(fieldOf(answer.body, 'title'), 'Ebb')
    const outcomes = answer.body.records.map(
      (each: { type: string; outcome: string }) => `${each.type} ${each.outcome}`
    )
    assert.ok(outcomes.includes('subject created'), outcomes.join())
    assert.ok(outcomes.includes('manifestation_word updated'), outcomes.join())
    assert.deepEqual(await entity(id), before)
    assert.deepEqual(await shown(id), marc)
  })

  it('is shown in a dry run while an import runs, and cannot be saved', async () => {
    const id = await imported(72)
    const { store } = service.libretto
    const edited = withText(await shown(id), '245', 'The dry tide :')
    assert.ok(await store.holdLease('imports', 'another process', 60_000))
    const trial = await send(id, edited, '?dry_run=1')
    assert.deepEqual([trial.status, fieldOf(trial.body, 'title')], [200, 'The dry tide'])
    const again = await service.post('/entities?dry_run=1', edited, { headers: marcJson })
    const refused = await send(id, edited)
    await store.releaseLease('imports', 'another process')
    assert.equal(again.status, 200, again.text)
    assert.deepEqual([refused.status, refused.body.code], [503, 'unavailable'])
    assert.match(refused.text, /An import is running/)
    assert.equal((await send(id, edited)).status, 200)
  })

  it('keeps an edit of a field in the model that the edit of the source leaves alone', async () => {
    const id = await imported(4)
    await patch(`/entities/${id}`, { metadata: [{ key: 'title', value: 'Title of the model' }] })
    assert.match((await textOf(id, '245'))[0] ?? '', /Title of the model/)
    await send(id, withText(await shown(id), '084', 'X'))
    assert.equal(fieldOf(await entity(id), 'title'), 'Title of the model')
    assert.match((await textOf(id, '245'))[0] ?? '', /Title of the model/)
    // The same field in the source is the later edit, and wins.
    await send(id, withText(await shown(id), '245', 'Title of the source :'))
    assert.equal(fieldOf(await entity(id), 'title'), 'Title of the source')
    assert.deepEqual(await textOf(id, '084'), ['X kssb'])
  })

  const listed = '700 12 $aLind, Eva.$tMud.\n700 12 $aLind, Eva.$tReed.'
  for (const [number, says, entries, [was, is]] of [
    ['Aker', 'that only the list of contents has, which is edited', '', ['Salt ;', 'Brine ;']],
    ['Berg', 'that only the list of contents has, beside an edited name', '', ['Maes, Jan', 'Maes, Joris']],
    ['Dahl', 'that the list and an entry have, beside an edited name', listed, ['Maes, Jan', 'Maes, Joris']],
    ['Eide', 'that the list and an entry have, beside an edited entry', listed, ['"Reed."', '"Rushes."']]
  ] as const)
    it(`keeps the title of a work in it ${says}, as it was edited here`, async () => {
      const list = '505 00 $tSalt ;$tReed ;$tMud.'
      const lines = `100 1# $aLind, Eva\n240 10 $aWorks\n245 10 $aThe tides.\n${list}\n700 1# $aMaes, Jan,$eill.\n${entries}`
      const file = marcFile({ [number]: lines.replaceAll('Lind', number) })
      await importPayload(service, file, { query: '?agency=TEST' })
      const { id } = (await get(`/entities/${encodeURIComponent(`(TEST)${number}`)}`)).body
      const before = await worksIn(id)
      const [mud = ''] = [...before].find(([, title]) => title === 'Mud') ?? []
      assert.equal((await patch(`/entities/${mud}`, { metadata: [{ key: 'title', value: 'Clay' }] })).status, 200)
      const record = JSON.stringify(await shown(id))
      assert.ok(record.includes('Clay') && record.includes(was), record)
      const edited = record.replace(was, is)
      const answer = await send(id, JSON.parse(edited))
      assert.equal(answer.status, 200, answer.text)
      const [old, title] = [was, is].map(each => each.replaceAll(/^\W+|\W+$/g, ''))
      const after = [...before].map(([work, given]) => [work, work === mud ? 'Clay' : given === old ? title : given])
      assert.deepEqual([...(await worksIn(id))].toSorted(), after.toSorted())
      const withoutTime = (text: string) => text.replace(/"005":"[^"]*"/, '')
      assert.equal(withoutTime(JSON.stringify(await shown(id))), withoutTime(edited))
    })

  it('that makes another kind of thing of a record keeps the edits of its work, and can be undone', async () => {
    const id = await imported(61)
    const work = async () => {
      const [text] = (await entity(id)).relations.filter((each: { type: string }) => each.type === 'refExpressions')
      const [{ key }] = (await entity(text.key)).relations.filter((each: { type: string }) => each.type === 'refWork')
      return entity(key)
    }
    const before = await work()
    await patch(`/entities/${before.id}`, { metadata: [{ key: 'title', value: 'Ebb and flow' }] })
    const record = await shown(id)
    const film = { ...record, leader: `${record.leader.slice(0, 6)}g${record.leader.slice(7)}` }
    const answer = await send(id, film)
    assert.equal(answer.status, 200, answer.text)
    const after = await work()
    assert.notEqual(after.type, before.type)
    assert.equal(fieldOf(after, 'title'), 'Ebb and flow')
    assert.equal((await entity(before.id)).id, after.id)
    const pick = (each: MarcJson) => each.fields.filter(field => !('005' in field || '008' in field))
    assert.deepEqual(pick(await shown(answer.body.id)), pick(record))
    const job = answer.body.audit.updated.by.replace(/^import:/, '')
    assert.equal((await service.post(`/imports/${job}/undo`, undefined)).status, 202)
    assert.equal((await workOn(service, job)).state, 'undone')
    const undone = await work()
    assert.deepEqual([undone.id, undone.type, fieldOf(undone, 'title')], [before.id, before.type, 'Ebb and flow'])
  })

  it('lasts when its file is imported again, also when the file changed other fields', async () => {
    const id = await imported(5)
    await send(id, withText(withText(await shown(id), '245', 'Edited :'), '084', 'Y'))
    const again = await importPayload(service, marcFile(tide(5)), { query: '?agency=TEST' })
    assert.deepEqual([again.counts.unchanged, again.counts.updated], [1, 0])
    await importPayload(service, marcFile(tide(5, '\n500 ## $aA note of the file.', 'New title')), {
      query: '?agency=TEST'
    })
    assert.equal(fieldOf(await entity(id), 'title'), 'Edited')
    assert.deepEqual(await textOf(id, '084'), ['Y kssb'])
    assert.deepEqual(await textOf(id, '500'), ['A note of the file.'])
    const last = await importPayload(service, marcFile(tide(5, '\n500 ## $aA note of the file.', 'New title')), {
      query: '?agency=TEST'
    })
    assert.deepEqual([last.counts.unchanged, last.counts.updated], [1, 0])
  })

  it('moves to another catalogue with the record that was imported', async () => {
    const id = await imported(11)
    await send(id, withText(await shown(id), '084', 'Moved'))
    const other = await start({ after })
    await importPayload(other, (await get('/export')).text, { type: 'application/x-ndjson' })
    const again = await importPayload(other, marcFile(tide(11)), { query: '?agency=TEST' })
    assert.deepEqual([again.counts.unchanged, again.counts.updated, again.counts.created], [1, 0, 0])
    assert.match((await other.get(`/entities/${id}?format=marcjson`)).text, /"Moved"/)
  })

  it('can be undone as an import can, and is not listed among the imports', async () => {
    const id = await imported(6)
    const [before, marc] = [await entity(id), await shown(id)]
    await send(id, withText(withText(marc, '245', 'Undone :'), '650', 'Deserts of this test'))
    const job = (await get(`/entities/${id}/origin`)).body.import_id
    assert.equal((await get(`/imports/${job}`)).body.state, 'done')
    const listed = (await get('/imports?limit=1000')).body.map((each: { id: string }) => each.id)
    assert.ok(!listed.includes(job))
    assert.equal((await service.post(`/imports/${job}/undo`, undefined)).status, 202)
    assert.equal((await workOn(service, job)).state, 'undone')
    assert.deepEqual((await entity(id)).metadata, before.metadata)
    assert.deepEqual(await shown(id), marc)
  })

  it('is read as it is edited, with the changes that were made here', async () => {
    const id = await imported(62)
    await patch(`/entities/${id}`, { metadata: [{ key: 'title', value: 'The ebb' }] })
    const answer = await get(`/entities/${id}/source`)
    assert.deepEqual(answer.body, await shown(id))
    assert.match(JSON.stringify(answer.body), /The ebb/)
    const { version } = await entity(id)
    const edited = withText(answer.body, '084', 'X')
    assert.equal((await send(id, edited, '', { 'if-match': `"${version}"` })).status, 200)
    const made = await service.create({ type: 'person', metadata: [{ key: 'name', value: 'Nobody' }] })
    assert.equal((await get(`/entities/${made.id}/source`)).status, 404)
    const token = await service.tokenWith('read')
    assert.equal((await service.get(`/entities/${id}/source`, { token })).status, 403)
  })

  it('is refused for another version, and without a condition', async () => {
    const id = await imported(7)
    const tag = String((await get(`/entities/${id}?format=marcjson`)).headers.etag)
    const marc = await shown(id)
    const without = await send(id, marc, '', {})
    assert.equal(without.status, 400)
    assert.match(without.text, /If-Match/)
    assert.equal((await send(id, withText(marc, '084', 'A'), '', { 'if-match': tag })).status, 200)
    const stale = await send(id, withText(marc, '084', 'B'), '', { 'if-match': tag })
    assert.equal(stale.body.code, 'version_mismatch')
    assert.equal((await send(id, withText(marc, '084', 'B'), '', { 'if-match': '"1"' })).body.code, 'version_mismatch')
    const { version } = await entity(id)
    assert.equal((await send(id, withText(marc, '084', 'B'), '', { 'if-match': `"${version}"` })).status, 200)
    assert.equal((await send(id, withText(marc, '084', 'C'), '?force=1', {})).status, 200)
  })

  it('needs the rights of imports', async () => {
    const id = await imported(8)
    const marc = await shown(id)
    const token = await service.tokenWith('read', 'write:manifestation')
    const refused = await service.put(`/entities/${id}`, marc, {
      token,
      headers: { 'content-type': 'application/marc+json', 'if-match': '*' }
    })
    assert.equal(refused.body.code, 'forbidden')
  })

  it('is refused when it is no whole record of this publication, and the reason is named', async () => {
    const id = await imported(9)
    const marc = await shown(id)
    const other = { ...marc, fields: marc.fields.map(each => ('001' in each ? { '001': 'other' } : each)) }
    const without245 = { ...marc, fields: marc.fields.filter(each => !('245' in each)) }
    const bad: [unknown, RegExp][] = [
      ['{"leader": ', /ends within an object/],
      [{ leader: 'short', fields: [] }, /leader/],
      [[marc, marc], /2 records/],
      ['', /empty|no MARC/i],
      [other, /001/],
      [without245, /title/i],
      [{ ...marc, fields: [...marc.fields, { '5000': 'x' }] }, /5000/],
      [{ ...marc, leader: marc.leader.replace(/^(.{5})./, '$1d') }, /deleted/]
    ]
    for (const [body, message] of bad) {
      const answer = await send(id, body)
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.text, message)
    }
    assert.deepEqual(await shown(id), marc)
    const made = await service.create({ type: 'person', metadata: [{ key: 'name', value: 'Somebody' }] })
    assert.match((await send(made.id, marc)).text, /no source record in MARC/)
    assert.equal((await send('nothing-here', marc)).status, 404)
  })

  it('leaves items alone that other records describe, and is refused where it changes them', async () => {
    const id = await imported(12)
    await importPayload(service, marcFile({ 'tide12-h': 'LDR/06 x\n003 TEST\n004 tide12\n852 ## $aNorth$jPZ 3' }))
    const marc = await shown(id)
    assert.deepEqual(await textOf(id, '852'), ['North PZ 3'])
    assert.equal((await send(id, withText(marc, '084', 'Z'))).status, 200)
    assert.deepEqual(await textOf(id, '852'), ['North PZ 3'])
    assert.equal((await get(`/entities/wem/${id}?items=1`)).body.items.length, 1)
    const refused = await send(id, withText(await shown(id), '852', 'South'))
    assert.equal(refused.status, 400, refused.text)
    assert.match(refused.text, /852: An item that this record does not describe/)
  })

  it('changes the items of its 852, adds and deletes them, and each keeps its id', async () => {
    const held = '\n852 8# $aNL-1$bMain$jA 1$xkept here\n852 8# $aNL-1$bMain$jB 2\n852 8# $aNL-2$jC 3'
    const id = await imported(70, held)
    const items = async () => {
      type Item = { id: string; metadata: Record<string, { value: string }>; libraries?: unknown }
      const { body } = await get(`/entities/wem/${id}?items=1`)
      return new Map((body.items as Item[]).map(each => [each.metadata.shelf_mark?.value ?? '', each.id]))
    }
    const libraryOf = async (item = '') => {
      const { relations } = await entity(item)
      const library = relations.find((each: { type: string }) => each.type === 'refLibrary').key
      return fieldOf(await entity(library), 'code')
    }
    const sourceOf = async (): Promise<MarcJson> => (await get(`/entities/${id}/source`)).body
    const edit = async (change: (lines: string) => string) => {
      const answer = await send(id, JSON.parse(change(JSON.stringify(await sourceOf()))))
      assert.equal(answer.status, 200, answer.text)
    }
    const before = await items()
    // The library and the shelf mark of one.
    await edit(text => text.replace('"NL-2"},{"j":"C 3"', '"BE-9"},{"j":"C 33"'))
    assert.deepEqual(
      [...(await items())],
      [...before].map(([mark, item]) => [mark === 'C 3' ? 'C 33' : mark, item])
    )
    assert.equal(await libraryOf(before.get('C 3')), 'BE-9')
    // Another one before them all.
    const added = '{"852":{"ind1":"8","ind2":" ","subfields":[{"a":"NL-3"},{"j":"D 4"}]}},{"852"'
    await edit(text => text.replace('{"852"', added))
    const more = await items()
    assert.deepEqual(
      ['A 1', 'B 2', 'C 33'].map(mark => more.get(mark)),
      [...before.values()]
    )
    assert.equal(more.size, 4)
    // One less, and one that was deleted in the catalogue stays deleted.
    await service.delete(`/entities/${before.get('B 2')}`)
    await edit(text => text.replace('{"a":"Hdb.01=c"}', '{"a":"Hdb.02"}'))
    assert.deepEqual([...(await items()).keys()].sort(), ['A 1', 'C 33', 'D 4'])
    await edit(text => text.replace(/\{"852":[^}]*?\{"a":"NL-3"\}.*?\]\}\},/, ''))
    await edit(text => text.replace('"A 1"', '"A 11"'))
    assert.deepEqual(
      [...(await items())].sort(),
      [
        ['A 11', before.get('A 1')],
        ['C 33', before.get('C 3')]
      ].sort()
    )
    await importPayload(service, marcFile(tide(70, `${held}\n500 ## $aLater in the file.`)), { query: '?agency=TEST' })
    assert.deepEqual([...(await items()).keys()].sort(), ['A 11', 'C 33'])
  })

  it('that leaves the former title in other fields says so; an edit of the model changes them, too', async () => {
    const id = await imported(71, '\n222 #4 $aThe tide 71\n246 3# $aTide seventy-one\n740 4# $aThe tide 71.')
    await patch(`/entities/${id}`, { metadata: [{ key: 'title', value: 'Ebb' }] })
    const linesOf = async () =>
      (await shown(id)).fields.flatMap(each =>
        Object.entries(each).flatMap(([tag, field]) =>
          /^(?:222|24[56]|740)$/.test(tag) && typeof field !== 'string'
            ? `${tag} ${field.ind1}${field.ind2} ${Object.values(field.subfields[0] ?? {})[0]}`
            : []
        )
      )
    assert.deepEqual(await linesOf(), ['222  0 Ebb', '245 10 Ebb :', '246 3  Tide seventy-one', '740 0  Ebb.'])
    const { body: source } = await get(`/entities/${id}/source`)
    const edited = withText(source, '245', 'Flood :')
    const { body } = await send(id, edited, '?dry_run=1')
    const place = (tag: string) => edited.fields.findIndex(each => tag in each)
    assert.deepEqual(
      body.warnings.map((each: { pointer: string; message: string }) => [each.pointer, each.message]),
      [[`/fields/${place('222')}`, '222 still has "Ebb", the title before this edit']]
    )
    const whole = withText(withText(edited, '222', 'Flood'), '740', 'Flood.')
    assert.deepEqual((await send(id, whole)).body.warnings ?? [], [])
    assert.deepEqual(
      (await entity(id)).metadata.filter((each: { key: string }) => each.key === 'other_title').length,
      1
    )
  })

  for (const [number, other, says, now] of [
    [173, 'Ebb and tide 173.', 'fields that repeat the title that people gave', 'Shore.'],
    [174, 'Ebb & tide 174', 'fields with the former title in other letters', 'Ebb & tide 174']
  ] as const)
    it(`of the title of the work leaves ${says} as they are`, async () => {
      const id = await imported(number, `\n246 3# $a${other}`, `Ebb and tide ${number}`)
      await patch(`/entities/${id}`, { metadata: [{ key: 'title', value: 'Shore' }] })
      const titlesOf = (record: MarcJson) =>
        record.fields.flatMap(each =>
          Object.entries(each).flatMap(([tag, field]) =>
            /^24/.test(tag) && typeof field !== 'string' ? `${tag} ${Object.values(field.subfields[0] ?? {})[0]}` : []
          )
        )
      const { body: source } = await get(`/entities/${id}/source`)
      assert.deepEqual(titlesOf(source), [`240 Ebb and tide ${number}`, '245 Shore :', `246 ${now}`])
      const edited = withText(source, '240', 'Flood')
      assert.equal((await send(id, edited)).status, 200)
      assert.deepEqual(titlesOf(await shown(id)), titlesOf(edited))
    })

  it('gets warnings with the field and its position', async () => {
    const id = await imported(10)
    const marc = await shown(id)
    const fields = [
      ...withText(marc, '020', '9789025701018').fields,
      { '123': { ind1: ' ', ind2: ' ', subfields: [{ a: 'x' }] } },
      { '245': { ind1: '7', ind2: '0', subfields: [{ z: 'x' }] } },
      { '880': { ind1: '1', ind2: '0', subfields: [{ 6: '100-07' }, { a: 'x' }] } },
      { '949': { ind1: ' ', ind2: ' ', subfields: [{ Z: 'local' }] } }
    ]
    const { warnings } = (await send(id, { ...marc, fields }, '?dry_run=1')).body
    const at = (tag: string) => fields.findLastIndex(each => tag in each)
    assert.deepEqual(
      warnings.map((each: { pointer: string; message: string }) => `${each.pointer} ${each.message}`).sort(),
      [
        `/fields/${at('020')} "9789025701018" is not a valid ISBN`,
        `/fields/${at('123')} There is no field 123 in MARC 21`,
        `/fields/${at('245')} Field 245 has no subfield $z`,
        `/fields/${at('245')} Field 245 may not be repeated`,
        `/fields/${at('245')} Indicator 1 of 245 cannot be "7"`,
        `/fields/${at('245')} The first subfield of 245 is $a`,
        `/fields/${at('880')} Field 880 names 100-07 in $6, and no field 100 names it`
      ].sort()
    )
  })
})

describe('An edited authority record', () => {
  const authority = (number: string, more = '') => ({
    [number]: `LDR/06 z
003 TEST
100 1# $aQuayle, ${number},$d1901-1980
368 ## $cEssayists
400 1# $aQuail, ${number}
500 1# $wr$iAlternate identity:$aGull, ${number}
670 ## $aHis Sand, 1931
678 0# $aHe wrote about sand${more}`
  })
  const toXml = (id: string) => service.get(`/entities/${id}?format=marcauth`)
  const recordOf = async (id: string): Promise<MarcRecord> => {
    for await (const reading of readMarc([Buffer.from((await toXml(id)).text)], { form: 'marcxml' }))
      if (reading.outcome === 'record') return reading.record
    assert.fail('no record')
  }
  const linesOf = ({ fields }: MarcRecord) =>
    fields
      .filter(each => each.tag !== '005')
      .map(each =>
        'value' in each
          ? `${each.tag} ${each.value}`
          : `${each.tag} ${each.subfields.map(({ code, value }) => `$${code}${value}`).join('')}`
      )
  const replaced = (record: MarcRecord, was: string, is: string): MarcRecord => ({
    ...record,
    fields: record.fields.map(each =>
      'value' in each
        ? each
        : { ...each, subfields: each.subfields.map(one => ({ ...one, value: one.value.replace(was, is) })) }
    )
  })
  const sendRecord = (id: string, record: MarcRecord, query = '', tag = '*') =>
    service.put(`/entities/${id}${query}`, writeMarcXml(record), {
      headers: { 'content-type': 'application/marcxml+xml', 'if-match': tag }
    })
  const findId = async (name: string): Promise<string> => {
    const { body } = await service.filter([
      { type: 'type', value: 'person' },
      { type: 'selection', key: ['name'], value: name, match_exact: true }
    ])
    assert.equal(body.count, 1, name)
    return body.results[0].id
  }
  const importedAuthority = async (number: string): Promise<string> => {
    await importPayload(service, marcFile(authority(number)))
    return findId(`Quayle, ${number}`)
  }
  const metadataOf = async (id: string) =>
    (await entity(id)).metadata.map((each: { key: string; value: string }) => `${each.key}: ${each.value}`).sort()

  it('replaces the authority record: names, notes, relations, and what the model does not name', async () => {
    const id = await importedAuthority('Al')
    const before = await recordOf(id)
    const edits: [string, string][] = [
      ['Quayle, Al', 'Quayle, Albert'],
      ['Quail, Al', 'Quaile, A.'],
      ['He wrote about sand', 'He wrote about silt'],
      ['Essayists', 'Novelists'],
      ['Gull, Al', 'Tern, Al']
    ]
    let next = before
    for (const [was, is] of edits) {
      next = replaced(next, was, is)
      const tag = String((await toXml(id)).headers.etag)
      const answer = await sendRecord(id, next, '', tag)
      assert.equal(answer.status, 200, answer.text)
      // The files of the tests have the leader and the 008 of publications.
      const isOfField = ({ key }: { key: string }) => key !== 'LDR' && key !== '008'
      assert.deepEqual(answer.body.warnings.filter(isOfField), [])
      assert.deepEqual(linesOf(await recordOf(id)), linesOf(next))
    }
    assert.deepEqual(await metadataOf(id), [
      'biography: He wrote about silt',
      'life_dates: 1901-1980',
      'name: Quayle, Albert',
      'non_preferred_name: Quaile, A.',
      'source: His Sand, 1931'
    ])
    // The other name refers to the person.
    const other = await entity(await findId('Tern, Al'))
    assert.deepEqual(
      other.relations.map((each: { type: string; key: string }) => `${each.type} ${each.key}`),
      [`refPseudonymOf ${id}`]
    )
    assert.deepEqual((await entity(await findId('Gull, Al'))).relations, [])
  })

  it('keeps edits of the model, shows in a dry run what would change, and can be undone', async () => {
    const id = await importedAuthority('Bo')
    await service.patch(`/entities/${id}`, { metadata: [{ key: 'biography', value: 'He wrote about stones' }] })
    const shownRecord = await recordOf(id)
    assert.ok(linesOf(shownRecord).includes('678 $aHe wrote about stones'))
    const next = replaced(shownRecord, 'Quayle, Bo', 'Quayle, Bob')
    const trial = await sendRecord(id, next, '?dry_run=1')
    assert.deepEqual(
      trial.body.records.map((each: { outcome: string; type: string }) => `${each.type} ${each.outcome}`),
      ['person updated']
    )
    assert.deepEqual(await recordOf(id), shownRecord)
    assert.equal((await sendRecord(id, next)).status, 200)
    assert.ok((await metadataOf(id)).includes('biography: He wrote about stones'))
    const job = (await entity(id)).audit.updated.by.replace('import:', '')
    assert.equal((await service.post(`/imports/${job}/undo`, undefined)).status, 202)
    assert.equal((await workOn(service, job)).state, 'undone')
    assert.deepEqual(linesOf(await recordOf(id)), linesOf(shownRecord))
  })

  it('lasts when its file is imported again, and when a record has the earlier name', async () => {
    const id = await importedAuthority('Cy')
    const edited = replaced(replaced(await recordOf(id), 'Quayle, Cy', 'Quay, C.'), 'Essayists', 'Novelists')
    assert.equal((await sendRecord(id, edited)).status, 200)
    const again = await importPayload(service, marcFile(authority('Cy')))
    assert.deepEqual([again.counts.unchanged, again.counts.updated, again.counts.created], [1, 0, 0])
    await importPayload(service, marcFile(authority('Cy', '\n680 ## $iA note of the file')))
    const now = linesOf(await recordOf(id))
    for (const line of ['100 $aQuay, C.,$d1901-1980', '368 $cNovelists', '680 $iA note of the file'])
      assert.ok(now.includes(line), `${line} is not in ${now.join('\n')}`)
    await importPayload(service, marcFile({ cybook: '100 1# $aQuayle, Cy,$d1901-1980\n245 10 $aA book by him' }))
    assert.ok((await metadataOf(id)).includes('name: Quay, C.'))
    const other = await start({ after })
    await importPayload(other, (await get('/export')).text, { type: 'application/x-ndjson' })
    const moved = await importPayload(other, marcFile(authority('Cy', '\n680 ## $iA note of the file')))
    assert.deepEqual([moved.counts.unchanged, moved.counts.updated, moved.counts.created], [1, 0, 0])
  })

  it('may be in UNIMARC', async () => {
    const lines = (name: string) => `LDR/06 x
LDR/09 a
100 ## $a20260101ayfrey0103    ba
152 ## $bRAMEAU
200 #1 $a${name}$bOdile$f1920-1999
340 ## $aElle aimait les ports`
    await importPayload(service, marcFile({ uni1: lines('Quai') }), { query: '?agency=FR' })
    const id = await findId('Quai, Odile')
    const source: MarcJson = (await get(`/entities/${id}/source`)).body
    assert.deepEqual(
      source.fields.flatMap(each => Object.keys(each)).filter(tag => tag > '009'),
      ['100', '152', '200', '340']
    )
    const bytes = marcFile({ uni1: lines('Quais') })
    const answer = await service.put(`/entities/${id}`, bytes, {
      headers: { 'content-type': 'application/marc', 'if-match': '*' }
    })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(fieldOf(await entity(id), 'name'), 'Quais, Odile')
  })

  it('is refused when it would be another record, or is none', async () => {
    const id = await importedAuthority('Di')
    const record = await recordOf(id)
    const other = {
      ...record,
      fields: record.fields.map(each => (each.tag === '001' ? { tag: '001', value: 'x' } : each))
    }
    const asSubject = {
      ...record,
      fields: record.fields.map(each => (each.tag === '100' ? { ...each, tag: '150' } : each))
    }
    const nameless = { ...record, fields: record.fields.filter(each => each.tag !== '100') }
    const bad: [MarcRecord, RegExp][] = [
      [other, /001/],
      [asSubject, /would describe a subject/],
      [nameless, /no authority record/]
    ]
    for (const [each, message] of bad) {
      const answer = await sendRecord(id, each)
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.text, message)
    }
    assert.deepEqual(await recordOf(id), record)
  })
})
