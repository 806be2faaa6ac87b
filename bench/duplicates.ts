import { createReadStream, globSync } from 'node:fs'
import { join } from 'node:path'

import type { MetadataEntry, Relation } from '#domain/entity/entity.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { createModel } from '#domain/record-types/model.ts'
import { bareText, similarReason } from '#domain/entity/duplicates.ts'
import { foldText } from '#domain/values/fold.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import type { AuthorityDraft, Draft, RecordDescription } from '#formats/description/description.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarc } from '#formats/marc/read-marc.ts'
import { detectDialect, isDataField, type MarcRecord } from '#formats/marc/record.ts'
import { buildBase } from '#index/base.ts'
import { CatalogueIndex } from '#index/catalogue-index.ts'
import { toIndexedDocument } from '#index/document.ts'
import { listDuplicates } from '#index/duplicates.ts'
import { createChance } from '../test/support/records/chance.ts'
import { anEntityOf } from '../test/support/records/publications.ts'
import { notMeasured, testData } from '../test/support/records/test-data.ts'
import { printTable } from './support/report.ts'

/*
 * The share of similar records that are the same, by their score. Identifying values are kept out
 * of the comparison, and judge it: the dates of three in ten mentions of a person, ISBN, LCCN and
 * OCLC numbers of publications, the authors of three in ten works.
 */

const model = createModel(builtInRecordTypes)
const chance = createChance(2026)
const isHidden = () => chance.below(10) < 3

/** Texts that identify a record, by kind; a pair with none of a kind in common is judged wrong. */
type Truth = Readonly<Record<string, ReadonlySet<string>>>
interface Made {
  readonly truth: Truth
  readonly metadata: MetadataEntry[]
  readonly relations: Relation[]
  readonly type: string
}

const made = new Map<string, Made>()

export async function run() {
  if (testData === undefined) {
    console.log(notMeasured)
    return
  }
  const files = globSync('{marc21,frbr}/*.mrc', { cwd: testData }).concat(
    globSync('marc8/*.utf8.mrc', { cwd: testData })
  )
  for (const file of files.sort())
    for await (const reading of readMarc(createReadStream(join(testData, file))))
      if (reading.outcome === 'record' && detectDialect(reading.record) === 'marc21') {
        addTerms(reading.record)
        addRecord(describeRecord(reading.record))
      }
  const index = indexOfMade()
  const rows: string[][] = []
  for (const kind of ['person', 'work', 'manifestation']) {
    const types = model.typesNamed(kind)
    const { groups } = listDuplicates(index, { types, readableTypes: undefined, reason: similarReason, limit: 1e6 })
    const tallies = new Map<number, { pairs: number; right: number; wrong: number }>()
    for (const { records, score = 0 } of groups) {
      const tally = tallies.get(score) ?? { pairs: 0, right: 0, wrong: 0 }
      tallies.set(score, tally)
      for (const [at, one] of records.entries())
        for (const other of records.slice(at + 1)) {
          tally.pairs++
          const isSame = judge(made.get(one.id)?.truth ?? {}, made.get(other.id)?.truth ?? {})
          if (isSame !== undefined) tally[isSame ? 'right' : 'wrong']++
        }
    }
    for (const [score, { pairs, right, wrong }] of [...tallies].sort(([one], [other]) => other - one))
      rows.push([
        kind,
        ...[score, pairs, right + wrong].map(String),
        `${((100 * right) / (right + wrong)).toFixed(1)} %`
      ])
  }
  printTable(['kind', 'score', 'pairs', 'judged', 'right'], rows)
  printTable(['records', 'pairs', 'judged', 'right'], [judgeByLabel()])
}

/**
 * Terms with an equal label in two schemes. They are right if a record has both, and wrong if
 * records with one of them have terms of the other scheme, and none of these is the other.
 */
function judgeByLabel(): string[] {
  let [pairs, judged, right] = [0, 0, 0]
  for (const [label, bySchemes] of termRecords) {
    const schemes = [...bySchemes.keys()]
    for (const [at, one] of schemes.entries())
      for (const other of schemes.slice(at + 1)) {
        pairs++
        const [having, others] = [bySchemes.get(one) ?? new Set<number>(), bySchemes.get(other) ?? new Set<number>()]
        const both = [...having, ...others].filter(record => [one, other].every(s => schemesOf.get(record)?.has(s)))
        if (both.length === 0) continue
        judged++
        if (!having.isDisjointFrom(others)) right++
        else if (process.env.SHOW !== undefined) console.log(`${label}: ${one}, ${other}`)
      }
  }
  return ['subject, equal label in two schemes', String(pairs), String(judged), shareOf(right, judged)]
}

const shareOf = (right: number, all: number) => `${((100 * right) / all).toFixed(1)} %`

/** The records that have a label, by its scheme; and the schemes of each record. */
const termRecords = new Map<string, Map<string, Set<number>>>()
const schemesOf = new Map<number, Set<string>>()

