import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { idsOf } from '../support/records/entities.ts'
import { linesOf } from '../support/records/import-content.ts'
import { deletionFile, marcFile, saltRoad } from '../support/records/marc-files.ts'
import type { Shelf } from '../support/records/marc-lines.ts'
import { importPayload, workOn } from '../support/services/import-file.ts'
import { start, type Teardown, type TestService } from '../support/services/start.ts'

/** The service; imports are run here, as the thread for them would, and not a moment later. */
const startImporting = (t: Teardown) => start(t)

async function send(service: TestService, file: Buffer | string, query = '', type = 'application/marc') {
  const answer = await service.app.inject({
    method: 'POST',
    url: `/imports${query}`,
    headers: { authorization: 'Bearer test-admin-token-0123456789', 'content-type': type },
    payload: file
  })
  return { status: answer.statusCode, body: answer.json() }
}

async function importShelf(service: TestService, shelf: Shelf | Buffer, query = '') {
  return importPayload(service, Buffer.isBuffer(shelf) ? shelf : marcFile(shelf), { query })
}

const targetOf = async (service: TestService, id: string, relation: string): Promise<string> =>
  (await service.get(`/entities/${id}`)).body.relations.find((each: { type: string }) => each.type === relation).key

const workOf = async (service: TestService, manifestation: string) => {
  const expression = await targetOf(service, manifestation, 'refExpressions')
  return { work: await targetOf(service, expression, 'refWork'), expression }
}

