import type { Entity } from '#domain/entity/entity.ts'
import { type PublicationLevel, relatedBy } from '#domain/entity/publication.ts'
import { isCollectiveTitle, keyOf } from '../../description/keys.ts'
import { withoutArticle } from '../../description/languages.ts'
import { hasScript } from '../../description/scripts.ts'
import { levelTitles } from '../mapping/notes.ts'
import {
  asTerm,
  at,
  authorityParts,
  type ComposedField,
  dataField,
  type Part,
  punctuate,
  textOf,
  textsOf,
  type Whole,
  withFullStop
} from './composer.ts'

export interface TitleFields {
  readonly fields: readonly ComposedField[]
  /**
   * Whether a title implies that the text is a translation, or has an original under another title.
   */
  readonly namesOriginal: boolean
}

interface TitleOptions {
  readonly isTranslation: boolean
  readonly hasMainEntry: boolean
  /** The language of a translation, in words. */
  readonly language: string | undefined
  /** The codes of the languages of the text: they determine which words are articles. */
  readonly languages: readonly string[]
}

/** Title proper, uniform title, original title, and all other titles of any level. */
export function composeTitles(whole: Whole, options: TitleOptions): TitleFields {
  const { manifestation, expression, work } = whole
  const { scripts, rest } = splitScripts(manifestation.entity)
  const [title = textOf(expression, 'title') ?? textOf(work, 'title') ?? '[Untitled]', ...variants] = textsOf(
    rest,
    'title'
  )
  const responsibility = asTerm(textsOf(rest, 'responsibility').join(' ; '))
  const [subtitle] = textsOf(rest, 'subtitle')
  const entry = options.hasMainEntry ? '1' : '0'
  const proper = dataField('245', `${entry}${articleLength(title, options.languages)}`, [
    ['6', scripts.length > 0 ? '880-01' : undefined],
    ...endWithFullStop([
      ['a', title],
      ['b', responsibility === '' && subtitle !== undefined ? asTerm(subtitle) : subtitle, ' :'],
      ['c', responsibility, ' /']
    ])
  ])
  const uniform = composeUniform(whole, title, options)
  const original = textOf(work, 'original_title')
  const isSaid =
    original !== undefined && options.isTranslation && uniform.title === original && !isCollectiveTitle(keyOf(original))
  const originals = original === undefined || isSaid ? [] : originalField(original, options.isTranslation)

  const seen = new Set([title, uniform.title, original].map(each => keyOf(each ?? '')))
  const others = otherTitles(rest, [title, ...(subtitle === undefined ? [] : [subtitle])], variants)
  for (const { subfields } of others) seen.add(keyOf(subfields[0]?.value ?? ''))
  const ofLevel = (level: 'work' | 'expression', texts: readonly string[]) =>
    texts.flatMap(text => {
      if (seen.has(keyOf(text))) return []
      seen.add(keyOf(text))
      return at(
        level,
        dataField('246', '1 ', [
          ['i', levelTitles[level]],
          ['a', text]
        ])
      )
    })
  const of = (level: PublicationLevel | undefined) => (level === undefined ? [] : textsOf(level.entity, 'title'))
  return {
    fields: [
      ...at('manifestation', proper),
      ...at(
        'manifestation',
        scripts.flatMap(each => originalScript(each, entry))
      ),
      ...uniform.fields,
      ...at('work', originals),
      ...at('manifestation', others),
      ...ofLevel('expression', of(expression)),
      ...ofLevel('work', of(work))
    ],
    namesOriginal: originals.length > 0
  }
}

/** 246: the titles of the publication beside its title proper, as `readMetadata` reads them. */
function otherTitles(entity: Pick<Entity, 'metadata'>, known: readonly string[], variants: readonly string[]) {
  const seen = new Set(known.map(keyOf))
  const isNew = (text: string) => !seen.has(keyOf(text)) && seen.add(keyOf(text))
  const field = (indicators: string) => (text: string) => dataField('246', indicators, [['a', text]])
  const others = [...textsOf(entity, 'other_title'), ...variants, ...textsOf(entity, 'subtitle').slice(1)]
  return [
    ...textsOf(entity, 'parallel_title').filter(isNew).flatMap(field('31')),
    ...others.filter(isNew).flatMap(field('3 '))
  ]
}

