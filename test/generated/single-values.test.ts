import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import type { Entity } from '#domain/entity/entity.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { isTranslatable } from '#domain/record-types/record-type.ts'
import { workOnImport } from '#imports/work-on-import.ts'
import { type Chance, createChance, howMany, repeatable, seed } from '../support/records/chance.ts'
import { adminToken, type Answer, start } from '../support/services/start.ts'
import { jsonPatch, mergePatch } from '../support/records/write-cases.ts'

/*
 * No write by any path gives a record two values of a declared field that does not repeat, so the
 * facet counts of such a field add up to the number of records.
 */

const service = await start({ after })
const { get, patch, post, put } = service

/** Fields with one value, and values of each; the texts may have one for each language. */
const subjects = {
  production: {
    title: ['Hamlet', 'Othello'],
    subtitle: ['One', 'Two'],
    status: ['concept', 'archived'],
    duration: [60, 90],
    premiere_date: ['2026-01-01', '2026-02-02'],
    age_category: ['12+', 'all'],
    posters_status: ['complete', 'partially']
  },
  venue: {
    name: ['De Zaal', 'Het Huis'],
    city: ['Gent', 'Aalst'],
    capacity: [100, 200],
    latitude: [50, 51],
    time_zone: ['Europe/Brussels', 'Europe/Rome']
  },
  language: { name: ['Nederlands', 'Frans'], code: ['nld', 'fra'] },
  mediafile: { mediafile_type: ['posters', 'trailer'], title: ['A', 'B'], mimetype: ['image/png', 'image/jpeg'] }
} as const satisfies Record<string, Record<string, readonly [unknown, unknown]>>

type Subject = keyof typeof subjects
const types = Object.keys(subjects) as [Subject, ...Subject[]]
const required: Record<Subject, string> = {
  production: 'title',
  venue: 'name',
  language: 'name',
  mediafile: 'mediafile_type'
}

interface Entry {
  key: string
  value: unknown
  lang?: string
}

/** Entries of a type: now and then the same key twice, with a language, without, or in a list. */
function someEntries(chance: Chance, type: Subject): Entry[] {
  const fields = Object.entries(subjects[type]) as [string, readonly [unknown, unknown]][]
  const chosen = Array.from({ length: 1 + chance.below(4) }, () => chance.pickOr(fields, ['title', ['x', 'y']]))
  return chosen.flatMap(([key, values]) => {
    const entry = (): Entry => ({
      key,
      value: chance.oneIn(12) ? [...values] : chance.pickOr(values, ''),
      ...(chance.oneIn(4) ? { lang: chance.pick(['nl', 'en']) } : {})
    })
    return chance.oneIn(3) ? [entry(), entry()] : [entry()]
  })
}

const withRequired = (type: Subject, entries: readonly Entry[]): Entry[] => {
  const needed = type === 'language' ? ['name', 'code'] : [required[type]]
  const fields = subjects[type] as Readonly<Record<string, readonly [unknown, unknown]>>
  const missing = needed.filter(key => !entries.some(entry => entry.key === key))
  return [...missing.map(key => ({ key, value: fields[key]?.[0] })), ...entries]
}

/** Every path by which metadata is written: what it is called, and a way to write by it. */
type Write = (chance: Chance, record: Entity, other: Entity) => Promise<Answer>
const typeOf = ({ type }: Entity) => type as Subject
const sent = (chance: Chance, record: Entity) => someEntries(chance, typeOf(record))
const whole = (chance: Chance, record: Entity) => withRequired(typeOf(record), sent(chance, record))
const cell = (value: unknown) => `"${[value].flat().join(' | ')}"`

const paths: Readonly<Record<string, Write>> = {
  'POST /entities': (chance, { type }) =>
    post('/entities', { type, metadata: withRequired(type as Subject, someEntries(chance, type as Subject)) }),
  'PUT /entities/{id}': (chance, record) => put(`/entities/${record.id}`, { metadata: whole(chance, record) }),
  'PATCH /entities/{id}': (chance, record) => patch(`/entities/${record.id}`, { metadata: sent(chance, record) }),
  'a merge patch': (chance, record) => patch(`/entities/${record.id}`, { metadata: whole(chance, record) }, mergePatch),
  'a JSON patch that adds': (chance, record) =>
    patch(
      `/entities/${record.id}`,
      sent(chance, record).map(value => ({ op: 'add', path: '/metadata/-', value })),
      jsonPatch
    ),
  'a JSON patch that copies': (_, record) =>
    patch(`/entities/${record.id}`, [{ op: 'copy', from: '/metadata/0', path: '/metadata/-' }], jsonPatch),
  'POST …/metadata': (chance, record) => post(`/entities/${record.id}/metadata`, sent(chance, record)),
  'PUT …/metadata': (chance, record) => put(`/entities/${record.id}/metadata`, whole(chance, record)),
  'PATCH …/metadata': (chance, record) => patch(`/entities/${record.id}/metadata`, sent(chance, record)),
  'PUT /entities': (chance, record) =>
    put('/entities', [{ id: record.id, type: record.type, metadata: sent(chance, record) }]),
  'PUT /entities?replace=1': (chance, record) =>
    put('/entities?replace=1', [{ id: record.id, type: record.type, metadata: whole(chance, record) }]),
  'PUT /entities in CSV': (chance, record) => {
    const entries = [...new Map(sent(chance, record).map(entry => [entry.key, entry])).values()]
    const lines = [
      ['id', ...entries.map(({ key }) => key)].join(','),
      [record.id, ...entries.map(each => cell(each.value))].join(',')
    ]
    return put('/entities', lines.join('\r\n'), { headers: { 'content-type': 'text/csv' } })
  },
  'a batch': (chance, record) =>
    post(`/entities/batch${chance.oneIn(2) ? '?atomic=1' : ''}`, [
      { op: 'create', entity: { type: record.type, metadata: whole(chance, record) } },
      { op: 'patch', id: record.id, metadata: sent(chance, record) },
      { op: 'replace', id: record.id, metadata: whole(chance, record) },
      { op: 'upsert', id: record.id, type: record.type, metadata: whole(chance, record) }
    ]),
  'a merge': (_, record, other) => post(`/entities/${record.id}/merge`, { victim_id: other.id }),
  'a merge that chooses': (chance, record, other) =>
    post(`/entities/${record.id}/merge`, { victim_id: other.id, metadata: whole(chance, record) }),
  'an unmerge': (_, record) => post(`/entities/${record.id}/unmerge`, {}),
  'a revert': (chance, record) =>
    post(`/entities/${record.id}/revert`, { version: 1 + chance.below(Math.max(1, record.version)) }),
  'PATCH /mediafiles/{id}': (chance, record) =>
    patch(`/mediafiles/${record.id}`, { mimetype: 'image/webp', metadata: sent(chance, record) }),
  'an import of NDJSON': async (chance, record) => {
    const lines = [
      { type: record.type, metadata: whole(chance, record) },
      { id: record.id, type: record.type, metadata: whole(chance, record) }
    ]
    const answer = await service.call('POST', '/imports', {
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/x-ndjson' },
      body: lines.map(line => `${JSON.stringify(line)}\n`).join('')
    })
    await workOnImport(service.libretto.parts, answer.body.id, () => false)
    return answer
  }
}

