import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import {
  aManifestation,
  anExpression,
  aPerson,
  aProduction,
  aVenue,
  aWork,
  metadata,
  relations
} from '../support/records/entities.ts'
import { changesOf } from '../support/records/changes.ts'
import { createChance, howMany } from '../support/records/chance.ts'
import { answerOf, beginRequest, linesOf, listen } from '../support/services/listen.ts'
import { type RequestOptions, start } from '../support/services/start.ts'
import { assertProblem, fieldOf, keysOf, pointersOf } from '../support/records/write-cases.ts'

const service = await start({ after })
const { create, get, post, patch } = service

interface Line {
  readonly index: number
  readonly status: number
  readonly outcome: string
  readonly id?: string
  readonly version?: number
  readonly warnings?: { pointer: string; message: string }[]
  readonly problem?: { code: string; status: number; detail: string; errors?: { pointer: string; message: string }[] }
}

const ndjson = (lines: readonly unknown[]) =>
  lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')

/** The two forms of a batch. Either gives the same results. */
const forms = {
  'a JSON array': async (lines: readonly unknown[], query = '', options: RequestOptions = {}): Promise<Line[]> => {
    const answer = await post(`/entities/batch${query}`, lines, options)
    assert.equal(answer.status, 200, answer.text)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    return answer.body
  },
  NDJSON: async (lines: readonly unknown[], query = '', options: RequestOptions = {}): Promise<Line[]> => {
    const answer = await post(`/entities/batch${query}`, ndjson(lines), {
      ...options,
      headers: { 'content-type': 'application/x-ndjson', ...options.headers }
    })
    assert.equal(answer.status, 200, answer.text)
    assert.match(String(answer.headers['content-type']), /^application\/x-ndjson/)
    return answer.text
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Line)
  }
}
const summaryOf = (results: readonly Line[]) => results.map(({ index, status, outcome }) => [index, status, outcome])
const codesOf = (results: readonly Line[]) => results.map(({ problem }) => problem?.code)

let made = 0
/** An id that no other test has. */
const fresh = (prefix: string) => `${prefix}-batch${made++}`

