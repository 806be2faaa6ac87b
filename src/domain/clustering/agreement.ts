import { isPrincipal, type Mention, musicKind } from './evidence.ts'
import type { Traits } from './links.ts'
import { isCollective } from './collective-titles.ts'
import { isNearly } from './title-key.ts'
import { countedNumber } from './work-numbers.ts'

/*
 * Compares two mentions with one author and one title by their other facts. An author may use a
 * title twice: for the parts of a study, for reports of several years, for recordings under the
 * name of the musician. The title alone is then not enough for a certain join.
 */

/** Words that tell nothing about the subject of a title or subtitle. */
const smallWords = new Set(
  'the a an of in on at to for from by with and or its his her their de het een van in op te voor uit door met en of zijn haar der die das des dem den ein eine einer und oder im am zu zur zum mit von vom aus le la les un une du des de d l et ou au aux en dans sur pour par avec el los las y o del al con por para il lo gli e di da del della den det ei en et og eller i av til fra med som'.split(
    ' '
  )
)

export const contentWords = (key: string): Set<string> =>
  new Set(key.split(' ').filter(each => each !== '' && !smallWords.has(each)))

/**
 * Tests whether the title may be of another work of the author, so that a person should decide on
 * the join.
 */
export function isTitleTooLittle(one: Mention, other: Mention, title: string): boolean {
  return (
    haveOtherSubtitles(one, other) ||
    haveOtherForms(one, other) ||
    isPartOfOther(one, other) ||
    (areOfTwoYears(one, other) && !haveOneSubtitle(one, other)) ||
    areScoreAndRecording(one, other) ||
    (isBare(title, one, other) && !haveSecondAgreement(one, other))
  )
}

/**
 * Tests whether mentions under a title that many works have contradict each other: another year,
 * without an edition statement, or another subtitle. They need no question.
 */
export const saysOtherwise = (one: Mention, other: Mention) =>
  haveOtherSubtitles(one, other) ||
  (one.year !== undefined && other.year !== undefined && one.year !== other.year && !one.isEdition && !other.isEdition)

/** Tests whether both have a subtitle, and each has a word of its own in it. */
export function haveOtherSubtitles(first: Mention | undefined, second: Mention | undefined): boolean {
  const [one, other] = [first?.subtitle, second?.subtitle]
  if (one === undefined || other === undefined || isNearly(one, other)) return false
  // Those of two languages cannot be compared.
  const languages = new Set(first?.expression.languages)
  const others = second?.expression.languages ?? []
  if (languages.size > 0 && others.length > 0 && !others.some(each => languages.has(each))) return false
  if (one.startsWith(other) || other.startsWith(one)) return false
  const [words, otherWords] = [contentWords(one), contentWords(other)]
  return hasOwnWord(words, otherWords) && hasOwnWord(otherWords, words)
}

/** Tests whether both have the same subtitle, which is long enough to tell something. */
const haveOneSubtitle = ({ subtitle: one = '' }: Mention, { subtitle: other = '' }: Mention) =>
  contentWords(one).size >= 3 && isNearly(one, other)

/**
 * Tests whether only one names a form other than a novel (“a play in three acts”), or both are
 * coded as different forms of literature.
 */
export function haveOtherForms(one: Mention, other: Mention): boolean {
  if (one.literature !== undefined && one.literature === other.literature) return false
  if (one.literature !== undefined && other.literature !== undefined) return true
  const isSpecial = ({ genre }: Mention) => genre !== undefined && genre !== 'novel'
  return one.genre !== other.genre && (isSpecial(one) || isSpecial(other))
}

/** Tests whether the words of one name a form, and the other is coded as another. */
export const areOtherLiterature = (one: Mention | undefined, other: Mention | undefined) =>
  one?.literature !== undefined &&
  other?.literature !== undefined &&
  one.literature !== other.literature &&
  (one.genre !== undefined || other.genre !== undefined)

/** A word of which the other has no spelling; catalogues abbreviate and correct. */
function hasOwnWord(words: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const isIn = (word: string) =>
    others.has(word) || (word.length >= 4 && [...others].some(each => each.startsWith(word) || word.startsWith(each)))
  return [...words].some(word => !isIn(word))
}

/** Tests whether the subtitle of only one begins with the number of a part. */
function isPartOfOther(one: Mention, other: Mention): boolean {
  return isPart(one.subtitle) !== isPart(other.subtitle)
}

const isPart = (subtitle = '') =>
  /^(?:part |deel |teil |partie |del )?(?:\d{1,2}|ii|iii|iv|vi{1,3}|ix)(?= |$)/.test(subtitle)

/**
 * The traits of a mention. Numbers of parts in its subtitle count always. Its number in a series
 * counts where series number documents: for a corporate body, or under a title of one or two words
 * that is not literature. Publishers number each printing of a book.
 */
