import {
  controlNumberOf,
  detectDialect,
  type Dialect,
  findControlValue,
  type MarcRecord,
  type DataField,
  isDataField
} from '../record.ts'
import { introducesBasis, isOfAdaptedForm, readBasis } from './adaptations.ts'
import { findAggregate, readContained, splitUniform } from './contained.ts'
import type {
  Draft,
  ExpressionDraft,
  MappingProblem,
  RecordDescription,
  Statement,
  TitleKey,
  WorkDraft,
  LinkDraft
} from '../../description/description.ts'
import { agentKeys, codesIn } from '../../description/relations.ts'
import type { ItemMapping } from '../../source/item-mapping.ts'
import { readItems } from './items.ts'
import { findMaterial } from './material.ts'
import { readMetadata } from './metadata.ts'
import { levelTitles } from './notes.ts'
import { createReader, type Reader, uniformFields } from './reader.ts'
import { readRelations } from './relations.ts'
import { findTranslation, findUniform, readTitles, titleStatement } from './titles.ts'
import { person } from '#domain/record-types/related.ts'
import type { RecordNumbers } from '#domain/imports/record-links.ts'
import { malformedAmong } from '#domain/values/authority-link.ts'
import { identifiersOf, readPerson } from './agents.ts'
import { titleKey } from '../../description/keys.ts'
import {
  clean,
  type FieldIndex,
  fieldsOf,
  firstPart,
  type Found,
  joinTitle,
  namesPart,
  originOf,
  partsOf,
  rowsFor
} from './values.ts'

const none: readonly Found[] = []

/** The description of a MARC record. */
export interface MarcDescription extends RecordDescription {
  readonly dialect: Dialect
}

function withoutUniform(work: WorkDraft, proper: TitleKey | undefined): WorkDraft {
  const rest = work.metadata.filter(each => each.key !== 'title' && each.key !== 'original_title')
  const titles = work.keys.titles.filter(each => each.kind !== 'uniform')
  return { ...work, metadata: [...titleStatement(proper), ...rest], identifiers: [], keys: { ...work.keys, titles } }
}

/**
 * Supplies a title in brackets, as cataloguers do, for a record without a title proper: the uniform
 * title, a variant title, or the subtitle, which then is no longer the subtitle.
 */
function supplyTitle(statements: Statement[], titles: readonly TitleKey[], problems: MappingProblem[]): void {
  const known =
    titles.find(each => each.kind === 'uniform') ??
    titles.find(each => each.kind === 'variant' || each.kind === 'parallel')
  const place = known === undefined ? statements.findIndex(each => each.key === 'subtitle') : -1
  const subtitle = statements[place]
  const from = known?.from ?? subtitle?.from
  if (from === undefined) {
    problems.push({ kind: 'no_title', message: 'The record has no title proper', from: undefined })
    return
  }
  if (subtitle !== undefined) statements.splice(place, 1)
  statements.unshift({ key: 'title', value: `[${known?.text ?? subtitle?.value}]`, from })
  const where = `${from.tag} $${from.part[0] ?? 'a'}`
  problems.push({ kind: 'supplied_title', message: `The record has no title proper; ${where} was used instead`, from })
}

/** The fields that link a translation to the original, in both dialects. */
const originalTags: ReadonlySet<string> = new Set(['765', '454'])

/**
 * Describes the publication, the expressions and the works of a MARC record. Looks nothing up; the
 * same record gives the same description.
 */
