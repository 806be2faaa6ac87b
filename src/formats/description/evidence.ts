import { table } from '#domain/table.ts'
import {
  evidenceVersion,
  type ExpressionEvidence,
  isPrincipal,
  isQualified,
  musicKind,
  type Literature,
  type NameKind,
  type PersonEvidence,
  type RecordEvidence,
  type WorkName
} from '#domain/clustering/evidence.ts'
import { isCollective } from '#domain/clustering/collective-titles.ts'
import { formInWords, newerTitle, unwrapTitle } from '#domain/clustering/title-forms.ts'
import {
  alternativesIn,
  isMatter,
  isNearly,
  parallelsIn,
  sidesOfColon,
  textKey,
  titleKey,
  withoutDescription
} from '#domain/clustering/title-key.ts'
import { authorityNumber } from '#domain/clustering/authority-numbers.ts'
import { isRomanised, soundOf } from '#domain/clustering/romanisation.ts'
import { workNumbersIn } from '#domain/clustering/work-numbers.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import type { ExpressionDraft, RecordDescription, RelationDraft, TitleKey, WorkDraft } from './description.ts'
import { expressionOf, formsOf, type RecordTexts, textsOf } from './expression-evidence.ts'
import { withoutLanguage } from './languages.ts'
import { createListTest } from './list-keys.ts'
import { creatorsOf, fullestName, isAuthor, personsIn } from './persons.ts'

/** Facts that only some formats record. `noFacts` serves the others. */
export interface RecordFacts {
  /** The title proper without the numbers of volumes. */
  titleWithoutVolumes(title: TitleKey): string
  /** Whether a uniform title names a selection from the work (`Title. Selections`). */
  isSelection(title: TitleKey): boolean
  /** The name of the part that a title ends with. */
  partOf(title: TitleKey): string | undefined
  /** The origin of a title, if its field tells more than its kind. */
  originOf(title: TitleKey, titles: readonly TitleKey[]): NameKind | undefined
  /** Other titles that are linked to the title of an analytic entry. */
  linkedTo(title: TitleKey): readonly string[]
  /** Whether a uniform title names the language of a version. */
  namesVersion(title: TitleKey): boolean
  /** The form that an entry names beside its title. */
  formOf(title: TitleKey): string
  /** The titles in notes of contents. */
  contents(): readonly string[]
  /** The form of literature that the record is coded as. */
  literature(): Literature | undefined
  /** Whether a number in a series is that of a reproduction: a series of copies numbers each. */
  isOfReproduction(number: string): boolean
  /** Whether a relation is the main entry. */
  isMainEntry(relation: RelationDraft): boolean
}

const noFacts: RecordFacts = {
  titleWithoutVolumes: title => title.text,
  isSelection: () => false,
  partOf: () => undefined,
  originOf: () => undefined,
  linkedTo: () => [],
  namesVersion: () => false,
  formOf: () => '',
  contents: () => [],
  literature: () => undefined,
  isOfReproduction: () => false,
  isMainEntry: () => false
}

/**
 * The evidence that clustering needs about a record. `name` identifies the record for good: its
 * agency and control number, or the name that the importer gave it.
 */