describe('POST /imports', () => {
  it('makes works, expressions and manifestations of MARC records, and says what it did', async t => {
    const service = await startImporting(t)
    const done = await importShelf(service, saltRoad, '?name=salt.mrc')
    assert.equal(done.name, 'salt.mrc')
    assert.equal(done.state, 'done')
    assert.deepEqual(
      { ...done.counts },
      {
        ...{ created: 4, updated: 0, unchanged: 0, deleted: 0, kept: 0, unreadable: 0, joined_works: 0, sources: 0 },
        ...{ versions: 0, contents: 0, missing_contents: 0 }
      }
    )
    assert.equal(done.entities.work_word.created, 2)
    assert.equal(done.entities.expression_word.created, 3)
    assert.equal(done.records, 4)
    assert.ok(done.records_per_second > 0)

    const { body: wem } = await service.get('/entities/wem/translation')
    assert.equal(wem.manifestation.metadata.title.value, 'De zoutweg')
    assert.equal(wem.work.metadata.title.value, 'Salt road')
    const names = Object.values(wem.expression.relations as Record<string, { type: string; value: string }>)
    assert.ok(names.some(each => each.type === 'refAuthors' && each.value === 'Lind, Eva'))
    // The author is entered with dates elsewhere: one person, in full.
    const authors = Object.values(wem.work.relations as Record<string, { type: string; value: string }>).filter(
      each => each.type === 'refAuthors'
    )
    assert.deepEqual(
      authors.map(each => each.value),
      ['Verhoeven, Mila']
    )
    const [original, reprint, translation, other] = await Promise.all(
      Object.keys(saltRoad).map(name => workOf(service, name))
    )
    assert.deepEqual(reprint, original)
    assert.equal(translation?.work, original?.work)
    assert.notEqual(translation?.expression, original?.expression)
    assert.notEqual(other?.work, original?.work)
  })

  it('changes nothing when the same file comes again, and only what changed when it is another', async t => {
    const service = await startImporting(t)
    await importShelf(service, saltRoad)
    const { cursor } = (await service.get('/changes?limit=1000')).body
    const again = await importShelf(service, saltRoad)
    assert.equal(again.counts.unchanged, 4)
    assert.deepEqual(again.entities, {})
    assert.equal((await service.get(`/changes?since=${cursor}&limit=1000`)).body.changes.length, 0)

    const reprint = String(saltRoad.reprint).replace('2nd ed.', '3rd ed.')
    const changed = await importShelf(service, { ...saltRoad, reprint })
    assert.deepEqual([changed.counts.updated, changed.counts.unchanged], [1, 3])
    const { changes } = (await service.get(`/changes?since=${cursor}&limit=1000`)).body
    assert.deepEqual(
      changes.map((each: { type: string }) => each.type),
      ['entity.updated']
    )
    const { body } = await service.get('/entities/reprint')
    assert.ok(
      body.metadata.some(
        (each: { key: string; value: string }) => each.key === 'edition' && each.value.startsWith('3rd')
      )
    )
  })

  it('joins a later record to an earlier work, and two works by one that has both titles', async t => {
    const service = await startImporting(t)
    const { reprint, original, translation, other } = saltRoad
    await importShelf(service, {
      plain: ['100 1# $aVerhoeven, Mila,$d1911-1984\n245 13 $aDe zoutweg /$cMila Verhoeven.', 'dut'],
      original,
      other
    })
    const [plain, first] = [await workOf(service, 'plain'), await workOf(service, 'original')]
    assert.notEqual(plain.work, first.work)
    const { body: production } = await service.post('/entities', {
      type: 'production',
      metadata: [{ key: 'title', value: 'Salt' }],
      relations: [
        { type: 'refWorks', key: plain.work },
        { type: 'refWorks', key: first.work }
      ]
    })
    const later = await importShelf(service, { translation, reprint })
    assert.equal(later.counts.joined_works, 2)
    const joined = await workOf(service, 'plain')
    assert.equal(joined.work, (await workOf(service, 'original')).work)
    assert.equal(joined.work, (await workOf(service, 'translation')).work)
    // Both ids lead to it, and records that referred to either refer to it.
    for (const id of [plain.work, first.work]) assert.equal((await service.get(`/entities/${id}`)).body.id, joined.work)
    const { body: now } = await service.get(`/entities/${production.id}`)
    assert.deepEqual(
      now.relations.map((each: { key: string }) => each.key),
      [joined.work]
    )
  })

  it('leaves what people have changed', async t => {
    const service = await startImporting(t)
    await importShelf(service, saltRoad)
    const { work } = await workOf(service, 'original')
    await service.patch(`/entities/${work}`, {
      metadata: [
        { key: 'title', value: 'The salt road (corrected)' },
        { key: 'remark', value: 'seen by a person' }
      ]
    })
    await service.patch('/entities/reprint', { metadata: [{ key: 'edition', value: 'Second' }] })
    const reprint = String(saltRoad.reprint).replace('2nd ed.', '4th ed.').replace('1963', '1964')
    await importShelf(service, {
      reprint,
      third: '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe salt road /$cMila Verhoeven.\n650 #0 $aRoads'
    })
    const metadata = (body: { metadata: { key: string; value: unknown }[] }) =>
      Object.fromEntries(body.metadata.map(each => [each.key, each.value]))
    const { body } = await service.get(`/entities/${work}?resolve=1`)
    assert.equal(metadata((await service.get(`/entities/${work}`)).body).title, 'The salt road (corrected)')
    assert.equal(metadata((await service.get(`/entities/${work}`)).body).remark, 'seen by a person')
    assert.match(JSON.stringify(body), /Roads/)
    const manifestation = metadata((await service.get('/entities/reprint')).body)
    assert.equal(manifestation.edition, 'Second')
    assert.equal(manifestation.year_of_publication, '1964')
  })

  it('takes out records that the file says were deleted, with works that nothing is left of', async t => {
    const service = await startImporting(t)
    await importShelf(service, saltRoad)
    const [other, reprint] = [await workOf(service, 'other'), await workOf(service, 'reprint')]
    await service.patch('/entities/translation', { metadata: [{ key: 'remark', value: 'ours' }] })
    const done = await importShelf(service, deletionFile('other', 'reprint', 'translation', 'never seen'))
    assert.deepEqual([done.counts.deleted, done.counts.kept], [2, 1])
    for (const id of ['other', 'reprint', other.work, other.expression])
      assert.equal((await service.get(`/entities/${id}`)).status, 404, id)
    assert.equal((await service.get(`/entities/${reprint.work}`)).status, 200)
    assert.equal(
      (await service.filter([{ type: 'text', key: 'properties.name.value', value: 'Okafor*' }])).body.count,
      0
    )
    const { body: remarks } = await service.get(`/imports/${done.id}/remarks`)
    assert.match(remarks[0].remarks.join(), /people have changed it/)
  })

  it('says of what it cannot read where it stands and why, and reads the rest', async t => {
    const service = await startImporting(t)
    const good = marcFile(saltRoad)
    const [first] = good.toString('latin1').split('\u001d')
    const broken = Buffer.concat([
      good,
      Buffer.from('garbage in between'),
      marcFile({ late: '245 10 $aLate' }),
      good.subarray(0, 100)
    ])
    const done = await importShelf(service, broken)
    assert.equal(done.counts.created, 5)
    assert.ok(done.counts.unreadable > 0)
    const { body } = await service.get(`/imports/${done.id}/remarks`)
    assert.ok(body.length >= 1 && body.every((each: { offset: number }) => each.offset >= (first?.length ?? 0)))
  })

  it('refuses what is no file, and what it does not know, before it keeps anything', async t => {
    const service = await startImporting(t)
    assert.equal((await send(service, '')).status, 400)
    assert.equal((await send(service, marcFile(saltRoad), '?format=word')).status, 400)
    assert.equal((await send(service, 'a,b', '?format=csv&mapping={')).status, 400)
    const mapping = encodeURIComponent(JSON.stringify({ columns: { a: { level: 'shelf', key: 'title' } } }))
    const refused = await send(service, 'a,b', `?mapping=${mapping}`)
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/columns/a/level'])
    assert.deepEqual((await service.get('/imports')).body, [])
    const { body } = await send(service, 'these are only words')
    const done = await workOn(service, body.id)
    assert.equal(done.counts.unreadable, 1)
    assert.match((await service.get(`/imports/${body.id}/remarks`)).body[0].remarks[0], /begins like none of these/)
  })

  it('takes entities as NDJSON, in whichever order they point to each other, and takes them back', async t => {
    const service = await startImporting(t)
    await service.create({ id: 'VE-1', type: 'venue', metadata: [{ key: 'name', value: 'Old' }] })
    const before = await linesOf(service.libretto.store)
    const lines = [
      {
        type: 'production',
        id: 'PR-1',
        metadata: [{ key: 'title', value: 'A' }],
        relations: [{ type: 'refVenues', key: 'VE-2' }]
      },
      { type: 'venue', id: 'VE-1', metadata: [{ key: 'name', value: 'New' }] },
      { type: 'venue', id: 'VE-2', metadata: [{ key: 'name', value: 'Second' }] },
      { type: 'venue', id: 'VE-3' },
      {
        type: 'production',
        id: 'PR-2',
        metadata: [{ key: 'title', value: 'B' }],
        relations: [{ type: 'refVenues', key: 'VE-9' }]
      }
    ]
    const file = lines.map(each => `${JSON.stringify(each)}\n`).join('')
    const { body } = await send(service, file, '', 'application/x-ndjson')
    const done = await workOn(service, body.id)
    assert.deepEqual([done.counts.created, done.counts.updated, done.counts.unreadable], [2, 1, 2])
    const { body: remarks } = await service.get(`/imports/${done.id}/remarks`)
    assert.deepEqual(
      remarks.map((each: { number: number }) => each.number),
      [4, 5]
    )
    await service.post(`/imports/${done.id}/undo`, undefined)
    assert.equal((await workOn(service, done.id)).state, 'undone')
    assert.deepEqual(await linesOf(service.libretto.store), before)
  })

  it('needs a token that may read and write everything', async t => {
    const service = await startImporting(t)
    for (const scopes of [['read'], ['write'], ['read', 'write:work'], ['read:work', 'write']]) {
      const token = await service.tokenWith(...scopes)
      for (const url of ['/imports', '/imports/x', '/imports/x/review', '/entities/x/origin'])
        assert.equal((await service.get(url, { token })).status, 403, `${scopes} ${url}`)
    }
    const token = await service.tokenWith('read', 'write')
    assert.equal((await service.get('/imports', { token })).status, 200)
    assert.equal((await service.post('/imports/x/undo', undefined, { token })).status, 403)
    for (const url of [
      '/imports/x',
      '/imports/x/review',
      '/imports/x/remarks',
      '/imports/x/preview',
      '/entities/x/origin'
    ])
      assert.equal((await service.get(url, { token })).status, 404, url)
  })
})