export function describeRecord(record: MarcRecord, asDialect?: Dialect, itemMapping?: ItemMapping): MarcDescription {
  const dialect = asDialect ?? detectDialect(record)
  const reader = createReader(record, dialect)
  const { fields, table, problems } = reader

  const material = findMaterial(record, table, reader.contentTypes(), problems)
  const statements = readMetadata(reader)
  const relations = readRelations(reader, material)
  const languages = codesIn(relations.expression)
  const originals = codesIn(relations.work)
  const articleLanguages = [...new Set([...languages, ...originals, 'eng'])]
  const titles = readTitles(reader, articleLanguages, originals)
  const isTranslation = findTranslation(reader, originals, relations.expression, titles)
  const uniform = findUniform(reader)
  const proper = titles.find(each => each.kind === 'proper')

  // The title of the text; among the titles it is missing if the original has the same one.
  const ofText = statements.manifestation.find(each => each.key === 'title')
  if (ofText === undefined) supplyTitle(statements.manifestation, titles, problems)

  // A work that is not a translation was written in the language of its text.
  if (originals.length === 0 && !isTranslation)
    for (const each of relations.expression) if (each.relation === 'refLanguages') relations.work.push(each)

  // A translation of a serial is a serial of its own, which is related to the original.
  const isOfOther = ({ from }: TitleKey) => material.material === 'serial' && originalTags.has(from.tag)
  const workTitle =
    statedTitle(reader, levelTitles.work) ??
    titles.find(each => ['uniform', 'original', 'original in a note', 'proper'].includes(each.kind) && !isOfOther(each))
  const titleOfText = statedTitle(reader, levelTitles.expression)
  // A title that the record marks as the original takes precedence over the uniform title of a
  // translation.
  const original =
    titles.find(each => each.kind === 'original' || each.kind === 'original in a note') ??
    titles.find(each => isTranslation && each.kind === 'uniform' && !each.isCollective)
  const creators = agentKeys(relations.work)
  const given: WorkDraft = {
    type: `work_${material.content}`,
    evidence: 'whole record',
    metadata: [
      ...(workTitle === undefined ? [] : [{ key: 'title', value: workTitle.text, from: workTitle.from }]),
      ...(original === undefined ? [] : [{ key: 'original_title', value: original.text, from: original.from }]),
      ...statements.work
    ],
    relations: relations.work,
    identifiers: workIdentifiers(reader),
    keys: {
      creators,
      titles,
      originalLanguages: originals.length > 0 ? originals : isTranslation ? [] : languages,
      form: uniform?.form,
      music: uniform?.music
    }
  }
  const expression: ExpressionDraft = {
    type: `expression_${material.content}`,
    work: 0,
    metadata: [
      ...(titleOfText || !ofText ? titleStatement(titleOfText ?? workTitle) : [ofText]),
      ...statements.expression
    ],
    relations: relations.expression,
    identifiers: [],
    keys: {
      languages,
      forms: material.forms,
      contributors: agentKeys(relations.expression),
      isTranslation,
      version: uniform?.version
    }
  }
  const contained = readContained(reader, articleLanguages, given, expression)
  // A publication of several works has its own title.
  const isSplit = splitUniform(given).length > 0
  const work = isSplit ? withoutUniform(given, proper) : given
  const isAggregate = findAggregate(contained, work)
  const subtitle = statements.manifestation.find(each => each.key === 'subtitle')?.value
  const described = { work, expression, subtitle: String(subtitle ?? '') }
  const manifestation: Draft = {
    type: `manifestation_${material.material}`,
    metadata: [
      ...statements.manifestation,
      ...(isAggregate && proper ? [{ key: 'is_omnibus', value: true, from: proper.from }] : [])
    ],
    relations: relations.manifestation,
    identifiers: manifestationIdentifiers(reader)
  }
  return {
    dialect,
    controlNumber: controlNumberOf(record),
    agency: findAgency(fields, dialect),
    changed: findControlValue(record, '005')?.trim(),
    isAggregate,
    isComponent: 'ab'.includes(record.leader[7] ?? ' '),
    manifestation,
    expressions: [expression, ...contained.map(each => each.expression)],
    works: [work, ...contained.map(each => each.work)],
    links: [...readLinks(reader, articleLanguages, () => isOfAdaptedForm(described)), ...readBasis(described)],
    items: dialect === 'marc21' || itemMapping ? readItems(record, itemMapping) : [],
    problems
  }
}

/** The title that one of our own records gives to its work or text, beside the publication's. */
function statedTitle({ fields, dialect }: Reader, words: string) {
  const found = (fields.get('246') ?? []).find(
    ({ field }) => dialect === 'marc21' && isDataField(field) && firstPart(field, 'i') === words
  )
  const text = found && joinTitle(partsOf(found.field, 'abnp').map(each => each.value))
  return found && text ? { text, from: originOf(found, 'abnp') } : undefined
}

