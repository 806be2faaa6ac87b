import { createReadStream, globSync } from 'node:fs'
import { join } from 'node:path'

import type { Publication } from '#domain/entity/publication.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { searchedAs } from '#domain/record-types/record-type.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { foldText } from '#domain/values/fold.ts'
import { findLanguage } from '#formats/description/languages.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { managedFields } from '#formats/marc/mapping/unmapped.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { type DataField, detectDialect, isDataField, type MarcRecord } from '#formats/marc/record.ts'
import { writeMods } from '#formats/mods/write-mods.ts'
import { publicationFrom } from '../test/support/records/publications.ts'
import { notMeasured, testData } from '../test/support/records/test-data.ts'
import { printTable } from './support/report.ts'

/*
 * How much of the text of MARC records is in the model, is found by a search, and comes out again
 * when the record is written from the model. Each subfield with text is looked for as a whole;
 * control subfields, local fields and fields about the record itself are not counted. `parts` is
 * the share of the parts of subfields (between brackets and the punctuation of ISBD) in the model.
 */

const places = ['model', 'found', 'marc', 'mods'] as const
type Place = (typeof places)[number]
interface Tally extends Record<Place | 'parts', number> {
  all: number
}

const model = createModel(builtInRecordTypes)
const newTally = (): Tally => ({ all: 0, model: 0, parts: 0, found: 0, marc: 0, mods: 0 })

export async function run() {
  if (testData === undefined) {
    console.log(notMeasured)
    return
  }
  const rows: string[][] = []
  const tags = new Map<string, Tally>()
  for (const file of globSync('**/*.{mrc,marc,xml,mrk}', { cwd: testData }).sort()) {
    const tally = newTally()
    let records = 0
    for await (const reading of readMarc(createReadStream(join(testData, file))))
      if (reading.outcome === 'record' && count(reading.record, tally, tags)) records++
    if (records > 0) rows.push([file, String(records), ...cellsOf(tally)])
  }
  const heads = ['subfields', ...counted.map(place => `${place} %`)]
  printTable(['file', 'records', ...heads], rows)
  const missing = [...tags].sort(([, one], [, other]) => other.all - other.model - (one.all - one.model))
  printTable(
    ['tag', ...heads],
    missing.slice(0, 50).map(([tag, tally]) => [tag, ...cellsOf(tally)])
  )
}

/** The columns of figures. */
const counted = ['model', 'parts', 'found', 'marc', 'mods'] as const

const cellsOf = (tally: Tally) => [
  String(tally.all),
  ...counted.map(place => ((100 * tally[place]) / Math.max(1, tally.all)).toFixed(1))
]

/** Counts the subfields of a record; false for one that describes no publication. */
function count(record: MarcRecord, tally: Tally, tags: Map<string, Tally>): boolean {
  if (detectDialect(record) !== 'marc21' || 'uvxyz'.includes(record.leader[6] ?? '')) return false
  const publication = publicationFrom(describeRecord(record))
  const texts: Record<Place, string> = {
    ...modelTexts(publication),
    marc: bare(textsOf(composeRecord(publication).record).join('\n')),
    mods: bare(writeMods(model, publication).markup)
  }
  for (const field of record.fields) {
    if (!isDataField(field) || managedFields.includes(field.tag) || /[9A-Za-z]/.test(field.tag)) continue
    for (const { code, value } of field.subfields) {
      const wanted = bare(value)
      if (wanted === '' || !/[a-z]/.test(code)) continue
      const own = tags.get(`${field.tag} $${code}`) ?? newTally()
      tags.set(`${field.tag} $${code}`, own)
      const sought = soughtFor(field, code, value)
      const isIn = (text: string) => sought.some(each => text.includes(each))
      const share = isIn(texts.model) ? 1 : shareOf(value, texts.model)
      for (const each of [tally, own]) {
        each.all++
        each.parts += share
        for (const place of places) if (isIn(texts[place])) each[place]++
      }
    }
  }
  return true
}

/**
 * The texts that say what a subfield says: its own; the term of a code in 336 to 338; an ISBN in
 * its other length; the name of a language for its code.
 */
function soughtFor({ tag, subfields }: DataField, code: string, value: string): string[] {
  const own = bare(value)
  if (/^33[678]$/.test(tag) && code === 'b')
    return [own, ...subfields.flatMap(each => (each.code === 'a' ? bare(each.value) : []))]
  if (tag === '041') return [own, bare(findLanguage(value)?.name ?? value)]
  const isbn = readIsbn(/^[\dXx-]{10,17}/.exec(value)?.[0] ?? '')?.comparable
  return isbn === undefined ? [own] : [own, own.replace(/^[\dx]+/, isbn)]
}

/** The share of the letters of a text that stand in parts which another text contains. */
function shareOf(value: string, text: string): number {
  const parts = value
    .split(/[()[\]:;,/=]|--|\. /)
    .map(bare)
    .filter(Boolean)
  const letters = (of: readonly string[]) => of.join('').length
  return letters(parts.filter(each => text.includes(each))) / Math.max(1, letters(parts))
}

const textsOf = ({ fields }: MarcRecord) =>
  fields.flatMap(field => (isDataField(field) ? field.subfields.map(({ value }) => value) : [field.value]))

/** All that the levels and the records around them contain, and the part of it that is searched. */
function modelTexts({ manifestation, expressions }: Publication): Pick<Record<Place, string>, 'model' | 'found'> {
  const levels = [manifestation, ...expressions.flatMap(each => [each, ...(each.work ? [each.work] : [])])]
  const entries = levels.flatMap(({ entity, related }) =>
    [entity, ...related.map(each => each.entity)].flatMap(each =>
      [...each.metadata, ...each.identifiers.map(value => ({ key: 'identifier', value }))].map(({ key, value }) => ({
        text: String(value),
        isFound: key === 'identifier' || searchedAs(model.findType(each.type), key) !== undefined
      }))
    )
  )
  const join = (given: typeof entries) => bare(given.map(({ text }) => text).join('\n'))
  return { model: join(entries), found: join(entries.filter(({ isFound }) => isFound)) }
}

/** Letters and digits only, without case and marks. */
const bare = (text: string) => foldText(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