describe('a preview', () => {
  it('says what would be created, matched and changed, and writes nothing', async t => {
    const service = await startImporting(t)
    const { original, ...rest } = saltRoad
    await importShelf(service, { original })
    const before = await linesOf(service.libretto.store)
    const file = Buffer.concat([marcFile({ original, ...rest }), marcFile({ original }).subarray(0, 50)])
    const done = await importShelf(service, file, '?preview=1')
    assert.deepEqual([done.is_preview, done.counts.created, done.counts.unchanged], [true, 3, 1])
    assert.equal(done.entities.work_word.created, 1)
    const { body: lines } = await service.get(`/imports/${done.id}/preview`)
    const byRecord = Object.fromEntries(lines.map((each: { record: string }) => [each.record, each]))
    assert.equal(byRecord.reprint.works[0].is_new, false)
    assert.match(byRecord.reprint.works[0].explanation, /same author/)
    assert.equal(byRecord.other.works[0].is_new, true)
    const { body: remarks } = await service.get(`/imports/${done.id}/remarks`)
    assert.deepEqual([remarks.length, remarks[0].number, remarks[0].outcome], [1, 5, 'unreadable'])
    assert.deepEqual(await linesOf(service.libretto.store), before)
    assert.equal((await service.post(`/imports/${done.id}/undo`, undefined)).status, 400)
    // And what it said comes true.
    const real = await importShelf(service, { original, ...rest })
    assert.deepEqual(real.entities, done.entities)
  })
})

describe('POST /imports/{id}/undo', () => {
  it('leaves the catalogue as it was before, ids and names included', async t => {
    const service = await startImporting(t)
    const { translation, reprint, original, other } = saltRoad
    await importShelf(service, {
      plain: ['100 1# $aVerhoeven, Mila,$d1911-1984\n245 13 $aDe zoutweg /$cMila Verhoeven.', 'dut'],
      original
    })
    const before = await linesOf(service.libretto.store)
    const changed = String(original).replace('1951', '1952').replace('De Kade', 'de kade')
    const done = await importShelf(service, { translation, reprint, other, original: changed })
    assert.notDeepEqual(await linesOf(service.libretto.store), before)
    assert.equal((await service.post(`/imports/${done.id}/undo`, undefined)).status, 202)
    const undone = await workOn(service, done.id)
    assert.deepEqual([undone.state, undone.failure], ['undone', null])
    assert.deepEqual(await linesOf(service.libretto.store), before)
    assert.equal((await service.post(`/imports/${done.id}/undo`, undefined)).status, 400)
    assert.deepEqual((await service.libretto.store.check()).problems, [])
    // An undone import can be repeated.
    assert.equal((await importShelf(service, { translation, reprint, other })).counts.created, 3)
  })

  it('leaves what people and later imports have made of its records', async t => {
    const service = await startImporting(t)
    const { translation, reprint, original, other } = saltRoad
    const first = await importShelf(service, { original, reprint, other })
    await importShelf(service, { translation, other: String(other).replace('1999', '2000') })
    await service.patch('/entities/reprint', { metadata: [{ key: 'remark', value: 'ours' }] })
    await service.post(`/imports/${first.id}/undo`, undefined)
    const done = await workOn(service, first.id)
    assert.equal(done.counts.kept, 1)
    assert.equal((await service.get('/entities/original')).status, 404)
    for (const id of ['reprint', 'translation', 'other'])
      assert.equal((await service.get(`/entities/wem/${id}`)).status, 200, id)
    assert.deepEqual((await service.libretto.store.check()).problems, [])
  })

  it('leaves a work that somebody refers to, with its parts', async t => {
    const service = await startImporting(t)
    const { id } = await importShelf(service, {
      plays:
        '100 1# $aOkafor, Ben\n245 10 $aTwo plays\n700 12 $aOkafor, Ben.$tThe dunes\n700 12 $aOkafor, Ben.$tThe coast'
    })
    const { work } = await workOf(service, 'plays')
    const parts = async () =>
      (await service.get(`/entities/${work}`)).body.relations
        .filter(({ type }: { type: string }) => type === 'refParts')
        .map(({ key }: { key: string }) => key)
    const before = await parts()
    assert.equal(before.length, 2)
    const referring = { type: 'work_word', metadata: [{ key: 'title', value: 'All plays' }] }
    await service.create({ ...referring, relations: [{ type: 'refParts', key: work }] } as never)
    assert.equal((await service.post(`/imports/${id}/undo`, undefined)).status, 202)
    const undone = await workOn(service, id)
    assert.deepEqual([undone.state, undone.failure], ['undone', null])
    assert.equal((await service.get('/entities/plays')).status, 404)
    assert.deepEqual(await parts(), before)
    assert.deepEqual((await service.libretto.store.check()).problems, [])
  })
})