for (const [form, write] of Object.entries(forms)) {
  for (const query of ['', '?atomic=1']) {
    describe(`POST /entities/batch${query} with ${form}`, () => {
      it('does each operation, and tells of each, in order, its status, outcome, id and version', async () => {
        const [replaced, patched, deleted, same] = [
          await create(aVenue('r')),
          await create(aVenue('p')),
          await create(aVenue('d')),
          await create(aVenue('s'))
        ]
        const id = fresh('VE')
        let results: Line[] = []

        const produced = await changesOf(service, async () => {
          results = await write(
            [
              { op: 'create', ...aVenue('new', { id }) },
              { op: 'replace', id: replaced.id, ...aVenue('r2') },
              { op: 'patch', id: patched.id, metadata: metadata({ city: 'Gent' }) },
              { op: 'patch', id: same.id, metadata: metadata({ name: 's' }) },
              { op: 'delete', id: deleted.id }
            ],
            query
          )
        })

        assert.deepEqual(results, [
          { index: 0, status: 201, outcome: 'created', id, version: 1 },
          { index: 1, status: 200, outcome: 'replaced', id: replaced.id, version: 2 },
          { index: 2, status: 200, outcome: 'patched', id: patched.id, version: 2 },
          { index: 3, status: 200, outcome: 'unchanged', id: same.id, version: 1 },
          { index: 4, status: 204, outcome: 'deleted' }
        ])
        assert.deepEqual(
          produced.toSorted(byName),
          [
            ['entity.created', id, 1],
            ['entity.deleted', deleted.id, 2],
            ['entity.updated', patched.id, 2],
            ['entity.updated', replaced.id, 2]
          ].toSorted(byName)
        )
        assert.equal(fieldOf((await get(`/entities/${replaced.id}`)).body, 'name'), 'r2')
        assert.equal(fieldOf((await get(`/entities/${patched.id}`)).body, 'name'), 'p')
        assertProblem(await get(`/entities/${deleted.id}`), 'not_found')
      })

      it('makes ids, answers to UUIDs and other identifiers, and takes the entity beside op or under "entity"', async () => {
        const existing = await create(aVenue('x', { identifiers: [fresh('urn')] }))
        const results = await write(
          [
            { op: 'create', entity: aVenue('one') },
            { op: 'create', ...aVenue('two') },
            { op: 'create', id: fresh('VE'), entity: aVenue('three') },
            { op: 'patch', id: existing._id, entity: { metadata: metadata({ city: 'a' }) } },
            { op: 'patch', id: existing.identifiers[2], metadata: metadata({ phone: 'b' }) }
          ],
          query
        )

        assert.deepEqual(
          results.map(each => each.status),
          [201, 201, 201, 200, 200]
        )
        assert.match(String(results[0]?.id), /^VE-[A-Z0-9]{9}$/)
        const { body } = await get(`/entities/${existing.id}`)
        assert.deepEqual([fieldOf(body, 'city'), fieldOf(body, 'phone')], ['a', 'b'])
        assert.deepEqual(
          await Promise.all(
            results.slice(0, 3).map(async each => fieldOf((await get(`/entities/${each.id}`)).body, 'name'))
          ),
          ['one', 'two', 'three']
        )
      })

      it('upserts: creates what is not there, replaces what is', async () => {
        const existing = await create(aVenue('old', { metadata: metadata({ name: 'old', city: 'Gent' }) }))
        const id = fresh('VE')
        let results: Line[] = []

        const produced = await changesOf(service, async () => {
          results = await write(
            [
              { op: 'upsert', ...aVenue('new', { id }) },
              { op: 'upsert', ...aVenue('new', { id: existing.id }) },
              { op: 'upsert', entity: aVenue('nameless') }
            ],
            query
          )
        })

        assert.deepEqual(summaryOf(results), [
          [0, 201, 'created'],
          [1, 200, 'replaced'],
          [2, 201, 'created']
        ])
        assert.deepEqual(
          produced.toSorted(byName),
          [
            ['entity.created', id, 1],
            ['entity.created', results[2]?.id, 1],
            ['entity.updated', existing.id, 2]
          ].toSorted(byName)
        )
        assert.equal(fieldOf((await get(`/entities/${existing.id}`)).body, 'city'), undefined)
      })

      it('does several operations on one record in their order', async () => {
        const [id, other] = [fresh('VE'), await create(aVenue('other'))]

        const results = await write(
          [
            { op: 'create', ...aVenue('one', { id }) },
            { op: 'patch', id, metadata: metadata({ city: 'Gent' }) },
            { op: 'patch', id, metadata: metadata({ name: 'two' }) },
            { op: 'upsert', id, ...aVenue('three'), metadata: metadata({ name: 'three', phone: '1' }) },
            { op: 'patch', id: other.id, metadata: metadata({ city: 'first' }) },
            { op: 'patch', id: other._id, metadata: metadata({ phone: 'second' }) },
            { op: 'patch', id: other.id, metadata: metadata({ city: 'third' }) }
          ],
          query
        )

        assert.deepEqual(
          results.map(each => each.outcome),
          ['created', 'patched', 'patched', 'replaced', 'patched', 'patched', 'patched']
        )
        const { body } = await get(`/entities/${id}`)
        assert.deepEqual(body.metadata, metadata({ name: 'three', phone: '1' }))
        assert.equal(body.version, query === '' ? 4 : 1)
        const edited = (await get(`/entities/${other.id}`)).body
        assert.deepEqual([fieldOf(edited, 'city'), fieldOf(edited, 'phone')], ['third', 'second'])
      })

      it('can delete a record and create another under its id', async () => {
        const old = await create(aVenue('old'))
        let results: Line[] = []

        const produced = await changesOf(service, async () => {
          results = await write(
            [
              { op: 'delete', id: old.id },
              { op: 'create', ...aVenue('new', { id: old.id }) }
            ],
            query
          )
        })

        assert.deepEqual(summaryOf(results), [
          [0, 204, 'deleted'],
          [1, 201, 'created']
        ])
        assert.deepEqual(produced, [
          ['entity.deleted', old.id, 2],
          ['entity.created', old.id, 1]
        ])
        assert.notEqual((await get(`/entities/${old.id}`)).body._id, old._id)
      })

      it('lets records point to what comes before and after them', async () => {
        const [work, expression, manifestation, person] = [fresh('W'), fresh('E'), fresh('M'), fresh('PERS')]

        const results = await write(
          [
            { op: 'create', ...aManifestation(expression, 'Hamlet', { id: manifestation }) },
            { op: 'create', ...anExpression(work, 'Hamlet', { id: expression }) },
            { op: 'create', ...aPerson('Author', { id: person }) },
            { op: 'create', ...aWork('Hamlet', { id: work, relations: relations({ refAuthors: person }) }) }
          ],
          query
        )

        assert.deepEqual(
          results.map(each => [each.index, each.status, each.id]),
          [
            [0, 201, manifestation],
            [1, 201, expression],
            [2, 201, person],
            [3, 201, work]
          ]
        )
        const wem = (await get(`/entities/wem/${manifestation}`)).body
        assert.equal(wem.work.relations[person].value, 'Author')
      })

      it('checks if_match of each line', async () => {
        const one = await create(aVenue('one'))
        const two = await create(aVenue('two'))
        await patch(`/entities/${two.id}`, { metadata: metadata({ name: 'two!' }) })

        const results = await write(
          [
            { op: 'patch', id: one.id, if_match: 1, metadata: metadata({ city: 'Gent' }) },
            { op: 'delete', id: two.id, if_match: 2 }
          ],
          query
        )

        assert.deepEqual(
          results.map(each => each.status),
          [200, 204]
        )
      })

      it('deletes what others point to only with "references": "detach"', async () => {
        const venue = await create(aVenue())
        const production = await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
        let results: Line[] = []

        const produced = await changesOf(service, async () => {
          results = await write([{ op: 'delete', id: venue.id, references: 'detach' }], query)
        })

        assert.deepEqual(summaryOf(results), [[0, 204, 'deleted']])
        assert.deepEqual(produced, [
          ['entity.updated', production.id, 2],
          ['entity.deleted', venue.id, 2]
        ])
        assert.deepEqual((await get(`/entities/${production.id}`)).body.relations, [])
      })

      it('carries the warnings of each line', async () => {
        const [result] = await write(
          [{ op: 'create', ...aProduction({ description: '<p onclick="x()">a</p>' }) }],
          query
        )

        assert.equal(result?.status, 201)
        assert.deepEqual(
          result.warnings?.map(each => each.pointer),
          ['/metadata/1/value']
        )
      })

      it('lets relations point to nothing with allow_dangling=1', async () => {
        const join = query === '' ? '?' : `${query}&`
        const [result] = await write(
          [{ op: 'create', ...aProduction({}, { relations: relations({ refVenues: 'VE-nowhere' }) }) }],
          `${join}allow_dangling=1`
        )

        assert.equal(result?.status, 201)
        assert.deepEqual(keysOf((await get(`/entities/${result.id}`)).body, 'refVenues'), ['VE-nowhere'])
      })

      it('says what would happen with dry_run=1, and writes nothing', async () => {
        const existing = await create(aVenue('old'))
        const join = query === '' ? '?' : `${query}&`
        const id = fresh('VE')

        assert.deepEqual(
          await changesOf(service, async () => {
            const results = await write(
              [
                { op: 'create', ...aVenue('new', { id }) },
                { op: 'patch', id: existing.id, metadata: metadata({ city: 'Gent' }) },
                { op: 'delete', id: existing.id }
              ],
              `${join}dry_run=1`
            )
            assert.deepEqual(summaryOf(results), [
              [0, 201, 'created'],
              [1, 200, 'patched'],
              [2, 204, 'deleted']
            ])
          }),
          []
        )
        assertProblem(await get(`/entities/${id}`), 'not_found')
        assert.deepEqual((await get(`/entities/${existing.id}`)).body, existing)
      })

      it('answers nothing for nothing', async () => {
        assert.deepEqual(await write([], query), [])
      })

      it('keeps relations that the token may not see', async () => {
        const venue = await create(aVenue())
        const { id } = await create(aProduction({ title: 'one' }, { relations: relations({ refVenues: venue.id }) }))
        const token = await service.tokenWith('read:production', 'write:production')

        const results = await write([{ op: 'replace', id, ...aProduction({ title: 'two' }) }], query, { token })

        assert.deepEqual(summaryOf(results), [[0, 200, 'replaced']])
        const { body } = await get(`/entities/${id}`)
        assert.deepEqual([fieldOf(body, 'title'), keysOf(body, 'refVenues')], ['two', [venue.id]])
      })
    })
  }

  describe(`POST /entities/batch with ${form}, line by line`, () => {
    it('refuses what is wrong, line by line with the problem of each, and does the rest', async () => {
      const taken = await create(aVenue('taken'))
      const referenced = await create(aVenue('referenced'))
      await create(aProduction({}, { relations: relations({ refVenues: referenced.id }) }))
      const good = fresh('VE')
      let results: Line[] = []

      const produced = await changesOf(service, async () => {
        results = await write([
          { op: 'create', type: 'venue' },
          { op: 'create', ...aVenue('x', { id: taken.id }) },
          { op: 'patch', id: 'VE-never', metadata: [] },
          { op: 'patch', id: taken.id, if_match: 7, metadata: metadata({ name: 'y' }) },
          { op: 'delete', id: referenced.id },
          { op: 'create', ...aProduction({}, { relations: relations({ refVenues: 'VE-never' }) }) },
          { op: 'create', ...aVenue('good', { id: good }) }
        ])
      })

      assert.deepEqual(
        results.map(each => [each.index, each.status, each.outcome, each.problem?.code]),
        [
          [0, 400, 'refused', 'invalid'],
          [1, 409, 'refused', 'identifier_taken'],
          [2, 404, 'refused', 'not_found'],
          [3, 412, 'refused', 'version_mismatch'],
          [4, 409, 'refused', 'still_referenced'],
          [5, 400, 'refused', 'invalid'],
          [6, 201, 'created', undefined]
        ]
      )
      assert.deepEqual(results[0]?.problem?.errors, [
        { pointer: '/metadata', message: results[0]?.problem?.errors?.[0]?.message }
      ])
      assert.equal(results[5]?.problem?.errors?.[0]?.pointer, '/relations/0/key')
      assert.deepEqual(produced, [['entity.created', good, 1]])
    })

    it('refuses what is no operation, and goes on', async () => {
      const bad: unknown[] = [
        [],
        1,
        null,
        'text',
        {},
        { op: 'remove', id: 'x' },
        { op: 'patch' },
        { op: 'delete' },
        { op: 'create', entity: 1 },
        { op: 'create', entity: aVenue(), metadata: [] },
        { op: 'patch', id: 1 },
        { op: 'patch', id: 'x', if_match: '1' },
        { op: 'delete', id: 'x', references: 'all' }
      ].map(each => (form === 'NDJSON' ? JSON.stringify(each) : each))
      let results: Line[] = []

      const produced = await changesOf(service, async () => {
        results = await write([...bad, { op: 'create', ...aVenue('good', { id: fresh('VE') }) }])
      })

      assert.deepEqual(
        results.map(each => each.status),
        [...bad.map(() => 400), 201]
      )
      assert.equal(produced.length, 1)
    })

    it('waits for the target of a line that comes within 500 lines, and does what follows on its record in order', async () => {
      const [production, venue] = [fresh('PR'), fresh('VE')]
      const filler = Array.from({ length: 400 }, (_, index) => ({ op: 'create', ...aVenue(`filler ${index}`) }))

      const results = await write([
        {
          op: 'create',
          ...aProduction({ title: 'one' }, { id: production, relations: relations({ refVenues: venue }) })
        },
        { op: 'patch', id: production, metadata: metadata({ title: 'two' }) },
        { op: 'replace', id: production, ...aProduction({ title: 'three' }) },
        ...filler,
        { op: 'create', ...aVenue('target', { id: venue }) }
      ])

      assert.deepEqual(
        results.slice(0, 3).map(each => [each.outcome, each.version]),
        [
          ['created', 1],
          ['patched', 2],
          ['replaced', 3]
        ]
      )
      assert.deepEqual(
        results.map(each => each.index),
        results.map((_, index) => index)
      )
      assert.equal(fieldOf((await get(`/entities/${production}`)).body, 'title'), 'three')
    })

    it('waits so long wherever in the batch the line stands', async () => {
      const lines: object[] = Array.from({ length: 1100 }, (_, index) => ({ op: 'create', ...aVenue(`${index}`) }))
      for (const place of [0, 100, 249, 250, 251, 498, 599]) {
        const venue = fresh('VE')
        lines[place] = { op: 'create', ...aProduction({}, { relations: relations({ refVenues: venue }) }) }
        lines[place + 500] = { op: 'create', ...aVenue('target', { id: venue }) }
      }

      const results = await write(lines)

      assert.deepEqual(
        results.filter(each => each.status !== 201),
        []
      )
      assert.deepEqual(
        results.map(each => each.index),
        lines.map((_, index) => index)
      )
    })

    it('refuses a record that points to what comes much later', async () => {
      const [production, venue] = [fresh('PR'), fresh('VE')]
      const filler = Array.from({ length: 800 }, (_, index) => ({ op: 'create', ...aVenue(`filler ${index}`) }))

      const results = await write([
        { op: 'create', ...aProduction({}, { id: production, relations: relations({ refVenues: venue }) }) },
        { op: 'patch', id: production, metadata: metadata({ title: 'two' }) },
        ...filler,
        { op: 'create', ...aVenue('target', { id: venue }) }
      ])

      assert.deepEqual(codesOf(results.slice(0, 2)), ['invalid', 'not_found'])
      assert.equal(results.at(-1)?.status, 201)
    })

    it('deletes what no line points to any more, and nothing that one still does', async () => {
      const [freed, kept] = [await create(aVenue()), await create(aVenue())]
      const pointing = await create(aProduction({}, { relations: relations({ refVenues: freed.id }) }))
      const other = await create(aProduction())

      const results = await write([
        { op: 'replace', id: pointing.id, ...aProduction() },
        { op: 'delete', id: freed.id },
        { op: 'patch', id: other.id, relations: relations({ refVenues: kept.id }) },
        { op: 'delete', id: kept.id },
        { op: 'delete', id: other.id },
        { op: 'delete', id: kept.id }
      ])

      assert.deepEqual(
        results.map(each => each.status),
        [200, 204, 200, 409, 204, 204]
      )
    })

    it('asks for the scope of each line by its type', async () => {
      const venue = await create(aVenue())
      const person = await create(aPerson())
      const genre = await create({ type: 'genre', metadata: metadata({ name: 'x' }) })
      const token = await service.tokenWith('read:venue', 'write:venue', 'read:person', 'delete:person')
      let results: Line[] = []

      const produced = await changesOf(service, async () => {
        results = await write(
          [
            { op: 'create', ...aVenue('new') },
            { op: 'create', ...aPerson('new') },
            { op: 'patch', id: person.id, metadata: metadata({ name: 'x' }) },
            { op: 'patch', id: genre.id, metadata: metadata({ name: 'x' }) },
            { op: 'delete', id: venue.id },
            { op: 'delete', id: person.id },
            { op: 'upsert', ...aVenue('upserted', { id: venue.id }) }
          ],
          '',
          { token }
        )
      })

      assert.deepEqual(
        results.map(each => each.status),
        [201, 403, 403, 404, 403, 204, 200]
      )
      assert.deepEqual(produced.map(([type]) => type).toSorted(), [
        'entity.created',
        'entity.deleted',
        'entity.updated'
      ])
    })
  })

  describe(`POST /entities/batch?atomic=1 with ${form}`, () => {
    /** Sends a batch that must be refused as a whole, and leave nothing behind. */
    const refused = async (
      lines: readonly unknown[],
      code: Parameters<typeof assertProblem>[1],
      options: RequestOptions = {}
    ) => {
      const isLines = form === 'NDJSON'
      let answer = await get('/health/live')
      const produced = await changesOf(service, async () => {
        answer = await post('/entities/batch?atomic=1', isLines ? ndjson(lines) : lines, {
          ...options,
          ...(isLines ? { headers: { 'content-type': 'application/x-ndjson' } } : {})
        })
      })
      assertProblem(answer, code)
      assert.deepEqual(produced, [])
      return answer
    }

    it('writes nothing when one line is wrong, and names every fault of every line', async () => {
      const id = fresh('VE')
      const answer = await refused(
        [
          { op: 'create', ...aVenue('good', { id }) },
          { op: 'create', type: 'venue', metadata: metadata({ capacity: 'many' }) },
          { op: 'patch', id: 'VE-never', metadata: [] },
          { op: 'create', ...aProduction({}, { relations: relations({ refVenues: 'VE-never' }) }) },
          form === 'NDJSON' ? 'not json' : 7
        ],
        'invalid'
      )

      assert.deepEqual(
        pointersOf(answer).map(pointer => pointer.split('/')[1]),
        ['4', '1', '1', '2', '3']
      )
      assert.ok(pointersOf(answer).includes('/3/relations/0/key'))
      assertProblem(await get(`/entities/${id}`), 'not_found')
    })

    it('writes nothing when an identifier is taken, in the catalogue or in the batch', async () => {
      const taken = await create(aVenue('taken', { identifiers: [fresh('urn')] }))
      const id = fresh('VE')

      await refused(
        [
          { op: 'create', ...aVenue('a') },
          { op: 'create', ...aVenue('b', { id: taken.id }) }
        ],
        'identifier_taken'
      )
      await refused([{ op: 'create', ...aVenue('b', { identifiers: taken.identifiers.slice(2) }) }], 'identifier_taken')
      await refused(
        [
          { op: 'create', ...aVenue('a', { id }) },
          { op: 'create', ...aVenue('b', { id }) }
        ],
        'identifier_taken'
      )
      await refused(
        [
          { op: 'create', ...aVenue('a', { identifiers: [id] }) },
          { op: 'create', ...aVenue('b', { identifiers: [id] }) }
        ],
        'identifier_taken'
      )
    })

    it('writes nothing when an if_match does not match', async () => {
      const { id } = await create(aVenue())
      const other = await create(aVenue())

      await refused(
        [
          { op: 'patch', id: other.id, metadata: metadata({ name: 'x' }) },
          { op: 'patch', id, if_match: 2, metadata: metadata({ name: 'x' }) }
        ],
        'version_mismatch'
      )
      await refused([{ op: 'delete', id, if_match: 2 }], 'version_mismatch')
    })

    it('writes nothing when something would point to what it deletes', async () => {
      const venue = await create(aVenue())
      await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))

      await refused([{ op: 'delete', id: venue.id }], 'still_referenced')
    })

    it('takes what the batch itself does to references into account', async () => {
      const [old, other] = [await create(aVenue()), await create(aVenue())]
      const production = await create(aProduction({}, { relations: relations({ refVenues: old.id }) }))

      const results = await write(
        [
          { op: 'replace', id: production.id, ...aProduction({}, { relations: relations({ refVenues: other.id }) }) },
          { op: 'delete', id: old.id }
        ],
        '?atomic=1'
      )

      assert.deepEqual(
        results.map(each => each.status),
        [200, 204]
      )
    })

    it('detaches from what the batch changes as well as from everything else', async () => {
      const venue = await create(aVenue())
      const [changed, untouched] = [
        await create(aProduction({}, { relations: relations({ refVenues: venue.id }) })),
        await create(aProduction({}, { relations: relations({ refVenues: venue.id }) }))
      ]

      const produced = await changesOf(service, () =>
        write(
          [
            { op: 'patch', id: changed.id, metadata: metadata({ title: 'changed' }) },
            { op: 'delete', id: venue.id, references: 'detach' }
          ],
          '?atomic=1'
        )
      )

      assert.deepEqual(produced, [
        ['entity.updated', changed.id, 2],
        ['entity.updated', untouched.id, 2],
        ['entity.deleted', venue.id, 2]
      ])
      const { body } = await get(`/entities/${changed.id}`)
      assert.deepEqual([fieldOf(body, 'title'), body.relations], ['changed', []])
    })

    it('refuses to detach from a record that needs what is deleted', async () => {
      const work = await create(aWork())
      await create(anExpression(work.id))

      await refused([{ op: 'delete', id: work.id, references: 'detach' }], 'still_referenced')
    })

    it('knows no more of a record after it has deleted it', async () => {
      const { id } = await create(aVenue())

      await refused(
        [
          { op: 'delete', id },
          { op: 'patch', id, metadata: metadata({ name: 'x' }) }
        ],
        'not_found'
      )
      await refused(
        [
          { op: 'delete', id },
          { op: 'delete', id }
        ],
        'not_found'
      )
      const produced = await changesOf(service, () =>
        write(
          [
            { op: 'delete', id },
            { op: 'upsert', ...aVenue('again', { id }) }
          ],
          '?atomic=1'
        )
      )
      assert.deepEqual(produced, [
        ['entity.deleted', id, 2],
        ['entity.created', id, 1]
      ])
    })

    it('writes one version for several operations on a record, and none when they come to nothing', async () => {
      const { id } = await create(aVenue('same'))
      const other = await create(aVenue('other'))

      const produced = await changesOf(service, () =>
        write(
          [
            { op: 'patch', id, metadata: metadata({ name: 'else' }) },
            { op: 'patch', id, metadata: metadata({ name: 'same' }) },
            { op: 'patch', id: other.id, metadata: metadata({ city: 'a' }) },
            { op: 'patch', id: other.id, metadata: metadata({ city: 'b' }) }
          ],
          '?atomic=1'
        )
      )

      assert.deepEqual(produced, [['entity.updated', other.id, 2]])
    })

    it('lets a record point anywhere in the batch, also in a circle', async () => {
      const ids = [fresh('W'), fresh('W')]
      const filler = Array.from({ length: 600 }, (_, index) => ({ op: 'create', ...aVenue(`filler ${index}`) }))
      const pointing = (id: string | undefined, to: string | undefined) => ({
        op: 'create',
        ...aWork('Circle', { id: String(id), relations: relations({ refRelatedWorks: String(to) }) })
      })

      const results = await write([pointing(ids[0], ids[1]), ...filler, pointing(ids[1], ids[0])], '?atomic=1')

      assert.equal(results.filter(each => each.status === 201).length, 602)
    })

    it('writes nothing when one line is not allowed', async () => {
      const token = await service.tokenWith('read', 'write:venue')

      await refused(
        [
          { op: 'create', ...aVenue() },
          { op: 'create', ...aPerson() }
        ],
        'forbidden',
        { token }
      )
    })

    it('refuses to delete what it creates, and an _id that is no UUID', async () => {
      const id = fresh('VE')

      await refused(
        [
          { op: 'create', ...aVenue('x', { id }) },
          { op: 'delete', id }
        ],
        'invalid'
      )
      await refused([{ op: 'create', ...aVenue('x'), _id: 'x' }], 'invalid')
    })
  })
}

