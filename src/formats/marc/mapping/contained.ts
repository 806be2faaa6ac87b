import { language, person } from '#domain/record-types/related.ts'
import { type DataField, isDataField } from '../record.ts'
import { readContents, splitTitle } from './contents.ts'
import type {
  AgentKey,
  ExpressionDraft,
  RelationDraft,
  Statement,
  AuthorityDraft,
  TitleKey,
  WorkDraft
} from '../../description/description.ts'
import { isCollectiveTitle, keyOf, titleKey } from '../../description/keys.ts'
import { languageCodeOf } from '../../description/languages.ts'
import { agentKeys, codesIn, languageAuthority } from '../../description/relations.ts'
import type { Reader } from './reader.ts'
import { readAgent } from './relations.ts'
import type { ContainedRow } from './table.ts'
import { fieldsOf, firstPart, type Found, joinTitle, originOf, partsOf, rowsFor, withoutFullStop } from './values.ts'

export interface Contained {
  readonly work: WorkDraft
  readonly expression: ExpressionDraft
}

/**
 * Maximum works within one record, since each is compared with each. No record of a real catalogue
 * has nearly as many.
 */
const maxContained = 300

export function readContained(
  reader: Reader,
  languages: readonly string[],
  main: WorkDraft,
  whole: ExpressionDraft
): Contained[] {
  const contained: Contained[] = []
  const rows = rowsFor(reader.table.contained, reader.fields)
  // The title of the aggregate as a whole is not a work within it.
  const uniform = splitUniform(main)
  const isSplit = uniform.length > 0
  if (rows.length === 0 && !isSplit) return contained
  const ownKeys = new Set(isSplit ? [] : main.keys.titles.filter(each => each.kind === 'uniform').map(each => each.key))
  const isThere = (title: TitleKey, creators: readonly AgentKey[]) =>
    ownKeys.has(title.key) ||
    contained.some(
      ({ work }) => work.keys.titles.some(each => isSameTitle(each, title)) && canShare(work.keys.creators, creators)
    )
  // Two uniform titles belong to two works in it.
  for (const given of uniform) {
    const title: TitleKey = { ...given, kind: 'analytic entry' }
    const authors = main.relations.filter(each => each.relation === 'refAuthors')
    const entry: Entry = { title, authors, creators: agentKeys(authors), ownLanguages: [] }
    contained.push(toContained(entry, contained.length + 1, main, whole))
  }
  for (const row of rows) {
    for (const found of fieldsOf(reader.fields, row, reader.record.leader)) {
      for (const { text, target, ownLanguages } of namedWorks(found, row, reader)) {
        const key = titleKey(text, 0, languages)
        const title: TitleKey = {
          kind: row.evidence,
          text,
          key,
          isCollective: isCollectiveTitle(key),
          from: originOf(found, row.from)
        }
        const role = { code: 'aut', wording: 'author' }
        const own: RelationDraft[] =
          target === undefined ? [] : [{ relation: 'refAuthors', target, role, from: title.from }]
        // A list of titles without names is by the author of the whole; an entry of its own without
        // a name is by an unknown author.
        const isByMain = own.length === 0 && row.evidence !== 'analytic entry'
        const authors = isByMain ? main.relations.filter(each => each.relation === 'refAuthors') : own
        const creators = agentKeys(authors)
        const isApart = row.creator !== undefined && isOtherForm(found, main)
        if (contained.length === maxContained) return contained
        if (key === '' || (isThere(title, creators) && !isApart)) continue
        contained.push(toContained({ title, authors, creators, ownLanguages }, contained.length + 1, main, whole))
      }
    }
  }
  return contained
}

/** The uniform titles of a record that has several, none of which continues another. */
export function splitUniform({ keys: { titles } }: WorkDraft): TitleKey[] {
  const uniform = titles.filter(each => each.kind === 'uniform')
  if (uniform.length < 2 || uniform.some(each => each.isCollective)) return []
  const isPart = (one: TitleKey, other: TitleKey) => one !== other && other.key.startsWith(`${one.key} `)
  return uniform.some(one => uniform.some(other => isPart(one, other))) ? [] : uniform
}

/**
 * Tests for a story in an aggregate that is called after it: the uniform title names the form of
 * the whole ($k Collection), the entry does not.
 */
function isOtherForm({ field }: Found, main: WorkDraft): boolean {
  const form = isDataField(field) ? keyOf(firstPart(field, 'k') ?? '') : ''
  return main.keys.form !== undefined && form !== main.keys.form
}

/**
 * Tests whether two titles are the same, or one continues the other, from different fields: `Moby
 * Dick` and `Moby Dick, or The whale`.
 */
function isSameTitle(one: TitleKey, other: TitleKey): boolean {
  if (one.key === other.key) return true
  return one.kind !== other.kind && (continues(one.key, other.key) || continues(other.key, one.key))
}

const continues = (longer: string, key: string) => longer.startsWith(key) && longer.startsWith(' or ', key.length)

function canShare(creators: readonly AgentKey[], others: readonly AgentKey[]): boolean {
  if (creators.length === 0 || others.length === 0) return true
  return creators.some(each => others.some(other => other.key === each.key))
}

