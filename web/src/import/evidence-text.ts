/* Evidence has names in lower case and language codes; here they are written out. */

/** Capitalises a name: `verhoeven, mila` becomes `Verhoeven, Mila`. */
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
    // Not a code: shown as it is.
    return code
  }
}
