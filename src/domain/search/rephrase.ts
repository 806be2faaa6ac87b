import { wordsOf } from './search-words.ts'

/*
 * Other texts for a search that found nothing: without words that no record has, with words that
 * are spelt like them, or with some of its words only.
 */

/** A word of a search: how often it occurs, and words of the index that are spelt like it. */
export interface SpeltWord {
  readonly word: string
  /** The number of occurrences, of beginnings and other forms too; 0 if no record has the word. */
  readonly size: number
  /**
   * The most similar first; of equally similar ones the most frequent. Only of words that no record
   * has, or, if each word occurs, of the rarest.
   */
  readonly near: readonly string[]
}

/** A word of the text, and the one that takes its place. */
export interface Replacement {
  readonly from: string
  readonly to: string
}

export interface Rephrased {
  readonly text: string
  /** The terms that it lacks, as they were typed. */
  readonly leftOut: readonly string[]
  readonly changed: readonly Replacement[]
}

/** Maximum number of terms that are left out one at a time, and that are respelt or left alone. */
const maxLeftOut = 5
export const maxRarest = 3
/** Maximum number of terms of a text that is tried with some of them: not a paragraph. */
const maxTerms = 24

/** Other texts of a search, by how they were made; the best of each kind first. */
export interface Rephrasings {
  readonly respelt: readonly Rephrased[]
  /** In groups: those of a group are of use only if none of the groups before found anything. */
  readonly shortened: readonly (readonly Rephrased[])[]
}

/** Makes other texts. `spelt` has the words that the search requires. */
export function rephrase(text: string, spelt: readonly SpeltWord[]): Rephrasings {
  const known = new Map(spelt.map(each => [each.word, each]))
  const terms = termsIn(text)
  if (terms.some(term => operators.has(term))) return { respelt: [], shortened: [] }
  const words = new Map(terms.map(term => [term, wordsOf(term.replace(/^-?(?:\p{L}{1,20}:)?/u, ''))]))
  const sizeOf = (term: string) =>
    Math.min(...(words.get(term) ?? []).map(word => known.get(word)?.size ?? Number.POSITIVE_INFINITY))
  const isRequired = (term: string) => /^-|["“”„]/.test(term) || words.get(term)?.some(word => known.has(word)) === true
  const required = [...new Set(terms)].filter(isRequired)
  const absent = required.filter(term => sizeOf(term) === 0)
  // The most frequent first; of equally frequent ones the last typed: these are left out first.
  const present = required
    .filter(term => sizeOf(term) !== 0)
    .reverse()
    .sort((one, other) => sizeOf(other) - sizeOf(one))

  const made = (leftOut: readonly string[], changed: readonly Replacement[] = []): Rephrased[] => {
    const left = terms.filter(term => !leftOut.includes(term))
    if (!left.some(isRequired)) return []
    const said = left.map(term => changed.find(({ from }) => from === term)?.to ?? term)
    return [{ text: said.join(' '), leftOut, changed }]
  }
  const nearOf = (term: string, place: number): Replacement[] => {
    const [word = '', ...others] = words.get(term) ?? []
    const to = others.length === 0 && !term.startsWith('-') ? known.get(word)?.near[place] : undefined
    return to === undefined ? [] : [{ from: term, to }]
  }
  const respell = (place: number) => {
    const changed = absent.flatMap(term => nearOf(term, place))
    const isChanged = (term: string) => changed.some(({ from }) => from === term)
    return changed.length === 0
      ? []
      : made(
          absent.filter(term => !isChanged(term)),
          changed
        )
  }
  const isShort = terms.length <= maxTerms
  const rarest = present.toReversed().slice(0, maxRarest)
  return {
    respelt:
      absent.length > 0
        ? [...respell(0), ...respell(1)]
        : rarest.flatMap(term => nearOf(term, 0).flatMap(changed => made([], [changed]))),
    shortened: [
      absent.length > 0 ? made(absent) : [],
      isShort && present.length > 1 ? present.slice(0, maxLeftOut).flatMap(term => made([...absent, term])) : [],
      isShort && present.length > 3 ? made([...absent, ...present.slice(0, -2)]) : [],
      isShort && present.length > 2 ? rarest.flatMap(term => made(required.filter(each => each !== term))) : []
    ]
  }
}

const operators: ReadonlySet<string> = new Set(['OR', 'AND', 'NOT', '|'])

/** The terms of a text: words, and phrases with their quotes. */
function termsIn(text: string): string[] {
  const terms: string[] = []
  let term = ''
  let isQuoted = false
  for (const sign of `${text} `) {
    if (/["“”„]/.test(sign)) isQuoted = !isQuoted
    if (isQuoted || !/\s/.test(sign)) term += sign
    else if (term !== '') {
      terms.push(term)
      term = ''
    }
  }
  return term.trim() === '' ? terms : [...terms, term.trim()]
}