describe('POST /entities/batch, line by line', () => {
  for (const seed of [1, 2, 3].slice(0, howMany({ short: 1, long: 3, onPostgres: 1 }))) {
    it(`does what the same lines do one after the other (${seed})`, async t => {
      const [together, oneByOne] = [await start(t), await start(t)]
      const lines = randomLines(seed, 300)
      const query = '/entities/batch?allow_dangling=1'
      const { body } = await together.post(query, lines)
      const results: Line[] = []
      for (const line of lines) results.push((await oneByOne.post(query, [line])).body[0])

      const told = (each: Line) => [each.status, each.outcome, each.id, each.version, each.problem?.code]
      assert.deepEqual(body.map(told), results.map(told))
      const [one, other] = await Promise.all(
        [together, oneByOne].map(async each => (await each.get('/entities?limit=1000&order_by=id')).body)
      )
      const held = ({ id, version, metadata, relations }: Entity) => ({ id, version, metadata, relations })
      assert.deepEqual(one.map(held), other.map(held))
    })
  }
})

/**
 * Operations of all kinds on a few records that point to each other, the same for the same seed.
 */
function randomLines(seed: number, count: number) {
  const { below } = createChance(seed)
  const anId = () => `W-random${below(8)}`
  return Array.from({ length: count }, (_, index) => {
    const id = anId()
    const entity = {
      metadata: metadata({ title: `${index}`, [`field_${below(3)}`]: index }),
      relations: relations({ refRelatedWorks: [...new Set(Array.from({ length: below(3) }, anId))] })
    }
    const ifMatch = below(6) === 0 ? { if_match: 1 + below(4) } : {}
    const whole = { type: 'work_word', ...entity }
    return [
      { op: 'create', id, ...whole },
      { op: 'upsert', id, ...whole },
      { op: 'replace', id, ...whole, ...ifMatch },
      { op: 'patch', id, ...entity, ...ifMatch },
      { op: 'patch', id, ...entity },
      { op: 'delete', id, ...ifMatch, ...(below(2) === 0 ? { references: 'detach' } : {}) }
    ][below(6)]
  })
}

