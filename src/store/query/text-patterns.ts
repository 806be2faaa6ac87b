import { headLength } from '#domain/search/index-values.ts'
import { firstCharacters } from '#domain/values/fold.ts'
import type { TextTest } from './dialect.ts'
import { type Sql, sql } from './sql.ts'

/* Patterns for LIKE, as both databases read them. The escape character is a backslash. */

const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** A pattern for texts that contain these pieces, one after the other. */
export const likePattern = (pieces: readonly string[]) => pieces.map(escapeLike).join('%')

/** A pattern for a text of words, which begins and ends with a space. */
export function wordPattern({ pieces, atStart, atEnd }: Extract<TextTest, { kind: 'words' }>): string {
  const masks = pieces.map(piece => ('text' in piece ? escapeLike(piece.text) : piece.mask === 'any' ? '%' : '_'))
  return `${atStart ? '' : '%'} ${masks.join('')} ${atEnd ? '' : '%'}`
}

/** The words of a test, without its wildcards. */
export const wordsOf = ({ pieces }: Extract<TextTest, { kind: 'words' }>): string[] =>
  pieces.flatMap(piece => ('text' in piece ? piece.text.split(' ') : []))

/** Not less than any continuation of the beginning of a head. */
const lastLetters = '\u{10ffff}'.repeat(headLength)

/** A range of the index by head, on `field_values v`, for texts that begin so. */
export function headRange(beginning: string): Sql {
  const head = firstCharacters(beginning, headLength)
  return sql('v.head >= ? AND v.head <= ?', head, head + lastLetters)
}
