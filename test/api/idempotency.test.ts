import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { runStatement } from '../support/databases/database.ts'
import { aPerson, aProduction, aVenue, metadata, relations } from '../support/records/entities.ts'
import { changesOf } from '../support/records/changes.ts'
import { type Answer, type RequestOptions, start } from '../support/services/start.ts'
import { assertProblem, fieldOf } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, post, patch } = service

let made = 0
/** A key that no other test has. */
const freshKey = () => `key-${made++}`

const under = (key: string, options: RequestOptions = {}): RequestOptions => ({
  ...options,
  headers: { ...options.headers, 'idempotency-key': key }
})

/** Everything of an answer that a client can tell apart. */
const seen = ({ status, text, headers }: Answer) => ({
  status,
  text,
  etag: headers.etag,
  location: headers.location,
  contentType: headers['content-type']
})

/**
 * Sends a request three times and holds the answers to be the same, byte by byte; gives the first.
 */
const thrice = async (request: () => Promise<Answer>): Promise<Answer> => {
  const first = await request()
  assert.deepEqual(seen(await request()), seen(first))
  assert.deepEqual(seen(await request()), seen(first))
  return first
}

describe('Idempotency-Key', () => {
  it('creates once, and gives the first answer again, warnings included', async () => {
    const key = freshKey()
    const body = aProduction({ description: '<p onclick="x()">a</p>' })
    let id = ''

    const produced = await changesOf(service, async () => {
      const answer = await thrice(() => post('/entities', body, under(key)))
      assert.equal(answer.status, 201)
      assert.equal(answer.body.warnings.length, 1)
      id = answer.body.id
    })

    assert.deepEqual(produced, [['entity.created', id, 1]])
  })

  it('gives the answer of then, whatever became of the entity since', async () => {
    const key = freshKey()
    const first = await post('/entities', aVenue('Then'), under(key))
    await patch(`/entities/${first.body.id}`, { metadata: metadata({ name: 'Now' }) })
    assert.deepEqual(seen(await post('/entities', aVenue('Then'), under(key))), seen(first))
    await service.delete(`/entities/${first.body.id}`)

    assert.deepEqual(
      await changesOf(service, async () =>
        assert.deepEqual(seen(await post('/entities', aVenue('Then'), under(key))), seen(first))
      ),
      []
    )
  })

  for (const [list, entry] of [
    ['metadata', { key: 'note', value: 'added' }],
    ['relations', undefined]
  ] as const) {
    it(`adds to /${list} once`, async () => {
      const target = await create(aVenue())
      const { id } = await create(aProduction())
      const key = freshKey()
      const body = [entry ?? { key: target.id, type: 'refVenues' }]

      const produced = await changesOf(service, async () => {
        const answer = await thrice(() => post(`/entities/${id}/${list}`, body, under(key)))
        assert.equal(answer.status, 201)
        assert.equal(answer.headers.etag, '"2"')
      })

      assert.deepEqual(produced, [['entity.updated', id, 2]])
    })
  }

  it('merges once, and takes a merge back once', async () => {
    const [survivor, victim] = [await create(aVenue('Survivor')), await create(aVenue('Victim'))]
    const [merging, unmerging] = [freshKey(), freshKey()]

    const merged = await changesOf(service, async () => {
      const answer = await thrice(() =>
        post(`/entities/${survivor.id}/merge`, { victim_id: victim.id }, under(merging))
      )
      assert.equal(answer.status, 200)
    })
    const unmerged = await changesOf(service, async () => {
      const answer = await thrice(() => post(`/entities/${survivor.id}/unmerge`, {}, under(unmerging)))
      assert.equal(answer.status, 200)
    })
    const again = await changesOf(service, async () => {
      await post(`/entities/${survivor.id}/merge`, { victim_id: victim.id }, under(merging))
    })

    assert.deepEqual(merged, [
      ['entity.merged', victim.id, 2],
      ['entity.updated', survivor.id, 2]
    ])
    assert.deepEqual(unmerged, [
      ['entity.updated', survivor.id, 3],
      ['entity.created', victim.id, 3]
    ])
    assert.deepEqual(again, [])
  })

  it('reverts once, also what was deleted', async () => {
    const { id } = await create(aVenue('One'))
    await patch(`/entities/${id}`, { metadata: metadata({ name: 'Two' }) })
    const [live, deleted] = [freshKey(), freshKey()]

    const reverted = await changesOf(service, async () => {
      const answer = await thrice(() => post(`/entities/${id}/revert`, { version: 1 }, under(live)))
      assert.equal(answer.headers.etag, '"3"')
    })
    await service.delete(`/entities/${id}`)
    const broughtBack = await changesOf(service, async () => {
      const answer = await thrice(() => post(`/entities/${id}/revert`, { version: 1 }, under(deleted)))
      assert.equal(answer.headers.etag, '"5"')
    })

    assert.deepEqual(reverted, [['entity.updated', id, 3]])
    assert.deepEqual(broughtBack, [['entity.created', id, 5]])
  })

  it('remembers also that there was nothing to do', async () => {
    const { id } = await create(aVenue('One'))
    const key = freshKey()
    const request = () => post(`/entities/${id}/revert`, { version: 1 }, under(key))
    const first = await request()
    await patch(`/entities/${id}`, { metadata: metadata({ name: 'Two' }) })

    assert.deepEqual(await changesOf(service, async () => assert.deepEqual(seen(await request()), seen(first))), [])
    assert.equal(fieldOf((await get(`/entities/${id}`)).body, 'name'), 'Two')
  })

  it('takes a key in quotes for the same key, and refuses one that is empty or too long', async () => {
    const key = freshKey()
    const first = await post('/entities', aVenue('Quoted'), under(key))

    assert.deepEqual(seen(await post('/entities', aVenue('Quoted'), under(`"${key}"`))), seen(first))
    for (const bad of ['', '""', 'x'.repeat(256)])
      assertProblem(await post('/entities', aVenue(), under(bad)), 'bad_request')
    assert.equal((await post('/entities', aVenue(), under('x'.repeat(255)))).status, 201)
  })

  it('refuses the key for anything but the same request', async () => {
    const [one, two] = [await create(aVenue('One')), await create(aVenue('Two'))]
    const key = freshKey()
    await post('/entities', aVenue('First'), under(key))

    assert.deepEqual(
      await changesOf(service, async () => {
        assertProblem(await post('/entities', aVenue('Other'), under(key)), 'key_reused')
        assertProblem(await post('/entities?allow_dangling=1', aVenue('First'), under(key)), 'key_reused')
        assertProblem(await post(`/entities/${one.id}/metadata`, { key: 'a', value: 1 }, under(key)), 'key_reused')
        assertProblem(await post(`/entities/${one.id}/merge`, { victim_id: two.id }, under(key)), 'key_reused')
        assertProblem(await post(`/entities/${one.id}/revert`, { version: 1 }, under(key)), 'key_reused')
        assertProblem(await post('/entities/batch?atomic=1', [{ op: 'create', ...aVenue() }], under(key)), 'key_reused')
      }),
      []
    )
  })

  it('belongs to whoever sent it, also where two tokens have the same name', async () => {
    const key = freshKey()
    const tokens = [await service.tokenWith('read', 'write'), await service.tokenWith('read', 'write')]
    const ids = new Set<string>()

    const produced = await changesOf(service, async () => {
      for (const token of [...tokens, ...tokens])
        ids.add((await post('/entities', aVenue('Mine'), under(key, { token }))).body.id)
      ids.add((await post('/entities', aVenue('Other body'), under(key))).body.id)
    })

    assert.equal(ids.size, 3)
    assert.equal(produced.length, 3)
  })

  it('lets requests that come at the same time have one effect, and one answer', async () => {
    const [survivor, victim] = [await create(aVenue('Survivor')), await create(aVenue('Victim'))]
    const gone = await create(aVenue('Gone'))
    await service.delete(`/entities/${gone.id}`)
    const requests: readonly [number, (key: string) => Promise<Answer>][] = [
      [1, key => post('/entities', aVenue('At once'), under(key))],
      [1, key => post(`/entities/${survivor.id}/metadata`, { key: 'note', value: 'x' }, under(key))],
      [2, key => post(`/entities/${survivor.id}/merge`, { victim_id: victim.id }, under(key))],
      [2, key => post(`/entities/${survivor.id}/unmerge`, {}, under(key))],
      [1, key => post(`/entities/${gone.id}/revert`, { version: 1 }, under(key))],
      [
        2,
        key =>
          post(
            '/entities/batch',
            [
              { op: 'create', ...aVenue() },
              { op: 'create', ...aPerson() }
            ],
            under(key)
          )
      ],
      [
        2,
        key =>
          post(
            '/entities/batch?atomic=1',
            [
              { op: 'create', ...aVenue() },
              { op: 'create', ...aPerson() }
            ],
            under(key)
          )
      ]
    ]

    for (const [changes, request] of requests) {
      const key = freshKey()
      const produced = await changesOf(service, async () => {
        const answers = await Promise.all(Array.from({ length: 10 }, () => request(key)))
        const [first] = answers as [Answer]
        assert.ok(first.status < 300, first.text)
        for (const answer of answers) assert.deepEqual(seen(answer), seen(first))
      })
      assert.equal(produced.length, changes, JSON.stringify(produced))
    }
  })

  it('does not remember a request that failed', async () => {
    const key = freshKey()
    const body = aProduction({}, { relations: relations({ refVenues: 'VE-idempotency-later' }) })
    assertProblem(await post('/entities', body, under(key)), 'invalid')
    await create(aVenue('Later', { id: 'VE-idempotency-later' }))

    assert.equal((await post('/entities', body, under(key))).status, 201)

    const other = freshKey()
    assertProblem(await post('/entities', { type: 'venue' }, under(other)), 'invalid')
    assert.equal((await post('/entities', aVenue('Mended'), under(other))).status, 201)
  })

  it('does not remember a dry run, nor a question whether one may', async () => {
    const key = freshKey()
    await post('/entities?dry_run=1', aVenue('Dry'), under(key))
    await post('/entities?soft=1', aVenue('Dry'), under(key))

    assert.equal((await post('/entities', aVenue('Wet'), under(key))).status, 201)
  })

  it('shows a token no more the second time than the first', async () => {
    const venue = await create(aVenue())
    const { id } = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
    const token = await service.tokenWith('read:production', 'write:production')
    const key = freshKey()

    const answer = await thrice(() =>
      post(`/entities/${id}/metadata`, { key: 'note', value: 1 }, under(key, { token }))
    )
    assert.equal(answer.status, 201)
    const other = freshKey()
    const same = await thrice(() => post(`/entities/${id}/relations`, [], under(other, { token })))
    assert.deepEqual(same.body, [])
  })

  it('is refused to a token that is none any more', async () => {
    const key = freshKey()
    const { id, token } = await service.libretto.tokens.create({ name: 'short', scopes: ['write', 'read'] }, 'test')
    await post('/entities', aVenue('Once'), under(key, { token }))
    await service.delete(`/tokens/${id}`)

    assertProblem(await post('/entities', aVenue('Once'), under(key, { token })), 'unauthenticated')
  })

  it('is forgotten after a day', async () => {
    const key = freshKey()
    const first = await post('/entities', aVenue('Daily'), under(key))
    const age = (hours: number) =>
      runStatement(
        service.libretto.config.databaseUrl,
        'UPDATE outcomes SET at = $1 WHERE key = $2',
        new Date(Date.now() - hours * 3_600_000).toISOString(),
        key
      )

    await age(23.9)
    assert.equal((await post('/entities', aVenue('Daily'), under(key))).body.id, first.body.id)
    await age(24.1)
    assert.notEqual((await post('/entities', aVenue('Daily'), under(key))).body.id, first.body.id)
  })

  it('counts for POST only: a PUT or PATCH that comes again changes nothing by itself', async () => {
    const { id } = await create(aVenue('One'))
    const key = freshKey()

    for (const name of ['Two', 'Three'])
      assert.equal((await patch(`/entities/${id}`, { metadata: metadata({ name }) }, under(key))).status, 200)
    assert.equal(fieldOf((await get(`/entities/${id}`)).body, 'name'), 'Three')
  })
})

