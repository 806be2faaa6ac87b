import { countTypos } from './typos.ts'

/** Minimum characters of a name that is compared with others: short ones are similar by chance. */
const minLength = 4
const maxLength = 64

/** The known name that somebody is likely to mean who wrote another one; undefined for none. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  if (given.length < minLength || given.length > maxLength) return undefined
  const bare = (text: string) => text.toLowerCase().replaceAll(/[_\s-]/g, '')
  const bound = given.length < 8 ? 1 : 2
  return (
    known.find(each => bare(each) === bare(given)) ??
    known.find(
      each => each.length >= minLength && countTypos(given.toLowerCase(), each.toLowerCase(), bound) !== undefined
    )
  )
}