describe('works that a person merged', () => {
  const mila = '100 1# $aVerhoeven, Mila,$d1911-1984'
  const shelf: Shelf = {
    tower: `${mila}\n245 14 $aThe tower of the sea /$cMila Verhoeven.`,
    beacon: `${mila}\n245 14 $aA beacon in the night /$cMila Verhoeven.`,
    pen: '100 1# $aOkafor, Ben\n245 14 $aThe keeper and the storm /$cBen Okafor.'
  }
  const again: Shelf = {
    tower: `${shelf.tower}\n250 ## $aNew ed.`,
    beacon: `${shelf.beacon}\n250 ## $aNew ed.`,
    pen: `${shelf.pen}\n250 ## $aNew ed.`
  }

  it('stay one in later imports, also of other authors, until the merge is undone', async t => {
    const service = await startImporting(t)
    await importShelf(service, shelf)
    const works = await Promise.all(['tower', 'beacon', 'pen'].map(async id => (await workOf(service, id)).work))
    const [survivor = '', ...victims] = works
    assert.equal(new Set(works).size, 3)
    for (const victim_id of victims)
      assert.equal((await service.post(`/entities/${survivor}/merge`, { victim_id })).status, 200)

    const later: Shelf = {
      beacon2: `${mila}\n245 14 $aA beacon in the night /$cMila Verhoeven.\n250 ## $a2nd ed.`,
      pen2: '100 1# $aOkafor, Ben\n245 14 $aThe keeper and the storm /$cBen Okafor.\n250 ## $a2nd ed.'
    }
    await importShelf(service, later)
    const all = ['tower', 'beacon', 'pen', 'beacon2', 'pen2']
    for (const id of all) assert.equal((await workOf(service, id)).work, survivor, id)
    // Records that come in another state stay in it as well.
    await importShelf(service, again)
    await importShelf(service, { beacon: `${again.beacon}\n500 ## $aA note.` })
    for (const id of all) assert.equal((await workOf(service, id)).work, survivor, id)

    const [victim = ''] = victims
    assert.equal((await service.post(`/entities/${survivor}/unmerge`, { victim_id: victim })).status, 200)
    await importShelf(service, shelf)
    const after = new Map<string, string>()
    for (const id of all) after.set(id, (await workOf(service, id)).work)
    assert.equal(after.get('beacon'), after.get('beacon2'))
    assert.notEqual(after.get('beacon'), after.get('tower'))
    assert.equal(after.get('pen'), after.get('tower'))
  })
})

describe('the origin of a record of merged works', () => {
  const mila = '100 1# $aVerhoeven, Mila,$d1911-1984'
  const shelf: Shelf = {
    tower: `${mila}\n245 14 $aThe tower of the sea /$cMila Verhoeven.`,
    pen: '100 1# $aOkafor, Ben\n245 14 $aThe keeper and the storm /$cBen Okafor.'
  }

  it('says at once that a person joined them, and no more once the merge is undone', async t => {
    const service = await startImporting(t)
    await importShelf(service, shelf)
    const { work: survivor } = await workOf(service, 'tower')
    const { work: victim } = await workOf(service, 'pen')
    const originOf = async (id: string) => {
      const { links, decisions } = (await service.get(`/entities/${id}/origin`)).body
      const made = decisions.map((each: Record<string, unknown>) => [
        each.level,
        each.verdict,
        each.made_by,
        each.other_id
      ])
      return { work: links[0].work_id, reasons: links.map((each: { reason: string }) => each.reason), made }
    }
    const idOf = async (id: string): Promise<string> => (await service.get(`/entities/${id}`)).body.id
    const apart = async () => {
      assert.deepEqual(await originOf('tower'), { work: survivor, reasons: [null], made: [] })
      assert.deepEqual(await originOf('pen'), { work: victim, reasons: [null], made: [] })
    }
    await apart()
    assert.equal((await service.post(`/entities/${survivor}/merge`, { victim_id: victim })).status, 200)
    const joined = async () => {
      assert.deepEqual(await originOf('pen'), {
        work: survivor,
        reasons: [null],
        made: [['work', 'same', 'merge', await idOf('tower')]]
      })
      assert.deepEqual(await originOf('tower'), {
        work: survivor,
        reasons: ['reviewed'],
        made: [['work', 'same', 'merge', await idOf('pen')]]
      })
    }
    await joined()
    // The next import stores the decision.
    await importShelf(service, { pen: `${shelf.pen}\n250 ## $aNew ed.` })
    await joined()
    assert.equal((await service.post(`/entities/${survivor}/unmerge`, { victim_id: victim })).status, 200)
    const { made } = await originOf('tower')
    assert.deepEqual(made, [])
  })

  it('can be split at once', async t => {
    const service = await startImporting(t)
    await importShelf(service, shelf)
    const { work: survivor } = await workOf(service, 'tower')
    const { work: victim } = await workOf(service, 'pen')
    assert.equal((await service.post(`/entities/${survivor}/merge`, { victim_id: victim })).status, 200)
    const areOne = async () => (await workOf(service, 'pen')).work === (await workOf(service, 'tower')).work
    assert.equal((await service.post('/entities/pen/split', {})).status, 200)
    assert.equal(await areOne(), false)
    await importShelf(service, { pen: `${shelf.pen}\n250 ## $aNew ed.`, tower: `${shelf.tower}\n250 ## $aNew ed.` })
    assert.equal(await areOne(), false)
    assert.deepEqual((await service.libretto.store.check()).problems, [])
  })
})

