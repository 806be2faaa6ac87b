import { textKey as keyOf } from '#domain/clustering/title-key.ts'
import { withoutArticle } from './languages.ts'

export { isGathering as isCollectiveTitle } from '#domain/clustering/collective-titles.ts'
export { keyOf }

/**
 * The key of a title, without its leading article. The indicator of characters that do not file
 * (`nonFiling`) is wrong in many records, so it counts only where it ends between words.
 */
export function titleKey(text: string, nonFiling: number, languages: readonly string[] | undefined): string {
  const isSound = nonFiling > 0 && /[\s'’"“«([-]/.test(text[nonFiling - 1] ?? '')
  if (!isSound) return keyOf(withoutArticle(text, languages))
  return (nonFiling < text.length && keyOf(text.slice(nonFiling))) || keyOf(text)
}

/**
 * The year of birth in the dates after a name: `1892-1973`, `born 1948`, `1948-`.
 */
export function birthYearOf(dates: string | undefined): string | undefined {
  if (dates === undefined || /^\s*(?:d\.|died|-|†|active|fl)/i.test(dates)) return undefined
  return /\d{3,4}/.exec(dates)?.[0]
}