/** The entries in an original script, by their language and script, and the entity without them. */
function splitScripts(entity: Entity) {
  const isInScript = ({ key, lang }: Entity['metadata'][number]) =>
    ['title', 'subtitle', 'responsibility'].includes(key) && hasScript(lang)
  const byTag = Map.groupBy(entity.metadata.filter(isInScript), ({ lang }) => lang)
  const hasOther = entity.metadata.some(entry => entry.key === 'title' && !isInScript(entry))
  const scripts = hasOther
    ? [...byTag.values()].filter(list => list.some(({ key }) => key === 'title')).map(metadata => ({ metadata }))
    : []
  const inScripts = new Set(scripts.flatMap(({ metadata }) => metadata))
  return { scripts, rest: { metadata: entity.metadata.filter(entry => !inScripts.has(entry)) } }
}

/** 880: title, subtitle and responsibility in the original script. */
const originalScript = (entity: Pick<Entity, 'metadata'>, entry: string) =>
  dataField('880', `${entry}0`, [
    ['6', '245-01'],
    ...punctuate([
      ['a', textsOf(entity, 'title')[0]],
      ['b', textsOf(entity, 'subtitle')[0], ' :'],
      ['c', textsOf(entity, 'responsibility').join(' ; '), ' /']
    ])
  ])

/** The number of leading characters that do not count in sorting. */
function articleLength(title: string, languages: readonly string[]): number {
  const length = languages.length === 0 ? 0 : title.length - withoutArticle(title, languages).length
  return length <= 9 ? length : 0
}

/**
 * Puts ISBD before each part, and a full stop after the last, if a reader can tell that it is not
 * part of the text.
 */
function endWithFullStop(parts: Parameters<typeof punctuate>[0]): Part[] {
  const punctuated = punctuate(parts)
  return punctuated.map(([code, value], index) => {
    const isLast = index === punctuated.length - 1
    return [code, isLast && value !== undefined && !/[?!]$/.test(value) ? withFullStop(value) : value]
  })
}

/**
 * The uniform title of the work; else its own title, if that differs from the title of the
 * publication, or if the text has a year. The title of the original takes precedence if it is the
 * same.
 */
function composeUniform(whole: Whole, title: string, { isTranslation, hasMainEntry, language }: TitleOptions) {
  const { expression, work } = whole
  const [given, ...more] = relatedBy(work, 'refUniformTitles')
  const year = /^(?:1\d{3}|20\d{2})$/.exec(textOf(expression, 'year') ?? '')?.[0]
  const own = textOf(work, 'title')
  const isOriginal = own === textOf(work, 'original_title') && year === undefined
  const named = given === undefined ? undefined : textOf(given, 'title')
  const isOwn = own !== undefined && !isOriginal && (keyOf(own) !== keyOf(title) || year !== undefined)
  const text = named ?? (isOwn ? own : undefined)
  if (text === undefined) return { title: undefined, fields: [] }
  const parts: Part[] = [
    ['l', isTranslation ? language : undefined],
    ['f', year]
  ]
  const isLast = parts.every(([, value]) => value === undefined)
  const [tag, indicators] = hasMainEntry ? ['240', '10'] : ['130', '0 ']
  const field = dataField(tag, indicators, [
    ['a', isLast ? text : withFullStop(text)],
    ...parts,
    ...(given === undefined ? [] : authorityParts(given.entity))
  ])
  const further = more.flatMap(each => dataField('730', '0 ', [['a', textOf(each, 'title')]]))
  return {
    title: text,
    fields: [...at(year === undefined ? 'work' : ['work', 'expression'], field), ...at('work', further)]
  }
}

function originalField(original: string, isTranslation: boolean) {
  return isTranslation
    ? dataField('765', '0 ', [['t', original]])
    : dataField('246', '1 ', [
        ['i', 'Original title:'],
        ['a', original]
      ])
}
