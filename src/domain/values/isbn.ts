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
  const bare = bareIsbn(text)
  if (/^\d{13}$/.test(bare)) return { comparable: bare, checkDigitIsRight: check13(bare.slice(0, 12)) === bare[12] }
  if (!/^\d{9}[\dX]$/.test(bare)) return undefined
  if (check10(bare.slice(0, 9)) !== bare[9]) return { comparable: bare, checkDigitIsRight: false }
  const body = `978${bare.slice(0, 9)}`
  return { comparable: body + check13(body), checkDigitIsRight: true }
}

const bareIsbn = (text: string) =>
  text
    .replace(/^isbn(?:-1[03])?:?\s*/i, '')
    .replace(/[\s\u2010-\u2015-]/g, '')
    .toUpperCase()

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

/** A number that was meant as an ISBN: what is wrong with it, and the numbers that it may be. */
export interface IsbnFault {
  readonly fault: 'length' | 'check_digit'
  /** ISBNs that are one digit away, or two exchanged ones, as 13 digits. */
  readonly near: readonly string[]
  /** The beginning of the 13 digits, of one that was cut off. */
  readonly beginning?: string
}

/** Reads a text that has the form of an ISBN with a mistake; undefined for any other. */
export function findIsbnFault(text: string): IsbnFault | undefined {
  const bare = bareIsbn(text)
  if (!/^(?:\d{9}|\d{9}[\dX]|97[89]\d{8,11})$/.test(bare) || readIsbn(bare)?.checkDigitIsRight) return undefined
  const near = [...new Set(editsOf(bare).flatMap(each => validIsbn(each) ?? []))]
  const isLong = /^97[89]/.test(bare)
  if (bare.length === 13 || (bare.length === 10 && !isLong)) return { fault: 'check_digit', near }
  return { fault: 'length', near, ...(bare.length < 13 ? { beginning: isLong ? bare : `978${bare}` } : {}) }
}

const validIsbn = (bare: string) => {
  const reading = readIsbn(bare)
  return reading?.checkDigitIsRight ? reading.comparable : undefined
}

/** The texts with one digit changed, added or removed, or two neighbours exchanged. */
function editsOf(bare: string): string[] {
  const signs = [...'0123456789X']
  return Array.from({ length: bare.length + 1 }, (_, at) => {
    const [before, after] = [bare.slice(0, at), bare.slice(at)]
    return [
      ...signs.flatMap(sign => [before + sign + after, before + sign + after.slice(1)]),
      before + after.slice(1),
      before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2)
    ]
  }).flat()
}
