import type { FieldRow } from '../../../client/index.ts'
import { isEmpty, textOf } from '../data/record-model.ts'
import type { Words } from '../words/en.ts'

/**
 * What is wrong with a value, in the reader's language. The service says where, in English; what is asked for there, the table of the record type
 * knows. Where it does not, the sentence of the service stands.
 */
export function faultText(words: Words, field: FieldRow, value: unknown, said: string): string {
  if (isEmpty(value)) return field.required ? words.missing : said
  const { min, max, max_length: longest } = field
  if (longest !== undefined && [...textOf(value)].length > longest) return words.tooLong(longest)
  switch (field.kind) {
    case 'number':
    case 'minutes':
      if (typeof value !== 'number') return words.needsNumber
      if (min !== undefined && value < min) return words.needsAtLeast(min)
      return max !== undefined && value > max ? words.needsAtMost(max) : said
    case 'date':
      return words.needsDate
    case 'moment':
      return words.needsMoment
    case 'choice':
    case 'age_category':
      return words.needsChoice
    default:
      return said
  }
}
