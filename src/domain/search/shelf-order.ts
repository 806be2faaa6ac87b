import { foldText } from '../values/fold.ts'

/** The key by which records are sorted as they stand on shelves: `order_by=shelf_order`. */
export const shelfOrderKey = 'shelf_order'

/**
 * A shelf mark or class number as a text that sorts as it stands on the shelf. Whole numbers count
 * as numbers (`QA9` before `QA76`); digits after a point, and after the letter of a cutter number
 * (`.B25` before `.B3`), are decimals.
 */
export const shelfOrderOf = (mark: string) =>
  foldText(mark).replaceAll(/([.,]\p{L}?)?(\d+)/gu, (all: string, decimal: string | undefined, digits: string) =>
    decimal === undefined ? digits.padStart(maxDigits, '0') : all
  )

/** Digits of the longest number that counts as one, such as an accession number. */
const maxDigits = 12
