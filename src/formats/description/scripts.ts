import { memoize } from '#domain/memoize.ts'
import { findLanguage } from './languages.ts'

/*
 * The script of a text, and the language tag (BCP 47) of a text in the original script: `ja-Jpan`
 * beside a title in Latin letters.
 */

/** Scripts by a letter that only they have; of several in one text, the first here counts. */
const scripts: readonly (readonly [pattern: RegExp, script: string])[] = [
  [/[\p{sc=Hiragana}\p{sc=Katakana}]/u, 'Jpan'],
  ...[
    ...['Hangul Kore', 'Han Hani', 'Cyrillic Cyrl', 'Greek Grek', 'Hebrew Hebr', 'Arabic Arab', 'Armenian Armn'],
    ...['Georgian Geor', 'Devanagari Deva', 'Bengali Beng', 'Tamil Taml', 'Thai Thai', 'Ethiopic Ethi', 'Tibetan Tibt']
  ].map(pair => {
    const [name = '', code = ''] = pair.split(' ')
    return [new RegExp(`\\p{sc=${name}}`, 'u'), code] as const
  })
]

/** The code of the script (ISO 15924) of a text. */
export function scriptOf(text: string): string {
  return scripts.find(([pattern]) => pattern.test(text))?.[1] ?? 'Latn'
}

/** The tag of a text in its script, in the language with this code if one is known. */
export function tagOf(text: string, language: string | undefined): string {
  const { code = 'und' } = (language === undefined ? undefined : findLanguage(language)) ?? {}
  const script = scriptOf(text)
  const own = code === 'jpn' && script === 'Hani' ? 'Jpan' : script
  return canonicalTag(`${/^[a-z]{2,3}$/.test(code) ? code : 'und'}-${own}`)
}

const canonicalTag = memoize(500, tag => Intl.getCanonicalLocales(tag)[0] ?? tag)

/** Tests whether a tag names a script: the text stands beside one in Latin letters. */
export const hasScript = (tag: string | undefined) => tag !== undefined && /^[a-z]{2,3}-[A-Z][a-z]{3}$/.test(tag)
