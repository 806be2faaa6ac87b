import { isAscii } from '../values/fold.ts'

/*
 * One name in several romanisations: ALA-LC, ISO 9, DIN, Pinyin, Wade-Giles and others write the
 * same letters differently, and the vowels most of all. A sound is the order of the classes of
 * consonants, so that `Shchukarëv` and `Ščukarëv` have the same one. So have many other names: a
 * sound is evidence for a question, and never for more.
 */

/** Languages that are not written in Latin letters, as ISO 639-3 codes. */
const romanised = new Set(
  (
    'rus ukr bel bul mkd srp kaz kir tgk uzb mon hye kat ell grc heb yid ara fas pus urd hin mar nep san ben asm guj ' +
    'pan tam tel kan mal sin tha lao khm mya bod dzo amh tir zho cmn yue jpn kor'
  ).split(' ')
)

export const isRomanised = (language: string) => romanised.has(language)

/** Articles that Arabic and Hebrew names may be written without, or assimilated. */
const articles = /(?<=^| )(?:al|el|ad|ar|as|ash|at|az|an|ha|ho|he|hoi|o|i|to|ta)(?= .)/g

/** The Japanese official romanisation, as Hepburn writes its syllables. */
const hepburn: readonly (readonly [official: RegExp, hepburn: string])[] = [
  [/tu/g, 'tsu'],
  [/ti/g, 'chi'],
  [/si/g, 'shi'],
  [/zi/g, 'ji'],
  [/hu/g, 'fu'],
  [/ty/g, 'ch'],
  [/sy/g, 'sh']
]

/** Classes of consonants, the longer spellings first. */
const classes: readonly (readonly [spellings: RegExp, sound: string])[] = [
  [/kh|gh/g, 'k'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/shch|tsch|dsch|sch|tch|dzh|sh|ch|zh|ts|tz|dz|[cszx]|j(?=[bcdfgklmnpqrstvwxz])/g, 's'],
  [/[gq]/g, 'k'],
  [/d/g, 't'],
  [/b/g, 'p'],
  [/[vw]/g, 'f'],
  [/m/g, 'n'],
  [/[^fklnprst]/g, ''],
  [/(.)\1+/g, '$1']
]

/** The sound of a key in Latin letters; empty if it has none. */
export function soundOf(key: string, languages: readonly string[]): string {
  if (!isAscii(key)) return ''
  let sound = key.replaceAll(articles, '')
  if (languages.includes('jpn')) for (const [official, other] of hepburn) sound = sound.replaceAll(official, other)
  for (const [spellings, each] of classes) sound = sound.replaceAll(spellings, each)
  return sound
}