export function readEvidence(
  description: RecordDescription,
  name: string,
  facts: RecordFacts = noFacts
): RecordEvidence {
  const { works, expressions, isAggregate } = description
  const [whole] = works
  const [version] = expressions
  if (whole === undefined || version === undefined) return { version: evidenceVersion, record: name, works: [] }
  const texts = textsOf(description)
  const contained = containedWorks(works.slice(1), isAggregate, texts, facts)
  const containedKeys = new Set(contained.flatMap(each => each.names.map(({ key }) => key)))
  const kind = kindOf(whole, texts)
  const expression = expressionOf(version, whole, texts)
  const genre = genreOf(whole.keys.form) ?? (contained.length > 0 ? undefined : formInWords(texts.subtitle))
  const creators = creatorsOf(whole.relations, version.relations, texts.responsibility)
  return {
    version: evidenceVersion,
    record: name,
    works: [
      {
        described: 0,
        kind,
        ...withGenre(genre === kindsOfForm[kind] ? undefined : genre),
        contents: comparableContents(contained, expression),
        creators: hasOwnCreators(whole, contained, facts) ? creators : [],
        others: othersOf(whole.relations, version.relations),
        names: wholeNames(whole, kind, contained.length > 0 ? containedKeys : undefined, texts, facts),
        identifiers: identifiersOf(whole),
        ...(whole.keys.titles.some(each => facts.namesVersion(each)) ? { isNumberedByVersion: true } : {}),
        ...withSound(creators, expression),
        numbers: numbersOf(description),
        ...publicationOf(description, texts, facts),
        ...(isVolumeOf(whole, facts) ? { isVolume: true } : {}),
        ...withLiterature(literatureOf[genre ?? ''] ?? facts.literature()),
        expression
      },
      ...contained.map(({ draft, names, genre }) => ({
        described: works.indexOf(draft),
        kind,
        ...withGenre(genre),
        contents: [],
        creators: personsIn(draft.relations, isAuthor).map(each => fullestName(each, creators)),
        others: [],
        names,
        identifiers: identifiersOf(draft),
        numbers: [],
        expression: { ...expression, languages: languagesOf(draft, expressions, expression) }
      }))
    ]
  }
}

/**
 * Identifiers of the work that name their authority file. Those of a title that any number of works
 * have (“Sonatas”) identify no single work.
 */
function identifiersOf({ identifiers, keys }: WorkDraft): string[] {
  const isOfForm = keys.titles.some(each => nameKinds[each.kind] === 'uniform' && isForm(each))
  return isOfForm || identifiers.length === 0
    ? []
    : [...new Set(identifiers.filter(isQualified).map(authorityNumber))].sort()
}

const isForm = (title: TitleKey) => title.isCollective || isCollective(titleKey(title.text))

function numbersOf({ manifestation }: RecordDescription): string[] {
  const numbers = manifestation.metadata.flatMap(({ key, value }) =>
    key === 'isbn'
      ? (readIsbn(String(value))?.comparable ?? [])
      : key === 'issn'
        ? String(value)
            .replaceAll(/[^\dXx]/g, '')
            .toUpperCase()
        : []
  )
  return [...new Set(numbers)].sort()
}

/**
 * Year, numbers in series and edition: they tell apart publications whose titles are common to any
 * number of them.
 */
function publicationOf(
  { manifestation: { metadata } }: RecordDescription,
  { edition, subtitle }: RecordTexts,
  facts: RecordFacts
) {
  const subtitleKey = textKey(subtitle)
  // A year in the fixed field alone may have any meaning.
  const year = metadata.find(each => each.key === 'year_of_publication' && each.from.tag !== '008')?.value
  const series = metadata.flatMap(({ key, value }) => {
    if (key !== 'series_statement') return []
    if (!/\d\.?$/.test(String(value))) return []
    const [before = '', number = ''] = String(value).split(/(?<![\s;,:.])[\s;,:.]+(\d+)\.?$/)
    const name = textKey(before.replace(/(?<![\s;,:.])[\s;,:.]+(?:no|nr|n|vol|v|deel|dl|bd|band|heft|tome|t)\.?$/i, ''))
    return number !== '' && !facts.isOfReproduction(number) && /\p{L}/u.test(before) && name !== ''
      ? [`${name} / ${number}`]
      : []
  })
  return {
    ...(typeof year === 'string' ? { year } : {}),
    ...(subtitleKey === '' ? {} : { subtitle: subtitleKey }),
    ...(series.length === 0 ? {} : { series }),
    ...(edition === '' ? {} : { isEdition: true })
  }
}

const literatureOf: Readonly<Record<string, Literature | undefined>> = table({
  novel: 'fiction',
  'short story': 'fiction',
  'graphic novel': 'fiction',
  drama: 'drama',
  'radio play': 'drama',
  poem: 'poetry'
})

const withLiterature = (literature: Literature | undefined) => (literature === undefined ? {} : { literature })

/** Forms that the kind of material says already. */
const kindsOfForm: Readonly<Record<string, string | undefined>> = table({ footage: 'film' })

/** The sound of the author's name in records of languages that are romanised. */
function withSound([author]: readonly PersonEvidence[], { languages, originals }: ExpressionEvidence) {
  if (author === undefined || author.isBody === true) return {}
  const own = [...languages, ...originals]
  if (!own.some(isRomanised)) return {}
  const [surname, forenames] = [soundOf(author.surname, own), soundOf(author.forenames, own)]
  return surname === '' ? {} : { sound: `${surname}, ${forenames}` }
}

