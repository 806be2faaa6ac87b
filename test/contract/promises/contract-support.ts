import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'

import { CatalogueError, type ErrorCode } from '#domain/errors.ts'
import type { Entity, EntityContent } from '#domain/entity/entity.ts'
import { everything, type Filter } from '#domain/filter/filter.ts'
import type { StoreSettings } from '#store/ports/administration.ts'
import type { EntityWrite, WriteUnit } from '#store/ports/entities.ts'
import type { Version } from '#store/ports/history.ts'
import type { QueryResult, EntityQuery } from '#store/ports/queries.ts'
import type { StoredToken } from '#store/ports/tokens.ts'
import type { Store } from '#store/store.ts'
import type { Teardown } from '../../support/services/start.ts'
import { metadata as entries } from '../../support/records/entities.ts'

/**
 * An empty database. It can be open more than once at a time, and is removed when the test ends.
 */
export interface Database {
  open(settings?: Partial<StoreSettings>): Promise<Store>
  /** Changes it behind the back of the stores on it. */
  alter(statement: string): Promise<void>
}

/** The adapter that is tested. */
export interface Subject {
  readonly name: string
  newDatabase(t: Teardown): Database
  /** Opens a store on a new database. */
  openNew(t: Teardown, settings?: Partial<StoreSettings>): Promise<Store>
}

/** An entity's content; what a test does not name is the least there can be. */
export function aRecord(id: string, given: Partial<EntityContent> = {}): EntityContent {
  return {
    id,
    uuid: randomUUID(),
    type: 'production',
    metadata: metadata({ title: id }),
    relations: [],
    otherIdentifiers: [],
    ...given
  }
}

export const metadata = (fields: Readonly<Record<string, unknown>>) => entries(fields) as EntityContent['metadata']

export const insert = (content: EntityContent): EntityWrite => ({ kind: 'insert', content })

export const remove = (id: string, expectedVersion: number): EntityWrite => ({ kind: 'delete', id, expectedVersion })

/** A change of some parts of a content; of version 1, unless it says otherwise. */
export const update = (content: EntityContent, given: Partial<EntityContent>, expectedVersion = 1): EntityWrite => ({
  kind: 'update',
  content: { ...content, ...given },
  expectedVersion
})

/** A and B, of version 1. */
export async function twoRecords(store: Store): Promise<[EntityContent, EntityContent]> {
  const [a, b] = [aRecord('A'), aRecord('B')]
  await write(store, insert(a), insert(b))
  return [a, b]
}

export async function writeVersions(store: Store, id: string, versions: number) {
  await write(store, insert(aRecord(id)))
  for (let version = 2; version <= versions; version++)
    await write(store, await changeOf(store, id, { metadata: metadata({ title: `${id}${version}` }) }))
}

/** Merges as the catalogue does: the victim goes, and its names become the survivor's. */
export async function merge(store: Store, survivorId: string, victimId: string, more: Partial<WriteUnit> = {}) {
  const [survivor, victim] = [await contentIn(store, survivorId), await contentIn(store, victimId)]
  const { version } = await readIn(store, victimId)
  const names = [victim.uuid, victim.id, ...victim.otherIdentifiers]
  return store.write({
    writes: [
      { kind: 'delete', id: victimId, expectedVersion: version, mergedInto: survivorId },
      await changeOf(store, survivorId, { otherIdentifiers: [...survivor.otherIdentifiers, ...names] })
    ],
    by: 'test',
    merge: { survivorId, victimId },
    ...more
  })
}

/** The title in a document, where there is one. */
export function titleOf(json: string | null | undefined): unknown {
  return json ? (JSON.parse(json) as Entity).metadata.find(each => each.key === 'title')?.value : undefined
}

export const pick = (version: Version | undefined) => [version?.version, version?.json, version?.mergedInto]

/** A change of some parts of an entity as it is now. */
export async function changeOf(store: Store, id: string, given: Partial<EntityContent>): Promise<EntityWrite> {
  const content = await contentIn(store, id)
  return update(content, given, (await readIn(store, id)).version)
}

export const write = (store: Store, ...writes: EntityWrite[]) => store.write({ writes, by: 'test' })

/** Everything, in the order of creation. */
export const wholeList: EntityQuery = {
  filter: everything,
  readableTypes: undefined,
  order: { items: [{ by: 'created' }], ascending: true },
  skip: 0,
  limit: 1000,
  counted: false
}

export const idsIn = (answer: QueryResult) => answer.entities.map(entity => entity.id)

export const titleIs = (value: string): Filter => ({
  kind: 'field',
  path: { kind: 'metadata', key: 'title' },
  test: { kind: 'equals', values: [value] }
})

export const idsWhere = async (store: Store, filter: Filter) =>
  idsIn(await store.queryEntities({ ...wholeList, filter }))

export const pointingTo = (id: string) => ({ id, readableTypes: undefined, skip: 0, limit: 100 })

export const everythingIn = async (store: Store) =>
  (await store.queryEntities(wholeList)).entities.map(entity => entity.json)

export const problemsIn = async (store: Store) => (await store.check()).problems

export async function readIn(store: Store, id: string): Promise<Entity> {
  const stored = await store.findEntity(id)
  if (!stored) throw new Error(`There is no ${id}`)
  return JSON.parse(stored.json) as Entity
}

export async function contentIn(store: Store, id: string): Promise<EntityContent> {
  const { _id, type, metadata, relations, identifiers } = await readIn(store, id)
  return { id, uuid: _id, type, metadata, relations, otherIdentifiers: identifiers.slice(2) }
}

export function aToken(given: Partial<StoredToken> = {}): StoredToken {
  const id = randomUUID()
  return {
    id,
    name: 'kiosk',
    hash: hash('sha256', id),
    scopes: ['read'],
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: 'test',
    expiresAt: null,
    ...given
  }
}

export async function rejects(
  writing: Promise<unknown>,
  code: ErrorCode | readonly ErrorCode[]
): Promise<CatalogueError> {
  try {
    await writing
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    assert.ok([code].flat().includes(error.code), `${error.code}: ${error.message}`)
    return error
  }
  return assert.fail(`It should have thrown ${[code].flat().join(' or ')}`)
}

/**
 * Eight records, some alike, some without what is sorted by. In the order of creation: Q B Z a M K
 * c D. Folded, `Élan`, `elan` and `ELAN` are one title, so creation decides; who lacks a key comes
 * last in both directions.
 */
export async function fillForOrders(store: Store) {
  const records: readonly [id: string, type: string, fields: Record<string, unknown>][] = [
    ['Q', 'production', { title: 'Élan', duration: 90, premiere_date: '2026-03-01' }],
    ['B', 'production', { title: 'elan', premiere_date: '2026-02-28' }],
    ['Z', 'person', { name: 'Zed' }],
    ['a', 'production', { title: 'Zebra', duration: 100, premiere_date: '2025-12-31' }],
    ['M', 'venue', { name: 'Hal' }],
    ['K', 'production', { title: 'aap', duration: 9 }],
    ['c', 'work_word', { title: ['ELAN', 'aaa'] }],
    ['D', 'production', { title: 'Bok', duration: 100, premiere_date: '2026-03-01' }]
  ]
  for (const [id, type, fields] of records)
    await write(store, insert(aRecord(id, { type, metadata: metadata(fields) })))
  for (const id of ['B', 'Q']) await write(store, await changeOf(store, id, { otherIdentifiers: [`${id}-changed`] }))
}
