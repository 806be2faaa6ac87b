import type { Entity, Json } from '#domain/entity/entity.ts'
import { fold } from './naive-evaluator.ts'

/*
 * The search of docs/interface/search.md a second time: slow, in memory, from its text. It shares
 * no code with the service. Every record is compared with every word.
 */

export interface NaiveSearch {
  /** Whether a record is found, and how well it fits: the least first. */
  scoreOf(entity: Entity): number | undefined
}

interface Place {
  readonly word: string
  /** How many words the name has; 0 for other text. */
  readonly nameLength: number
  /** How many words the name has with this subtitle of it; undefined for other text. */
  readonly wholeLength?: number
  readonly isWholeName?: boolean
  /** Whether the name is not the one that the record is known by. */
  readonly isOther?: boolean
  /** The words after it in the same text. */
  readonly rest: readonly string[]
}

/** Returns the records that match a text; `find` leads from a key to the record that has it. */
export function searchFor(
  text: string,
  catalogue: Iterable<Entity>,
  find: (key: string) => Entity | undefined,
  nameFieldOf: (type: string) => string
): NaiveSearch {
  const groups = parse(joinIsbns(text))
  const wanted = wantedIn(groups)
  const refused = groups.filter(([term, ...others]) => term?.isNegative && others.length === 0).flat()
  const typed = groups.flatMap(([term, ...others]) =>
    term && others.length === 0 && !term.isNegative ? term.words : []
  )
  const mixed = groups.filter(group => group.length > 1 && group.some(term => term.isNegative))
  const byLength = [...new Set(plainWords(groups))].sort((one, other) => other.length - one.length)
  const withoutTypos = new Set(byLength.slice(16))
  const places = new Map<Entity, Place[]>()
  const placesOf = (entity: Entity) => {
    const known = places.get(entity) ?? placesIn(entity, nameFieldOf(entity.type))
    places.set(entity, known)
    return known
  }
  const score = (entity: Entity, slipsCount: boolean, isByWordsOnly = false): number | undefined => {
    const own = placesOf(entity)
    const above = recordsAbove(entity, find)
    const related = [entity, ...above].flatMap(each =>
      each.relations.flatMap(relation => {
        const target = isClimb(relation) ? undefined : find(relation.key)
        return target
          ? placesOf(target)
              .filter(place => place.nameLength > 0 && !place.isWholeName)
              .map(place => ({ ...place, isMaker: isMaker(target) }))
          : []
      })
    )
    const saidAbove = above.flatMap(record =>
      placesOf(record)
        .filter(place => !place.isWholeName)
        .map(place => ({ ...place, isMaker: place.nameLength > 0 && isMaker(record) }))
    )
    const all = [
      ...own.map(place => {
        const length = place.wholeLength ?? (isMaker(entity) ? Math.min(place.nameLength, 3) : place.nameLength)
        return { ...place, isRelated: false, cost: length > 0 ? 0 : 4096, length }
      }),
      ...[...related, ...saidAbove].map(place => ({
        ...place,
        isRelated: true,
        cost: place.isMaker ? 0 : 4096,
        length: 3
      }))
    ].filter(place => !place.isWholeName)
    const costOf = (word: Wanted): number => {
      const costs = [word, ...word.or].flatMap(each =>
        all.flatMap(({ ...place }) => {
          // A small word in the name of a maker counts as one elsewhere.
          if (word.isOptional && place.isRelated) place.cost = 4096
          const like =
            each.next.length > 0
              ? place.word === each.word && each.next.every((next, at) => place.rest[at] === next)
                ? 0
                : undefined
              : each.isOther
                ? each.word === place.word
                  ? 1
                  : undefined
                : compareWords(
                    each.word,
                    place.word,
                    each.isEnd,
                    each.isStrict,
                    slipsCount && !withoutTypos.has(each.word)
                  )
          return like === undefined ? [] : [(like + place.cost) * 32_768 + (place.cost === 0 ? place.length : 0)]
        })
      )
      return costs.length > 0 ? Math.min(...costs) : word.isOptional ? 4096 * 32_768 : Number.NaN
    }
    const sum = wanted.reduce((total, word) => total + costOf(word), 0)
    if (Number.isNaN(sum)) return undefined
    const hasTerm = (term: Term) => !Number.isNaN(costOf(strict(term)))
    const isRefused =
      refused.some(hasTerm) || mixed.some(group => !group.some(each => hasTerm(each) !== each.isNegative))
    if (isRefused && !isByWordsOnly) return undefined
    const called = own.filter(place => place.isWholeName && place.word === firstLetters(typed.join(' '), 127))
    if (wanted.length === 0 || called.length === 0) return sum
    return called.some(place => !place.isOther) ? 0 : 1
  }
  const slipsCount = wanted.length > 0 && ![...catalogue].some(entity => score(entity, false, true) !== undefined)
  return { scoreOf: entity => score(entity, slipsCount) }
}

