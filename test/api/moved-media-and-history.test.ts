import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'

import { aPng, createMediafile, fieldOf, getBytes, putBytes, sha256 } from '../support/records/media.ts'
import { aPerson, metadata } from '../support/records/entities.ts'
import { importWithRemarks } from '../support/services/import-file.ts'
import { adminToken, start, type TestService } from '../support/services/start.ts'

/*
 * A catalogue that moves by its export in NDJSON with the bytes of its media files, or without
 * them, and with the history of its records.
 */

const old = await start({ after }, { ANONYMOUS_ACCESS: 'read:person,read:production:published,read:mediafile' })

const importFile = (service: TestService, payload: string, query = '?format=ndjson') =>
  importWithRemarks(service, payload, { query, type: 'application/octet-stream' })

async function exported(query: string, token: string | null = adminToken, service = old): Promise<string> {
  const answer = await service.get(`/export?format=ndjson${query}`, { token: token ?? undefined })
  assert.equal(answer.status, 200, answer.text)
  return answer.text
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks wherever it likes into a line
const linesOf = (file: string): any[] =>
  file
    .split('\n')
    .filter(Boolean)
    .map(each => JSON.parse(each))
const written = (lines: readonly object[]) => lines.map(each => `${JSON.stringify(each)}\n`).join('')
const historyOf = async (service: TestService, id: string) =>
  (await service.get(`/entities/${id}/history?limit=100`)).body.results

/** Larger than a piece, and no picture. */
const video = Buffer.concat([Buffer.from('\x1aE\xdf\xa3', 'latin1'), randomBytes(2_500_000)])
const png = aPng(30, 20)
const ids = { picture: '', copy: '', film: '', production: '', person: '', deleted: '', restored: '' }

before(async () => {
  const { production, mediafile } = await createMediafile(old, png)
  ids.production = production
  ids.picture = mediafile
  ids.copy = (await createMediafile(old, png, 'posters', production)).mediafile
  ids.film = (await createMediafile(old, video, 'framing', production)).mediafile
  ids.person = (await old.create(aPerson('Lind, E.', { identifiers: ['lind'] }))).id
  const editor = await old.tokenWith('read', 'write', 'delete')
  for (const name of ['Lind, Eva', 'Lind-Aerts, Eva'])
    await old.patch(`/entities/${ids.person}`, { metadata: metadata({ name }) }, { token: editor })
  for (const name of ['deleted', 'restored'] as const) {
    ids[name] = (await old.create(aPerson(`Somebody ${name}`))).id
    assert.equal((await old.delete(`/entities/${ids[name]}`)).status, 204)
  }
  assert.equal((await old.post(`/entities/${ids.restored}/revert`, { version: 1 })).status, 200)
  // A production that readers by status see, and that they did not see before.
  for (const fields of [
    { title: 'Secret', status: 'concept' },
    { title: 'Open', status: 'published', description_short: 'x' }
  ])
    await old.patch(`/entities/${production}`, { metadata: metadata(fields) })
})

describe('An export with the bytes of media files', () => {
  it('has each content once, in pieces, after the records that name it by its hash', async () => {
    const lines = linesOf(await exported('&include=media'))
    const media = lines.flatMap(each => each.media ?? [])
    assert.deepEqual(
      media.map(each => [each.sha256, each.size, each.offset]),
      [[sha256(png), png.length, 0], ...[0, 1_048_575, 2_097_150].map(offset => [sha256(video), video.length, offset])]
    )
    assert.ok(lines.findIndex(each => each.media) > lines.findLastIndex(each => each.type))
    assert.deepEqual(
      linesOf(await exported('')).filter(each => each.media),
      []
    )
  })

  it('gives the same catalogue with the same bytes, and changes nothing the second time', async t => {
    const moved = await start(t)
    const file = await exported('&include=media')
    const { counts, remarks } = await importFile(moved, file)
    assert.deepEqual(
      [counts.contents, counts.missing_contents, counts.unreadable, remarks],
      [2, 0, 0, []],
      JSON.stringify(remarks)
    )
    for (const [id, bytes] of [
      [ids.picture, png],
      [ids.copy, png],
      [ids.film, video]
    ] as const) {
      assert.deepEqual((await getBytes(moved, `/mediafiles/${id}/content`)).bytes, bytes)
      const { metadata: facts } = (await moved.get(`/entities/${id}`)).body
      assert.deepEqual(facts, (await old.get(`/entities/${id}`)).body.metadata)
    }
    const once = await exported('&include=media', adminToken, moved)
    const again = await importFile(moved, file)
    assert.deepEqual([again.counts.created, again.counts.updated, again.counts.contents], [0, 0, 2])
    assert.equal(await exported('&include=media', adminToken, moved), once)
    const report = await moved.libretto.store.check()
    assert.deepEqual(report.problems, [])
  })

  it('without the bytes names what is missing, and finds them when they come', async t => {
    const moved = await start(t)
    const { counts, remarks } = await importFile(moved, await exported(''))
    assert.deepEqual([counts.missing_contents, counts.unreadable], [3, 0])
    assert.equal(remarks.length, 3)
    const said = JSON.stringify(remarks)
    for (const each of [ids.picture, ids.copy, ids.film, sha256(png), sha256(video)]) assert.ok(said.includes(each))
    assert.equal((await moved.get(`/mediafiles/${ids.picture}/content`)).status, 404)

    // By an upload to one record, for all records with the same bytes.
    assert.equal((await putBytes(moved, `/mediafiles/${ids.copy}/content`, png)).status, 200)
    assert.deepEqual((await getBytes(moved, `/mediafiles/${ids.picture}/content`)).bytes, png)
    // By a file with the bytes alone.
    const bytes = linesOf(await exported('&include=media')).filter(each => each.media)
    assert.equal((await importFile(moved, written(bytes))).counts.contents, 2)
    assert.deepEqual((await getBytes(moved, `/mediafiles/${ids.film}/content`)).bytes, video)
    assert.equal((await importFile(moved, await exported(''))).counts.missing_contents, 0)
  })

  it('takes the facts of the bytes, not those that a file states', async t => {
    const moved = await start(t)
    const lines = linesOf(await exported('&include=media')).map(line =>
      line.id === ids.picture
        ? { ...line, metadata: [...line.metadata, ...metadata({ mimetype: 'text/html', size: 1 })].reverse() }
        : line
    )
    await importFile(moved, written(lines))
    const { body } = await moved.get(`/entities/${ids.picture}`)
    assert.deepEqual(
      ['mimetype', 'size', 'width'].map(key => fieldOf(body, key)),
      ['image/png', png.length, 30]
    )
    // Nor does a client decide them.
    await moved.patch(`/entities/${ids.picture}`, { metadata: metadata({ sha256: '0'.repeat(64) }) })
    assert.equal(fieldOf((await moved.get(`/entities/${ids.picture}`)).body, 'sha256'), sha256(png))
  })

  it('refuses bytes that are wrong, cut or out of order, says why, and takes the rest', async t => {
    const moved = await start(t)
    const lines = linesOf(await exported('&include=media'))
    const pieces = lines.filter(each => each.media?.sha256 === sha256(video))
    const others = lines.filter(each => !pieces.includes(each))
    const [first, second, third] = pieces
    const changed = { media: { ...second.media, bytes: Buffer.alloc(1_048_575).toString('base64') } }
    const wrong = [
      [[first, changed, third], /have the SHA-256 [0-9a-f]{64}/],
      [[first, second], /broke off after 2097150/],
      [[first, third], /broke off after 1048575/],
      [[second, third], /broke off after 0/],
      [[first, second, second, third], /broke off after 2097150/],
      [[first, second, { media: { ...third.media, size: 2_600_000 } }], /broke off/],
      [[{ media: { ...first.media, sha256: 'x' } }, second, third], /media\/sha256/]
    ] as const
    for (const [at, [given, message]] of wrong.entries()) {
      // A preview reads files as an import does, so one of them shows it.
      for (const query of [...(at === 0 ? ['?format=ndjson&preview=1'] : []), '?format=ndjson']) {
        const { counts, remarks } = await importFile(moved, written([...others, ...given]), query)
        assert.match(JSON.stringify(remarks), message)
        assert.ok(counts.unreadable >= 1 && counts.contents === 1, JSON.stringify(counts))
      }
      assert.equal((await moved.get(`/mediafiles/${ids.film}/content`)).status, 404)
    }
    assert.equal((await importFile(moved, written(lines))).counts.missing_contents, 0)
    assert.deepEqual((await getBytes(moved, `/mediafiles/${ids.film}/content`)).bytes, video)
  })

  it('is refused where the bytes exceed the limit of media files', async t => {
    const moved = await start(t, { MEDIA_LIMIT: '1000000' })
    const { counts, remarks } = await importFile(moved, await exported('&include=media'))
    assert.deepEqual([counts.contents, counts.unreadable, counts.missing_contents], [1, 1, 1])
    assert.match(JSON.stringify(remarks), /at most 1000000 bytes/)
  })

  it('has the bytes of records that the reader may read, and no others', async () => {
    const count = async (token: string | null, more = '') =>
      linesOf(await exported(`&include=media${more}`, token)).filter(each => each.media).length
    assert.equal(await count(await old.tokenWith('read:person', 'read:production')), 0)
    assert.equal(await count(adminToken, '&type=person'), 0)
    const limited = await old.tokenWith('read:production:published', 'read:mediafile')
    assert.equal(await count(limited), 4)
    assert.equal(await count(null), 4)
    await old.patch(`/entities/${ids.production}`, { metadata: metadata({ status: 'concept' }) })
    assert.equal(await count(limited), 0)
    assert.equal(await count(null), 0)
    await old.patch(`/entities/${ids.production}`, { metadata: metadata({ status: 'published' }) })
  })
})

describe('An export with the history', () => {
  it('gives the versions of each record with their moments and editors, before its own version', async t => {
    const moved = await start(t)
    const { counts, remarks } = await importFile(moved, await exported('&include=history'))
    assert.deepEqual([counts.unreadable, remarks.length], [0, counts.missing_contents])
    for (const id of [ids.person, ids.production, ids.restored, ids.picture]) {
      const [theirs, [own, ...carried]] = [await historyOf(old, id), await historyOf(moved, id)]
      assert.deepEqual(
        carried,
        theirs.map((each: object) => ({ ...each, carried: true }))
      )
      assert.deepEqual([own.version, own.carried, own.by.startsWith('import:')], [theirs.length + 1, undefined, true])
      assert.equal((await moved.get(`/entities/${id}`)).body.version, theirs.length + 1)
    }
    assert.equal((await historyOf(old, ids.restored)).length, 3)
    const early = await moved.get(`/entities/${ids.person}?version=1`)
    assert.deepEqual(early.body, (await old.get(`/entities/${ids.person}?version=1`)).body)
    // The time of this catalogue begins with the import.
    const past = await moved.get(`/entities/${ids.person}?at=${early.body.audit.updated.at}`)
    assert.equal(past.status, 404)
    assert.deepEqual((await moved.libretto.store.check()).problems, [])
  })

  it('has deleted records, which can be restored', async t => {
    const moved = await start(t)
    await importFile(moved, await exported('&include=history'))
    const theirs = await historyOf(old, ids.deleted)
    assert.deepEqual(
      await historyOf(moved, ids.deleted),
      theirs.map((each: object) => ({ ...each, carried: true }))
    )
    assert.equal((await moved.get(`/entities/${ids.deleted}`)).status, 404)
    const feed = (await moved.get('/changes?limit=1000')).text
    assert.ok(!feed.includes(ids.deleted))
    const restored = await moved.post(`/entities/${ids.deleted}/revert`, { version: 1 })
    assert.deepEqual([restored.status, restored.body.version], [200, 3])
    assert.equal((await moved.patch(`/entities/${ids.deleted}`, { metadata: metadata({ name: 'Again' }) })).status, 200)
    assert.deepEqual((await moved.libretto.store.check()).problems, [])
    // It can be erased like any other.
    assert.equal((await moved.delete(`/entities/${ids.deleted}?purge=1`)).status, 204)
    assert.ok(!JSON.stringify(await historyOf(moved, ids.deleted)).includes('Somebody'))
  })

  it('changes nothing when it is imported twice, and moves on to a third catalogue', async t => {
    const [moved, third] = [await start(t), await start(t)]
    const file = await exported('&include=history')
    await importFile(moved, file)
    const once = await exported('&include=history', adminToken, moved)
    const { counts } = await importFile(moved, file)
    assert.deepEqual([counts.created, counts.updated, counts.unreadable], [0, 0, 0])
    assert.equal(await exported('&include=history', adminToken, moved), once)
    await importFile(third, once)
    const [, ...carried] = await historyOf(third, ids.person)
    assert.deepEqual(
      carried.map((each: { at: string }) => each.at),
      (await historyOf(moved, ids.person)).map((each: { at: string }) => each.at)
    )
  })

  it('leaves the history that a catalogue has, and says so', async t => {
    const moved = await start(t)
    await importFile(moved, await exported('&sources=0'))
    await moved.delete(`/entities/${ids.restored}`)
    const before = [await historyOf(moved, ids.person), await historyOf(moved, ids.restored)]
    const { remarks, counts } = await importFile(moved, await exported('&include=history&type=person'))
    assert.deepEqual([counts.versions, counts.unreadable], [0, 0])
    assert.match(
      JSON.stringify(remarks),
      new RegExp(`The history of .."${ids.person}.." was not taken`.replace('.."', '\\\\"').replace('.."', '\\\\"'))
    )
    assert.deepEqual(await historyOf(moved, ids.person), before[0])
    assert.deepEqual((await historyOf(moved, ids.restored)).slice(1), before[1])
    assert.deepEqual((await moved.libretto.store.check()).problems, [])
  })

  it('refuses versions that are not of their form, and removes unsafe HTML', async t => {
    const moved = await start(t)
    const lines = linesOf(await exported('&include=history&type=production'))
    const { history } = lines.find(each => each.history?.entity)
    const { entity } = history
    for (const [given, message] of [
      [7, /history/],
      [{ ...history, more: 1 }, /history/],
      [{ ...history, at: 'yesterday' }, /history\/at/],
      [{ ...history, version: 0 }, /history\/version/],
      [{ ...history, _id: 'x' }, /history\/_id/],
      [{ ...history, type: 'unheard' }, /There is no type/],
      [{ ...history, by: 'a\0b' }, /NUL/],
      [{ ...history, entity: { ...entity, id: 'PR-OTHER' } }, /must be those of the line/],
      [{ ...history, entity: { ...entity, metadata: [{}] } }, /history\/entity\/metadata\/0/],
      [{ ...history, merged_into: 'PR-OTHER' }, /Only a deletion/]
    ] as const) {
      const { counts, remarks } = await importFile(moved, written([{ history: given }]))
      assert.deepEqual([counts.unreadable, counts.versions], [1, 0], JSON.stringify(given).slice(0, 80))
      assert.match(JSON.stringify(remarks), message)
    }
    const unsafe = { ...entity, metadata: metadata({ title: 'x', description: '<p>y<script>z()</script></p>' }) }
    const preview = await importFile(
      moved,
      written([{ history: { ...history, entity: unsafe } }]),
      '?format=ndjson&preview=1'
    )
    assert.equal(preview.counts.versions, 1)
    assert.equal((await moved.get(`/entities/${entity.id}/history`)).status, 404)
    await importFile(moved, written([{ history: { ...history, entity: unsafe } }]))
    const { text } = await moved.get(`/entities/${entity.id}?version=${history.version}`)
    assert.match(text, /<p>y/)
    assert.doesNotMatch(text, /<script/)
  })

  it('shows no reader more than they may read', async () => {
    const versions = async (token: string | null) =>
      linesOf(await exported('&include=history', token)).flatMap(each => each.history ?? [])
    const limited = await old.tokenWith('read:production:published', 'read:mediafile')
    for (const token of [limited, null]) {
      const text = JSON.stringify(await versions(token))
      assert.match(text, /"Open"/)
      assert.doesNotMatch(text, /"Secret"/)
    }
    assert.doesNotMatch(JSON.stringify(await versions(null)), /token:/)
    assert.ok(!JSON.stringify(await versions(limited)).includes(ids.person))
    const narrow = await versions(await old.tokenWith('read:mediafile'))
    assert.deepEqual([...new Set(narrow.map(each => each.type))], ['mediafile'])
    assert.ok(!JSON.stringify(narrow).includes(ids.production))
    assert.ok(!JSON.stringify(await versions(limited)).includes(ids.deleted))
    assert.ok(JSON.stringify(await versions(await old.tokenWith('read'))).includes(ids.deleted))
  })

  it('is asked for by its name, and in NDJSON only', async () => {
    for (const [query, message] of [
      ['format=ndjson&include=histroy', /did you mean \\"history\\"/],
      ['format=ndjson&include=all', /use media or history/],
      ['format=csv&include=media', /The format \\"csv\\" cannot include \\"media\\"; use ndjson/],
      ['format=marcxml&include=history', /The format \\"marcxml\\" cannot include \\"history\\"; use ndjson/]
    ] as const) {
      const answer = await old.get(`/export?${query}`)
      assert.equal(answer.status, 400)
      assert.match(answer.text, message)
    }
  })
})
