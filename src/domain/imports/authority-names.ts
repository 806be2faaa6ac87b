import { letterKey } from '../clustering/title-key.ts'
import { memoize } from '../memoize.ts'
import { foldText, isAscii } from '../values/fold.ts'

/*
 * Names as the identity of persons, subjects and other authorities. A search folds diacritics;
 * identity does not: “Pêche”, “Péché” and “Peche” are three subjects.
 */

/** A name without invisible characters and without punctuation in front. */
export const cleanName = memoize(4000, name => {
  const visible = isAscii(name) ? name : name.normalize('NFC').replaceAll(invisible, '')
  const bare = visible.replace(/^(?:[\s,;:/=*|_]|[.–—-](?=[\s–—-]))+/u, '').trim()
  return bare === '' ? name.trim() : bare
})

/**
 * Control characters, soft hyphens, marks of direction, zero-width spaces, byte order marks. The
 * joiners between letters (U+200C, U+200D) change the spelling of some scripts and stay.
 */
const invisible = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu

/** The parts of an authority that identify it. */
export interface NamedAuthority {
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: string }[]
  /** The folded name, or the code. */
  readonly key: string
  readonly birthYear?: string
}

/**
 * The key of an authority. People with the same name and different years of birth are two persons.
 * Names that differ in diacritics are two authorities, except for people with the same year of
 * birth: there a missing mark is the likelier explanation.
 */
export function authorityKeyOf({ type, metadata, key, birthYear }: NamedAuthority): string {
  const name = metadata.find(each => each.key === 'name' || each.key === 'title')?.value
  const isCoded = metadata.some(each => each.key === 'code')
  const letters = isCoded || name === undefined || isAscii(name) ? key : letterKey(cleanName(name)) || key
  return birthYear === undefined ? `${type} ${letters}` : `${type} ${foldText(letters)} ${birthYear}`
}

/**
 * Chooses between two spellings of a name. A spelling in capitals or small letters only loses to a
 * mixed one, then one without diacritics loses to one with them, then the shorter one loses; the
 * order of arrival does not matter.
 */
export function isBetterSpelling(one: string, other: string): boolean {
  const [quality, otherQuality] = [qualityOf(one), qualityOf(other)]
  for (const [place, value] of quality.entries()) {
    const difference = value - (otherQuality[place] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return one < other
}

function qualityOf(name: string): readonly [isMixed: number, marks: number, length: number] {
  const isMixed = name !== name.toUpperCase() && name !== name.toLowerCase()
  const marks = isAscii(name) ? 0 : (name.normalize('NFD').match(/\p{M}/gu)?.length ?? 0)
  return [isMixed ? 1 : 0, marks, name.length]
}