/**
 * The expressions of a publication and their works, the work of an expression: what these say is
 * said of the record too.
 */
function recordsAbove(entity: Entity, find: (key: string) => Entity | undefined): Entity[] {
  const next = (from: Entity) => from.relations.filter(isClimb).flatMap(({ key }) => find(key) ?? [])
  const first = next(entity)
  return [...first, ...first.flatMap(next)]
}

const isClimb = ({ type }: { readonly type: string }) => ['refExpressions', 'refWork'].includes(type)

const isMaker = ({ type }: Entity) => ['person', 'corporation', 'company'].includes(type)

export const hasWords = (text: string) => wantedIn(parse(joinIsbns(text))).length > 0

/** A word, a phrase or several words without a space between them. */
interface Term {
  readonly words: readonly string[]
  readonly isPhrase: boolean
  readonly isNegative: boolean
  readonly text: string
}

/** Something that a record must have, or one of its alternatives. */
interface Wanted {
  readonly word: string
  readonly next: readonly string[]
  /** As it stands only: without beginnings and typos. */
  readonly isStrict: boolean
  /** Whether it is the last of several words, where the user is still typing. */
  readonly isEnd: boolean
  readonly isOptional: boolean
  readonly or: readonly Wanted[]
  /** Whether it is another form of a typed word, which costs 1. */
  readonly isOther?: boolean
}

const wantedWord = (word: string, more: Partial<Wanted> = {}): Wanted => ({
  ...{ word, next: [], isStrict: false, isEnd: false, isOptional: false, or: [] },
  ...more
})

const strict = ({ words: [word = '', ...next] }: Pick<Term, 'words'>) => wantedWord(word, { next, isStrict: true })

const plainWords = (groups: readonly (readonly Term[])[]) =>
  groups.flatMap(([term, ...others]) =>
    term && others.length === 0 && !term.isPhrase && !term.isNegative ? [...term.words] : []
  )

const small = new Set(
  (
    'a aan am an and at au auf aux avec by d dans das de dem den der des die door du een ein eine en et for from het ' +
    'im in l la le les met mit of on op or par pour sur te ten ter the to un und une van vom von voor with zu zum zur'
  ).split(' ')
)

/** Some numbers, in the forms that tests use. */
const numbers = [
  '1 one first eins erste eerste premier',
  '2 two second zwei zweite tweede deux ii',
  '3 three third drie'
]
const letter = /^[\p{L}--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]$/v

/** Other forms of a word: of a number, and the initial of a forename, written with a full stop. */
const otherForms = (word: string, count: number): string[] =>
  letter.test(word) && count > 1
    ? [`${word}.`]
    : numbers.map(row => row.split(' ')).flatMap(row => (row.includes(word) ? row.filter(each => each !== word) : []))

