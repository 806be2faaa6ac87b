import type { PublicationLevel } from '#domain/entity/publication.ts'
import { marcLanguage } from '../../description/languages.ts'
import { findRole } from '../../description/roles.ts'
import { at, type ComposedField, dataField, relatedOnce, textOf, type Whole } from './composer.ts'

export interface ComposedLanguages {
  /** The languages of the text, as in the catalogue. */
  readonly texts: readonly string[]
  readonly isTranslation: boolean
  /** 008/35-37. */
  readonly code: string
  /**
   * 041, if 008 is not enough. `namesOriginal`: the record gives an original title, so the language
   * of the original is needed.
   */
  fields(namesOriginal: boolean): ComposedField[]
}

/** Languages of the text ($a), of subtitles ($j) and of the original ($h). */
export function composeLanguages({ manifestation, expressions, works }: Whole): ComposedLanguages {
  const spoken = codesOf(expressions)
  const shown = codesOf([manifestation]).filter(each => !spoken.includes(each))
  // Only a film has languages that are not those of its text.
  const isFilm = manifestation.entity.type.endsWith('_footage')
  const texts = isFilm && spoken.length > 0 ? spoken : [...spoken, ...shown]
  const subtitles = isFilm && spoken.length > 0 ? shown : []
  const originals = codesOf(works)
  const isSame = originals.length === texts.length && originals.every(each => texts.includes(each))
  const hasTranslator = expressions.some(({ related }) =>
    related.some(({ metadata }) => metadata.some(each => each.key === 'role' && isTranslator(each.value)))
  )
  const isTranslation = hasTranslator || (originals.length > 0 && texts.length > 0 && !isSame)
  return {
    texts,
    isTranslation,
    code: /^[a-z]{3}$/.test(texts[0] ?? '') ? marcLanguage(texts[0] ?? '') : 'und',
    fields(namesOriginal) {
      const isSaid = originals.length > 0 && (isTranslation || namesOriginal || !isSame)
      if (texts.length < 2 && subtitles.length === 0 && !isSaid) return []
      const parts = (code: string, codes: readonly string[]) => codes.map(each => [code, marcLanguage(each)] as const)
      return at(
        isSaid ? ['work', 'expression'] : ['expression', 'manifestation'],
        dataField('041', isTranslation ? '1 ' : '0 ', [
          ...parts('a', texts),
          ...parts('h', isSaid ? originals : []),
          ...parts('j', subtitles)
        ])
      )
    }
  }
}

const isTranslator = (value: unknown) => typeof value === 'string' && findRole(value)?.code === 'trl'

/** Codes of three letters; MARC has no other languages. */
const codesOf = (levels: readonly PublicationLevel[]) =>
  relatedOnce(levels, 'refLanguages').flatMap(each => {
    const code = textOf(each, 'code')?.toLowerCase() ?? ''
    return /^[a-z]{3}$/.test(code) ? [code] : []
  })
