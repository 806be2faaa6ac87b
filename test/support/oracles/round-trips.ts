import assert from 'node:assert/strict'

import type { Entity, MetadataEntry } from '#domain/entity/entity.ts'
import { mappingTables } from '#formats/marc/mapping/reader.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import {
  controlNumberOf,
  detectDialect,
  type Dialect,
  type Form,
  isDataField,
  type MarcField,
  type MarcRecord
} from '#formats/marc/record.ts'
import { toSlimRecord } from '#formats/marc/slim-record.ts'
import { writeMarcJson } from '#formats/marc/marc-json.ts'
import type { Chance } from '../records/chance.ts'
import { harvest, headersIn } from '../services/harvest.ts'
import { importPayload } from '../services/import-file.ts'
import { adminToken, start, type TestService } from '../services/start.ts'

/*
 * Records go in, one field is edited in the model and one in the source record, and the records
 * come out in every way: only those fields differ.
 */

/** Every field as a line: `245 14 $aTitle`. The leader is a line without the lengths in it. */
export const lineOf = (field: MarcField) =>
  isDataField(field)
    ? `${field.tag} ${field.indicators} ${field.subfields.map(({ code, value }) => `$${code}${value}`).join('')}`
    : `${field.tag} ${field.value}`
const linesOf = ({ leader, fields }: MarcRecord) => [
  `LDR ${leader.slice(6, 9)}${leader.slice(17, 20)}`,
  ...fields.map(lineOf)
]

/** Records by number. */
type Records = ReadonlyMap<string, MarcRecord>

export async function readAll(bytes: Buffer, form: Form): Promise<Map<string, MarcRecord>> {
  const found = new Map<string, MarcRecord>()
  for await (const reading of readMarc([bytes], { form })) {
    assert.equal(reading.outcome, 'record')
    if (reading.outcome === 'record') found.set(controlNumberOf(reading.record) ?? '', reading.record)
  }
  return found
}

const exports = { marc21: 'iso2709', marcxml: 'marcxml', marcjson: 'json', mrk: 'mrk' } as const satisfies Record<
  string,
  Form
>

/** The export whose records are edited. */
const editedFormat = 'marcjson'
export const editedDoor = `export of ${editedFormat}`

/** The MARCXML records inside documents, as one collection. */
export function collectionOf(documents: readonly string[]): Buffer {
  const records = documents.flatMap(
    each =>
      each.match(/<(?:\w+:)?record [^>]*MARC21\/slim[\s\S]*?<\/(?:\w+:)?leader>[\s\S]*?<\/(?:\w+:)?record>/g) ?? []
  )
  return Buffer.from(`<collection xmlns="http://www.loc.gov/MARC21/slim">${records.join('')}</collection>`)
}

/** The whole catalogue, imported into an empty one, with and without its history. */
const anotherCatalogue = 'another catalogue'
const moves = { 'with its history': '&include=history', 'without its history': '' }

/**
 * When records are read: all by every way out before the edits and after them; between the edits
 * all by one way out, and single records by each.
 */
export type Moment = 'before' | 'between' | 'after'

/** The records by each way out; single records for the ids that are named. */
export async function everyDoor(
  service: TestService,
  ids: readonly string[],
  { moment, isMoved = true }: { readonly moment: Moment; readonly isMoved?: boolean }
): Promise<ReadonlyMap<string, Records>> {
  const { app, get } = service
  const headers = { authorization: `Bearer ${adminToken}` }
  const bytesAt = async (url: string) => (await app.inject({ url, headers })).rawPayload
  const doors = new Map<string, Records>()
  for (const [format, form] of Object.entries(exports)) {
    if (moment !== 'between' || format === editedFormat)
      doors.set(`export of ${format}`, await readAll(await bytesAt(`/export?format=${format}`), form))
    const single = new Map<string, MarcRecord>()
    for (const id of ids)
      for (const [number, record] of await readAll(await bytesAt(`/entities/${id}?format=${format}`), form))
        single.set(number, record)
    doors.set(`${format} of one`, single)
  }
  if (moment === 'between') return doors
  const ask = async (query: string) => (await get(`/oai?${query}`)).text
  const { documents } = await harvest(ask, 'verb=ListRecords&metadataPrefix=marcxml')
  doors.set('OAI-PMH', await readAll(collectionOf(documents), 'marcxml'))
  const answers: string[] = []
  for (let from = 1; ; from += 100) {
    const query = `version=1.2&operation=searchRetrieve&query=cql.allRecords=1&maximumRecords=100&startRecord=${from}`
    const { text } = await get(`/sru?${query}&recordSchema=marcxml`)
    answers.push(text)
    if (!text.includes('nextRecordPosition')) break
  }
  doors.set('SRU', await readAll(collectionOf(answers), 'marcxml'))
  if (moment === 'after' && isMoved)
    for (const [door, bytes] of await exportElsewhere(service, editedFormat))
      doors.set(door, await readAll(bytes, 'json'))
  return doors
}