/** Everything that a record must have; what is said twice counts once. */
function wantedIn(groups: readonly (readonly Term[])[]): Wanted[] {
  const hasOther = groups.flat().some(term => !term.isNegative && term.words.some(word => !small.has(word)))
  const plain = [...new Set(plainWords(groups))]
  const single = groups.flatMap(([term, ...others]) => (term && others.length === 0 && !term.isNegative ? [term] : []))
  const all = [
    ...plain.map((word, at) =>
      wantedWord(word, {
        isEnd: at > 0 && at === plain.length - 1,
        isOptional: hasOther && small.has(word),
        or: otherForms(word, plain.length).map(form => wantedWord(form, { isOther: true }))
      })
    ),
    ...single
      .filter(term => !term.isPhrase)
      .flatMap(term => joinedIn(term.text))
      .flatMap(({ parts, joined }) =>
        parts.map(part =>
          wantedWord(part, {
            or: [wantedWord(joined, { isStrict: true })],
            isOptional: hasOther && small.has(part)
          })
        )
      ),
    ...single.filter(term => term.isPhrase).map(strict),
    ...groups.flatMap(group => {
      if (group.length < 2 || group.some(term => term.isNegative)) return []
      const [first, ...or] = group.map(term =>
        term.isPhrase || term.words.length > 1 ? strict(term) : wantedWord(term.words[0] ?? '')
      )
      return first ? [{ ...first, or }] : []
    })
  ]
  const known = new Map<string, Wanted>()
  for (const each of all) {
    const key = [each.word, ...each.next].join(' ')
    const before = known.get(key)
    known.set(
      key,
      before
        ? {
            ...before,
            or: [...before.or, ...each.or],
            isOptional: before.isOptional && each.isOptional
          }
        : each
    )
  }
  const wanted = [...known.values()]
  return wanted.some(each => !each.isOptional) ? wanted : []
}