describe('works of serials', () => {
  it('are no longer preceded by others when their record becomes that of a book', async t => {
    const service = await startImporting(t)
    const serial = (title: string, more = '') => `LDR/07 s\n245 10 $a${title}${more}`
    const older = serial('The ferry house', '\n785 00 $wnewer')
    const [title, same] = ['The coast', '\n022 ## $a2049-3630']
    await importShelf(service, { older, newer: serial(title, same), again: serial(title, same) })
    const predecessorsOf = async (id: string) => {
      const { relations } = (await service.get(`/entities/${(await workOf(service, id)).work}`)).body
      return relations.filter(({ type }: { type: string }) => type === 'refPrecededBy').length
    }
    assert.equal((await workOf(service, 'newer')).work, (await workOf(service, 'again')).work)
    assert.equal(await predecessorsOf('again'), 1)
    await importShelf(service, { newer: `245 10 $a${title}` })
    assert.notEqual((await workOf(service, 'newer')).work, (await workOf(service, 'again')).work)
    assert.equal(await predecessorsOf('again'), 0)
  })
})

describe('works that a person split', () => {
  const mila = '100 1# $aVerhoeven, Mila,$d1911-1984'
  const tower = `${mila}\n245 14 $aThe tower of the sea /$cMila Verhoeven.`
  const shelf: Shelf = { first: tower, second: `${tower}\n250 ## $a2nd ed.`, third: `${tower}\n250 ## $a3rd ed.` }

  it('stay apart in later imports; like records are asked about, and the decision can be seen and withdrawn', async t => {
    const service = await startImporting(t)
    const worksOf = async (...ids: readonly string[]) =>
      Promise.all(ids.map(async id => (await workOf(service, id)).work))
    await importShelf(service, shelf)
    const [work] = await worksOf('first')
    assert.deepEqual(await worksOf('second', 'third'), [work, work])
    assert.equal((await service.get('/entities/first/origin')).body.links[0].is_sure ?? true, true)

    const split = await service.post('/entities/first/split', {})
    assert.deepEqual([split.status, split.body.answered], [200, 2])
    assert.deepEqual(await worksOf('second', 'third'), [work, work])
    const apart = async () => {
      const [first, second, third] = await worksOf('first', 'second', 'third')
      assert.equal(second, third)
      assert.notEqual(first, second)
    }
    await apart()
    const { decisions } = (await service.get('/entities/second/origin')).body
    assert.deepEqual(
      decisions.map((each: Record<string, unknown>) => [each.verdict, each.made_by, each.by]),
      [['different', 'split', 'token:admin']]
    )

    // Later imports of the same records, and of one more with the title.
    await importShelf(service, { first: `${tower}\n500 ## $aA note.`, second: `${tower}\n500 ## $aA note.` })
    await apart()
    const later = await importShelf(service, { fourth: `${tower}\n250 ## $a4th ed.` })
    await apart()
    const { questions } = (await service.get(`/imports/${later.id}/review`)).body
    const asked = idsOf((await service.get('/imports?questions=1')).body)
    const open: string[] = []
    for (const id of idsOf((await service.get('/imports')).body))
      if ((await service.get(`/imports/${id}/review`)).body.questions.length > 0) open.push(id)
    assert.ok(open.includes(later.id))
    assert.deepEqual(asked, open)
    const [first, second] = asked
    assert.deepEqual(idsOf((await service.get(`/imports?questions=1&limit=1&after=${first}`)).body), [second])
    assert.ok(
      questions.some(
        (each: { one: { record: string }; other: { record: string } }) =>
          each.one.record === 'fourth' || each.other.record === 'fourth'
      )
    )

    assert.equal((await service.post('/entities/first/unsplit', undefined)).status, 200)
    const all = await worksOf('first', 'second', 'third', 'fourth')
    assert.equal(new Set(all).size, 1)
    assert.deepEqual((await service.get('/entities/second/origin')).body.decisions, [])
    assert.equal((await service.post('/entities/first/unsplit', undefined)).status, 400)
    assert.deepEqual((await service.libretto.store.check()).problems, [])
  })

  it('leave their id to the record that nobody separated', async t => {
    const service = await startImporting(t)
    for (const separated of ['first', 'second']) {
      await importShelf(service, { first: tower, second: `${tower}\n250 ## $a2nd ed.` })
      const other = separated === 'first' ? 'second' : 'first'
      const before = await workOf(service, other)
      assert.equal((await service.post(`/entities/${separated}/split`, {})).status, 200)
      assert.deepEqual(await workOf(service, other), before)
      assert.notEqual((await workOf(service, separated)).work, before.work)
      assert.equal((await service.post(`/entities/${separated}/unsplit`, undefined)).status, 200)
      assert.equal((await workOf(service, separated)).work, before.work)
    }
  })

  it('can be split by several people at once', async t => {
    const service = await startImporting(t)
    await importShelf(service, shelf)
    const answers = await Promise.all(Object.keys(shelf).map(id => service.post(`/entities/${id}/split`, {})))
    // The last has nothing left to be separated from.
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 400])
    const works = await Promise.all(Object.keys(shelf).map(id => workOf(service, id)))
    assert.equal(new Set(works.map(({ work }) => work)).size, 3)
  })

  it('can be two of one work; an unknown or other work is refused', async t => {
    const service = await startImporting(t)
    const beacon = `${mila}\n245 14 $aA beacon in the night /$cMila Verhoeven.`
    await importShelf(service, { ...shelf, beacon })
    const refused = async (id: string, body: unknown) => (await service.post(`/entities/${id}/split`, body)).status
    assert.equal(await refused('beacon', {}), 400)
    assert.equal(await refused('first', { from: 'beacon' }), 400)
    assert.equal(await refused('first', { from: 'nothing' }), 400)
    assert.equal(await refused('nothing', {}), 404)
    assert.equal(await refused('first', { from: 'second' }), 200)
    assert.notEqual((await workOf(service, 'first')).work, (await workOf(service, 'second')).work)
  })
})

