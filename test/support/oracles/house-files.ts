import assert from 'node:assert/strict'

import { parseFragment } from 'parse5'

import { letterKey } from '#domain/clustering/title-key.ts'
import type { Entity } from '#domain/entity/entity.ts'
import { entitiesIn, linesOf } from '../records/import-content.ts'
import type { ShowCollection } from '../records/shows.ts'
import { importPayload } from '../services/import-file.ts'
import { adminToken, type TestService } from '../services/start.ts'

/*
 * The files of a house, as they are: imported by the mapping that the service proposes, and
 * compared field by field with the catalogue and with its exports.
 */

interface Node {
  readonly nodeName: string
  readonly value?: string
  readonly childNodes?: readonly Node[]
}

/** The text of markup; an embedded player has none, whatever is inside it. */
function textOf(root: Node): string {
  const texts: string[] = []
  // Without recursion: tags that are never closed nest as deep as there are of them.
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeName === 'iframe') continue
    if (node.value !== undefined) texts.push(node.value)
    for (const child of (node.childNodes ?? []).toReversed()) open.push(child)
  }
  return texts.join(' ')
}

/** The letters and digits of a text without markup, since formats differ in spaces and signs. */
export const lettersOf = (text: unknown): string =>
  textOf(parseFragment(String(text ?? '')) as Node)
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

const valuesOf = ({ metadata }: Entity, key: string) =>
  metadata.filter(each => each.key === key).map(each => each.value)
/** A name as cells are read: white space is one space. */
const nameOf = (text: unknown) => String(text).replaceAll(/\s+/g, ' ').trim()
const namesOf = (entity: Entity, key: string) => valuesOf(entity, key).map(nameOf)
/** Names without doubles: `Cassie & Maggie` is `Cassie and Maggie`, as imports find records. */
const distinctNames = (list: readonly string[]) =>
  [
    ...new Set(
      list
        .map(nameOf)
        .filter(Boolean)
        .map(each => letterKey(each) || each)
    )
  ].sort()

/** The files, in the order in which a house would import them. */
const filesOf = ({ shows, venues, agencies }: ShowCollection) => ({
  'venues.json': venues,
  'booking_agencies.json': agencies,
  'shows.json': shows
})

/** Imports the files by the proposed mappings; the previews must tell what is written. */
export async function importFiles(service: TestService, collection: ShowCollection): Promise<number> {
  let changes = 0
  for (const [name, list] of Object.entries(filesOf(collection))) {
    const file = JSON.stringify(list)
    const proposal = await service.app.inject({
      method: 'POST',
      url: `/imports/mapping?name=${name}`,
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      payload: file
    })
    assert.equal(proposal.statusCode, 200, proposal.body)
    const query = `?mapping=${encodeURIComponent(JSON.stringify(proposal.json().mapping))}`
    const preview = await importPayload(service, file, { query: `${query}&preview=1`, type: 'application/json' })
    const done = await importPayload(service, file, { query, type: 'application/json' })
    assert.deepEqual([done.counts, done.entities], [preview.counts, preview.entities], `the preview of ${name}`)
    changes += done.counts.created + done.counts.updated
  }
  return changes
}

/** Compares every field of the files with the catalogue. */
async function compareWithFiles(service: TestService, { shows, venues, agencies }: ShowCollection) {
  const all = await entitiesIn(service.libretto.store)
  // The proposed identifiers end with those of the file.
  const byId = new Map(
    [...all.values()].flatMap(({ identifiers, ...each }) =>
      identifiers.map(
        name => [`${each.type} ${name.split(`-${each.type}-`).at(-1)}`, { identifiers, ...each }] as const
      )
    )
  )
  const find = (type: string, id: string): Entity => {
    const found = byId.get(`${type} ${id}`)
    assert.ok(found, `${type} ${id} is in the catalogue`)
    return found
  }
  const linked = ({ relations }: Entity, type: string) =>
    distinctNames(
      relations.filter(each => each.type === type).map(each => String(valuesOf(all.get(each.key) as Entity, 'name')[0]))
    )
  for (const { id, title, description_html: description, genres = [], artists = [] } of shows) {
    const entity = find('production', id)
    assert.deepEqual(namesOf(entity, 'title'), [nameOf(title)], id)
    assert.equal(lettersOf(valuesOf(entity, 'description')[0]), lettersOf(description), `the description of ${id}`)
    assert.deepEqual(linked(entity, 'refGenres'), distinctNames(genres), `the genres of ${id}`)
    assert.deepEqual(
      linked(entity, 'refCompanies'),
      distinctNames(artists.map(({ name }) => name)),
      `the artists of ${id}`
    )
  }
  for (const { id, name } of venues) assert.deepEqual(namesOf(find('venue', id), 'name'), [nameOf(name)])
  for (const { id, name } of agencies) assert.deepEqual(namesOf(find('booking_agency', id), 'name'), [nameOf(name)])
}