export function traitsOf(mention: Mention): Traits {
  const { genre, contents, series = [], isEdition, subtitle = '', names, literature, identifiers } = mention
  const parts = partsIn(subtitle)
  const isShort = () =>
    literature === undefined && names.some(each => isPrincipal(each) && contentWords(each.key).size <= 2)
  const isNumbered = series.length > 0 && isEdition !== true && (isBody(mention) || isShort())
  const numbers = mention.kind === musicKind ? names.flatMap(({ key }) => countedNumber(key)) : []
  return {
    genre,
    contents,
    counted: [...(parts === '' ? [] : [` / ${parts}`]), ...(isNumbered ? series : []), ...numbers],
    identifiers: mention.isNumberedByVersion === true ? [] : identifiers
  }
}

/** Numbers of parts, and years, in a subtitle. */
function partsIn(subtitle: string): string {
  if (subtitle === '') return ''
  const [first] = subtitle.match(/^(?:\d{1,2}|ii|iii|iv|vi{1,3}|ix)(?= )/) ?? []
  return first ?? subtitle.match(partNumber)?.join(' ') ?? ''
}

const partNumber =
  /(?<=(?:^|\s)(?:part|parts|pt|deel|teil|partie|tome|livre|book|boek|buch|bok|del|volume|vol|level|niveau|stufe|grade|no|nr)\s)(?:\d+|[ivx]+|one|two|three|four|five)(?=\s|$)|(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/g

/** Tests whether a corporate body published it in two years and neither is called an edition. */
const areOfTwoYears = (one: Mention, other: Mention) =>
  one.year !== undefined &&
  other.year !== undefined &&
  one.year !== other.year &&
  one.isEdition !== true &&
  other.isEdition !== true &&
  one.kind !== 'serial' &&
  isBody(one) &&
  isBody(other)

/**
 * Tests whether one is a score and the other a recording of another year: albums are called after
 * one of their pieces.
 */
function areScoreAndRecording(one: Mention, other: Mention): boolean {
  const has = ({ expression }: Mention, form: string) => expression.forms.includes(form)
  const areBoth =
    (has(one, 'notated music') && has(other, 'performed music')) ||
    (has(other, 'notated music') && has(one, 'performed music'))
  if (!areBoth || (one.year !== undefined && one.year === other.year)) return false
  return !one.numbers.some(each => other.numbers.includes(each))
}

const isBody = ({ creators: [author] }: Mention) => author?.isBody === true

/**
 * Tests whether any number of works may have a title: one word (“Gravity”), or two in publications
 * of neighbouring years, as reports have (“Precise levelling”).
 */
function isBare(title: string, one: Mention, other: Mention): boolean {
  const words = contentWords(title).size
  if (words !== 2) return words < 2
  const [year, otherYear] = [Number(one.year), Number(other.year)]
  return year !== otherYear && Math.abs(year - otherYear) <= 3
}

/**
 * Tests whether anything beside author and title agrees: the subtitle, the year, a number in a
 * series, the contents, a standard number, an edition statement, that both are volumes, that one is
 * literature, or that both are translations. Authors hardly use the title of a novel twice, and
 * reports are seldom translated.
 */
function haveSecondAgreement(one: Mention, other: Mention): boolean {
  if (one.literature !== undefined || other.literature !== undefined) return true
  if (one.expression.isTranslation && other.expression.isTranslation) return true
  if (one.isEdition === true || other.isEdition === true) return true
  if (one.isVolume === true && other.isVolume === true) return true
  if (one.subtitle !== undefined && other.subtitle !== undefined) return true
  if (one.year !== undefined && one.year === other.year) return true
  return (
    one.contents.length > 0 ||
    other.contents.length > 0 ||
    one.numbers.some(each => other.numbers.includes(each)) ||
    (one.series ?? []).some(each => other.series?.includes(each))
  )
}

/**
 * Tests whether a title names no single work of this author: a collective title, also with the name
 * of the author (“Poetical works of …”, “…全集”), or the name alone, as of a recording.
 */
export function isCommonTitle(key: string, mention: Mention | undefined): boolean {
  if (isCollective(key)) return true
  if (mention === undefined) return false
  const names = namesOf(mention)
  if (names.includes(key)) return true
  return names.some(
    name =>
      (key.endsWith(name) && isCollective(bareEnd(key.slice(0, -name.length).trim()))) ||
      (key.startsWith(name) && isCollective(key.slice(name.length).trim()))
  )
}

/** Without the word between a title and the name after it. */
const bareEnd = (key: string) => key.replace(/ (?:of|by|van|door|de|par|von|av|af|di|d)$/, '')

/** The names in a mention: each of its titles is compared with them, more than once. */
function namesOf(mention: Mention): readonly string[] {
  const known = namesByMention.get(mention)
  if (known !== undefined) return known
  const names = namesIn(mention)
  namesByMention.set(mention, names)
  return names
}

const namesByMention = new WeakMap<Mention, readonly string[]>()

function namesIn(mention: Mention): string[] {
  const others = mention.others.map(each => each.split(', '))
  const all = [...mention.creators.map(({ surname, forenames }) => [surname, forenames]), ...others]
  return all.flatMap(([surname = '', forenames = '']) =>
    forenames === ''
      ? surname === ''
        ? []
        : [surname]
      : [forenames, forenames.split(' ')[0]].flatMap(each => [`${each} ${surname}`, `${surname} ${each}`])
  )
}