/** Terms in groups of alternatives. Fields are not read here: the tests of the interface do. */
function parse(text: string): Term[][] {
  const words = text.split(/[\s"“”„]/u).filter(word => !['OR', 'AND', 'NOT', '|'].includes(word))
  const isShouted = words.every(word => word === word.toUpperCase()) && words.some(word => word !== word.toLowerCase())
  const groups: Term[][] = []
  let isOr = false
  let isNot = false
  const add = (term: Term) => {
    if (term.words.length === 0) return
    if (isOr) groups.at(-1)?.push(term)
    else groups.push([term])
    isOr = false
    isNot = false
  }
  let rest = text
  for (;;) {
    rest = rest.replace(/^\s+/u, '')
    if (rest === '') return groups
    const isMinus = /^-[^\s-]/su.test(rest)
    if (isMinus) rest = rest.slice(1)
    const run = /^[^\s"“”„]*/u.exec(rest)?.[0] ?? ''
    const after = rest.slice(run.length)
    const isMore = /[\p{L}\p{N}]/u.test(after)
    const quoted = /^["“”„][^"“”„]*["“”„]/u.exec(after)?.[0]
    if (run === '' && quoted !== undefined) {
      const phrase = quoted.slice(1, -1)
      add({ words: splitWords(fold(phrase)), isPhrase: true, isNegative: isMinus || isNot, text: phrase })
      rest = after.slice(quoted.length)
      continue
    }
    rest = run === '' ? rest.slice(1) : after
    if (/^(title|author|subject|year|isbn):./i.test(run)) throw new Error('The naive search has no fields')
    const isOperator = !isShouted && !isMinus && isMore
    if (isOperator && (run === 'OR' || run === '|') && groups.length > 0) isOr = true
    else if (isOperator && run === 'NOT') isNot = true
    else if (!isShouted && isMore && run === 'AND' && groups.length > 0) continue
    else add({ words: splitWords(fold(run)), isPhrase: false, isNegative: isMinus || isNot, text: run })
  }
}

/** Words with hyphens, which are found without them too. */
function joinedIn(text: string): { parts: string[]; joined: string }[] {
  return text.split(/[^\p{L}\p{M}\p{N}\u2010\u2011-]/u).flatMap(run => {
    const isHyphenated = /[^\u2010\u2011-][\u2010\u2011-]+[^\u2010\u2011-]/u.test(run) && !/\p{N}/u.test(run)
    const parts = isHyphenated ? run.split(/[\u2010\u2011-]/u).flatMap(part => splitWords(fold(part))) : []
    return parts.length > 1 && parts.length < 5 && run.length <= 48 ? [{ parts, joined: parts.join('') }] : []
  })
}

/** 0 for the word itself, more for what is like it, undefined for another. */
function compareWords(
  wanted: string,
  found: string,
  isEnd: boolean,
  isStrict: boolean,
  slipsCount: boolean
): number | undefined {
  if (found === wanted) return 0
  if (isStrict) return undefined
  const letters = [...wanted]
  if ((letters.length > 1 || isEnd) && found.startsWith(wanted)) return 1
  if (!slipsCount || letters.length < 4 || /\p{N}/u.test(wanted + found) || [...found].length < 3) return undefined
  const most = letters.length < 8 ? 1 : 2
  const shared = Math.floor((letters.length - 1) / (most + 1))
  const sharesEnds =
    found.startsWith(letters.slice(0, shared).join('')) || found.endsWith(letters.slice(-shared).join(''))
  if (shared > 0 && !sharesEnds) return undefined
  if (Math.abs(letters.length - [...found].length) > most) return undefined
  const typos = distance(letters, [...found])
  if (typos > most) return undefined
  return typos === 1 ? 2 : 8
}

/** Optimal string alignment, by its definition. */
function distance(one: readonly string[], other: readonly string[], known = new Map<string, number>()): number {
  if (one.length === 0 || other.length === 0) return one.length + other.length
  if (Math.abs(one.length - other.length) > 2) return 3
  const key = `${one.length} ${other.length}`
  const before = known.get(key)
  if (before !== undefined) return before
  const rest = (left: number, right: number) =>
    distance(one.slice(0, one.length - left), other.slice(0, other.length - right), known)
  const isExchanged = one.length > 1 && other.length > 1 && one.at(-1) === other.at(-2) && one.at(-2) === other.at(-1)
  const least = Math.min(
    rest(1, 0) + 1,
    rest(0, 1) + 1,
    rest(1, 1) + (one.at(-1) === other.at(-1) ? 0 : 1),
    isExchanged ? rest(2, 2) + 1 : Number.POSITIVE_INFINITY
  )
  known.set(key, least)
  return least
}

function placesIn(entity: Entity, nameField: string): Place[] {
  return entity.metadata.flatMap(({ key, value }) =>
    (Array.isArray(value) ? (value as Json[]) : [value]).flatMap((each): readonly Place[] => {
      if (each === null || typeof each === 'boolean' || isChoice(entity.type, key)) return []
      const text = typeof each === 'object' ? JSON.stringify(each) : String(each)
      const isName = key === nameField || isOtherName(entity.type, key)
      const places = placesInText(text, {
        isIsbn: key === 'isbn',
        isMarkup: isHtml(entity.type, key),
        isName,
        isOfMaker: isName && isMaker(entity)
      })
      if (isName) return places.map(place => ({ ...place, isOther: key !== nameField }))
      if (!isSubtitle(entity.type, key)) return places
      const wholeLength = Math.min(splitWords(fold(`${firstName(entity, nameField)} ${text}`)).length, 63)
      return places.map(place => ({ ...place, wholeLength }))
    })
  )
}

function firstName({ metadata }: Entity, nameField: string): string {
  const value = metadata.find(({ key }) => key === nameField)?.value
  return String(Array.isArray(value) ? value[0] : (value ?? ''))
}

const isSubtitle = (type: string, key: string) =>
  key === 'subtitle' && (/^(manifestation|production)/.test(type) || type === 'title')

/** How a text is read. */
interface Reading {
  readonly isIsbn: boolean
  readonly isMarkup: boolean
  readonly isName: boolean
  readonly isOfMaker: boolean
}

/** Known places: the same texts come again with each question, and reading them takes most time. */
const knownPlaces = new Map<string, readonly Place[]>()

function placesInText(text: string, reading: Reading): readonly Place[] {
  const key = JSON.stringify([text, reading])
  const known = knownPlaces.get(key)
  if (known !== undefined) return known
  const places = readPlaces(text, reading)
  if (knownPlaces.size > 10_000) knownPlaces.clear()
  knownPlaces.set(key, places)
  return places
}

function readPlaces(text: string, { isIsbn, isMarkup, isName, isOfMaker }: Reading): Place[] {
  const isbn = isIsbn ? validIsbn(text) : undefined
  const said = isMarkup ? plainText(text) : text
  const words = isbn === undefined ? splitWords(fold(said)) : [isbn]
  if (words.length === 0) return []
  const nameLength = isName ? Math.min(words.length, 63) : 0
  const alone = (word: string) => ({ word, nameLength, rest: [] })
  return [
    ...words.map((word, at) => ({ word, nameLength, rest: words.slice(at + 1) })),
    ...(isbn === undefined ? joinedIn(said) : []).map(({ joined }) => alone(joined)),
    ...(isOfMaker ? [...initialsIn(said, words), ...forenamesIn(said)] : []).map(alone),
    ...(isName ? [{ ...alone(firstLetters(words.join(' '), 127)), isWholeName: true }] : [])
  ]
}

/** Initials the other way: `J. R. R.` as `JRR`, and `JRR` as `J R R`. */
function initialsIn(name: string, words: readonly string[]): string[] {
  const runs: string[][] = [[]]
  // A character of a script without spaces is a word, not an initial.
  for (const word of words)
    if (/^[\p{L}--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]$/v.test(word)) runs.at(-1)?.push(word)
    else runs.push([])
  const together = name.split(/[^\p{L}]+/u).filter(part => /^\p{Lu}{2,3}$/u.test(part))
  return [
    ...runs.filter(run => run.length > 1).map(run => run.join('')),
    ...(/\p{Ll}/u.test(name) ? together.flatMap(part => [...part].flatMap(letter => splitWords(fold(letter)))) : [])
  ]
}

/** Initials of forenames: after the first comma, or before the last word. */
function forenamesIn(name: string): string[] {
  const words = splitWords(fold(name.split(',')[name.includes(',') ? 1 : 0] ?? ''))
  const letters = (name.includes(',') ? words : words.slice(0, -1))
    .map(([first = '']) => first)
    .filter(each => letter.test(each))
  return [...letters.map(each => `${each}.`), ...([2, 3, 4].includes(letters.length) ? [letters.join('')] : [])]
}

const isOtherName = (type: string, key: string) =>
  (type.startsWith('manifestation') && ['parallel_title', 'other_title'].includes(key)) ||
  (type.startsWith('work') && key === 'original_title')

const isChoice = (type: string, key: string) =>
  (type === 'production' && /(^|_)status$/.test(key)) ||
  (type === 'performance' && key === 'status') ||
  (type === 'mediafile' && key === 'mediafile_type')

const isHtml = (type: string, key: string) =>
  type === 'production' && ['description', 'description_short', 'credits'].includes(key)

function plainText(html: string): string {
  let text = ''
  for (let at = 0; at < html.length; at++) {
    const end = html[at] === '<' ? html.indexOf('>', at) : -1
    if (end > 0) {
      const [, name = ''] = /^<\/?([a-z]*)/i.exec(html.slice(at, at + 20)) ?? []
      text += /^(a|b|em|i|mark|s|small|span|strong|sub|sup|u)$/i.test(name) ? '' : ' '
      at = end
    } else text += html[at]
  }
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
  return text.replace(/&([a-z]{2,8});/gi, (_, name: string) => named[name.toLowerCase()] ?? ' ')
}

const oneByOne = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u

function splitWords(text: string): string[] {
  const words: string[] = []
  let word = ''
  const end = () => {
    if (word !== '') words.push(firstLetters(word, 48))
    word = ''
  }
  for (const letter of text.replaceAll(/[\u02b0-\u02ff]/g, '')) {
    if (oneByOne.test(letter) && /[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(letter)) {
      end()
      words.push(letter)
    } else if (/[\p{L}\p{N}]/u.test(letter)) word += letter
    else end()
  }
  end()
  return words
}

const firstLetters = (text: string, count: number) => [...text].slice(0, count).join('')

/** An ISBN among the words, in whatever form, is the one word of its thirteen digits. */
const joinIsbns = (text: string) =>
  text.replace(
    /(?<![\p{L}\p{N}])(isbn(-1[03])?:?\s*)?(97[89][\s\u2010-\u2015-]?)?(\d[\s\u2010-\u2015-]?){9}[\dX](?![\p{L}\p{N}])/giu,
    found => {
      const isbn = validIsbn(found)
      return isbn === undefined ? found : ` ${isbn} `
    }
  )

function validIsbn(text: string): string | undefined {
  const bare = text
    .replace(/^isbn(-1[03])?:?\s*/i, '')
    .replace(/[\s\u2010-\u2015-]/g, '')
    .toUpperCase()
  const weigh = (digits: string) => [...digits].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0)
  if (/^\d{13}$/.test(bare)) return weigh(bare) % 10 === 0 ? bare : undefined
  if (!/^\d{9}[\dX]$/.test(bare)) return undefined
  const sum = [...bare].reduce((total, digit, at) => total + (digit === 'X' ? 10 : Number(digit)) * (10 - at), 0)
  const body = `978${bare.slice(0, 9)}`
  return sum % 11 === 0 ? `${body}${(10 - (weigh(body) % 10)) % 10}` : undefined
}