/** Moves the whole catalogue to an empty one, by each export of it, and exports it there. */
export async function exportElsewhere({ app }: TestService, format: string): Promise<[door: string, bytes: Buffer][]> {
  const headers = { authorization: `Bearer ${adminToken}` }
  const found: [string, Buffer][] = []
  for (const [how, query] of Object.entries(moves)) {
    const file = await app.inject({ url: `/export?format=ndjson${query}`, headers })
    await using opened = new AsyncDisposableStack()
    const moved = await start({ after: cleanUp => opened.defer(cleanUp) })
    const { counts } = await importPayload(moved, file.rawPayload, { type: 'application/octet-stream' })
    assert.equal(counts.unreadable, 0)
    const { rawPayload } = await moved.app.inject({ url: `/export?format=${format}`, headers })
    found.push([`${anotherCatalogue} ${how}`, rawPayload])
  }
  return found
}

/** A change of one field, and the way to tell whether a difference is due to it. */
export interface Edit {
  readonly says: string
  /** Whether a line that is gone, or new, is the one of the edit. */
  readonly explains: (line: string, which: 'gone' | 'new') => boolean
}

/** The field that every edit may change: the time of the change. */
const isOfEveryEdit = (line: string) => line.startsWith('005 ')
/** The address that OAI-PMH and SRU add. */
const isAddress = (line: string) => /^856 42 \$3Catalogue record/.test(line)

/** Reports every difference between two states of a record that no edit explains. */
export function unexplained(before: MarcRecord, after: MarcRecord, edit: Edit | undefined): string[] {
  const [was, is] = [linesOf(before), linesOf(after)].map(lines => lines.filter(each => !isAddress(each)))
  const gone = minus(was ?? [], is ?? [])
  const come = minus(is ?? [], was ?? [])
  const isExplained = (line: string, which: 'gone' | 'new') =>
    edit !== undefined && (isOfEveryEdit(line) || edit.explains(line, which))
  return [
    ...gone.filter(each => !isExplained(each, 'gone')).map(each => `- ${each}`),
    ...come.filter(each => !isExplained(each, 'new')).map(each => `+ ${each}`)
  ]
}