const withGenre = (genre: string | undefined) => (genre === undefined ? {} : { genre })

function kindOf(whole: WorkDraft, texts: RecordTexts): string {
  const kind = whole.type.replace(/^work_/, '')
  const isFilm = formsOf(['text'], texts)[0] === 'moving image'
  if (kind === 'word' && isFilm) return 'footage'
  const genre = genreOf(whole.keys.form)
  return kind === 'word' && genre === 'film' ? 'footage' : kind
}

/**
 * In a publication of works by several people, an agent without the main entry compiled the
 * aggregate or wrote one of the works, and did not create the whole.
 */
function hasOwnCreators(whole: WorkDraft, contained: readonly ContainedWork[], facts: RecordFacts): boolean {
  const authors = new Set(
    contained.flatMap(({ draft }) => personsIn(draft.relations, isAuthor).map(each => each.surname))
  )
  return authors.size <= 1 || whole.relations.some(each => isAuthor(each) && facts.isMainEntry(each))
}

function othersOf(work: readonly RelationDraft[], expression: readonly RelationDraft[]): string[] {
  const persons: PersonEvidence[] = personsIn(
    [...work, ...expression],
    each => isAuthor(each) && each.role?.code !== 'ant' && each.role?.code !== 'ill'
  )
  return persons.map(each => `${each.surname}, ${each.forenames}`)
}

function languagesOf(
  draft: WorkDraft,
  expressions: readonly ExpressionDraft[],
  whole: ExpressionEvidence
): readonly string[] {
  const own = expressions.find(each => each.work > 0 && each.metadata[0]?.from === draft.metadata[0]?.from)
  return own === undefined || own.keys.languages.length === 0 ? whole.languages : own.keys.languages
}

// Names

const nameKinds: Readonly<Record<TitleKey['kind'], NameKind>> = {
  uniform: 'uniform',
  original: 'original',
  'original in a note': 'original',
  proper: 'proper',
  'analytic entry': 'entry',
  'part of the title': 'listed',
  'contents note': 'listed',
  parallel: 'parallel',
  variant: 'variant'
}

/** `containedKeys`: the keys of the works in an aggregate. */
function wholeNames(
  whole: WorkDraft,
  material: string,
  containedKeys: ReadonlySet<string> | undefined,
  texts: RecordTexts,
  facts: RecordFacts
): WorkName[] {
  const names: WorkName[] = []
  const { titles } = whole.keys
  const isAggregate = containedKeys !== undefined
  const isMusic = material === musicKind
  const proper = titles.find(each => each.kind === 'proper')
  const uniform = titles.filter(each => nameKinds[each.kind] === 'uniform').map(each => titleKey(each.text))
  const subtitleKey = uniform.length === 0 ? '' : textKey(texts.subtitle)
  const [surname] = personsIn(whole.relations.filter(isAuthor).slice(0, 1), isAuthor).map(each => each.surname)
  for (const title of titles) {
    const kind = facts.originOf(title, titles) ?? nameKinds[title.kind]
    const key = titleKey(title.text)
    // The title of the whole set is not a name of the part that the record describes.
    if (title.kind === 'variant' && title.from.tag === proper?.from.tag && key !== '') continue
    if (isAggregate && kind === 'related') continue
    if (kind === 'proper' && uniform.some(each => each.split(' ').length > 1 && subtitleKey.includes(each))) continue
    if (containedKeys?.has(key)) continue
    if (kind === 'uniform' && isCollective(key)) continue
    const named = withoutDescription(title.text)
    const text = kind === 'proper' ? unwrapTitle(withoutDescription(facts.titleWithoutVolumes(title)), surname) : named
    addName(names, kind, facts.isSelection(title) ? `${text} (selections)` : text)
    if (isMusic && !isAggregate && isPrincipal({ kind })) addWorkNumbers(names, kind, title, facts)
    if (kind === 'variant' || kind === 'parallel' || kind === 'related') continue
    if (kind !== 'original') addPart(names, title, uniform.length === 0, facts)
    for (const each of alternativesIn(named)) addName(names, 'alternative', each)
    for (const each of parallelsIn(named)) addName(names, 'parallel', each)
    if (kind !== 'proper') addSides(names, named)
  }
  if (texts.title !== '' && texts.subtitle !== '') {
    addName(names, 'whole', `${texts.title} : ${texts.subtitle}`)
    for (const each of texts.subtitle.split(/(?<!\s)\s+[;:=]\s+/)) addLongName(names, 'subtitle', each)
  }
  // An aggregate that is called after one of its works is not that work.
  const own = isAggregate ? names.filter(each => !containedKeys.has(each.key)) : names
  const text = texts.title || (titles[0]?.text ?? '')
  return own.some(isPrincipal) || text === ''
    ? own
    : [...own, { kind: 'proper', key: `${titleKey(text)} (and other works)`, text }]
}