const everything = async (type: Subject): Promise<Entity[]> =>
  (await post('/entities/filter?limit=1000', [{ type: 'type', value: type }])).body.results

/** The fields of a record that have two values where the table allows one. */
function doubled({ type, metadata }: Entity): string[] {
  const recordType = builtInRecordTypes.find(each => each.type === type)
  const seen = new Set<string>()
  return metadata.flatMap(({ key, value, lang }) => {
    const field = recordType?.fields[key]
    if (!field || field.repeatable) return []
    if (Array.isArray(value) && field.kind !== 'codes') return [`${key} is a list`]
    const place = `${key} ${isTranslatable(field) ? (lang ?? '') : ''}`
    if (seen.has(place)) return [place]
    seen.add(place)
    return []
  })
}

describe('A field with one value', () => {
  it('never has two, by whichever path records are written, and its facets add up to the count', () =>
    repeatable(async () => {
      const chance = createChance(seed)
      const accepted = new Map<string, number>()
      for (const type of types)
        for (let number = 0; number < 3; number++)
          await service.create({ type, metadata: withRequired(type, []) as never })
      const names = Object.keys(paths)
      const writes = howMany({ quick: 60, short: 200, long: 5000, onPostgres: 100 })
      const attempt = async (name: string, makesFresh = false) => {
        const type = name === 'PATCH /mediafiles/{id}' ? 'mediafile' : chance.pick(types)
        const fresh = makesFresh
          ? [await service.create({ type, metadata: withRequired(type, []) as never })]
          : ([] as Entity[])
        const shuffled = (await everything(type)).toSorted(() => chance.below(3) - 1)
        const [first, other = first] = [...fresh, ...shuffled.filter(({ id }) => id !== fresh[0]?.id)]
        if (!first || !other) return
        const answer = await (paths[name] as Write)(chance, first, other)
        assert.ok(answer.status < 500, `${name}: ${answer.text}`)
        if (answer.status < 300) accepted.set(name, (accepted.get(name) ?? 0) + 1)
        for (const record of await everything(type))
          assert.deepEqual(doubled(record), [], `${name} made ${JSON.stringify(record)}`)
      }
      // Each path in turn, so that none is left out by chance.
      for (let number = 0; number < writes; number++) await attempt(names[number % names.length] ?? '')
      // A copy of an entry is always a second value. Other paths succeed now and then; where chance
      // refused every write so far, more are tried on fresh records.
      for (const name of names.filter(each => each !== 'a JSON patch that copies')) {
        for (let tries = 0; tries < 100 && !accepted.has(name); tries++) await attempt(name, true)
        assert.ok(accepted.has(name), `${name} never succeeded`)
      }
      for (const type of types) {
        // A record with every field, so that each facet counts something.
        const metadata = Object.entries(subjects[type]).map(([key, [value]]) => ({ key, value }))
        await service.create({ type, metadata: metadata as never })
        await facetsAddUp(type)
      }
    }))
})

async function facetsAddUp(type: Subject) {
  const fields = Object.keys(subjects[type]).filter(key => {
    const field = builtInRecordTypes.find(each => each.type === type)?.fields[key]
    return field && !isTranslatable(field)
  })
  for (const key of fields) {
    const path = `properties.${key}.value`
    const { body } = await post(`/entities/filter?limit=0&facet_limit=1000&facets=${path}`, [
      { type: 'type', value: type },
      { type: 'selection', key: path, value: '*' }
    ])
    const sum = body.facets[path].reduce((total: number, { count }: { count: number }) => total + count, 0)
    assert.equal(sum, body.count, `${type} ${key}`)
    assert.ok(body.count > 0, `${type} ${key}: nothing was counted`)
  }
  assert.ok((await get('/entities?limit=1')).status === 200)
}