/** The terms of 650 with their schemes, the second indicator or $2. */
function addTerms({ fields }: MarcRecord): void {
  const record = schemesOf.size
  const schemes = new Set<string>()
  schemesOf.set(record, schemes)
  for (const field of fields) {
    if (field.tag !== '650' || !isDataField(field)) continue
    const scheme = field.subfields.find(({ code }) => code === '2')?.value ?? field.indicators[1] ?? ''
    const parts = field.subfields.flatMap(({ code, value }) => ('abvxyz'.includes(code) ? value : []))
    // 4 is a term of no scheme.
    if (scheme === '4' || scheme === ' ') continue
    schemes.add(scheme)
    const label = parts.map(part => bareText(foldText(part))).join(' ')
    const byScheme = termRecords.get(label) ?? new Map<string, Set<number>>()
    termRecords.set(label, byScheme)
    byScheme.set(scheme, (byScheme.get(scheme) ?? new Set<number>()).add(record))
  }
}

/** Whether two records are the same by what was kept out; undefined if that does not say. */
function judge(one: Truth, other: Truth): boolean | undefined {
  let isJudged = false
  for (const [kind, texts] of Object.entries(one)) {
    const others = other[kind] ?? new Set()
    if (texts.size === 0 || others.size === 0) continue
    if (texts.has('unknown') || others.has('unknown')) continue
    if (!texts.isDisjointFrom(others)) return texts.size === 1 || kind !== 'birth'
    isJudged = true
  }
  return isJudged ? false : undefined
}

function indexOfMade(): CatalogueIndex {
  const builder = buildBase()
  let number = 0
  for (const [id, { type, metadata, relations }] of made)
    builder.add(toIndexedDocument(model, { ...anEntityOf(type, id, metadata), relations }, ++number, number))
  return new CatalogueIndex(model, builder.done(number))
}

/** A record under a name, made once. */
function idOf(name: string, type: string, metadata: readonly MetadataEntry[], truth: Truth = {}): string {
  const id = ids.get(name) ?? `R-${ids.size + 1}`
  if (!ids.has(name)) made.set(id, { type, metadata: [...metadata], relations: [], truth })
  ids.set(name, id)
  return id
}
const ids = new Map<string, string>()

/** The years of birth of the persons without dates that have one name. */
const hiddenBirths = new Map<string, Set<string>>()

/** A person with or without dates; all persons of one name without dates are one record. */
function personOf({ metadata, key, birthYear }: AuthorityDraft): string {
  const isDateless = birthYear === undefined || isHidden()
  const hidden = hiddenBirths.get(key) ?? new Set()
  hiddenBirths.set(key, hidden)
  const truth = isDateless ? hidden : new Set([birthYear])
  const shown = isDateless ? metadata.filter(each => each.key === 'name') : metadata
  const id = idOf(`person ${key} ${isDateless ? '' : birthYear}`, 'person', shown, { birth: truth })
  if (isDateless) hidden.add(birthYear ?? 'unknown')
  return id
}

function addRecord({ manifestation, expressions, works }: RecordDescription): void {
  const [work] = works
  if (work === undefined) return
  const related = (draft: Draft, type: string) => draft.relations.filter(({ relation }) => relation === type)
  for (const draft of [work, expressions[0], manifestation])
    for (const { target } of draft === undefined ? [] : related(draft, 'refAuthors'))
      if (target.type === 'person') personOf(target)
  const author = related(work, 'refAuthors')[0]?.target
  const title = String(work.metadata.find(({ key }) => key === 'title')?.value ?? '')
  const named = `${title.toLowerCase()} ${author?.key ?? ''}`
  if (author !== undefined) {
    const isShown = !isHidden()
    const id = idOf(`work ${isShown ? named : `${named} hidden`}`, work.type, [{ key: 'title', value: title }], {
      author: new Set([author.key])
    })
    if (isShown)
      made.get(id)?.relations.push({ type: 'refAuthors', key: idOf(`author ${author.key}`, 'corporation', []) })
  }
  const isbns = manifestation.metadata.flatMap(({ key, value }) =>
    key === 'isbn' ? (readIsbn(String(value))?.comparable ?? []) : []
  )
  const lccns = manifestation.metadata.flatMap(({ key, value }) =>
    key === 'lccn' ? String(value).replaceAll(/\D/g, '') : []
  )
  const oclc = manifestation.identifiers.flatMap(each => /^\(OCoLC\)\D*0*(\d+)/.exec(each)?.[1] ?? [])
  const hides = chance.oneIn(2)
  const metadata = manifestation.metadata.filter(
    ({ key }) => !['lccn', 'ean'].includes(key) && !(hides && key === 'isbn')
  )
  const truth = { isbn: new Set(isbns), lccn: new Set(lccns), oclc: new Set(oclc) }
  const id = idOf(`publication ${made.size}`, manifestation.type, metadata, truth)
  const relations = made.get(id)?.relations
  for (const { target } of related(manifestation, 'refPublishers'))
    relations?.push({ type: 'refPublishers', key: idOf(`publisher ${target.key}`, target.type, target.metadata) })
  const language = related(manifestation, 'refLanguages')[0]?.target.key ?? ''
  if (author !== undefined) {
    const text = idOf(`text ${named} ${language}`, 'expression_word', [{ key: 'title', value: title }])
    relations?.push({ type: 'refExpressions', key: text })
  }
}