describe('Idempotency-Key of a batch', () => {
  const ndjson = (lines: readonly unknown[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('')
  const sendLines = (lines: readonly unknown[], key: string, options: RequestOptions = {}) =>
    post('/entities/batch', ndjson(lines), {
      ...under(key, options),
      headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': key }
    })

  /** One of each operation, and what it changes. */
  const allOperations = async () => {
    const [replaced, patched, deleted, upserted, same] = [
      await create(aVenue('r')),
      await create(aVenue('p')),
      await create(aVenue('d')),
      await create(aVenue('u')),
      await create(aVenue('s'))
    ]
    const id = `VE-idempotency-${made++}`
    return {
      patched,
      changes: 6,
      lines: [
        { op: 'create', ...aProduction({ description: '<p onclick="x()">a</p>' }) },
        { op: 'upsert', ...aVenue('new', { id }) },
        { op: 'upsert', ...aVenue('u2', { id: upserted.id }) },
        { op: 'replace', id: replaced.id, ...aVenue('r2') },
        { op: 'patch', id: patched.id, if_match: 1, metadata: metadata({ name: 'p2' }) },
        { op: 'patch', id: same.id, metadata: metadata({ name: 's' }) },
        { op: 'delete', id: deleted.id }
      ]
    }
  }

  it('gives the results of every line again, and does each line once', async () => {
    for (const send of [
      sendLines,
      (lines: readonly unknown[], key: string) => post('/entities/batch', lines, under(key))
    ]) {
      const { lines, changes } = await allOperations()
      const key = freshKey()

      const produced = await changesOf(service, async () => {
        const answer = await thrice(() => send(lines, key))
        assert.equal(answer.status, 200)
        assert.doesNotMatch(answer.text, /refused/)
      })

      assert.equal(produced.length, changes)
    }
  })

  it('does the same for an atomic batch', async () => {
    const { lines, changes, patched } = await allOperations()
    const key = freshKey()
    const send = () => post('/entities/batch?atomic=1', lines, under(key))

    const produced = await changesOf(service, async () => assert.equal((await thrice(send)).status, 200))

    assert.equal(produced.length, changes)
    const first = await send()
    await patch(`/entities/${patched.id}`, { metadata: metadata({ name: 'since' }) })
    assert.deepEqual(seen(await send()), seen(first))
  })

  it('goes on where a batch was cut: lines that were done are not done again', async () => {
    const lines = Array.from({ length: 10 }, (_, index) => ({ op: 'create', ...aVenue(`cut ${index}`) }))
    const key = freshKey()
    const first = await sendLines(lines.slice(0, 4), key)

    const produced = await changesOf(service, async () => {
      const { text } = await sendLines(lines, key)
      assert.ok(text.startsWith(first.text))
      assert.equal(text.trim().split('\n').length, 10)
    })

    assert.equal(produced.length, 6)
  })

  it('refuses a line that says something else under the same key, and does the others', async () => {
    const [one, two] = [await create(aVenue('One')), await create(aVenue('Two'))]
    const entity = { metadata: metadata({ city: 'Gent' }) }
    const key = freshKey()
    const patchOf = (id: string, more = {}) => ({ op: 'patch', id, entity, ...more })
    await sendLines([patchOf(one.id), patchOf(one.id), patchOf(one.id), patchOf(one.id)], key)

    const produced = await changesOf(service, async () => {
      const { text } = await sendLines(
        [
          patchOf(one.id),
          patchOf(two.id),
          { ...patchOf(one.id), op: 'replace' },
          patchOf(one.id, { if_match: 2 }),
          patchOf(two.id)
        ],
        key
      )
      assert.deepEqual(
        text
          .trim()
          .split('\n')
          .map(line => JSON.parse(line).status),
        [200, 422, 422, 422, 200]
      )
    })

    assert.deepEqual(produced, [['entity.updated', two.id, 2]])
  })

  it('does not remember lines that were refused', async () => {
    const id = `VE-idempotency-${made++}`
    const lines = [{ op: 'create', ...aProduction({}, { relations: relations({ refVenues: id }) }) }]
    const key = freshKey()
    assert.equal(JSON.parse((await sendLines(lines, key)).text).status, 400)
    await create(aVenue('Now there', { id }))

    assert.equal(JSON.parse((await sendLines(lines, key)).text).status, 201)
  })
})
