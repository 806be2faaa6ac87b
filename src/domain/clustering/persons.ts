import { memoize } from '../memoize.ts'
import { areNumberedApart, authorityNumber } from './authority-numbers.ts'
import { isQualified, type PersonEvidence } from './evidence.ts'
import { textKey } from './title-key.ts'

/*
 * Finds names that belong to one person. Names are compared within a block only, so that the result
 * does not depend on the rest of the catalogue.
 */

/** A person by the heading in a catalogue, and by the same name in other scripts. */
export function personNamed(
  name: string,
  birthYear: string | undefined,
  identifiers: readonly string[],
  variants: readonly string[] = []
): PersonEvidence {
  const { surname, forenames, dates, qualifier } = nameParts(name)
  const born = birthYear ?? dates
  return {
    surname,
    forenames,
    ...(born === undefined ? {} : { birthYear: born }),
    ...(qualifier === undefined ? {} : { qualifier }),
    ...withNumbers(identifiers),
    ...withOtherNames(
      variants.map(each => nameKey(nameParts(each))),
      nameKey({ surname, forenames })
    )
  }
}

const nothing = {}

function withNumbers(identifiers: readonly string[]): Pick<PersonEvidence, 'identifiers'> {
  if (identifiers.length === 0) return nothing
  const known = [...new Set(identifiers.filter(isQualified).map(authorityNumber))].sort()
  return known.length === 0 ? nothing : { identifiers: known }
}

function withOtherNames(names: readonly string[], own: string | undefined): Pick<PersonEvidence, 'also'> {
  const also = names.length === 0 ? [] : [...new Set(names)].filter(each => each !== own)
  return also.length === 0 ? nothing : { also: also.sort() }
}

/** A corporate body or a meeting by its heading, with its subordinate units. */
export function bodyNamed(
  name: string,
  identifiers: readonly string[],
  variants: readonly string[] = []
): PersonEvidence {
  return {
    ...bodyParts(name),
    ...withNumbers(identifiers),
    ...withOtherNames(
      variants.map(each => nameKey(bodyParts(each))),
      undefined
    ),
    isBody: true
  }
}

function bodyParts(text: string): Pick<PersonEvidence, 'surname' | 'forenames'> {
  const comma = text.indexOf(',')
  if (comma < 0) return { surname: textKey(text), forenames: '' }
  return { surname: textKey(text.slice(0, comma)), forenames: textKey(text.slice(comma + 1).replaceAll(',', ' ')) }
}

interface NameParts extends Pick<PersonEvidence, 'surname' | 'forenames' | 'qualifier'> {
  /** The year of birth, where a record writes it in the name. */
  readonly dates?: string
}

/** The parts of a heading in a catalogue: `Surname, Forenames`, with the comma of its script. */
const nameParts = memoize(2000, (text): NameParts => {
  const dates = /[\s,(](1\d{3}|20\d\d)\s?-(?:\s?\d{4})?\)?\.?$/.exec(text)
  // A sentence after the name is a statement that stands in the wrong place.
  const name = (dates === null ? text : text.slice(0, dates.index)).replace(/(?<=\p{Ll}{2})\. \p{Lu}.*$/su, '')
  const bracketed = /[([]([^()[\]]*)[)\]]/.exec(name)
  const bare =
    bracketed === null ? name : `${name.slice(0, bracketed.index)}${name.slice(bracketed.index + bracketed[0].length)}`
  const year = dates?.[1] === undefined ? {} : { dates: dates[1] }
  // Names of East Asia are written with or without a comma and a space.
  if (eastAsian.test(bare)) return { surname: textKey(bare).replaceAll(' ', ''), forenames: '', ...year }
  const [first = '', ...rest] = bare.split(/[,،，、]/)
  // Initials written together are several.
  const given = rest.filter((each, place) => place === 0 || !isAddition(textKey(each)))
  const forenames = textKey(given.join(' ').replaceAll('.', '. ')).split(' ')
  while (forenames.length > 1 && isAddition(forenames.at(-1) ?? '')) forenames.pop()
  const said = textKey(bracketed?.[1] ?? '')
  const isQualifier = said !== '' && !isAddition(said) && !/\d/.test(said) && said[0] !== forenames[0]?.[0]
  return {
    surname: textKey(first),
    forenames: forenames.join(' '),
    ...(isQualifier ? { qualifier: said } : {}),
    ...year
  }
})

