import { readPublications } from '#catalogue/publications/read-publications.ts'
import type { StoredRecord } from '#domain/imports/stored.ts'
import { isSameJson } from '#domain/json.ts'
import { createPrincipal } from '#domain/permissions.ts'
import { composeChanged } from '#formats/marc/compose/fixed-fields.ts'
import { currentRecord, readHeld, readStored } from '#formats/marc/current-record.ts'
import { itemOfRecord } from '#formats/marc/marc-items.ts'
import { marc21Table } from '#formats/marc/mapping/marc21-table.ts'
import { mergeRecords } from '#formats/marc/merge-records.ts'
import { formerTitles } from '#formats/marc/patch/repeated-titles.ts'
import { withSourceEntries } from '#formats/marc/patch/source-entries.ts'
import { detectDialect, type MarcField, type MarcRecord } from '#formats/marc/record.ts'
import type { Draft } from '#formats/description/description.ts'
import { mentionsIn, type SourceItem, type SourceOptions, type SourceRecord } from '#formats/source/source-item.ts'
import { type DraftRules, excessOfRecord } from './place/draft-limits.ts'
import { readingOptions } from './place/keep-source-edits.ts'
import { toNextRecord } from './place/next-record.ts'
import { placeRecords } from './place/place-records.ts'
import { mentionIdsOf, type Placing } from './place/placing.ts'
import {
  fault,
  type GivenEdit,
  type GivenEntity,
  type PreparedEdit,
  refuseOtherDialect,
  refuseOtherNumber
} from './prepared-edit.ts'
import { findSourceRecords } from './source-records.ts'
import { keys } from './state/import-state.ts'
import type { Staging } from './state/staging.ts'

/** The source record of a manifestation, and the state that an edit starts from. */
interface Situation {
  readonly name: string
  readonly record: StoredRecord
  /** The source record as stored. */
  readonly source: MarcRecord
  /** The same with the changes that people made in the catalogue: the record that they edit. */
  readonly shown: MarcRecord
  /** The same with the source's entries of works in it: edits are compared to it. */
  readonly base: MarcRecord
  /** The shown record with the items that other records describe, or people made. */
  readonly whole: MarcRecord
  /** Fields of items that other records describe, or people made, among those that are shown. */
  readonly foreign: readonly MarcField[]
  readonly readWith: SourceOptions
  readonly jobOptions: Readonly<Record<string, unknown>>
}

/** The record of a manifestation that people edit: as stored, with the changes made here since. */
export const readPublicationSource = async (given: GivenEntity): Promise<MarcRecord> =>
  (await readSituation(given)).whole

async function readSituation({ parts, staging, id }: GivenEntity): Promise<Situation> {
  const { store, model } = parts
  const name = (await staging.find('origin', [id])).get(id)
  const record = name === undefined ? undefined : (await staging.find('record', [name])).get(name)
  const stored = (await findSourceRecords(store, [id])).get(id)
  const source = stored && (await readStored(stored))
  const reader = createPrincipal(model, 'import', ['read'])
  const publication = (await readPublications(parts, reader, [id], { withItems: true })).get(id)
  if (name === undefined || record === undefined || !stored || !source || publication === undefined)
    throw fault(`"${id}" has no source record in MARC: change the fields of the record instead`)
  const job = (await staging.find('job', [keys.job(record.job)])).get(keys.job(record.job))
  const [, agency] = /^\(([^()]+)\)/.exec(name) ?? []
  const jobOptions = { ...job?.options, ...record.readWith, ...(agency === undefined ? {} : { agency }) }
  const own = new Set(stored.items.map(each => each.id))
  const items = publication.items?.filter(({ entity }) => own.has(entity.id))
  const shown = currentRecord(source.record, stored, { ...publication, ...(items === undefined ? {} : { items }) })
  const whole = currentRecord(source.record, stored, publication, await readHeld(stored))
  return {
    name,
    record,
    source: source.record,
    shown,
    base: withSourceEntries(shown, { source: source.record, shown }),
    whole,
    foreign: withoutFields(whole.fields, shown.fields),
    readWith: readingOptions(jobOptions),
    jobOptions
  }
}

