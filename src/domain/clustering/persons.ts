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
  const parts = nameParts(name)
  const known = identifiers.filter(isQualified)
  const also = new Set(variants.map(each => nameKey(nameParts(each))))
  also.delete(nameKey(parts))
  return {
    ...parts,
    ...(birthYear === undefined ? {} : { birthYear }),
    ...(known.length === 0 ? {} : { identifiers: known }),
    ...(also.size === 0 ? {} : { also: [...also].sort() })
  }
}

/** The parts of a heading in a catalogue: `Surname, Forenames`, with the comma of its script. */
function nameParts(name: string): Pick<PersonEvidence, 'surname' | 'forenames'> {
  const [surname = '', ...rest] = name.split(/[,،，、]/)
  // Names of East Asia are written with or without a comma and a space.
  if (eastAsian.test(name)) return { surname: textKey(name).replaceAll(' ', ''), forenames: '' }
  // Initials written together are several.
  return { surname: textKey(surname), forenames: textKey(rest.join(' ').replaceAll('.', '. ')) }
}

const eastAsian = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}ー\s,，、]+$/u

export const personKey = (person: PersonEvidence) =>
  `${nameKey(person)}${person.birthYear === undefined ? '' : ` ${person.birthYear}`}`

/**
 * The block of a person's works: surname and first initial, so that `J. R. R.` meets `John Ronald
 * Reuel`.
 */
export const personBlock = ({ surname, forenames }: PersonEvidence) => `${surname}, ${forenames.slice(0, 1)}`

/** The blocks of all names of a person: the heading, and the same in other scripts. */
export const personBlocks = (person: PersonEvidence) => [
  personBlock(person),
  ...(person.also ?? []).map(each => each.replace(/(?<=, .).+$/u, ''))
]

const maxNames = 1000

/** For each name, the name of its class. */
export type PersonClasses = ReadonlyMap<string, string>

/**
 * Puts names into classes. A name without a year of birth joins the same name with one, if there is
 * only one; initials join the one full name that they fit; names with the same number in an
 * authority file are one person.
 */
export function classifyPersons(persons: Iterable<PersonEvidence>): PersonClasses {
  const distinct = new Map<string, KnownPerson>()
  for (const person of persons) {
    const key = personKey(person)
    const known = distinct.get(key) ?? { ...person, ids: new Set(), names: new Set([nameKey(person)]) }
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
    parents.set(second, first)
  }
  const byIdentifier = new Map<string, string>()
  for (const key of keys)
    for (const identifier of distinct.get(key)?.ids ?? []) {
      const other = byIdentifier.get(identifier)
      if (other === undefined) byIdentifier.set(identifier, key)
      else unite(other, key)
    }
  const settle = (isMeant: (fuller: KnownPerson, name: KnownPerson) => boolean) => {
    for (const key of keys) {
      const person = distinct.get(key)
      if (person === undefined) continue
      const fuller = keys.filter(each => {
        const other = distinct.get(each)
        return other !== undefined && each !== key && isMeant(other, person)
      })
      const [only, ...more] = new Set(fuller.map(find))
      if (only !== undefined && more.length === 0) unite(only, key)
    }
  }
  // Too many names with one surname and initial to tell apart.
  if (keys.length > maxNames) return new Map(keys.map(key => [key, find(key)]))
  // Names with and without a year of birth, and in other scripts, come first; then initials are
  // matched with the persons found.
  settle((fuller, name) => isDated(fuller, name) || isInOtherScript(fuller, name))
  settle(isFuller)
  settle(isLonger)
  return new Map(keys.map(key => [key, find(key)]))
}

/** A name with all that the records of a block say about it. */
interface KnownPerson extends PersonEvidence {
  readonly ids: Set<string>
  /** The name, and the same in other scripts. */
  readonly names: Set<string>
}

const nameKey = ({ surname, forenames }: Pick<PersonEvidence, 'surname' | 'forenames'>) => `${surname}, ${forenames}`

/** Tests whether a name is one of another person, whose records give it in two scripts. */
const isInOtherScript = (fuller: KnownPerson, name: KnownPerson) =>
  (fuller.names.size > 1 || name.names.size > 1) &&
  (name.birthYear === undefined || name.birthYear === fuller.birthYear) &&
  !fuller.names.isDisjointFrom(name.names)

const haveOneYear = (one: PersonEvidence, other: PersonEvidence) =>
  one.birthYear === undefined || other.birthYear === undefined || one.birthYear === other.birthYear

const isDated = (dated: PersonEvidence, name: PersonEvidence) =>
  dated.surname === name.surname &&
  dated.forenames === name.forenames &&
  dated.birthYear !== undefined &&
  name.birthYear === undefined

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
