/* Records are compared by names in small letters and languages by their codes; here they are written as people write them. */

/** `verhoeven, mila` as `Verhoeven, Mila`; who has no forenames has no comma. */
export const nameText = (folded: string) =>
  folded
    .replace(/,\s*$/, '')
    .replace(/(^|[\s,'-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())

/** Languages whose code in MARC is not the one that browsers know. */
const otherCodes: Readonly<Record<string, string>> = {
  alb: 'sq',
  arm: 'hy',
  baq: 'eu',
  bur: 'my',
  chi: 'zh',
  cze: 'cs',
  dut: 'nl',
  fre: 'fr',
  geo: 'ka',
  ger: 'de',
  gre: 'el',
  ice: 'is',
  mac: 'mk',
  mao: 'mi',
  may: 'ms',
  per: 'fa',
  rum: 'ro',
  slo: 'sk',
  tib: 'bo',
  wel: 'cy'
}

/** The name of a language by its code of three letters. */
export function languageText(code: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(otherCodes[code] ?? code) ?? code
  } catch {
    // Not a code: whatever stands there is shown.
    return code
  }
}