/** The numbers of a musical work are names of it, unless the title names a part or a selection. */
function addWorkNumbers(names: WorkName[], kind: NameKind, title: TitleKey, facts: RecordFacts): void {
  if (facts.partOf(title) !== undefined || facts.isSelection(title) || / (?:;|&|and|und|et|en) /.test(title.text))
    return
  for (const key of workNumbersIn(title.text)) names.push({ kind, key, text: title.text })
}

/** The name of a part is a name of its own, unless the uniform title is that of the whole. */
function addPart(names: WorkName[], title: TitleKey, isAlone: boolean, facts: RecordFacts): void {
  const part = facts.partOf(title)
  if (part === undefined || (title.kind !== 'uniform' && !isAlone)) return
  const key = titleKey(part)
  if (key.includes(' ') && !isCollective(key)) addName(names, 'alternative', part)
}

function addName(names: WorkName[], kind: NameKind, text: string): void {
  const isHeading = kind === 'uniform' || kind === 'entry'
  const key = titleKey(isHeading ? newerTitle(withoutLanguage(text)) : text)
  if (key === '') return
  const name = { kind, key, text }
  if (!hasName(names, name)) names.push(name)
  // A title that is also a part of another one counts as the former.
  else if (isPrincipal(name)) {
    const place = names.findIndex(each => each.key === key)
    const known = names[place]
    if (known !== undefined && !isPrincipal(known)) names[place] = name
  }
}

const hasName = createListTest<WorkName>(
  (one, other) => one.key === other.key,
  ({ key }) => key
)

function addSides(names: WorkName[], text: string): void {
  const [before = '', after = ''] = sidesOfColon(text)
  if (titleKey(before).includes(' ')) addName(names, 'alternative', before)
  addLongName(names, 'alternative', after)
}

function addLongName(names: WorkName[], kind: NameKind, text: string): void {
  if (titleKey(text).split(' ').length >= 3) addName(names, kind, text)
}

// Works in an aggregate

interface ContainedWork {
  readonly draft: WorkDraft
  readonly names: readonly WorkName[]
  readonly genre: string | undefined
}

/**
 * The works of an aggregate. Analytic entries count first. Added titles and notes of contents
 * repeat them, often with the titles of the translation: such titles are no works of their own, and
 * become names of entries only where the lists leave no choice.
 */
function containedWorks(
  drafts: readonly WorkDraft[],
  isAggregate: boolean,
  texts: RecordTexts,
  facts: RecordFacts
): readonly ContainedWork[] {
  const textOf = (draft: WorkDraft) => draft.keys.titles[0]?.text ?? ''
  const toWork = (draft: WorkDraft) => ({ draft, names: entryNames(draft, facts), genre: genreOfEntry(draft, facts) })
  const wholeKey = titleKey(texts.title)
  const works = drafts
    .filter(each => each.evidence === 'analytic entry')
    // An entry for the title alone may be for the title of the whole.
    .filter(each => each.relations.length > 0 || titleKey(textOf(each)) !== wholeKey)
    .map(toWork)
  const listed = drafts.filter(each => each.evidence !== 'analytic entry' && !isMatter(titleKey(textOf(each))))
  if (works.length === 0) return isAggregate ? listed.map(toWork) : []

  const entries = withoutDoubles(works)
  const contents = facts.contents().filter(each => !isMatter(titleKey(each)))
  const isNoted = (work: ContainedWork) => contents.some(text => isNamed(work, text))
  const [place, ...more] = entries.flatMap((work, place) => (isNoted(work) ? [] : [place]))
  // One is left in lists of the same length, at the same place: the title must be that of the work.
  if (place === undefined || more.length > 0 || contents.length !== entries.length || entries.length < 2) return entries
  const text = contents[place] ?? ''
  if (entries.some(work => isNamed(work, text))) return entries
  const name: WorkName = { kind: 'listed', key: titleKey(text), text }
  return entries.map((each, at) => (at === place ? { ...each, names: [...each.names, name] } : each))
}

