import type { Level } from '#domain/entity/publication.ts'
import { language, person } from '#domain/record-types/related.ts'
import type {
  ContentForm,
  ExpressionDraft,
  MappingProblem,
  Origin,
  RecordDescription,
  RelationDraft,
  Role,
  Statement,
  AuthorityDraft,
  TitleKey,
  TitleKind,
  WorkDraft
} from './description.ts'
import { titleKinds } from './description.ts'
import { birthYearOf, isCollectiveTitle, keyOf, titleKey } from './keys.ts'
import { marcLanguage, shortLanguageCodes } from './languages.ts'
import { agentKeys, codesIn, languageAuthority, wordingsOf } from './relations.ts'
import { findRole } from './roles.ts'
import { seriesOfStatements } from './series.ts'

/*
 * Makes a description from drafts of the three levels, for formats that describe level by level.
 * MARC has rules of its own for this.
 */

/** The draft of one level. */
export interface LevelDraft {
  readonly metadata: readonly Statement[]
  readonly relations: readonly RelationDraft[]
  readonly identifiers: readonly string[]
}

/** A title of the work, beside that of the publication. */
export interface NamedTitle {
  readonly kind: TitleKind
  readonly text: string
  readonly from: Origin
}

export interface RecordDrafts {
  readonly controlNumber: string | undefined
  readonly agency: string | undefined
  /** The kind of material of the publication, and of its contents. */
  readonly material: string
  readonly content: string
  readonly forms: readonly ContentForm[]
  readonly levels: Readonly<Record<Level, LevelDraft>>
  readonly titles: readonly NamedTitle[]
  readonly problems: readonly MappingProblem[]
}

export function describeDrafts(drafts: RecordDrafts): RecordDescription {
  const { levels, material, content } = drafts
  const { manifestation, expression, work } = levels
  const [proper] = manifestation.metadata.filter(each => each.key === 'title')
  const spoken = codesIn(expression.relations)
  const originals = codesIn(work.relations)
  const titles = titleKeys(drafts, proper, [...new Set([...spoken, ...originals, 'eng'])])
  const original = titles.find(each => each.kind === 'original')
  const isTranslation =
    originals.some(each => !spoken.includes(each)) ||
    original !== undefined ||
    expression.relations.some(each => each.role?.code === 'trl')
  // A work that is not a translation was written in the language of its text.
  const isOfText = originals.length === 0 && !isTranslation
  const ofText = isOfText ? expression.relations.filter(each => each.relation === 'refLanguages') : []
  const workRelations = [...work.relations, ...ofText]
  const named = (own: readonly Statement[], title: { text: string; from: Origin } | undefined): Statement[] =>
    own.some(each => each.key === 'title') || title === undefined
      ? [...own]
      : [{ key: 'title', value: title.text, from: title.from }, ...own]
  const publicationTitle = proper && { text: String(proper.value), from: proper.from }
  const workDraft: WorkDraft = {
    type: `work_${content}`,
    evidence: 'whole record',
    metadata: [
      ...named(work.metadata, titles[0] ?? publicationTitle),
      ...(original === undefined || work.metadata.some(each => each.key === 'original_title')
        ? []
        : [{ key: 'original_title', value: original.text, from: original.from }])
    ],
    relations: [...workRelations, ...wordingsOf(workRelations)],
    identifiers: work.identifiers,
    keys: {
      creators: agentKeys(work.relations),
      titles,
      originalLanguages: originals.length > 0 ? originals : isTranslation ? [] : spoken,
      form: undefined,
      music: undefined
    }
  }
  const expressionDraft: ExpressionDraft = {
    type: `expression_${content}`,
    work: 0,
    metadata: named(expression.metadata, publicationTitle),
    relations: [...expression.relations, ...wordingsOf(expression.relations)],
    identifiers: expression.identifiers,
    keys: {
      languages: spoken,
      forms: drafts.forms,
      contributors: agentKeys(expression.relations),
      isTranslation,
      version: undefined
    }
  }
  const none: MappingProblem[] =
    proper === undefined ? [{ kind: 'no_title', message: 'The record has no title', from: undefined }] : []
  return {
    controlNumber: drafts.controlNumber,
    agency: drafts.agency,
    changed: undefined,
    isAggregate: false,
    manifestation: {
      type: `manifestation_${material}`,
      metadata: manifestation.metadata,
      relations: [
        ...manifestation.relations,
        ...seriesOfStatements(manifestation.metadata, manifestation.relations),
        ...wordingsOf(manifestation.relations)
      ],
      identifiers: manifestation.identifiers
    },
    expressions: [expressionDraft],
    works: [workDraft],
    links: [],
    problems: [...drafts.problems, ...none]
  }
}

