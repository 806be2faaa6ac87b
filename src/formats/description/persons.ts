import type { PersonEvidence } from '#domain/clustering/evidence.ts'
import { bodyNamed, personNamed } from '#domain/clustering/persons.ts'
import { person } from '#domain/record-types/related.ts'
import { textKey } from '#domain/clustering/title-key.ts'
import type { RelationDraft, AuthorityDraft } from './description.ts'
import { createListTest } from './list-keys.ts'

/* People as evidence for clustering: from relations, and from statements of responsibility. */

/** Tests whether a relation is to an agent with a role. */
export const isAuthor = (relation: RelationDraft) => relation.relation === 'refAuthors' && relation.role !== undefined

/**
 * The creators that the relations of a work name; without any, the name at the beginning of the
 * statement of responsibility, unless it is that of a contributor.
 */
export function creatorsOf(
  relations: readonly RelationDraft[],
  contributors: readonly RelationDraft[],
  responsibility: string
): PersonEvidence[] {
  const named = personsIn(relations, each => isAuthor(each) && !notMakers.has(each.role?.code ?? ''))
  const [first, ...others] = named
  const stated = first === undefined || hasInitials(first) ? nameInStatement(responsibility) : undefined
  if (first !== undefined) return [stated === undefined ? first : withForename(first, stated), ...others]
  const isEntered = contributors.some(
    each => isAuthor(each) && stated !== undefined && nameOf(each.target).toLowerCase().includes(stated.surname)
  )
  return stated === undefined || isEntered ? [] : [stated]
}

const hasInitials = ({ forenames }: PersonEvidence) => /^\p{L}(?: |$)/u.test(forenames)

/** A heading with initials, with the first forename that the statement of responsibility spells. */
function withForename(person: PersonEvidence, stated: PersonEvidence): PersonEvidence {
  const [initial = '', ...rest] = person.forenames.split(' ')
  const [forename = ''] = stated.forenames.split(' ')
  const isFuller = stated.surname === person.surname && forename.length > 1 && forename.startsWith(initial)
  return isFuller ? { ...person, forenames: [forename, ...rest].join(' ') } : person
}

/**
 * The name of a person in an analytic entry, with the forename that the statement of responsibility
 * spells for the main entry if both have the same heading.
 */
export function fullestName(person: PersonEvidence, creators: readonly PersonEvidence[]): PersonEvidence {
  const [creator] = creators
  return creator !== undefined && hasInitials(person) ? withForename(person, creator) : person
}

/** Roles at the level of the work whose holders did not create it. */
const notMakers = new Set(['dte', 'hnr', 'crp', 'ths', 'pro', 'fmp', 'prn'])

function nameInStatement(statement: string): PersonEvidence | undefined {
  const [first = ''] = statement.split(/[;,/]/, 1)
  return namesIn(first.replace(/^(?:by|door|par|von|av|af|di|de|written by|a novel by)\s+/i, ''))[0]
}

/**
 * The people that a statement of responsibility names after words for a role: `translated from the
 * French by Eva Lind and Ben Okafor`.
 */
export function namesAfter(cue: RegExp, statement: string): PersonEvidence[] {
  return statement.split(';').flatMap(part => {
    const found = cue.exec(part)
    if (found === null) return []
    const rest = part.slice(found.index + found[0].length).replace(fromLanguage, '')
    return namesIn(rest.replace(prepositions, ''))
  })
}

/** The language of the original, after a word for translating. */
const fromLanguage =
  /^\s*(?:from (?:the )?(?:original )?|uit het |de l['’]\s?|du |del |do |dal(?:l['’]|lo|la)?\s?|aus dem |fra |från |ze? )\p{L}+(?=\s|:)/iu
const prepositions = /^\s*(?:(?:by|av|door|par|von|af|ved|por|di|da|de|do|til norsk ved)\s+|[:,]\s*)*/iu

/** Matches whole words of any script; `\b` knows the letters of English only. */
const word = (pattern: string) => new RegExp(`(?<!\\p{L})(?:${pattern})`, 'iu')

/** Words that introduce the names of translators and readers. */
export const cues = {
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
 * Reads names with the forenames first and “and” between them. Text that does not look like a name
 * is left out.
 */
function namesIn(text: string): PersonEvidence[] {
  return text
    .replaceAll(/[[\]]/g, '')
    .split(/[,&/]|\s(?:and|et|en|und|og|och|y|e)\s/)
    .flatMap(each => {
      const words = each
        .trim()
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

/** The people of the relations that fit, each once. */
export function personsIn(
  relations: readonly RelationDraft[],
  fits: (relation: RelationDraft) => boolean
): PersonEvidence[] {
  const persons: PersonEvidence[] = []
  for (const relation of relations) {
    if (!fits(relation)) continue
    const person = toPerson(relation.target)
    if (!hasPerson(persons, person)) persons.push(person)
  }
  return persons
}

const hasPerson = createListTest<PersonEvidence>(
  (one, other) => one.surname === other.surname && one.forenames === other.forenames,
  ({ surname, forenames }) => `${surname}, ${forenames}`
)

const nameOf = (target: AuthorityDraft) => target.metadata.find(each => each.key === 'name')?.value ?? ''

function toPerson(target: AuthorityDraft): PersonEvidence {
  const { birthYear, identifiers, variants = [] } = target
  const name = nameOf(target)
  if (target.type !== person.type) return bodyNamed(name, identifiers, variants)
  const inverted = invertedName(name)
  return personNamed(name, birthYear, identifiers, inverted === undefined ? variants : [...variants, inverted])
}

/** A name that a record has in the order of speech, with the surname first. */
function invertedName(name: string): string | undefined {
  if (name.includes(',') || !name.includes(' ')) return undefined
  const [only] = namesIn(name)
  return only === undefined ? undefined : `${only.surname}, ${only.forenames}`
}
