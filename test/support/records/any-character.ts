import fc from 'fast-check'

/** The code points from here on are the halves of characters, of which there are so many. */
const firstHalf = 0xd800
const halves = 0x800

/**
 * Any code point that is a character, as the unit of a text. `fc.string({ unit: 'binary' })` says
 * the same, after a second or two spent on a table of all of them.
 */
export const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - halves }).map(
  at => String.fromCodePoint(at < firstHalf ? at : at + halves),
  character => {
    const point = typeof character === 'string' ? (character.codePointAt(0) ?? 0) : Number.NaN
    if (character !== String.fromCodePoint(point)) throw new Error('Not one character')
    return point < firstHalf ? point : point - halves
  }
)