/** Fields without as many of the same as others have. */
function withoutFields(fields: readonly MarcField[], others: readonly MarcField[]): MarcField[] {
  const rest = [...fields]
  for (const field of others) {
    const place = rest.findIndex(each => isSameJson(each, field))
    if (place >= 0) rest.splice(place, 1)
  }
  return rest
}

/** Throws for a record in which items differ that are not described by it. */
function withoutForeign(sent: MarcRecord, foreign: readonly MarcField[]): MarcRecord {
  const [changed] = withoutFields(foreign, sent.fields)
  if (changed !== undefined)
    throw fault(`${changed.tag}: An item that this record does not describe is changed in its own record`)
  return foreign.length === 0 ? sent : { leader: sent.leader, fields: withoutFields(sent.fields, foreign) }
}

/**
 * Prepares an edit of the source record of a manifestation. Fields that people edited in the
 * catalogue stay unless this edit changes them.
 */
export async function preparePublicationEdit(given: GivenEdit): Promise<PreparedEdit> {
  const { staging, id } = given
  const situation = await readSituation(given)
  const sent = withSourceEntries(withoutForeign(given.sent, situation.foreign), situation)
  const item = toItem({ ...given, sent }, situation)
  return {
    options: situation.jobOptions,
    warnings: formerTitles(situation.shown, given.sent).map(({ index, text }) => ({
      pointer: `/fields/${index}`,
      message: `${given.sent.fields[index]?.tag} still has "${text}", the title before this edit`,
      code: 'doubtful_value',
      key: given.sent.fields[index]?.tag ?? ''
    })),
    async stage(placing) {
      const changedInSource = await findChanged(staging, situation, sent)
      const { name, record } = situation
      const { number, digest } = record
      const source = (await staging.find('source', [id])).get(id)
      const imported = record.imported ?? (source && { ...source, digest })
      const next = toNextRecord(item, { name, ...(number === undefined ? {} : { number }) }, placing.job, imported)
      const [placed] = await placeRecords(staging, [{ name, next }], { ...placing, changedInSource })
      return placed?.manifestationId ?? id
    }
  }
}

/**
 * The record to place: the sent one, without the changes that people made in the catalogue. Those
 * of the fields that this edit changes, too, stay in it.
 */
function toItem({ parts, sent, now }: GivenEdit, situation: Situation): SourceRecord {
  const { source, shown, base, readWith } = situation
  const dialect = detectDialect(shown)
  refuseOtherDialect(dialect, detectDialect(sent))
  refuseOtherNumber(shown, sent, dialect)
  const merged = shown === source ? sent : mergeRecords(base, sent, source, tagsOfChanged(situation, sent, readWith))
  const fields = merged.fields.map(field =>
    field.tag === '005' && dialect === 'marc21' ? { tag: '005', value: composeChanged(now) } : field
  )
  return asPublication(itemOfRecord({ leader: merged.leader, fields }, readWith), parts)
}

/** Throws for an item that cannot be stored as a publication. */
export function asPublication(item: SourceItem, rules: DraftRules): SourceRecord {
  const defect = item.defects.find(each => each.kind !== 'no_control_number')
  if (item.outcome !== 'record') throw fault(defect?.message ?? 'The record describes no publication')
  if (item.description.problems.some(each => each.kind === 'no_title'))
    throw fault('The record has no title: 245 $a is missing (200 $a in UNIMARC)')
  const excess = excessOfRecord(item, rules)
  if (excess !== undefined) throw fault(excess)
  return item
}

/**
 * The tags of all fields that give a value or a relation that the edit changes. A field that is
 * taken from the sent record has other values in it, which people may have changed in the
 * catalogue, or that were those of other fields: where the merged record would say something new
 * about them, their tags are taken, too.
 */
