import type { Entity } from './entity.ts'

/** The tags of `Accept-Language` or of a list of languages, the preferred ones first. */
export function languagesIn(text: string | undefined): readonly string[] {
  if (text === undefined) return []
  return text
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [, tag = '', quality] = /^\s*([\w-]+)(?:\s*;\s*q=([\d.]+))?/.exec(part) ?? []
      return { tag: tag.toLowerCase(), quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}

/** The language of a tag without its country or script: `nl` of `nl-BE`. */
const languageOf = (tag: string) => tag.split('-', 1)[0]?.toLowerCase() ?? ''

/**
 * The entity with its texts in the preferred languages before the others, so that the first value
 * of a field is the one that a reader understands best. Without such texts it stays as it is.
 */
export function inLanguages<Given extends Pick<Entity, 'metadata'>>(
  entity: Given,
  languages: readonly string[] = []
): Given {
  if (languages.length === 0 || entity.metadata.every(({ lang }) => lang === undefined)) return entity
  const wanted = languages.map(languageOf)
  const rankOf = (lang: string | undefined) => {
    const rank = lang === undefined ? -1 : wanted.indexOf(languageOf(lang))
    return rank < 0 ? wanted.length : rank
  }
  return { ...entity, metadata: entity.metadata.toSorted((one, other) => rankOf(one.lang) - rankOf(other.lang)) }
}