/** The formats in which every record leaves. */
export const exportFormats = ['ndjson', 'csv', 'schema', 'jsonld', 'turtle', 'ntriples', 'rdfxml', 'dc', 'libretto']

/** The letters of an export, with the escapes of its format undone. */
function lettersOfExport(text: string): string {
  const plain = text
    .replaceAll(/\\u\{?([0-9a-fA-F]{4,8})\}?/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/\\U([0-9a-fA-F]{8})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/\\[nrt]/g, ' ')
  // Markup is escaped within XML, so it is undone twice.
  return lettersOf(textOf(parseFragment(plain) as Node))
}

/** The records whose title or description an export lacks. */
async function lackingIn(service: TestService, format: string): Promise<readonly string[]> {
  const { status, text } = await service.get(`/export?format=${format}&type=production`)
  assert.equal(status, 200, text.slice(0, 300))
  const letters = lettersOfExport(text)
  let from = 0
  /** Exports are in the order of creation, so the text mostly continues where the last one was. */
  const has = (value: unknown) => {
    const wanted = lettersOf(value)
    const at = letters.indexOf(wanted, Math.max(0, from - 200_000))
    if (at >= 0) from = at
    return at >= 0 || letters.includes(wanted)
  }
  return [...(await entitiesIn(service.libretto.store)).values()]
    .filter(({ type }) => type === 'production')
    .flatMap(entity =>
      ['title', 'description'].flatMap(key => (valuesOf(entity, key).every(has) ? [] : [`${entity.id} ${key}`]))
    )
}

/** Production whose title people change, one of so many. */
const editedEach = 20

/**
 * Takes the files of a house through everything: in by the proposed mappings, again, edited, again,
 * out by every format, into another catalogue, and back as a table.
 */
export async function tryFilesOf(collection: ShowCollection, open: () => Promise<TestService>): Promise<void> {
  const house = await open()
  const { store } = house.libretto
  assert.ok((await importFiles(house, collection)) > collection.shows.length)
  await compareWithFiles(house, collection)
  const imported = await linesOf(store)
  assert.equal(await importFiles(house, collection), 0, 'a second import changes nothing')
  assert.deepEqual(await linesOf(store), imported)

  const productions = [...(await entitiesIn(store)).values()].filter(({ type }) => type === 'production')
  for (const { id, metadata } of productions.filter((_, at) => at % editedEach === 0)) {
    const title = metadata.find(({ key }) => key === 'title')?.value
    const edit = [
      { key: 'title', value: `${title}, revised` },
      { key: 'subtitle', value: 'A new subtitle' }
    ]
    assert.equal((await house.patch(`/entities/${id}`, { metadata: edit })).status, 200)
  }
  const edited = await linesOf(store)
  assert.equal(edited.filter(line => !imported.includes(line)).length, Math.ceil(productions.length / editedEach))
  assert.equal(await importFiles(house, collection), 0, 'edits of people stay')
  assert.deepEqual(await linesOf(store), edited)

  for (const format of exportFormats) assert.deepEqual(await lackingIn(house, format), [], format)

  const whole = (await house.get('/export?format=ndjson')).text
  const elsewhere = await open()
  for (const round of ['first', 'second']) {
    const done = await importPayload(elsewhere, whole, { type: 'application/x-ndjson' })
    assert.equal(done.counts.created + done.counts.updated > 0, round === 'first', `the ${round} import elsewhere`)
    assert.deepEqual(await linesOf(elsewhere.libretto.store), edited)
  }
}