describe('POST /entities/batch: limits', () => {
  it('takes 10,000 operations at once in an atomic batch, and refuses one more', async () => {
    const lines = Array.from({ length: 10_001 }, () => ({ op: 'create', ...aVenue('x') }))
    const options = { headers: { 'content-type': 'application/x-ndjson' } }

    const answer = await post('/entities/batch?atomic=1&dry_run=1', ndjson(lines), options)
    assertProblem(answer, 'invalid')
    assert.deepEqual(pointersOf(answer), ['/10000'])

    const produced = await changesOf(service, async () => {
      const { status, text } = await post('/entities/batch?atomic=1', ndjson(lines.slice(1)), options)
      assert.equal(status, 200)
      assert.equal(text.trim().split('\n').length, 10_000)
    })
    assert.equal(produced.length, 10_000)
  })

  it('ends with a problem at a line without end, after the answers to what came before', async t => {
    const small = await start(t, { BODY_LIMIT: '2048' })
    const lines = [...Array.from({ length: 500 }, () => ({ op: 'create', ...aVenue('x') })), 'x'.repeat(3000)]

    const { status, text } = await small.post('/entities/batch', ndjson(lines), {
      headers: { 'content-type': 'application/x-ndjson' }
    })

    assert.equal(status, 200)
    const results = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    assert.equal(results.length, 501)
    assert.equal(results[0].status, 201)
    assert.equal(results[500].problem.code, 'body_too_large')
  })

  it('refuses an array that is too large, and a body that is no array', async t => {
    const small = await start(t, { BODY_LIMIT: '2048' })
    const many = Array.from({ length: 100 }, () => ({ op: 'create', ...aVenue('x') }))

    assertProblem(await small.post('/entities/batch', many), 'body_too_large')
    for (const body of [{}, '"x"', '1', 'null']) {
      assert.equal((await post('/entities/batch', body)).status, 400, JSON.stringify(body))
    }
  })

  it('passes over empty lines, and takes lines that end with CR LF and a last one without end', async () => {
    const line = JSON.stringify({ op: 'create', ...aVenue('x') })

    const { text } = await post('/entities/batch', `${line}\r\n\n\r\n${line}`, {
      headers: { 'content-type': 'application/ndjson' }
    })

    assert.deepEqual(
      text
        .trim()
        .split('\n')
        .map(each => [JSON.parse(each).index, JSON.parse(each).status]),
      [
        [0, 201],
        [1, 201]
      ]
    )
  })

  it('refuses lines that are no JSON in UTF-8, too deep, or meant to poison', async () => {
    const lines = [
      '{',
      '[1,2',
      '\u0000',
      `{"op":"create","metadata":${'['.repeat(40)}${']'.repeat(40)}}`,
      '{"__proto__":{}}'
    ]
    const body = Buffer.concat([Buffer.from(ndjson(lines)), Buffer.from([0xff, 0xfe, 0x0a])])

    const { text } = await post('/entities/batch', body, { headers: { 'content-type': 'application/jsonl' } })

    assert.deepEqual(
      text
        .trim()
        .split('\n')
        .map(each => JSON.parse(each).problem.code),
      Array(6).fill('invalid')
    )
  })
})

