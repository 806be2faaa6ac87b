import type { FieldRow } from '../../../client/index.ts'
import { isEmpty, textOf } from '../data/record-model.ts'
import type { Words } from '../i18n/en.ts'

/**
 * The fault of a value, in the language of the reader. The service gives the place, and the table
 * of the record type gives the rule. Without a rule, the message of the service is shown.
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
    case 'time_zone':
      return words.needsTimeZone
    case 'price':
      return words.needsPrice
    case 'age_category':
      return words.needsAge
    case 'choice':
      return words.needsChoice
    default:
      return said
  }
}