describe('cases like those that a person decided', () => {
  const mila = '100 1# $aVerhoeven, Mila,$d1911-1984'
  const by = (author: string, title: string) => `${author}\n245 10 $a${title} /$cSomebody.`
  const casesOf = async (service: TestService, id: string) => {
    const { status, body } = await service.get(`/entities/${id}/like-cases`)
    assert.equal(status, 200)
    return body.cases as {
      id: string
      verdict: string
      likeness: string
      explanation: string
      decided: { one: string; other: string; made_by: string }
      one: { record: string }
      other: { record: string }
    }[]
  }
  const namesOf = (each: { one: { record: string }; other: { record: string } }) =>
    [each.one.record, each.other.record].sort()
  const accept = (service: TestService, id: string, cases: readonly { id: string }[]) =>
    service.post(`/entities/${id}/like-cases`, { cases: cases.map(each => each.id) })
  const areOne = async (service: TestService, one: string, other: string) =>
    (await workOf(service, one)).work === (await workOf(service, other)).work

  it('are open questions of the same author for the same reason; nothing happens before one is accepted', async t => {
    const service = await startImporting(t)
    const titles = ['watchtower', 'lighthouse', 'riverboat', 'shipwright']
    const shelf: Record<string, string> = {}
    for (const title of titles) {
      shelf[`${title}1`] = by(mila, `The ${title}`)
      shelf[`${title}2`] = by(mila, `The ${title}s`)
    }
    for (const end of ['', 's']) shelf[`other${end}`] = by('100 1# $aVermeer, Max,$d1950-', `The bookkeeper${end}`)
    const job = await importShelf(service, shelf)
    const questionsOf = async () => (await service.get(`/imports/${job.id}/review`)).body.questions
    assert.deepEqual(await casesOf(service, 'watchtower1'), [])
    const question = (await questionsOf()).find((each: Parameters<typeof namesOf>[0]) =>
      namesOf(each).includes('watchtower1')
    )
    const verdict = question.are_joined ? 'different' : 'same'
    await service.post(`/imports/${job.id}/review`, [{ question: question.id, verdict }])

    const cases = await casesOf(service, 'watchtower1')
    assert.deepEqual(cases.map(namesOf).sort(), [
      ['lighthouse1', 'lighthouse2'],
      ['riverboat1', 'riverboat2'],
      ['shipwright1', 'shipwright2']
    ])
    for (const each of cases) {
      assert.deepEqual([each.verdict, each.likeness, each.decided.made_by], [verdict, 'pattern', 'review'])
      assert.match(each.explanation, /watchtower.*differ by a letter/)
    }
    assert.equal((await questionsOf()).length, 4)
    assert.equal(await areOne(service, 'lighthouse1', 'lighthouse2'), question.are_joined)

    const [first, second, third] = cases
    assert.ok(first && second && third)
    const answer = await accept(service, 'watchtower1', [first])
    assert.deepEqual([answer.status, answer.body.answered], [200, 1])
    assert.deepEqual((await casesOf(service, 'watchtower1')).map(namesOf).sort(), [second, third].map(namesOf).sort())
    const [one = '', other = ''] = namesOf(first)
    assert.equal(await areOne(service, one, other), !question.are_joined)
    const settled = (await service.get(`/imports/${job.id}/review?settled=1`)).body.questions
    assert.equal(settled.length, 2)
    // It holds for later imports, and is not offered again.
    await importShelf(service, { [one]: `${shelf[one]}\n250 ## $aNew ed.` })
    assert.equal(await areOne(service, one, other), !question.are_joined)
    assert.equal((await accept(service, 'watchtower1', [first])).status, 404)
    // Opposite decisions about one pattern offer nothing.
    const open = (await questionsOf()).find((each: Parameters<typeof namesOf>[0]) =>
      namesOf(each).includes(namesOf(second)[0] ?? '')
    )
    const opposite = verdict === 'same' ? 'different' : 'same'
    await service.post(`/imports/${job.id}/review`, [{ question: open.id, verdict: opposite }])
    assert.deepEqual(await casesOf(service, 'watchtower1'), [])
    assert.ok(
      (await questionsOf()).some((each: Parameters<typeof namesOf>[0]) => namesOf(each)[0] === namesOf(third)[0])
    )
    assert.deepEqual((await service.libretto.store.check()).problems, [])
  })

  it('are other works of two authors, after a merge of theirs; a split takes one back', async t => {
    const service = await startImporting(t)
    const zee = '100 1# $aZee, Anna van der'
    await importShelf(service, {
      tower: by(mila, 'The tower of the sea'),
      tower2: by(zee, 'The tower of the sea'),
      beacon: by(mila, 'A beacon in the night'),
      beacon2: by(zee, 'A beacon in the night'),
      pen: by(zee, 'The keeper and the storm')
    })
    const [survivor, victim] = [await workOf(service, 'tower'), await workOf(service, 'tower2')]
    assert.deepEqual(await casesOf(service, 'tower'), [])
    const merge = await service.post(`/entities/${survivor.work}/merge`, { victim_id: victim.work })
    assert.equal(merge.status, 200)
    for (const id of ['tower', 'tower2']) {
      const cases = await casesOf(service, id)
      assert.deepEqual(
        cases.map(each => [...namesOf(each), each.verdict, each.likeness, each.decided.made_by]),
        [['beacon', 'beacon2', 'same', 'authors', 'merge']]
      )
    }
    assert.equal(await areOne(service, 'beacon', 'beacon2'), false)
    const cases = await casesOf(service, 'tower2')
    assert.equal((await accept(service, 'tower2', cases)).status, 200)
    assert.equal(await areOne(service, 'beacon', 'beacon2'), true)
    assert.deepEqual(await casesOf(service, 'tower'), [])
    assert.equal((await service.post('/entities/beacon/split', {})).status, 200)
    assert.equal(await areOne(service, 'beacon', 'beacon2'), false)
    assert.deepEqual((await service.libretto.store.check()).problems, [])
  })

  it('are certain joins for the same reason, after a split; they can be taken back', async t => {
    const service = await startImporting(t)
    const whole = (title: string, subtitle: string) => ({
      apart: `${mila}\n245 10 $a${title} :$b${subtitle} /$cSomebody.`,
      joined: by(mila, `${title} ${subtitle}`)
    })
    const [tower, beacon] = [whole('Tower', 'of the northern sea'), whole('Beacon', 'of the southern coast')]
    await importShelf(service, {
      tower1: tower.apart,
      tower2: tower.joined,
      beacon1: beacon.apart,
      beacon2: beacon.joined
    })
    assert.equal(await areOne(service, 'tower1', 'tower2'), true)
    assert.equal(await areOne(service, 'beacon1', 'beacon2'), true)
    assert.equal((await service.post('/entities/tower1/split', {})).status, 200)
    const cases = await casesOf(service, 'tower1')
    assert.deepEqual(
      cases.map(each => [...namesOf(each), each.verdict, each.likeness, each.decided.made_by]),
      [['beacon1', 'beacon2', 'different', 'pattern', 'split']]
    )
    assert.equal((await accept(service, 'tower1', cases)).status, 200)
    assert.equal(await areOne(service, 'beacon1', 'beacon2'), false)
    assert.equal((await service.post(`/entities/${cases[0]?.one.record}/unsplit`, undefined)).status, 200)
    assert.equal(await areOne(service, 'beacon1', 'beacon2'), true)
    assert.deepEqual((await service.libretto.store.check()).problems, [])
  })

  it('are no other works whose records have one title each', async t => {
    const service = await startImporting(t)
    const [harbour, quay] = [by(mila, 'The harbour of the north'), by(mila, 'The quay of the south')]
    await importShelf(service, { harbour1: harbour, harbour2: harbour, quay1: quay, quay2: quay })
    assert.equal(await areOne(service, 'quay1', 'quay2'), true)
    assert.equal((await service.post('/entities/harbour1/split', {})).status, 200)
    assert.deepEqual(await casesOf(service, 'harbour1'), [])
  })

  it('are refused if they are not offered, and unknown of records that no import created', async t => {
    const service = await startImporting(t)
    await importShelf(service, { tower: by(mila, 'The tower of the sea') })
    const status = async (id: string, body: unknown) => (await service.post(`/entities/${id}/like-cases`, body)).status
    assert.equal(await status('tower', { cases: ['x'] }), 404)
    assert.equal(await status('tower', { cases: [] }), 400)
    assert.equal(await status('tower', {}), 400)
    assert.equal(await status('nothing', { cases: ['x'] }), 404)
    assert.equal((await service.get('/entities/nothing/like-cases')).status, 404)
  })
})