/** Words beside a name that tell no two persons apart: roles and titles of honour. */
const additions = new Set(
  (
    'author writer editor translator composer illustrator schrijver auteur redacteur vertaler dichter verfasser autor ' +
    'herausgeber übersetzer forfatter författare autore scrittore escritor sir dame lord lady dr prof professor mrs mr ' +
    'miss baron baroness count countess graf freiherr comte marquis'
  )
    .split(' ')
    .map(textKey)
)
const isAddition = (word: string) => additions.has(word)

const eastAsian = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}ー\s,，、]+$/u

/** Name and year of birth. */
export const datedName = (person: PersonEvidence) =>
  `${nameKey(person)}${person.birthYear === undefined ? '' : ` ${person.birthYear}`}`

/** Name and year of birth, and what else may tell the person from another with both. */
export function personKey(person: PersonEvidence): string {
  const { qualifier, identifiers } = person
  const words = qualifier === undefined ? '' : ` (${qualifier})`
  return `${datedName(person)}${words}${identifiers === undefined ? '' : ` [${identifiers.join(' ')}]`}`
}

/**
 * The block of a person's works: surname and first initial, so that `J. R. R.` meets `John Ronald
 * Reuel`.
 */
const personBlock = ({ surname, forenames }: PersonEvidence) => `${surname}, ${forenames.slice(0, 1)}`

/** The blocks of all names of a person: the heading, and the same in other scripts. */
export const personBlocks = (person: PersonEvidence) => [
  personBlock(person),
  ...(person.also ?? []).map(each => each.replace(/(?<=, .).+$/u, ''))
]

const maxNames = 1000

/** For each name, the name of its class. */
export type PersonClasses = ReadonlyMap<string, string>

/**
 * Puts names into classes. Names with the same number in an authority file are one person, and
 * those with different numbers in one file are two. A name without a year of birth or a number
 * joins the same name with one, if there is only one; initials join the one full name that they
 * fit.
 */
export function classifyPersons(persons: Iterable<PersonEvidence>): PersonClasses {
  const distinct = new Map<string, KnownPerson>()
  for (const person of persons) {
    const key = personKey(person)
    const known = distinct.get(key) ?? {
      ...person,
      ids: new Set(),
      names: new Set([nameKey(person)]),
      qualifiers: new Set(person.qualifier === undefined ? [] : [person.qualifier]),
      years: new Set(person.birthYear === undefined ? [] : [person.birthYear])
    }
    for (const each of person.identifiers ?? []) known.ids.add(each)
    for (const each of person.also ?? []) known.names.add(each)
    distinct.set(key, known)
  }
  const keys = [...distinct.keys()].sort()
  const parents = new Map(keys.map(key => [key, key]))
  const find = (key: string): string => {
    const parent = parents.get(key) ?? key
    return parent === key ? key : find(parent)
  }
  const unite = (one: string, other: string) => {
    const [first = one, second = other] = [find(one), find(other)].sort()
    if (first === second) return
    parents.set(second, first)
    const [home, guest] = [distinct.get(first), distinct.get(second)]
    for (const each of guest?.ids ?? []) home?.ids.add(each)
    for (const each of guest?.qualifiers ?? []) home?.qualifiers.add(each)
    for (const each of guest?.years ?? []) home?.years.add(each)
  }
  const byIdentifier = new Map<string, string>()
  for (const key of keys)
    for (const identifier of distinct.get(key)?.ids ?? []) {
      const other = byIdentifier.get(identifier)
      if (other === undefined) byIdentifier.set(identifier, key)
      else unite(other, key)
    }
  // The numbers and qualifiers of classes grow with them.
  const areApart = (one: string, other: string) => {
    const [first, second] = [distinct.get(find(one)), distinct.get(find(other))]
    return first !== undefined && second !== undefined && areOthers(first, second)
  }
  const settle = (isMeant: (fuller: KnownPerson, name: KnownPerson) => boolean) => {
    for (const key of keys) {
      const person = distinct.get(key)
      if (person === undefined) continue
      const fuller = keys.filter(each => {
        const other = distinct.get(each)
        return other !== undefined && each !== key && isMeant(other, person) && !areApart(each, key)
      })
      const [only, ...more] = new Set(fuller.map(find).filter(each => each !== find(key)))
      if (only !== undefined && more.length === 0) unite(only, key)
    }
  }
  // Too many names with one surname and initial to tell apart.
  if (keys.length > maxNames) return new Map(keys.map(key => [key, find(key)]))
  // Names with and without a number or a year of birth, and in other scripts, come first; then
  // initials are matched with the persons found.
  settle((fuller, name) => name.birthYear !== undefined && (isNumbered(fuller, name) || isInOtherScript(fuller, name)))
  settle((fuller, name) => isDated(fuller, name) || (fuller.birthYear !== undefined && isInOtherScript(fuller, name)))
  settle((fuller, name) => isDated(fuller, name) || isInOtherScript(fuller, name))
  settle(isNumbered)
  settle(isQualifiedName)
  settle(isFuller)
  settle(isLonger)
  return new Map(keys.map(key => [key, find(key)]))
}