/** A work within another, as an entry of the record names it. */
interface Entry {
  readonly title: TitleKey
  readonly authors: readonly RelationDraft[]
  readonly creators: readonly AgentKey[]
  readonly ownLanguages: readonly RelationDraft[]
}

function toContained(
  { title, authors, creators, ownLanguages }: Entry,
  place: number,
  main: WorkDraft,
  whole: ExpressionDraft
): Contained {
  const evidence = title.kind === 'analytic entry' || title.kind === 'part of the title' ? title.kind : 'contents note'
  const languages =
    ownLanguages.length > 0 ? ownLanguages : whole.relations.filter(each => each.relation === 'refLanguages')
  const statement: Statement = { key: 'title', value: title.text, from: title.from }
  // Translators of the whole translated its contents.
  const translators = whole.relations.filter(each => each.role?.code === 'trl' || each.role?.code === 'nrt')
  return {
    work: {
      type: main.type,
      evidence,
      metadata: [statement],
      relations: authors,
      identifiers: [],
      keys: {
        creators,
        titles: [title],
        originalLanguages: whole.keys.isTranslation ? main.keys.originalLanguages : codesIn(languages),
        form: undefined,
        music: undefined
      }
    },
    expression: {
      type: whole.type,
      work: place,
      metadata: [statement],
      relations: [...languages, ...translators],
      identifiers: [],
      keys: {
        languages: codesIn(languages),
        forms: whole.keys.forms,
        contributors: agentKeys(translators),
        isTranslation: whole.keys.isTranslation,
        version: undefined
      }
    }
  }
}

interface NamedEntry {
  readonly text: string
  readonly target: AuthorityDraft | undefined
  readonly ownLanguages: readonly RelationDraft[]
}

function namedWorks(found: Found, row: ContainedRow, reader: Reader): NamedEntry[] {
  const { field } = found
  if (!isDataField(field)) return []
  if (row.evidence === 'contents note') {
    const codes = reader.dialect === 'marc21' ? { text: 'a', title: 't', name: 'r' } : { text: 'a' }
    return readContents(field, codes).map(({ title, responsibility }) => ({
      text: title,
      target: responsibility === undefined ? undefined : personNamed(responsibility),
      ownLanguages: []
    }))
  }
  if (row.evidence === 'part of the title') {
    const titles =
      reader.dialect === 'marc21'
        ? splitTitle(firstPart(field, 'a') ?? '')
        : furtherTitles(field).map(title => ({ title, responsibility: undefined }))
    return titles.map(({ title }) => ({ text: title, target: undefined, ownLanguages: [] }))
  }
  const text = joinTitle(partsOf(field, row.from).map(({ value }) => value))
  if (text === '') return []
  const target = row.creator === undefined ? undefined : entryAuthor(found, row, reader)
  const language = reader.dialect === 'marc21' ? languageNamed(firstPart(field, 'l'), found) : []
  return [{ text, target, ownLanguages: language }]
}

function entryAuthor(found: Found, row: ContainedRow, reader: Reader): AuthorityDraft | undefined {
  const names = reader.table.relations.find(each => each.as === row.creator && each.relation === 'refAuthors')
  return names === undefined ? undefined : readAgent(found, names, reader)
}

/** Titles after the first in UNIMARC 200: a title proper with several $a names several works. */
function furtherTitles(field: DataField): string[] {
  const titles = partsOf(field, 'ac').map(({ value }) => withoutFullStop(value))
  return titles.length < 2 ? [] : titles
}

/** Reads a name in a note, forenames first. Text that does not look like a name is left out. */
function personNamed(text: string): AuthorityDraft | undefined {
  const bare = text.replace(/^(?:by|door|par|von|de)\s+/i, '').replace(/,? (?:Jr|Sr)\.?$/, '')
  // Some notes have the surname first already.
  if (/^\p{Lu}[\p{L}'’-]+, [\p{L}. -]+$/u.test(bare))
    return { type: person.type, metadata: [{ key: 'name', value: bare }], identifiers: [], key: keyOf(bare) }
  const words = bare.split(' ')
  if (words.length < 2 || words.length > 4 || /[;,:\d[\]]/.test(bare)) return undefined
  const surname = words.at(-1) ?? ''
  const name = `${surname}, ${words.slice(0, -1).join(' ')}`
  return { type: person.type, metadata: [{ key: 'name', value: name }], identifiers: [], key: keyOf(name) }
}

/** The language at the end of a uniform title, in words ($l English). */
function languageNamed(text: string | undefined, found: Found): RelationDraft[] {
  const code = languageCodeOf(withoutFullStop(text ?? ''))
  const target = code === undefined ? undefined : languageAuthority(code, language.type)
  return target === undefined ? [] : [{ relation: 'refLanguages', target, from: originOf(found, 'l') }]
}

/**
 * Tests whether a record contains several works: it has entries for them, or its title is that of
 * an aggregate and it lists them.
 */
export function findAggregate(contained: readonly Contained[], work: WorkDraft): boolean {
  const sure = contained.filter(({ work: each }) => each.evidence !== 'contents note')
  if (sure.length >= 2) return true
  const isAggregate =
    work.keys.titles.some(each => each.kind === 'uniform' && each.isCollective) ||
    (work.keys.form !== undefined && isCollectiveTitle(work.keys.form))
  return isAggregate && contained.length >= 2
}