function tagsOfChanged({ base, source }: Situation, sent: MarcRecord, readWith: SourceOptions): Set<string> {
  const read = (record: MarcRecord) => draftsOf(itemOfRecord(record, readWith))
  const [before, after, stored] = [read(base), read(sent), read(source)]
  const edited = [...before.keys()].map(place => differingBetween(before[place], after[place]))
  const tags = new Set<string>()
  const take = (names: ReadonlySet<string>, place: number, merged: readonly Draft[] = []) => {
    for (const drafts of [before, after, stored, merged])
      for (const { name, tag } of namesIn(drafts[place]))
        if (names.has(name)) for (const each of [tag, ...fixedTagsOf(name)]) tags.add(each)
  }
  for (const [place, names] of edited.entries()) take(names, place)
  for (let size = -1; size !== tags.size; ) {
    size = tags.size
    const merged = read(mergeRecords(base, sent, source, tags))
    for (const [place, names] of edited.entries())
      take(differingBetween(merged[place], stored[place]).difference(names), place, merged)
  }
  return tags
}

const differingBetween = (one: Draft | undefined, other: Draft | undefined) =>
  new Set(one && other ? differingNames(one, other) : [])

/** The names of the fields and relations of a draft, each with the tag that gives it. */
const namesIn = ({ metadata, relations }: Pick<Draft, 'metadata' | 'relations'> = { metadata: [], relations: [] }) => [
  ...metadata.map(({ key, from }) => ({ name: key, tag: from.tag })),
  ...relations.map(({ relation, from }) => ({ name: relation, tag: from.tag }))
]

/** The fixed fields that give a value or a relation, where no other field does. */
const fixedTagsOf = (name: string) =>
  [...marc21Table.metadata, ...marc21Table.relations].flatMap(row =>
    ('gives' in row ? row.gives : row.relation) === name ? row.tags.filter(each => each.startsWith('00')) : []
  )

/** The drafts of a record: of its manifestation, then of each work and its text. */
const draftsOf = (item: SourceItem): Draft[] =>
  item.outcome === 'record'
    ? [item.description.manifestation, ...mentionsIn(item).flatMap(({ work, expression }) => [work, expression])]
    : []

/**
 * The fields and relations that the edit changes, by the entities that have them now. Nobody has
 * edited them in the catalogue where the record is shown as it is stored.
 */
async function findChanged(
  staging: Staging,
  { name, record, source, shown, base, readWith }: Situation,
  sent: MarcRecord
): Promise<Placing['changedInSource']> {
  if (shown === source) return undefined
  const [before, after] = [itemOfRecord(base, readWith), itemOfRecord(sent, readWith)]
  if (before.outcome !== 'record' || after.outcome !== 'record') return undefined
  const changed = new Map<string, Set<string>>()
  const note = (id: string | undefined, was: Draft | undefined, is: Draft | undefined) => {
    if (id === undefined || was === undefined || is === undefined) return
    changed.set(id, new Set([...(changed.get(id) ?? []), ...differingNames(was, is)]))
  }
  note(record.manifestationId, before.description.manifestation, after.description.manifestation)
  const ids = mentionIdsOf(name, record)
  const placed = await staging.find('mention', ids)
  const [old, now] = [mentionsIn(before), mentionsIn(after)]
  for (const [place, mention] of ids.entries()) {
    const { workId, expressionId } = placed.get(mention) ?? {}
    note(workId, old[place]?.work, now[place]?.work)
    note(expressionId, old[place]?.expression, now[place]?.expression)
  }
  return changed
}

/** The keys of fields and the types of relations in which two drafts differ. */
function differingNames(one: Draft, other: Draft): string[] {
  const valuesOf = ({ metadata, relations, identifiers }: Draft) =>
    Map.groupBy(
      [
        ...metadata.map(({ from: _, key, ...value }) => [key, value] as const),
        ...relations.map(({ from: _, relation, ...value }) => [relation, value] as const),
        ...identifiers.map(value => ['identifier', value] as const)
      ],
      ([name]) => name
    )
  const [was, is] = [valuesOf(one), valuesOf(other)]
  return [...new Set([...was.keys(), ...is.keys()])].filter(name => !isSameJson(was.get(name), is.get(name)))
}