function minus(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter(line => {
    const at = left.indexOf(line)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

export const foldOf = (text: unknown) =>
  String(text)
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Values for fields that do not take any words. */
const otherValue: Readonly<Record<string, (value: string) => string | number>> = {
  isbn: () => '978-90-257-0102-4',
  isbn_qualifier: value => value.replace(/\)$|$/, ' changed$&'),
  cancelled_isbn: () => '9789025701024',
  issn: () => '2434-561X',
  cancelled_issn: () => '2434-561X',
  ean: () => '4006381333931',
  year_of_publication: value => (value === '1961' ? '1962' : '1961'),
  year: value => (value === '1851' ? '1852' : '1851'),
  duration: () => 77,
  dewey: () => '839.3177',
  link: () => 'https://example.org/changed',
  lccn: () => '2001627090',
  lcc: () => 'PT6466 .X7'
}

/** Tags in which an edit of a key may be seen, beside those of the rows that read it. */
const moreTags: Readonly<Record<string, readonly string[]>> = {
  // The titles of works stay: as uniform title, title of the original, or of a work in it.
  title: ['240', '130', '246', '765', '500', '700', '710', '711', '730', '774', '740'],
  other_title: ['245'],
  original_title: ['130', '240', '246', '765', '500'],
  year: ['240', '130'],
  year_of_publication: ['008', '260'],
  material_type: ['337', '338', '007'],
  content_type: ['336'],
  // A note tells the title of the original, and contents tell the works in it: these stay.
  note: ['246', '765'],
  contents: ['700', '710', '730'],
  // The series stays, by a heading of its own.
  series_statement: ['490', '830'],
  parallel_title: ['245']
}

/** Fields of codes, or with values that stand in several places. */
const isCoded = (tag: string) => /^(?:00|306|336|337|338)/.test(tag)

const tagsOf = (key: string) => [
  ...mappingTables.marc21.metadata.filter(row => row.gives === key).flatMap(row => row.tags),
  ...(moreTags[key] ?? [])
]

/** Changes one value of an entity, by PATCH. Undefined where it has none that can be changed. */
async function editModel({ patch }: TestService, entity: Entity, chance: Chance): Promise<Edit | undefined> {
  const chosen = chance.pickOr<MetadataEntry | undefined>(entity.metadata.filter(isEditable), undefined)
  if (chosen === undefined) return undefined
  const value = changedValue(chosen, chance.below(1_000_000))
  const metadata = entity.metadata.filter(each => each.key === chosen.key)
  const answer = await patch(`/entities/${entity.id}`, {
    metadata: metadata.map(each => (each === chosen ? { ...each, value } : each))
  })
  assert.equal(answer.status, 200, answer.text)
  return editOf(chosen, value, entity)
}

/** Whether a field of the model can be changed here. */
export const isEditable = ({ key, lang }: MetadataEntry) => tagsOf(key).length > 0 && lang === undefined

/** Another value for a field, which no other field has. */
export const changedValue = ({ key, value }: MetadataEntry, number: number): string | number =>
  otherValue[key]?.(String(value)) ?? String(value).replace(/(?= \([^()]+\)$)|$/, ` changed${number}`)

/** The edit of a field of the model. */
export function editOf({ key, value: was }: MetadataEntry, value: string | number, { id, type }: Entity): Edit {
  const tags = tagsOf(key)
  const [old, now] = [was, value].map(each => [...formsOf(each)])
  const says = (line: string, texts: readonly string[] = []) => {
    const parts = line.slice(7).split(/\$./).map(foldOf)
    const isIn = (text: string) => parts.some(part => part !== '' && text.includes(part))
    return texts.some(text => isIn(text) || parts.join('').includes(text))
  }
  const isOfPublication = type.startsWith('manifestation_')
  return {
    says: `${key} of ${id}: "${was}" becomes "${value}"`,
    explains: (line, which) => {
      const tag = line.slice(0, 3)
      if (!tags.includes(tag)) return false
      if (isCoded(tag)) return true
      // The titles of works and texts stay when that of the publication changes.
      if (which === 'gone') return says(line, old) && !(key === 'title' && isOfPublication && tag !== '245')
      // Each series of the publication may get its heading.
      if (key === 'series_statement' && tag === '830') return true
      return says(line, now) || ((moreTags[key]?.includes(tag) ?? false) && says(line, old))
    }
  }
}

/** The forms of a value in writing: a number with and without hyphens, or of ten digits. */
function* formsOf(value: unknown): Iterable<string> {
  yield foldOf(value)
  yield foldOf(String(value).replace(/ \([^()]+\)$/, ''))
  const [, digits] = /^978(\d{9})\d$/.exec(foldOf(value)) ?? []
  if (digits !== undefined) yield digits
}

/** The fields of a record with a word more in one subfield, and where it is. */
export function changedSubfield(shown: MarcRecord, chance: Chance) {
  const places = shown.fields.flatMap((field, index) =>
    isDataField(field) && isText(field)
      ? field.subfields.flatMap(({ code, value }, at) => (isWords(code, value) ? [{ index, at }] : []))
      : []
  )
  const place = chance.pickOr<(typeof places)[number] | undefined>(places, undefined)
  if (place === undefined) return undefined
  const dialect = detectDialect(shown)
  const fields = shown.fields.map((field, index) =>
    index !== place.index || !isDataField(field)
      ? field
      : {
          ...field,
          subfields: field.subfields.map((each, at) =>
            at === place.at ? { ...each, value: otherCode(field, each, dialect, chance) ?? withWord(each.value) } : each
          )
        }
  )
  return { fields, ...place }
}

/** The words of the codes that a subfield may have, where it is read as one of a list. */
const codesIn = ({ tag }: MarcField, { code }: { readonly code: string }, dialect: Dialect) =>
  mappingTables[dialect].metadata.find(row => row.as === 'code' && row.tags.includes(tag) && row.from === code)?.codes

type Subfield = { readonly code: string; readonly value: string }

/**
 * A code with another meaning, for a subfield that is read as one of a list; for some of them none:
 * a word beside the code makes it one that no list has.
 */
function otherCode(field: MarcField, subfield: Subfield, dialect: Dialect, chance: Chance): string | undefined {
  const codes = codesIn(field, subfield, dialect) ?? {}
  const others = Object.keys(codes).filter(each => codes[each] !== codes[subfield.value])
  if (!(subfield.value in codes) || chance.oneIn(3)) return undefined
  return chance.pickOr<string | undefined>(others, undefined)
}

/** Changes one subfield of the source record, by PUT in MARC. */
export async function editSource(
  { put }: TestService,
  id: string,
  shown: MarcRecord,
  chance: Chance
): Promise<Edit | undefined> {
  const changed = changedSubfield(shown, chance)
  if (changed === undefined) return undefined
  const { fields, ...place } = changed
  const answer = await put(`/entities/${id}`, JSON.parse(writeMarcJson({ leader: shown.leader, fields })), {
    headers: { 'content-type': 'application/marc+json', 'if-match': '*' }
  })
  assert.equal(answer.status, 200, `${answer.text} ${writeMarcJson(shown)}`)
  const [was = [], is = []] = [shown.fields[place.index], fields[place.index]].map(field =>
    field === undefined
      ? []
      : [lineOf(field), ...toSlimRecord({ leader: shown.leader, fields: [field] }).fields.map(lineOf)]
  )
  const says = `${was[0]} becomes ${is[0]}`
  if (detectDialect(shown) === 'marc21')
    return { says, explains: (line, which) => (which === 'gone' ? was : is).includes(line) }
  // Written as MARC 21, the field that has the word, or the word that a code stands for.
  const [old = '', now = ''] = [shown.fields[place.index], fields[place.index]].map(field => {
    const subfield = field && isDataField(field) ? field.subfields[place.at] : undefined
    if (field === undefined || subfield === undefined) return undefined
    return foldOf(codesIn(field, subfield, 'unimarc')?.[subfield.value] ?? subfield.value)
  })
  const word = foldOf(wordIn(shown.fields[place.index], place.at) ?? now)
  return {
    says,
    explains: (line, which) => foldOf(line).includes(word) || foldOf(line).includes(which === 'gone' ? old : now)
  }
}

/** The word of a subfield that no other has. */
const wordIn = (field: MarcField | undefined, at: number) =>
  /q\d+z/.exec((field && isDataField(field) && field.subfields[at]?.value) || '')?.[0]

const isText = ({ tag }: MarcField) => !/^0[0-4]|^880|^85|^87|^86/.test(tag)
const isWords = (code: string, value: string) =>
  /[a-z]/.test(code) && !'uwxyz'.includes(code) && /\p{L}{3}/u.test(value)
/** Before the punctuation at the end, so that the field still divides at it. */
const withWord = (value: string) => value.replace(/([\s\p{P}=]*)$/u, ' edited$1')

/** The ids of publications by the numbers of their records, of those whose number is their own. */
export async function idsByNumber({ get }: TestService, prefix = 'marcxml'): Promise<Map<string, string>> {
  const { documents } = await harvest(
    async query => (await get(`/oai?${query}`)).text,
    `verb=ListRecords&metadataPrefix=${prefix}`
  )
  const found = new Map<string, string[]>()
  for (const { id, metadata } of documents.flatMap(headersIn)) {
    const number = /<controlfield tag="001">([^<]*)</.exec(metadata)?.[1]?.trim()
    if (number !== undefined) found.set(number, [...(found.get(number) ?? []), id])
  }
  return new Map([...found].flatMap(([number, [id = '', ...others]]) => (others.length === 0 ? [[number, id]] : [])))
}

/** The entities of a publication that no other publication has: its own, its texts and works. */
async function ownEntities({ app }: TestService, ids: Iterable<string>): Promise<Map<string, string[]>> {
  const headers = { authorization: `Bearer ${adminToken}` }
  const file = (await app.inject({ url: '/export?format=ndjson&sources=0', headers })).body
  const all: Entity[] = file
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  const entities = new Map(all.map(each => [each.id, each]))
  const related = (id: string, type: string) =>
    entities.get(id)?.relations.flatMap(each => (each.type === type ? [each.key] : [])) ?? []
  const found = new Map<string, string[]>()
  const uses = new Map<string, number>()
  for (const id of ids) {
    const texts = related(id, 'refExpressions')
    const works = texts.flatMap(text => related(text, 'refWork'))
    const whole = [id, ...new Set([...texts, ...works])]
    found.set(id, whole)
    for (const each of whole) uses.set(each, (uses.get(each) ?? 0) + 1)
  }
  return new Map([...found].map(([id, whole]) => [id, whole.filter(each => uses.get(each) === 1)]))
}

/** Every difference between two states at a door that its edit does not explain. */
export function differences(
  before: Records,
  doors: ReadonlyMap<string, Records>,
  edits: ReadonlyMap<string, Edit>
): string[] {
  const found = new Map<string, string[]>()
  for (const [door, records] of doors)
    for (const [number, record] of records) {
      const given = before.get(number)
      // Records in OAI-PMH and SRU have the indicators and codes only that the schema allows.
      const was = given && (door.startsWith('OAI') || door === 'SRU') ? toSlimRecord(given) : given
      const explained = unexplained(was ?? record, record, edits.get(number))
      // A composed record has the time of its last change in its own catalogue.
      const left = door.startsWith(anotherCatalogue)
        ? explained.filter(line => !isOfEveryEdit(line.slice(2)))
        : explained
      if (left.length === 0) continue
      const told = [`${number}: ${edits.get(number)?.says ?? 'no edit'}`, ...left].join('\n  ')
      found.set(told, [...(found.get(told) ?? []), door])
    }
  const missing = [...doors]
    .filter(([door]) => !door.endsWith('of one'))
    .flatMap(([door, records]) =>
      [...before.keys()].filter(each => !records.has(each)).map(each => `${each}: not at ${door}`)
    )
  return [...[...found].map(([told, places]) => `${told}\n  at ${places.join(', ')}`), ...missing]
}

interface RoundTrip {
  readonly chance: Chance
  /** The records as they went in, by number; without them, as they come out before the edits. */
  readonly sources?: Records
  /** UNIMARC records as they went in: they come out as MARC 21, and are edited as they are. */
  readonly unimarc?: Map<string, MarcRecord>
  /** Whether the catalogue is moved at the end, too. */
  readonly isMoved?: boolean
}

/**
 * Edits one field of every record in the model and one in the source record, half of the records in
 * the other order, and compares the records after each edit: at the end, by every way out.
 */
export async function editAndCompare(
  service: TestService,
  { chance, sources, unimarc, isMoved = true }: RoundTrip
): Promise<number> {
  const ids = await idsByNumber(service)
  const own = await ownEntities(service, ids.values())
  return editInTurns(ids, {
    door: editedDoor,
    sources,
    readDoors: (sample, moment) => everyDoor(service, sample, { moment, isMoved }),
    async inModel(id) {
      const chosen = await service.get(`/entities/${chance.pickOr(own.get(id) ?? [], id)}`)
      // An edit of the source may have joined its work to another.
      const { body } = chosen.status === 200 ? chosen : await service.get(`/entities/${id}`)
      return editModel(service, body, chance)
    },
    inSource: (id, record, number) => editSource(service, id, unimarc?.get(number) ?? record, chance)
  })
}

interface Turns {
  /** The way out whose records are edited. */
  readonly door: string
  /** The records as they went in; without them, as they come out before the edits. */
  readonly sources?: Records | undefined
  /** Reads the records by the ways out of a moment, some one by one. */
  readonly readDoors: (sample: readonly string[], moment: Moment) => Promise<ReadonlyMap<string, Records>>
  readonly inModel: (id: string, record: MarcRecord) => Promise<Edit | undefined>
  readonly inSource: (id: string, record: MarcRecord, number: string) => Promise<Edit | undefined>
}

/** Edits records, given by number and id, in the model and in their sources, in both orders. */
export async function editInTurns(
  ids: ReadonlyMap<string, string>,
  { door, sources, readDoors, inModel, inSource }: Turns
): Promise<number> {
  const sample = [...ids.values()].filter((_, index) => index % Math.ceil(ids.size / 10) === 0)
  let doors = await readDoors(sample, 'before')
  let shown = onlyWith(ids, sources ?? doors.get(door))
  const found = differences(shown, doors, new Map())
  let count = 0
  for (const [turn, moment] of (['between', 'after'] as const).entries()) {
    const edits = new Map<string, Edit>()
    for (const [index, [number, record]] of [...shown].entries()) {
      const id = ids.get(number) ?? ''
      const edit = index % 2 === turn ? await inModel(id, record) : await inSource(id, record, number)
      if (edit !== undefined) edits.set(number, edit)
    }
    count += edits.size
    doors = await readDoors(sample, moment)
    found.push(...differences(shown, doors, edits))
    shown = onlyWith(ids, doors.get(door))
  }
  assert.equal(found.slice(0, 60).join('\n'), '', `${found.length} differences after ${count} edits`)
  return count
}

export const onlyWith = (ids: ReadonlyMap<string, string>, records: Records = new Map()): Records =>
  new Map([...records].filter(([number]) => ids.has(number)))
