import type { Entity, Json } from '#domain/entity/entity.ts'
import { fold } from './naive-evaluator.ts'

/*
 * The search of docs/interface.md a second time: slow, in memory, from its text. It shares no code
 * with the service. Every record is compared with every word.
 */

export interface NaiveSearch {
  /** Whether a record is found, and how well it fits: the least first. */
  scoreOf(entity: Entity): number | undefined
}

interface Place {
  readonly word: string
  /** How many words the name has; 0 for other text. */
  readonly nameLength: number
  readonly isWholeName?: boolean
}

/** What a text finds among some records; `find` leads from a key to the record that has it. */
export function searchFor(
  text: string,
  catalogue: Iterable<Entity>,
  find: (key: string) => Entity | undefined,
  nameFieldOf: (type: string) => string
): NaiveSearch {
  const typed = splitWords(fold(joinIsbns(text)))
  const words = [...new Set(typed)]
  const places = new Map<Entity, Place[]>()
  const placesOf = (entity: Entity) => {
    const known = places.get(entity) ?? placesIn(entity, nameFieldOf(entity.type))
    places.set(entity, known)
    return known
  }
  const score = (entity: Entity, slipsCount: boolean): number | undefined => {
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
    let sum = 0
    for (const [index, word] of words.entries()) {
      const isEnd = index > 0 && index === words.length - 1
      const likeness = (found: string) => compareWords(word, found, isEnd, slipsCount && words.length <= 16)
      const costs = [
        ...own
          .filter(place => !place.isWholeName)
          .map(({ word: found, nameLength }) => [likeness(found), nameLength > 0 ? 0 : 4096, nameLength] as const),
        ...[...related, ...saidAbove].map(each => [likeness(each.word), each.isMaker ? 64 : 4096, 0] as const)
      ].flatMap(([like, place, length]) =>
        like === undefined ? [] : [(like + place) * 32_768 + (place === 0 ? length : 0)]
      )
      if (costs.length === 0) return undefined
      sum += Math.min(...costs)
    }
    const isCalledSo = own.some(place => place.isWholeName && place.word === firstLetters(typed.join(' '), 127))
    return words.length > 0 && isCalledSo ? 0 : sum
  }
  const slipsCount = words.length > 0 && ![...catalogue].some(entity => score(entity, false) !== undefined)
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

export const hasWords = (text: string) => splitWords(fold(text)).length > 0

/** 0 for the word itself, more for what is like it, undefined for another. */
function compareWords(wanted: string, found: string, isEnd: boolean, slipsCount: boolean): number | undefined {
  if (found === wanted) return 0
  const letters = [...wanted]
  if ((letters.length > 1 || isEnd) && found.startsWith(wanted)) return 1
  if (!slipsCount || letters.length < 4 || /\p{N}/u.test(wanted + found) || [...found].length < 3) return undefined
  const most = letters.length < 8 ? 1 : 2
  const shared = Math.floor((letters.length - 1) / (most + 1))
  const sharesEnds =
    found.startsWith(letters.slice(0, shared).join('')) || found.endsWith(letters.slice(-shared).join(''))
  if (shared > 0 && !sharesEnds) return undefined
  if (Math.abs(letters.length - [...found].length) > most) return undefined
  const slips = distance(letters, [...found])
  if (slips > most) return undefined
  return slips === 1 ? 2 : 8
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
    (Array.isArray(value) ? (value as Json[]) : [value]).flatMap((each): Place[] => {
      if (each === null || typeof each === 'boolean' || isChoice(entity.type, key)) return []
      const text = typeof each === 'object' ? JSON.stringify(each) : String(each)
      const isbn = key === 'isbn' ? validIsbn(text) : undefined
      const words = isbn === undefined ? splitWords(fold(isHtml(entity.type, key) ? plainText(text) : text)) : [isbn]
      if (words.length === 0) return []
      if (key !== nameField) return words.map(word => ({ word, nameLength: 0 }))
      const nameLength = Math.min(words.length, 63)
      return [
        ...words.map(word => ({ word, nameLength })),
        { word: firstLetters(words.join(' '), 127), nameLength, isWholeName: true }
      ]
    })
  )
}

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
      text += ' '
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
  for (const letter of text) {
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
