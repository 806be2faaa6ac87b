import { foldText } from '../values/fold.ts'
import type { EntryTest, FieldTest } from './filter.ts'

/* The tests that the texts of filters ask for. */

export const containing = (texts: readonly string[]): FieldTest => ({ kind: 'contains', folded: texts.map(foldText) })

/** The test of a selection that is not exact. */
export const part = (text: string): FieldTest =>
  text === '' ? { kind: 'absent' } : text === '*' ? { kind: 'present' } : containing([text])

export function equalTo(text: string): FieldTest {
  if (text === '') return { kind: 'absent' }
  return text === '*' ? { kind: 'present' } : { kind: 'equals', values: [text] }
}

/**
 * The test of a text filter: `*` stands for any run of characters, and the pattern matches the
 * whole field. Without a `*` the field contains the text; `^` before it and `$` after it tie it to
 * the ends of the field.
 */
export function matching(text: string): FieldTest {
  if (text === '') return { kind: 'absent' }
  if (/^\*+$/.test(text)) return { kind: 'present' }
  const atStart = text.startsWith('^')
  const atEnd = text.endsWith('$') && text.length > 1
  const plain = text.slice(atStart ? 1 : 0, atEnd ? -1 : undefined)
  if (plain === '' || /^\*+$/.test(plain)) return { kind: 'present' }
  // Split before folding: folding turns the full-width star into a plain one.
  const pieces = plain.split(/\*+/).map(foldText)
  if (pieces.length > 1) return { kind: 'pattern', pieces }
  if (!atStart && !atEnd) return containing([text])
  return { kind: 'pattern', pieces: [...(atStart ? [] : ['']), ...pieces, ...(atEnd ? [] : [''])] }
}

/** `"*"` matches any value and `""` matches none, for every kind of field. */
export const presenceOf = (value: unknown): FieldTest | undefined =>
  value === '*' ? { kind: 'present' } : value === '' ? { kind: 'absent' } : undefined

/** The test of an entry with further members; undefined if these values cannot have one. */
export function entryTest(values: readonly string[], isExact: boolean): EntryTest | undefined {
  if (values.includes('*')) return { kind: 'present' }
  return isExact && !values.includes('') ? { kind: 'equals', values } : undefined
}