/**
 * The titles, the most certain first: the title of the work if the source has one, else that of the
 * publication.
 */
function titleKeys(
  { titles, levels }: RecordDrafts,
  proper: Statement | undefined,
  languages: readonly string[]
): TitleKey[] {
  const own = levels.work.metadata.find(each => each.key === 'title')
  const all: NamedTitle[] = [
    ...(own === undefined ? [] : [{ kind: 'uniform' as const, text: String(own.value), from: own.from }]),
    ...titles,
    ...(proper === undefined ? [] : [{ kind: 'proper' as const, text: String(proper.value), from: proper.from }])
  ]
  const keys: TitleKey[] = []
  const ordered = all.toSorted((one, other) => titleKinds.indexOf(one.kind) - titleKinds.indexOf(other.kind))
  for (const { kind, text, from } of ordered) {
    const key = titleKey(text, 0, kind === 'original' ? undefined : languages)
    if (key === '' || keys.some(each => each.key === key)) continue
    keys.push({ kind, text, key, isCollective: isCollectiveTitle(key), from })
  }
  return keys
}

// Authorities

/** An authority with a name: a publisher, a subject, a place. */
export const namedAuthority = (type: string, name: string, identifiers: readonly string[] = []): AuthorityDraft => ({
  type,
  metadata: [{ key: 'name', value: name }],
  identifiers,
  key: keyOf(name)
})

/** An authority with a code: a class. */
export const codedAuthority = (type: string, code: string): AuthorityDraft => ({
  type,
  metadata: [{ key: 'code', value: code }],
  identifiers: [],
  key: keyOf(code)
})

export function personAuthority(name: string, lifeDates?: string, identifiers: readonly string[] = []): AuthorityDraft {
  const birthYear = birthYearOf(lifeDates)
  return {
    type: person.type,
    metadata: [{ key: 'name', value: name }, ...(lifeDates ? [{ key: 'life_dates', value: lifeDates }] : [])],
    identifiers,
    key: keyOf(name),
    ...(birthYear === undefined ? {} : { birthYear })
  }
}

/**
 * Puts the surname first; a name with a comma has it so already, and a name of many words stays
 * unchanged.
 */
export function invertName(name: string): string {
  const words = name.split(/\s+/)
  if (name.includes(',') || words.length < 2 || words.length > 5 || /[;:\d()[\]]/.test(name)) return name
  return `${words.at(-1)}, ${words.slice(0, -1).join(' ')}`
}

/** A language by its code, or by its name in English or in its own language. */
export function readLanguage(text: string): AuthorityDraft | undefined {
  return languageAuthority(text, language.type) ?? languageAuthority(codeByName(text) ?? '', language.type)
}

/** The MARC code of a language, from a code, a tag such as `nl-BE`, or a name. */
export function languageCodeIn(text: string): string | undefined {
  const code = readLanguage(text.replace(/^([A-Za-z]{2,3})[-_].*$/, '$1'))?.key
  return code === undefined ? undefined : marcLanguage(code)
}

const tongues = ['en', 'nl', 'fr', 'de'] as const
let names: Map<string, string> | undefined

/** Codes of languages by their names in four languages, for tables made by people. */
function codeByName(text: string): string | undefined {
  if (names === undefined) {
    names = new Map()
    for (const tongue of tongues) {
      const inTongue = new Intl.DisplayNames(tongue, { type: 'language', fallback: 'none' })
      for (const short of shortLanguageCodes) {
        const name = inTongue.of(short)
        if (name !== undefined) names.set(keyOf(name), short)
      }
    }
  }
  return names.get(keyOf(text))
}

/** A role by its code or its word; without one, the usual role of the level. */
export function roleFor(text: string | undefined, usual: string): Role & { readonly level: Level } {
  const found = findRole(text ?? usual) ?? findRole(usual)
  if (found === undefined) throw new Error(`Unknown role "${usual}"`)
  return { code: found.code, wording: found.wording, level: found.level }
}

export const badIsbn = (value: unknown): MappingProblem => ({
  kind: 'bad_isbn',
  message: `"${value}" is not a valid ISBN`,
  from: undefined
})
