import assert from 'node:assert/strict'

import type { Entity, Json } from '#domain/entity/entity.ts'
import type { Field, FieldKind, RecordType } from '#domain/record-types/record-type.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { type ProblemCode, problemKinds, problemPath } from '#http/reply/errors.ts'
import { runStatement } from '../databases/database.ts'
import type { Answer, TestService } from '../services/start.ts'

/*
 * Shared parts of the tests of writing, access and errors: valid and invalid records made from the
 * tables, and the form of every problem.
 */

export const jsonPatch = { headers: { 'content-type': 'application/json-patch+json' } }
export const mergePatch = { headers: { 'content-type': 'application/merge-patch+json' } }

/** The form of `message` that existing clients read: `<CODE> | name:value - text`. */
const messageGrammar = /^([A-Z]\d{4,5}) \| (\w+):(.*?) - (.+)$/s

/**
 * Checks an error answer (docs/interface/access.md, "Errors"): it has the members of RFC 9457 and
 * those of existing clients, and nothing internal.
 */
export function assertProblem(answer: Pick<Answer, 'status' | 'headers' | 'body' | 'text'>, code: ProblemCode) {
  const { body } = answer
  const { status, title, clientCode } = problemKinds[code]
  assert.equal(body.code, code, answer.text)
  assert.equal(answer.status, status)
  assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
  assert.equal(body.status, status)
  assert.equal(body.type, problemPath(code))
  assert.equal(body.title, title)
  assert.ok(typeof body.detail === 'string' && body.detail !== '')
  const [, client, , , text] = messageGrammar.exec(body.message) ?? []
  assert.equal(client, clientCode, `"${body.message}" has another form`)
  assert.equal(text, body.detail)
  for (const error of body.errors ?? []) {
    assert.deepEqual(Object.keys(error).sort(), ['message', 'pointer'])
  }
  assertNothingOfTheInside(answer.text)
}

/** No stack trace, no path of a file, no statement, no name of a package. */
export function assertNothingOfTheInside(text: string) {
  assert.doesNotMatch(text, /\n\s+at |node:internal|node_modules|\.ts:\d+|file:\/\/|SELECT |INSERT |SQLITE_|FST_ERR/)
}

/** The pointers of everything that is wrong, in order. */
export const pointersOf = (answer: Answer): string[] =>
  (answer.body.errors ?? []).map((error: { pointer: string }) => error.pointer)

export const messagesOf = (answer: Answer): string[] =>
  (answer.body.errors ?? []).map((error: { message: string }) => error.message)

export const fieldOf = (entity: Pick<Entity, 'metadata'>, key: string) =>
  entity.metadata.find(entry => entry.key === key)?.value

export const keysOf = (entity: Pick<Entity, 'relations'>, type: string) =>
  entity.relations.filter(relation => relation.type === type).map(relation => relation.key)

/** A good value of each kind of field. */
const goodValues: Record<FieldKind, Json> = {
  text: 'Hamlet',
  html: '<p>Hamlet</p>',
  choice: '',
  number: 1,
  minutes: 90,
  year: '1603',
  date: '2026-11-14',
  moment: '2026-11-14T20:00:00Z',
  boolean: true,
  isbn: '9789025363888',
  codes: ['821'],
  age_category: '12+',
  price: '24.50 EUR Standard',
  time_zone: 'Europe/Brussels'
}

export const goodValue = (field: Field): Json =>
  field.kind === 'choice' ? (field.of?.[0] ?? '') : goodValues[field.kind]

