import {
  evidenceVersion,
  isPrincipal,
  isQualified,
  type ExpressionEvidence,
  type NameKind,
  type PersonEvidence,
  type RecordEvidence,
  type WorkName
} from '#domain/clustering/evidence.ts'
import { personNamed } from '#domain/clustering/persons.ts'
import {
  alternativesIn,
  isCollective,
  isMatter,
  isNearly,
  parallelsIn,
  sidesOfColon,
  textKey,
  titleKey
} from '#domain/clustering/title-key.ts'
import { formInWords, isVolume, unwrapTitle } from '#domain/clustering/title-forms.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { isDataField, type MarcRecord } from '../record.ts'
import { readContents } from './contents.ts'
import type {
  ExpressionDraft,
  Origin,
  RecordDescription,
  RelationDraft,
  Target,
  TitleKey,
  WorkDraft
} from '../../description/description.ts'
import { firstPart, joinTitle, partsOf } from './values.ts'

/**
 * What clustering needs to know of a record. `name` is what the record goes by for good: its agency
 * and control number, or what the importer has.
 */
export function readEvidence(record: MarcRecord, description: RecordDescription, name: string): RecordEvidence {
  const { works, expressions, isAggregate } = description
  const [whole] = works
  const [version] = expressions
  if (whole === undefined || version === undefined) return { version: evidenceVersion, record: name, works: [] }
  const source: Source = { record, description, links: linksOf(record), ...textsOf(description) }
  const contained = containedWorks(works.slice(1), isAggregate, source)
  const containedKeys = new Set(contained.flatMap(each => each.names.map(({ key }) => key)))
  const kind = kindOf(whole, source)
  const expression = expressionOf(version, source)
  return {
    version: evidenceVersion,
    record: name,
    works: [
      {
        described: 0,
        kind,
        ...withGenre(genreOf(whole.keys.form) ?? (contained.length > 0 ? undefined : formInWords(source.subtitle))),
        contents: comparableContents(contained, expression),
        creators: wholeCreators(whole, contained, source),
        others: othersOf(whole.relations, version.relations),
        names: wholeNames(whole, contained.length > 0, containedKeys, source),
        identifiers: identifiersOf(whole),
        numbers: numbersOf(description),
        ...publicationOf(description, source),
        expression
      },
      ...contained.map(({ draft, names, genre }) => ({
        described: works.indexOf(draft),
        kind,
        ...withGenre(genre),
        contents: [],
        creators: personsIn(draft.relations, isAuthor),
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
 * Identifiers of the work that say whose they are. Those of a title that any number of works have
 * (“Sonatas”) are of no one work.
 */
function identifiersOf({ identifiers, keys }: WorkDraft): string[] {
  const isOfForm = keys.titles.some(each => kinds[each.kind] === 'uniform' && isForm(each))
  return isOfForm ? [] : identifiers.filter(isQualified)
}

const isForm = ({ text, isCollective: isSaid }: TitleKey) => isSaid || isCollective(titleKey(text))

interface Source {
  readonly record: MarcRecord
  readonly description: RecordDescription
  /**
   * Fields that belong together by $8, by their place: numbers without the sequence behind a full
   * stop.
   */
  readonly links: ReadonlyMap<number, readonly string[]>
  readonly title: string
  readonly subtitle: string
  readonly edition: string
  readonly responsibility: string
  readonly material: string
}

function textsOf({ manifestation }: RecordDescription) {
  const text = (key: string) =>
    manifestation.metadata
      .filter(each => each.key === key)
      .map(each => String(each.value))
      .join(' ; ')
  return {
    title: text('title'),
    subtitle: text('subtitle'),
    edition: text('edition'),
    responsibility: text('responsibility'),
    material: text('material_type')
  }
}

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
 * Year, numbers in series and edition: they tell apart what titles that any number of publications
 * have do not.
 */
function publicationOf({ manifestation: { metadata } }: RecordDescription, { edition, subtitle }: Source) {
  // A year in the fixed field alone may be of anything.
  const year = metadata.find(each => each.key === 'year_of_publication' && each.from.tag !== '008')?.value
  const series = metadata.flatMap(({ key, value }) => {
    const [, before = '', number = ''] = /^(.*\p{L}.*?)[\s;,:.]+(\d+)\.?$/su.exec(String(value)) ?? []
    const name = textKey(before.replace(/[\s;,:.]+(?:no|nr|n|vol|v|deel|dl|bd|band|heft|tome|t)\.?$/i, ''))
    return key === 'series_statement' && number !== '' && name !== '' ? [`${name} / ${number}`] : []
  })
  return {
    ...(typeof year === 'string' ? { year } : {}),
    ...(textKey(subtitle) === '' ? {} : { subtitle: textKey(subtitle) }),
    ...(series.length === 0 ? {} : { series }),
    ...(edition === '' ? {} : { isEdition: true })
  }
}

function linksOf({ fields }: MarcRecord): Map<number, string[]> {
  const links = new Map<number, string[]>()
  for (const [index, field] of fields.entries()) {
    if (!isDataField(field) || !field.subfields.some(each => each.code === '8')) continue
    const own = partsOf(field, '8').map(({ value }) => value.replace(/[.\\/].*$/, ''))
    if (own.length > 0) links.set(index, own)
  }
  return links
}

const areLinked = (one: Origin, other: Origin, { links }: Source) =>
  links.get(one.index)?.some(each => links.get(other.index)?.includes(each)) ?? false

// Names

const kinds: Readonly<Record<TitleKey['kind'], NameKind>> = {
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

function wholeNames(
  whole: WorkDraft,
  isGathering: boolean,
  containedKeys: ReadonlySet<string>,
  source: Source
): WorkName[] {
  const names: WorkName[] = []
  const { titles } = whole.keys
  const proper = titles.find(each => each.kind === 'proper')
  const uniform = titles.filter(each => kinds[each.kind] === 'uniform').map(each => titleKey(each.text))
  const subtitleKey = textKey(source.subtitle)
  const [surname] = personsIn(whole.relations, isAuthor).map(each => each.surname)
  for (const title of titles) {
    const kind = title.from.tag === '740' && !isLinkedToUniform(title, titles, source) ? 'related' : kinds[title.kind]
    const key = titleKey(title.text)
    // The title of the whole set is no name of the part that the record is about.
    if (title.kind === 'variant' && title.from.tag === proper?.from.tag && key !== '') continue
    if (isGathering && kind === 'related') continue
    if (kind === 'proper' && uniform.some(each => each.split(' ').length > 1 && subtitleKey.includes(each))) continue
    if (isGathering && containedKeys.has(key)) continue
    if (kind === 'uniform' && isCollective(key)) continue
    const text = kind === 'proper' ? unwrapTitle(titleOfVolumes(title, source), surname) : title.text
    addName(names, kind, isSelection(title, source) ? `${text} (selections)` : text)
    if (kind === 'variant' || kind === 'parallel' || kind === 'related') continue
    if (kind !== 'original') addPart(names, title, uniform.length === 0, source)
    for (const each of alternativesIn(title.text)) addName(names, 'alternative', each)
    for (const each of parallelsIn(title.text)) addName(names, 'parallel', each)
    if (kind !== 'proper') addSides(names, title.text)
  }
  if (source.title !== '' && source.subtitle !== '') {
    addName(names, 'whole', `${source.title} : ${source.subtitle}`)
    for (const each of source.subtitle.split(/\s+[;:=]\s+/)) addLongName(names, 'subtitle', each)
  }
  // A gathering that is called after one of its works is not that work.
  const own = isGathering ? names.filter(each => !containedKeys.has(each.key)) : names
  const text = source.title || (titles[0]?.text ?? '')
  return own.some(isPrincipal) || text === ''
    ? own
    : [...own, { kind: 'proper', key: `${titleKey(text)} (and other works)`, text }]
}

const wordWork = 'work_word'

/** A title without the numbers of volumes: those are of the set, and the set is one work. */
function titleOfVolumes({ text, from }: TitleKey, { record, description }: Source): string {
  // Volumes of recordings are albums of their own.
  if (description.works[0]?.type !== wordWork) return text
  const field = record.fields[from.index]
  if (field === undefined || partsOf(field, 'p').length > 0) return text
  const numbers = partsOf(field, 'n')
  if (numbers.length === 0 || !numbers.every(each => isVolume(each.value))) return text
  return (
    joinTitle(
      partsOf(field, 'a')
        .slice(0, 1)
        .map(each => each.value)
    ) || text
  )
}

/** Some of a work is not the work: `Title. Selections`. */
function isSelection({ kind, from }: TitleKey, { record }: Source): boolean {
  const field = record.fields[from.index]
  return kind === 'uniform' && field !== undefined && partsOf(field, 'kl').some(each => /selections/i.test(each.value))
}

/**
 * 740 names any title that has to do with the publication; only what is linked to the uniform title
 * ($8) is a name of the work.
 */
const isLinkedToUniform = (title: TitleKey, titles: readonly TitleKey[], source: Source) =>
  titles.some(each => each.kind === 'uniform' && areLinked(each.from, title.from, source))

/** The name of a part is a name of its own, unless the uniform title is that of the whole. */
function addPart(names: WorkName[], { kind, from }: TitleKey, isAlone: boolean, { record }: Source): void {
  const field = record.fields[from.index]
  const part = field === undefined ? undefined : partsOf(field, 'p').at(-1)
  if (part === undefined || (kind !== 'uniform' && !isAlone)) return
  const key = titleKey(part.value)
  if (key.includes(' ') && !isCollective(key)) addName(names, 'alternative', part.value)
}

function addName(names: WorkName[], kind: NameKind, text: string): void {
  const key = titleKey(text)
  if (key !== '' && !names.some(each => each.key === key)) names.push({ kind, key, text })
}

function addSides(names: WorkName[], text: string): void {
  const [before = '', behind = ''] = sidesOfColon(text)
  if (titleKey(before).includes(' ')) addName(names, 'alternative', before)
  addLongName(names, 'alternative', behind)
}

function addLongName(names: WorkName[], kind: NameKind, text: string): void {
  if (titleKey(text).split(' ').length >= 3) addName(names, kind, text)
}

// Works in a gathering

interface ContainedWork {
  readonly draft: WorkDraft
  readonly names: readonly WorkName[]
  readonly genre: string | undefined
}

/**
 * The works that are in a gathering. Entries for works come first; a note of contents then says the
 * same again, often in the words of the translation, so that its titles are other names of the
 * entries, as far as they can be told apart.
 */
function containedWorks(drafts: readonly WorkDraft[], isAggregate: boolean, source: Source): ContainedWork[] {
  const textOf = (draft: WorkDraft) => draft.keys.titles[0]?.text ?? ''
  const toWork = (draft: WorkDraft) => ({ draft, names: entryNames(draft, source), genre: formIn(draft, source) })
  const wholeKey = titleKey(source.title)
  const works = drafts
    .filter(each => each.evidence === 'analytic entry')
    // An entry for the title alone may be for the title of the whole.
    .filter(each => each.relations.length > 0 || titleKey(textOf(each)) !== wholeKey)
    .map(toWork)
  const listed = drafts.filter(each => each.evidence !== 'analytic entry' && !isMatter(titleKey(textOf(each))))
  if (works.length === 0) return isAggregate ? listed.map(toWork) : []

  const answers = (work: ContainedWork, text: string) => work.names.some(name => isOneTitle(name.key, titleKey(text)))
  const texts = contentsOf(source).filter(each => !isMatter(titleKey(each)))
  const [note, ...moreNotes] = texts.filter(text => !works.some(work => answers(work, text)))
  const [lonely, ...moreLonely] = works.filter(work => !texts.some(text => answers(work, text)))
  // One left over on either side: it must be the other's.
  const isPair = moreNotes.length === 0 && moreLonely.length === 0 && works.length > 1
  if (!isPair || note === undefined || lonely === undefined) return works
  const name: WorkName = { kind: 'listed', key: titleKey(note), text: note }
  return works.map(each => (each === lonely ? { ...each, names: [...each.names, name] } : each))
}

/**
 * What a gathering can be told by: entries name works by their own titles; a note of contents does
 * so unless it is that of a translation.
 */
function comparableContents(contained: readonly ContainedWork[], { isTranslation }: ExpressionEvidence): string[] {
  return contained
    .filter(each => !isTranslation || each.draft.evidence === 'analytic entry')
    .flatMap(each => each.names[0]?.key ?? [])
    .sort()
}

/** The titles in notes of contents. */
function contentsOf({ record, description }: Source): string[] {
  const isMarc21 = description.dialect === 'marc21'
  const codes = isMarc21 ? { text: 'a', title: 't', name: 'r' } : { text: 'a' }
  return record.fields
    .filter(each => each.tag === (isMarc21 ? '505' : '327'))
    .flatMap(each => readContents(each, codes).map(({ title }) => title))
}

const isOneTitle = (one: string, other: string) =>
  isNearly(one, other) ||
  one.replaceAll(' ', '') === other.replaceAll(' ', '') ||
  one.startsWith(`${other} or `) ||
  other.startsWith(`${one} or `)

function entryNames(draft: WorkDraft, source: Source): WorkName[] {
  const names: WorkName[] = []
  const [title] = draft.keys.titles
  if (title === undefined) return names
  addName(names, kinds[title.kind], title.text)
  for (const each of alternativesIn(title.text)) addName(names, 'alternative', each)
  addSides(names, title.text)
  if (title.kind !== 'analytic entry') return names
  for (const [index, field] of source.record.fields.entries())
    if (isDataField(field) && field.tag === '740' && areLinked({ tag: '740', part: 'a', index }, title.from, source))
      addName(names, 'proper', firstPart(field, 'a') ?? '')
  return names
}

function formIn(draft: WorkDraft, { record }: Source): string | undefined {
  const field = record.fields[draft.keys.titles[0]?.from.index ?? -1]
  return field !== undefined && isDataField(field) ? genreOf(textKey(firstPart(field, 'k') ?? '')) : undefined
}

/**
 * Forms that tell two works with one title apart. What says nothing of it (Collection, Non-fiction)
 * is left out.
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

function genreOf(form: string | undefined): string | undefined {
  return form === undefined ? undefined : genres.find(([, words]) => words.test(form))?.[0]
}

const withGenre = (genre: string | undefined) => (genre === undefined ? {} : { genre })

// People

const isAuthor = (relation: RelationDraft) => relation.relation === 'refAuthors' && relation.role !== undefined

/**
 * Works by several people in one publication: whoever is entered beside them gathered them, or
 * wrote one of them.
 */
function wholeCreators(whole: WorkDraft, contained: readonly ContainedWork[], source: Source): PersonEvidence[] {
  const authors = new Set(
    contained.flatMap(({ draft }) => personsIn(draft.relations, isAuthor).map(each => each.surname))
  )
  const main = source.description.dialect === 'marc21' ? /^1/ : /^7[01]0/
  const hasMain = whole.relations.some(each => isAuthor(each) && main.test(each.from.tag))
  return authors.size > 1 && !hasMain ? [] : creatorsOf(whole.relations, source)
}

function creatorsOf(relations: readonly RelationDraft[], source: Source): PersonEvidence[] {
  const named = personsIn(relations, each => isAuthor(each) && !notMakers.has(each.role?.code ?? ''))
  if (named.length > 0) return named
  const contributors = source.description.expressions[0]?.relations ?? []
  // Nobody is entered as author: the statement of responsibility may begin with a name.
  const stated = nameInStatement(source.responsibility)
  const isEntered = contributors.some(
    each => isAuthor(each) && stated !== undefined && nameOf(each.target).toLowerCase().includes(stated.surname)
  )
  return stated === undefined || isEntered ? [] : [stated]
}

/** Roles at the level of the work that do not tell who wrote it. */
const notMakers = new Set(['dte', 'hnr', 'crp', 'ths', 'pro', 'fmp', 'prn'])

function nameInStatement(statement: string): PersonEvidence | undefined {
  const [first = ''] = statement.split(/\s*[;,/]\s*/)
  return namesIn(first.replace(/^(?:by|door|par|von|av|af|di|de|written by|a novel by)\s+/i, ''))[0]
}

/**
 * People in the statement of responsibility behind words for what they did: `translated from the
 * French by Eva Lind and Ben Okafor`.
 */
function namesBehind(cue: RegExp, statement: string): PersonEvidence[] {
  return statement.split(/\s*;\s*/).flatMap(part => {
    const behind = cue.exec(part)
    if (behind === null) return []
    const rest = part.slice(behind.index + behind[0].length).replace(fromLanguage, '')
    return namesIn(rest.replace(byWhom, ''))
  })
}

/** Behind a word for translating: from which language it was. */
const fromLanguage =
  /^\s*(?:from (?:the )?(?:original )?\p{L}+|uit het \p{L}+|de l['’]\s?\p{L}+|du \p{L}+|del \p{L}+|do \p{L}+|dal(?:l['’]|lo|la)?\s?\p{L}+|aus dem \p{L}+|fra \p{L}+|från \p{L}+|ze? \p{L}+)(?=\s|:)/iu
const byWhom = /^\s*(?:(?:by|av|door|par|von|af|ved|por|di|da|de|do|til norsk ved)\s+|[:,]\s*)*/iu

/** Letters of any script before or behind make it another word; \b knows those of English only. */
const word = (pattern: string) => new RegExp(`(?<!\\p{L})(?:${pattern})`, 'iu')

const cues = {
  translators: word(
    [
      'translat\\p{L}+|transl?\\.|tr\\.(?= by)|english version(?= by)',
      'oversatt|oversett\\p{L}*|omsett|oversat|overs\\.|översatt|översättning|övers\\.|til norsk|på (?:norsk|dansk|svenska?)',
      'fra \\p{L}+(?= (?:av|ved))|från \\p{L}+(?= av)',
      'vertaald|vertaling|vert\\.|hertaald',
      'traduit\\p{L}*|traduction|trad\\.|texte français',
      'übersetz\\p{L}+|übers\\.|übertragen|aus dem \\p{L}+(?= von)|deutsch von',
      'traducid[oa]|traducción|traduzid[oa]|tradução|traduïdo|traducció|tradotto|traduzione',
      'suomentanut|suomennos|suom\\.|fordította|ford\\.',
      'přeložila?|překlad|przełożyła?|przekład|tłum\\.|tłumaczyła?|preveo|prevela|перевод\\p{L}*|пер\\.'
    ].join('|')
  ),
  readers: word(
    '(?:read|narrated|lest|opplest|gelezen|voorgelezen|lu|gelesen|oppläst|oplæst)(?= (?:by|av|door|par|von|af)(?!\\p{L}))'
  )
}

/**
 * Names as they are spoken, forenames first, with “and” between them. What does not look like a
 * name is none.
 */
function namesIn(text: string): PersonEvidence[] {
  return text
    .replaceAll(/[[\]]/g, '')
    .split(/\s*[,&/]\s*|\s+(?:and|et|en|und|og|och|y|e)\s+/)
    .flatMap(each => {
      const words = each
        .replace(/\.$/, '')
        .replaceAll(/\.(?=\S)/g, '. ')
        .trim()
        .split(/\s+/)
      if (words.length < 2 || words.length > 4 || /[\d():]/.test(each)) return []
      const isName = words.every(word => /^\p{Lu}/u.test(word) || /^(?:de|van|von|der|den|la|le|du|da|di)$/.test(word))
      const surname = textKey(words.at(-1) ?? '')
      return isName && surname.length > 1 ? [{ surname, forenames: textKey(words.slice(0, -1).join(' ')) }] : []
    })
}

function personsIn(
  relations: readonly RelationDraft[],
  isMeant: (relation: RelationDraft) => boolean
): PersonEvidence[] {
  const persons = new Map<string, PersonEvidence>()
  for (const relation of relations) {
    if (!isMeant(relation)) continue
    const person = toPerson(relation.target)
    const key = `${person.surname}, ${person.forenames}`
    if (!persons.has(key)) persons.set(key, person)
  }
  return [...persons.values()]
}

const nameOf = (target: Target) => target.metadata.find(each => each.key === 'name')?.value ?? ''

const toPerson = (target: Target) => personNamed(nameOf(target), target.birthYear, target.identifiers)

function othersOf(work: readonly RelationDraft[], expression: readonly RelationDraft[]): string[] {
  const persons = personsIn(
    [...work, ...expression],
    each => isAuthor(each) && each.role?.code !== 'ant' && each.role?.code !== 'ill'
  )
  return persons.map(each => `${each.surname}, ${each.forenames}`)
}

// Expressions

/** Words that say that these are other words than the author's. */
const versions: readonly (readonly [version: string, words: RegExp])[] = [
  ['abridged', /\babridge?(?:d|ment)\b|\bverkort|\babrege|\bgekurzt|\bforkortet|\bcondensed\b/],
  ['retold', /\bretold\b|\bnaverteld|\bnacherzahlt|\bgjenfortalt|\bretelling\b|\badapted (?:for|from|by)\b/],
  ['dramatised', /\bdramati[sz]ed|\bfull cast|\bhoorspel|\bhorspiel|\bradio play/],
  ['simplified', /\bsimplified\b|\beasy reader|\bvereenvoudigd|\bgraded reader/]
]

function expressionOf(draft: ExpressionDraft, source: Source): ExpressionEvidence {
  const { keys, relations } = draft
  const said = textKey(`${source.edition} ; ${source.subtitle} ; ${source.responsibility}`)
  const by = (...codes: string[]) =>
    personsIn(relations, each => isAuthor(each) && codes.includes(each.role?.code ?? ''))
  const forms = formsOf(keys.forms, source)
  const isHeard = forms.some(each => each === 'spoken' || each === 'performed music')
  const orStated = (entered: PersonEvidence[], cue: RegExp) =>
    entered.length > 0 ? entered : namesBehind(cue, source.responsibility)
  const translators = orStated(by('trl'), cues.translators)
  const { originalLanguages = [], titles = [] } = source.description.works[0]?.keys ?? {}
  // An indicator that says so alone is wrong as often as right.
  const isTranslation =
    translators.length > 0 ||
    (keys.isTranslation && (originalLanguages.length > 0 || titles.some(each => kinds[each.kind] === 'original')))
  return {
    languages: keys.languages,
    forms,
    translators,
    voices: isHeard ? orStated(by('nrt', 'spk', 'prf', 'act', 'vac', 'sng', 'ctb'), cues.readers) : [],
    adapters: by('adp', 'abr'),
    isTranslation,
    originals: keys.isTranslation ? originalLanguages : [],
    version: [
      // What is said of a film is said of its making.
      ...(forms.includes('moving image') ? [] : versions.filter(([, words]) => words.test(said))).map(([each]) => each),
      ...(keys.version === undefined ? [] : [keys.version])
    ]
  }
}

/** What the words for the material say, where leader and content types do not. */
const materials: readonly (readonly [form: string, words: RegExp])[] = [
  ['moving image', /motion picture|video|(?<!micro)film|\bdvd|\bmov\b/i],
  [
    'spoken',
    /read text|sound recording|audio ?book|audio ?disc|audiocassette|lydbok|lydopptak|talking book|luisterboek|livre audio|hörbuch/i
  ],
  ['still image', /manga|comic|graphic novel/i]
]

function formsOf(forms: readonly string[], { material, subtitle, edition }: Source): readonly string[] {
  // Pictures beside words are illustrations, unless it is a comic.
  const isComic = /manga|comic|graphic novel|\bstrips?\b/i.test(`${material} ; ${subtitle} ; ${edition}`)
  if (forms.includes('text') && forms.includes('still image') && !isComic)
    return forms.filter(each => each !== 'still image')
  const [only] = forms
  // A disc beside a volume goes with it.
  const isOther = only === 'text' && forms.length === 1 && !/\bvolume\b/i.test(material)
  const said = isOther ? materials.find(([, words]) => words.test(material)) : undefined
  return said === undefined ? forms : [said[0]]
}

function kindOf(whole: WorkDraft, source: Source): string {
  const kind = whole.type.replace(/^work_/, '')
  const isFilm = formsOf(['text'], source)[0] === 'moving image'
  if (kind === 'word' && isFilm) return 'footage'
  const genre = genreOf(whole.keys.form)
  return kind === 'word' && genre === 'film' ? 'footage' : kind
}

function languagesOf(
  draft: WorkDraft,
  expressions: readonly ExpressionDraft[],
  whole: ExpressionEvidence
): readonly string[] {
  const own = expressions.find(each => each.work > 0 && each.metadata[0]?.from === draft.metadata[0]?.from)
  return own === undefined || own.keys.languages.length === 0 ? whole.languages : own.keys.languages
}
