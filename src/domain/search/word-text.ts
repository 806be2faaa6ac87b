/*
 * A folded text as words between single spaces, with one before and one after, so that one or
 * several words can be found as substrings. The separators are listed instead of left to a locale:
 * every database must split at the same positions.
 */

/**
 * All separators, as ranges of characters: the signs of ASCII, of Latin-1, general punctuation, and
 * that of East Asian scripts.
 */
export const betweenWords: readonly (readonly [first: number, last: number])[] = [
  [0x01, 0x2f],
  [0x3a, 0x40],
  [0x5b, 0x60],
  [0x7b, 0xa9],
  [0xab, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0x2000, 0x206f],
  [0x3000, 0x303f]
]

const separators = new RegExp(
  `[${betweenWords.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('')}]+`,
  'gu'
)

/** Signs of romanised text that nobody types: the soft sign in `Gogolʹ`, the ayn in `ʻAbd`. */
export const romanisedSigns = /[\u02b0-\u02ff]/g

export const wordText = (folded: string) =>
  ` ${folded.replaceAll(romanisedSigns, '').replaceAll(separators, ' ').replaceAll(/^ | $/g, '')} `

/** Text, or a mask that stands for any run of characters, or for one. */
export type MaskPiece = { readonly text: string } | { readonly mask: 'any' | 'one' }
