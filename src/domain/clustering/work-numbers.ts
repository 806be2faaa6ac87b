import { foldText } from '../values/fold.ts'

/*
 * Numbers of musical works: opus, and the numbers of catalogues. They are the same in every
 * language, where titles and keys are not: `Sonatas, piano, K. 331, A major` is `Sonaten, Klavier,
 * KV 331, A-Dur`.
 */

/** The catalogues that several composers have, by the ways to write them. */
const catalogues: readonly (readonly [catalogue: string, written: RegExp])[] = [
  ['k', /(?<![\p{L}\p{N}])(?:kv|k|kochel|koechel)\.?\s*(?:v\.?\s*)?(\d+[a-z]?)(?!\p{L})/gu],
  ['hob', /(?<![\p{L}\p{N}])(?:hob|hoboken|h)\.?\s*([ivxl]+[a-z]?\s*[,:/]\s*\w+)/gu],
  ...['bwv', 'rv', 'hwv', 'twv', 'woo', 'wwv', 'buxwv', 'swv', 'd', 's'].map(
    name => [name, new RegExp(`(?<![\\p{L}\\p{N}])${name}\\.?\\s*(\\d+[a-z]?)(?!\\p{L})`, 'gu')] as const
  ),
  ['op', /(?<![\p{L}\p{N}])(?:op|opus)\.?\s*(\d+[a-z]?(?:,?\s*(?:no|nr|n)[.°]?\s*\d+)?)(?!\p{L})/gu]
]

/** Most titles with a number name no catalogue: one search answers that. */
const anyCatalogue = new RegExp(catalogues.map(([, { source }]) => source).join('|'), 'u')

/** The prefix of the keys of work numbers. */
const prefix = 'number '

/**
 * The keys of the numbers in the title of a musical work: `number k 331`, `number op 27 2`. A title
 * with two numbers of one catalogue names two works.
 */
export function workNumbersIn(text: string): string[] {
  if (!/\d/.test(text)) return []
  const folded = foldText(text)
  if (!anyCatalogue.test(folded)) return []
  return catalogues.flatMap(([catalogue, written]) => {
    const numbers = new Set([...folded.matchAll(written)].map(([, number = '']) => numberKey(number)))
    const [only, ...more] = numbers
    return only === undefined || more.length > 0 ? [] : [`${prefix}${catalogue} ${only}`]
  })
}

const numberKey = (number: string) =>
  number
    .replaceAll(/(?:no|nr|n)[.°]?(?=\s*\d)|[^a-z0-9]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The catalogue and the number in a key: two numbers of one catalogue are two works. */
export function countedNumber(key: string): string[] {
  if (!key.startsWith(prefix)) return []
  const cut = key.indexOf(' ', prefix.length)
  return [`${key.slice(0, cut)} / ${key.slice(cut + 1)}`]
}