/** Values that each kind of field refuses. */
export const badValues: Record<FieldKind, readonly Json[]> = {
  text: [1, true, {}, ['a']],
  html: [1, true, {}, ['a']],
  choice: ['no such value', 1, true, {}, ['a']],
  number: ['one', true, {}, [1]],
  minutes: ['ninety', -1, -0.5, true, {}, [90]],
  year: [1.5, true, {}, [1999]],
  date: ['14-11-2026', '2026-02-30', '2026-13-01', 20261114, 'tomorrow', true, {}],
  moment: ['20:00', '2026-11-14T25:00:00Z', '2026-02-30T10:00:00Z', 0, true, {}],
  boolean: ['true', 'false', 1, 0, {}],
  isbn: [9789025363888, true, {}],
  codes: ['821', [821], {}, true],
  age_category: [
    '12',
    '+12',
    '120+',
    '12 +',
    '-1+',
    'ALL',
    'All',
    '12+\n',
    '١٢+',
    '12-6',
    '6-',
    '6-120',
    '6 - 12',
    12,
    true,
    {},
    ['12+']
  ],
  price: [
    '24,50 EUR',
    'EUR 24.50',
    '24.50',
    '24.50 eur',
    '-1 EUR',
    '1e3 EUR',
    '24.50 EUR ',
    '24.50 EUR\n',
    24.5,
    {},
    ['1 EUR']
  ],
  time_zone: [
    'Mars/Olympus',
    'Brussels',
    '+01:00',
    'UTC+1',
    'europe/brussels',
    'Europe/Brussels\n',
    1,
    true,
    {},
    ['UTC']
  ]
}

/** The metadata that a type needs, and no more. */
export const requiredMetadata = (recordType: RecordType) =>
  Object.entries(recordType.fields)
    .filter(([, field]) => field.required)
    .map(([key, field]) => ({ key, value: goodValue(field) }))

/**
 * The smallest record of a type; `targets` names what its needed relations may point to, by type.
 */
export const smallest = (recordType: RecordType, targets: ReadonlyMap<string, string>) => ({
  type: recordType.type,
  metadata: requiredMetadata(recordType),
  relations: Object.entries(recordType.relations)
    .filter(([, rule]) => (rule.min ?? 0) > 0)
    .map(([type, rule]) => ({ type, key: targetFor(rule.to, targets) }))
})

/** The types that a list of types and umbrellas stands for. */
export const typesUnder = (names: readonly string[]) =>
  builtInRecordTypes
    .filter(each => names.includes(each.type) || names.includes(each.umbrella ?? ''))
    .map(each => each.type)

export function targetFor(names: readonly string[], targets: ReadonlyMap<string, string>): string {
  const [type = ''] = typesUnder(names)
  return targets.get(type) ?? assert.fail(`There is no ${names.join(' or ')} yet`)
}

/** Creates one record of every built-in type, each after what it needs; gives their ids by type. */
export async function createOneOfEach(service: TestService): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  let waiting = [...builtInRecordTypes]
  while (waiting.length > 0) {
    const possible = waiting.filter(recordType =>
      Object.values(recordType.relations).every(
        rule => (rule.min ?? 0) === 0 || typesUnder(rule.to).some(type => targets.has(type))
      )
    )
    assert.ok(possible.length > 0, 'Some types need each other')
    for (const recordType of possible) {
      const { id } = await service.create(smallest(recordType, targets))
      targets.set(recordType.type, id)
    }
    waiting = waiting.filter(each => !possible.includes(each))
  }
  return targets
}

/** Path of the database file of a service. */
export const databaseFile = (service: TestService) => service.libretto.config.databaseUrl.replace(/^sqlite:/, '')

/** How many rows a table holds, read beside the service. */
export async function countRows(
  service: TestService,
  table: 'changes' | 'versions' | 'entities' | 'tokens'
): Promise<number> {
  const [row] = await runStatement(service.libretto.config.databaseUrl, `SELECT count(*) AS n FROM ${table}`)
  return Number(row?.n)
}

/** Runs something and gives how many change rows and kept versions it wrote. */
export async function countWrites(service: TestService, work: () => Promise<unknown>) {
  const before = { changes: await countRows(service, 'changes'), versions: await countRows(service, 'versions') }
  await work()
  return {
    changes: (await countRows(service, 'changes')) - before.changes,
    versions: (await countRows(service, 'versions')) - before.versions
  }
}

/** JSON arrays within each other, so many levels deep. */
export const nested = (levels: number): Json => (levels === 0 ? 1 : [nested(levels - 1)])

/** The members of an entity, in their order. */
export const membersOfEntity = 'id _id _key type version metadata relations identifiers audit'