/** A name with all that the records of a block say about it. */
interface KnownPerson extends PersonEvidence {
  readonly ids: Set<string>
  /** The name, and the same in other scripts. */
  readonly names: Set<string>
  readonly qualifiers: Set<string>
  readonly years: Set<string>
}

/** Tests whether an authority file, years of birth, or qualifiers tell two persons apart. */
const areOthers = (one: KnownPerson, other: KnownPerson) =>
  areNumberedApart(one.ids, other.ids) ||
  haveNoneInCommon(one.years, other.years) ||
  haveNoneInCommon(one.qualifiers, other.qualifiers)

const haveNoneInCommon = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size > 0 && other.size > 0 && one.isDisjointFrom(other)

const nameKey = ({ surname, forenames }: Pick<PersonEvidence, 'surname' | 'forenames'>) => `${surname}, ${forenames}`

/** Tests whether a name is one of another person, whose records give it in two scripts. */
const isInOtherScript = (fuller: KnownPerson, name: KnownPerson) =>
  (fuller.names.size > 1 || name.names.size > 1) &&
  (name.birthYear === undefined || name.birthYear === fuller.birthYear) &&
  !fuller.names.isDisjointFrom(name.names)

const haveOneYear = (one: PersonEvidence, other: PersonEvidence) =>
  one.birthYear === undefined || other.birthYear === undefined || one.birthYear === other.birthYear

const haveOneName = (one: PersonEvidence, other: PersonEvidence) =>
  one.surname === other.surname && one.forenames === other.forenames

const isDated = (dated: PersonEvidence, name: PersonEvidence) =>
  haveOneName(dated, name) && dated.birthYear !== undefined && name.birthYear === undefined

const isNumbered = (numbered: PersonEvidence, name: PersonEvidence) =>
  haveOneName(numbered, name) &&
  numbered.birthYear === name.birthYear &&
  numbered.identifiers !== undefined &&
  numbered.identifiers.join() !== name.identifiers?.join()

const isQualifiedName = (told: PersonEvidence, name: PersonEvidence) =>
  haveOneName(told, name) &&
  told.birthYear === name.birthYear &&
  told.qualifier !== undefined &&
  name.qualifier === undefined

/** Tests whether a name has forenames where another has initials, or more forenames. */
function isFuller(fuller: PersonEvidence, name: PersonEvidence): boolean {
  if (fuller.surname !== name.surname || fuller.forenames === name.forenames) return false
  if (!haveOneYear(fuller, name)) return false
  const long = fuller.forenames.split(' ')
  const short = name.forenames.split(' ')
  if (short.length > long.length || name.forenames === '') return false
  const fits = short.every((each, index) => {
    const other = long[index] ?? ''
    return (
      each === other || (each.length === 1 && other.startsWith(each)) || (other.length === 1 && each.startsWith(other))
    )
  })
  if (!fits) return false
  // `John` does not join `John Paul` without a year of birth; `J.` may.
  const hasInitial = short.some((each, index) => each.length === 1 && (long[index]?.length ?? 0) > 1)
  return hasInitial || (fuller.birthYear !== undefined && fuller.birthYear === name.birthYear)
}

/**
 * Tests whether a name has more forenames than another, as headings have than statements of
 * responsibility. Works are joined only if their titles agree, too.
 */
function isLonger(longer: PersonEvidence, name: PersonEvidence): boolean {
  return (
    name.forenames.length > 1 &&
    name.birthYear === undefined &&
    longer.surname === name.surname &&
    longer.forenames.startsWith(`${name.forenames} `)
  )
}

/**
 * Tests whether two names may be of one person; for contributors such as translators and readers.
 */
export function couldBeSame(one: PersonEvidence, other: PersonEvidence): boolean {
  if (one.identifiers?.some(each => other.identifiers?.includes(each))) return true
  if (one.surname !== other.surname) return false
  if (!haveOneYear(one, other)) return false
  const short = one.forenames.split(' ')
  const long = other.forenames.split(' ')
  return short.every((each, index) => {
    const against = long[index]
    return against === undefined || each === '' || against.startsWith(each) || each.startsWith(against)
  })
}
