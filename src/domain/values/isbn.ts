/**
 * ISBNs are stored as typed and compared as 13 digits, whatever the hyphens and whichever form was
 * used.
 *
 * Only the arithmetic of the check digit is needed for that (ISO 2108); the ranges that hyphenation
 * needs are not.
 */
export interface IsbnReading {
  /** The form for comparing: 13 digits when the check digit is right, else the bare characters. */
  readonly comparable: string
  readonly checkDigitIsRight: boolean
}

/** Reads an ISBN. Returns undefined when the text does not have the form of one. */
export function readIsbn(text: string): IsbnReading | undefined {
  const bare = text
    .replace(/^isbn(?:-1[03])?:?\s*/i, '')
    .replace(/[\s\u2010-\u2015-]/g, '')
    .toUpperCase()
  if (/^\d{13}$/.test(bare)) return { comparable: bare, checkDigitIsRight: check13(bare.slice(0, 12)) === bare[12] }
  if (!/^\d{9}[\dX]$/.test(bare)) return undefined
  if (check10(bare.slice(0, 9)) !== bare[9]) return { comparable: bare, checkDigitIsRight: false }
  const body = `978${bare.slice(0, 9)}`
  return { comparable: body + check13(body), checkDigitIsRight: true }
}

function check13(body: string): string {
  let sum = 0
  for (let index = 0; index < 12; index++) sum += Number(body[index]) * (index % 2 === 0 ? 1 : 3)
  return String((10 - (sum % 10)) % 10)
}

function check10(body: string): string {
  let sum = 0
  for (let index = 0; index < 9; index++) sum += Number(body[index]) * (10 - index)
  const check = (11 - (sum % 11)) % 11
  return check === 10 ? 'X' : String(check)
}
