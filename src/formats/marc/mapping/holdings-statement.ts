import type { DataField } from '../record.ts'
import { firstPart, partsOf } from './values.ts'

/*
 * Holdings in words: 863 to 865 of MARC 21 have the numbers and years, 853 to 855 the captions.
 * https://www.loc.gov/marc/holdings/hd853855.html
 */

/** The tags of captions, by those of the numbers. */
export const captionTags: Readonly<Record<string, string>> = { '863': '853', '864': '854', '865': '855' }

const enumeration = 'abcdefgh'
const chronology = 'ijklm'

/**
 * Writes the numbers of a field with the captions of another as words: `v.1 (1990)-v.12 (2001)`. A
 * range without an end stays open.
 */
export function statementOf(numbers: DataField, captions: DataField | undefined): string {
  const captionOf = (code: string) => {
    const caption = (captions && firstPart(captions, code)) ?? ''
    // A caption in brackets names the level and is not shown.
    return /^[(*]/.test(caption) ? '' : caption
  }
  const parts = partsOf(numbers, enumeration + chronology)
  const end = (place: 0 | 1) => {
    const levels = (codes: string) =>
      parts.flatMap(({ code, value }) => {
        const [first = '', last = first] = value.split('-')
        const text = (place === 0 ? first : last).trim()
        return codes.includes(code) && text !== '' ? [`${captionOf(code)}${text}`] : []
      })
    const [counted, dated] = [levels(enumeration).join(':'), levels(chronology).join('/')]
    return counted === '' ? dated : dated === '' ? counted : `${counted} (${dated})`
  }
  const isRange = parts.some(({ value }) => value.includes('-'))
  const isOpen = isRange && parts.every(({ value }) => !/-\s*\S/.test(value))
  const words = isOpen ? `${end(0)}-` : isRange ? `${end(0)}-${end(1)}` : end(0)
  const title = firstPart(numbers, 'o') ?? (captions && firstPart(captions, 'o'))
  return title === undefined || words === '' ? words : `${title}: ${words}`
}