describe('POST /entities/batch over a socket', () => {
  const headers = { 'content-type': 'application/x-ndjson' }
  const venueLine = (index: number) => `${JSON.stringify({ op: 'create', ...aVenue(`Venue ${index}`) })}\n`

  it('answers while the request is still being sent', async t => {
    const own = await start(t)
    const port = await listen(own)
    const sent = beginRequest(port, '/entities/batch', { method: 'POST', headers })
    const answered = answerOf(sent)

    for (let index = 0; index < 500; index++) sent.write(venueLine(index))
    const lines = linesOf(await answered)
    for (let index = 0; index < 500; index++) assert.equal(JSON.parse((await lines.next()).value ?? '').index, index)

    sent.end(venueLine(500))
    assert.equal(JSON.parse((await lines.next()).value ?? '').index, 500)
    assert.equal((await lines.next()).done, true)
  })

  it('keeps what was written when the client goes away, and goes on to serve', async t => {
    const own = await start(t)
    const port = await listen(own)
    const sent = beginRequest(port, '/entities/batch', { method: 'POST', headers })
    const answered = answerOf(sent)
    for (let index = 0; index < 1200; index++) sent.write(venueLine(index))
    const response = await answered
    response.on('error', () => {})
    for await (const line of linesOf(response)) if (JSON.parse(line).index === 499) break
    sent.destroy()

    assert.equal((await own.post('/entities', aVenue('after'))).status, 201)
    const { headers: listed } = await own.get('/entities?limit=0')
    assert.ok(Number(listed['x-total-count']) >= 501)
  })
})

function byName(one: readonly unknown[], other: readonly unknown[]): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}