describe('the review of an import', () => {
  const unsure: Shelf = {
    dated: '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe lighthouse /$cMila Verhoeven.',
    near: '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe lighthouses /$cMila Verhoeven.'
  }

  it('asks about what is not sure, with both sides and the reason; an answer is carried out and remembered', async t => {
    const service = await startImporting(t)
    const done = await importShelf(service, unsure)
    const { body: review } = await service.get(`/imports/${done.id}/review`)
    assert.equal(review.questions.length, 1)
    const [question] = review.questions
    assert.equal(question.level, 'work')
    assert.ok(question.explanation.length > 10)
    assert.deepEqual([question.one.record, question.other.record].sort(), ['dated', 'near'])
    const areOne = async () => (await workOf(service, 'dated')).work === (await workOf(service, 'near')).work
    assert.equal(await areOne(), question.are_joined)

    const verdict = question.are_joined ? 'different' : 'same'
    const answer = await service.post(`/imports/${done.id}/review`, [{ question: question.id, verdict }])
    assert.equal(answer.status, 200)
    assert.equal(await areOne(), !question.are_joined)
    assert.equal((await service.get(`/imports/${done.id}/review`)).body.questions.length, 0)
    const [settled] = (await service.get(`/imports/${done.id}/review?settled=1`)).body.questions
    assert.deepEqual([settled.id, settled.settled.verdict, settled.settled.by], [question.id, verdict, 'token:admin'])

    // An answer can be changed, and changed back.
    const other = verdict === 'same' ? 'different' : 'same'
    for (const [said, isOne] of [
      [other, question.are_joined],
      [verdict, !question.are_joined]
    ] as const) {
      assert.equal(
        (await service.post(`/imports/${done.id}/review`, [{ question: question.id, verdict: said }])).status,
        200
      )
      assert.equal(await areOne(), isOne)
      const { questions } = (await service.get(`/imports/${done.id}/review?settled=1`)).body
      assert.deepEqual(
        questions.map((each: { settled: { verdict: string } }) => each.settled.verdict),
        [said]
      )
    }
    const unknown = [{ question: Buffer.from('nothing').toString('base64url'), verdict }]
    assert.equal((await service.post(`/imports/${done.id}/review`, unknown)).status, 404)

    // The answer also holds for records that are imported later.
    const title = {
      third: '100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe lighthouse /$cMila Verhoeven.\n250 ## $a2'
    }
    await importShelf(service, title)
    assert.equal(await areOne(), !question.are_joined)
    const changed = Object.fromEntries(Object.entries(unsure).map(([name, lines]) => [name, `${lines}\n250 ## $aNew`]))
    await importShelf(service, changed)
    assert.equal(await areOne(), !question.are_joined)
  })

  it('is paged', async t => {
    const service = await startImporting(t)
    const shelf: Record<string, string> = {}
    for (const title of ['watchtower', 'lighthouse', 'riverboat', 'bookkeeper', 'shipwright'])
      for (const [name, end] of [
        ['a', ''],
        ['b', 's']
      ])
        shelf[`${title} ${name}`] =
          `100 1# $aVerhoeven, Mila,$d1911-1984\n245 14 $aThe ${title}${end} /$cMila Verhoeven.`
    const done = await importShelf(service, shelf)
    const seen: string[] = []
    for (let url: string | null = `/imports/${done.id}/review?limit=2`; url !== null; ) {
      const { body } = await service.get(url)
      assert.ok(body.questions.length <= 2)
      seen.push(...body.questions.map((each: { id: string }) => each.id))
      url = body.next
    }
    assert.equal(seen.length, 5)
    assert.equal(new Set(seen).size, 5)
    const answers = seen.map(question => ({ question, verdict: 'same' }))
    assert.equal((await service.post(`/imports/${done.id}/review`, answers)).status, 200)
    const settled: string[] = []
    for (let url: string | null = `/imports/${done.id}/review?limit=2&settled=1`; url !== null; ) {
      const { body } = await service.get(url)
      settled.push(...body.questions.map((each: { id: string }) => each.id))
      url = body.next
    }
    assert.deepEqual(settled, seen)
  })
})