/**
 * Leaves out titles without an author where as many entries with an author have no such title:
 * they repeat these entries, in the language of the publication.
 */
function withoutDoubles(works: readonly ContainedWork[]): readonly ContainedWork[] {
  const authored = works.filter(({ draft }) => draft.relations.length > 0)
  const bare = works.filter(({ draft }) => draft.relations.length === 0)
  const repeats = (work: ContainedWork) => authored.some(each => work.names.some(({ text }) => isNamed(each, text)))
  const own = bare.filter(work => !repeats(work))
  const left = authored.length - (bare.length - own.length)
  return works.filter(work => work.draft.relations.length > 0 || (own.length > left && own.includes(work)))
}

const isNamed = (work: ContainedWork, text: string) => work.names.some(name => isOneTitle(name.key, titleKey(text)))

/**
 * Keys of the contents that identify an aggregate: entries name works by their own titles; a note
 * of contents does so unless the publication is a translation.
 */
function comparableContents(contained: readonly ContainedWork[], { isTranslation }: ExpressionEvidence): string[] {
  return contained
    .filter(each => !isTranslation || each.draft.evidence === 'analytic entry')
    .flatMap(each => each.names[0]?.key ?? [])
    .sort()
}

const isOneTitle = (one: string, other: string) =>
  isNearly(one, other) ||
  one.replaceAll(' ', '') === other.replaceAll(' ', '') ||
  one.startsWith(`${other} or `) ||
  other.startsWith(`${one} or `)

function entryNames(draft: WorkDraft, facts: RecordFacts): WorkName[] {
  const names: WorkName[] = []
  const [title] = draft.keys.titles
  if (title === undefined) return names
  addName(names, nameKinds[title.kind], title.text)
  for (const each of alternativesIn(title.text)) addName(names, 'alternative', each)
  addSides(names, title.text)
  if (title.kind !== 'analytic entry') return names
  for (const each of facts.linkedTo(title)) addName(names, 'proper', each)
  return names
}

function genreOfEntry({ keys }: WorkDraft, facts: RecordFacts): string | undefined {
  const [title] = keys.titles
  return title === undefined ? undefined : genreOf(textKey(facts.formOf(title)))
}

/**
 * Genres that tell two works with one title apart. Words that do not (Collection, Non-fiction) are
 * left out.
 */
const genres: readonly (readonly [genre: string, words: RegExp])[] = [
  ['screenplay', /\bscreenplay|\bscenario|\bfilm ?script/],
  ['film', /\bmovie|\bfilm|\bmotion picture|\btelevision|\btv\b/],
  ['radio play', /\bradio/],
  ['graphic novel', /\bgraphic|\bcomic|\bstripverhaal|\bbande dessinee|\btegneserie|\bmanga/],
  ['short story', /\bshort stor|\bnovelle|\bkort ?verhaal|\bnouvelle/],
  ['novel', /\bnovel|\broman/],
  ['drama', /\bplay|\bdrama|\btheat|\btoneel/],
  ['poem', /\bpoem|\bgedicht|\bdikt|\bpoeme/],
  ['music', /\bmusic|\bopera|\bsong|\bballet/],
  ['essay', /\bessay/]
]

/** Tests whether the title proper counts physical volumes. */
const isVolumeOf = ({ keys }: WorkDraft, facts: RecordFacts) =>
  keys.titles.some(each => each.kind === 'proper' && facts.titleWithoutVolumes(each) !== each.text)

/** The genre that a text names, if it is one that tells works apart. */
function genreOf(form: string | undefined): string | undefined {
  return form === undefined ? undefined : genres.find(([, words]) => words.test(form))?.[0]
}