function readLinks(reader: Reader, languages: readonly string[], isAdapted: () => boolean): LinkDraft[] {
  const links: LinkDraft[] = []
  for (const row of rowsFor(reader.table.links, reader.fields))
    for (const found of fieldsOf(reader.fields, row, reader.record.leader)) {
      const { field } = found
      if (!isDataField(field)) continue
      if (field.tag.startsWith('7') && field.tag < '740' && namesPart(field)) continue
      const text = joinTitle(partsOf(field, row.from).map(({ value }) => value))
      const author = row.author === undefined ? undefined : readPerson(field, row.author, person.type, reader.style)
      const identifiers = row.numbers === undefined ? [] : soundNumbersOf(field, row.numbers)
      if (text === '' && identifiers.length === 0) continue
      links.push({
        kind: row.link === 'related' && namesBasis(field, isAdapted) ? 'based on' : row.link,
        title: text === '' ? undefined : text,
        titleKey: text === '' ? undefined : titleKey(text, 0, languages),
        author: author && {
          name: author.metadata[0]?.value ?? '',
          key: author.key,
          birthYear: author.birthYear,
          role: 'aut',
          identifiers: author.identifiers
        },
        identifiers,
        numbers: numbersIn(field, reader.dialect),
        ...withPart(
          row.part === undefined
            ? ''
            : partsOf(field, row.part)
                .map(({ value }) => clean(value))
                .join(', ')
        ),
        from: originOf(found, row.from)
      })
    }
  return links
}

/**
 * Tests whether a record was made after a work that it names: it says so, or a film, a play or
 * another adaptation has an added entry for a work of somebody.
 */
function namesBasis(field: DataField, isAdapted: () => boolean): boolean {
  const words = firstPart(field, 'i')
  return words === undefined ? /^7[01]/.test(field.tag) && isAdapted() : introducesBasis.test(words.trim())
}

const withPart = (part: string) => (part === '' ? {} : { part })

const numberCodes = {
  marc21: { control: 'w', issn: 'x', isbn: 'z' },
  unimarc: { control: '0', issn: 'x', isbn: 'y' }
} as const satisfies Record<Dialect, Readonly<Record<keyof RecordNumbers, string>>>

function numbersIn(field: DataField, dialect: Dialect): RecordNumbers {
  const { control, issn, isbn } = numberCodes[dialect]
  return {
    control: soundNumbersOf(field, control),
    issn: soundNumbersOf(field, issn),
    isbn: soundNumbersOf(field, isbn)
  }
}

const workTags = { marc21: [...uniformFields.marc21, '758'], unimarc: uniformFields.unimarc } as const

/** The numbers in some subfields, without placeholders and those that are none of their file. */
function soundNumbersOf(field: DataField, identifiers: string, file?: string): string[] {
  const numbers = identifiersOf(field, { identifiers, file })
  const malformed = malformedAmong(numbers)
  return malformed.length === 0 ? numbers : numbers.filter(each => !malformed.includes(each))
}

function workIdentifiers(reader: Reader): string[] {
  const tags = workTags[reader.dialect]
  const numbers: string[] = []
  for (const tag of tags)
    for (const { field } of reader.fields.get(tag) ?? none)
      if (isDataField(field)) numbers.push(...soundNumbersOf(field, reader.style.identifiers, reader.style.file))
  return numbers.length < 2 ? numbers : [...new Set(numbers)]
}

function manifestationIdentifiers(reader: Reader): string[] {
  const numbers: string[] = []
  for (const { field } of reader.fields.get('035') ?? none)
    if (isDataField(field)) numbers.push(...soundNumbersOf(field, 'a'))
  return numbers.length < 2 ? numbers : [...new Set(numbers)]
}

function findAgency(fields: FieldIndex, dialect: Dialect): string | undefined {
  const found = fields.get(dialect === 'marc21' ? '003' : '801')?.[0]
  if (found === undefined) return undefined
  const value = isDataField(found.field) ? firstPart(found.field, 'b') : found.field.value.trim()
  return value === '' ? undefined : value
}