describe('GET /entities/{id}/origin', () => {
  it('says which record it came from, what it was joined to, why, and how sure that is', async t => {
    const service = await startImporting(t)
    const done = await importShelf(service, saltRoad)
    const { body } = await service.get('/entities/translation/origin')
    assert.deepEqual([body.import_id, body.record, body.form], [done.id, 'translation', 'iso2709'])
    const [link] = body.links
    assert.match(link.explanation, /same author/)
    assert.ok(link.confidence > 0.8 && link.is_sure)
    assert.deepEqual((await service.get(`/entities/${link.joined_to}`)).body.type, 'manifestation_word')
    assert.equal((await service.get('/entities/other/origin')).body.links[0].joined_to, null)
    assert.equal((await service.get(`/entities/${link.work_id}/origin`)).status, 404)
  })
})

describe('what was imported', () => {
  const exported = async (service: TestService, format = 'marc21') =>
    Buffer.from((await service.get(`/export?format=${format}&type=manifestation`)).text, 'utf8')

  it('is exported exactly as it came, until somebody changes it; then only what they changed is other', async t => {
    const service = await startImporting(t)
    const file = marcFile(saltRoad)
    await importShelf(service, file)
    assert.equal((await exported(service)).toString(), file.toString())
    await service.patch('/entities/reprint', { metadata: [{ key: 'edition', value: 'Third edition' }] })
    const records = (await exported(service)).toString().split('\u001d')
    const before = file.toString().split('\u001d')
    assert.deepEqual(records.filter((each, index) => each !== before[index]).length, 1)
    assert.match(records[1] ?? '', /Third edition/)
    assert.match(records[1] ?? '', /Verhoeven, Mila,.*1911-1984/)
    // An import that writes the record again does not make it forget that somebody changed it.
    await importShelf(service, { reprint: String(saltRoad.reprint).replace('1963', '1964') })
    assert.match((await exported(service)).toString(), /Third edition/)
  })

  it('may be a table or a message of publishers', async t => {
    const service = await startImporting(t)
    const table = 'title,author,isbn,year\nThe salt road,"Verhoeven, Mila",9789025701017,1951\n'
    const csv = await send(service, table, '?name=books.csv', 'text/csv')
    const fromTable = await workOn(service, csv.body.id)
    assert.deepEqual([fromTable.counts.created, fromTable.counts.unreadable], [1, 0], JSON.stringify(fromTable))
    const mapping = { columns: { Nr: 'name', Wat: { level: 'manifestation', key: 'title' } } }
    const query = `?mapping=${encodeURIComponent(JSON.stringify(mapping))}&agency=KADE`
    const mapped = await send(service, 'Nr;Wat\n7;The quay\n', query, 'text/csv')
    assert.equal((await workOn(service, mapped.body.id)).counts.created, 1)
    assert.equal((await service.get(`/entities/${encodeURIComponent('(KADE)7')}`)).body.metadata[0].value, 'The quay')
    const onix = `<?xml version="1.0"?><ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference"><Product>
      <RecordReference>quay.1</RecordReference><NotificationType>03</NotificationType>
      <ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9789025701024</IDValue></ProductIdentifier>
      <DescriptiveDetail><ProductComposition>00</ProductComposition><ProductForm>BC</ProductForm>
      <TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText>The salt road</TitleText></TitleElement></TitleDetail>
      <Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><PersonNameInverted>Verhoeven, Mila</PersonNameInverted></Contributor>
      <Language><LanguageRole>01</LanguageRole><LanguageCode>eng</LanguageCode></Language></DescriptiveDetail></Product></ONIXMessage>`
    const message = await send(service, onix, '', 'application/xml')
    const fromOnix = await workOn(service, message.body.id)
    assert.deepEqual([fromOnix.counts.created, fromOnix.counts.joined_works], [1, 1], JSON.stringify(fromOnix))
  })
})
