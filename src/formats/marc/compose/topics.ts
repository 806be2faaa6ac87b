import type { Entity } from '#domain/entity/entity.ts'
import { numbersOf } from '#domain/entity/part-order.ts'
import { relatedBy, type RelatedEntity } from '#domain/entity/publication.ts'
import { corporation, person, place, siso, title, zizo } from '#domain/record-types/related.ts'
import { works as workTypes } from '#domain/record-types/work.ts'
import { findRole } from '../../description/roles.ts'
import { agentField } from './agents.ts'
import { clean } from '../mapping/values.ts'
import type { DataField } from '../record.ts'
import {
  at,
  authorityParts,
  type ComposedField,
  dataField,
  type Part,
  relatedOnce,
  textOf,
  textsOf,
  type Whole
} from './composer.ts'

/** Subjects and genre of the work; classes and audiences of any level. */
export function composeTopics(whole: Whole): ComposedField[] {
  const { work, works, expressions, manifestation } = whole
  const each = (tag: string, indicators: string, type: string, parts: (entity: Entity) => readonly Part[]) =>
    at(
      'work',
      relatedOnce(works, type).flatMap(({ entity }) =>
        dataField(tag, indicators, [...parts(entity), ...authorityParts(entity)])
      )
    )
  const name = (entity: Entity): Part[] => [['a', textOf({ entity }, 'name')]]
  const types = [...new Set(works.flatMap(({ entity }) => textsOf(entity, 'literary_type')))]
  return [
    ...at('work', [
      ...dataField('046', '  ', [['k', textOf(work, 'year')]]),
      ...composeScales(work),
      ...types.flatMap(value => dataField('380', '  ', [['a', value]]))
    ]),
    ...at('work', relatedOnce(works, 'refSubjects').flatMap(subjectField)),
    ...each('648', ' 4', 'refTimes', name),
    ...each('651', ' 4', 'refPlaces', name),
    ...each('655', ' 4', 'refGenres', name),
    ...works.flatMap(work =>
      at(
        'work',
        // The works in the publication have entries of their own.
        relatedBy(work, 'refParts')
          .filter(part => works.every(each => each.entity.id !== part.entity.id))
          .flatMap(part =>
            dataField('774', '0 ', [
              ['t', textOf(part, 'title')],
              ['g', numbersOf(part).map(clean).join(', ')]
            ])
          )
      )
    ),
    ...each('730', '0 ', 'refRelatedWorks', entity => [
      ['i', 'Related work:'],
      ['a', textOf({ entity }, 'title')]
    ]),
    ...classes(whole, 'refSisos', siso.type),
    ...classes(whole, 'refZizos', zizo.type),
    ...ofAnyLevel(whole, 'refTargetAudiences').flatMap(({ level, entity }) =>
      at(level, dataField('385', '  ', [...name(entity), ...authorityParts(entity)]))
    ),
    // Roles are written with their people; other designations become a note.
    ...relatedOnce([manifestation, ...expressions, ...works], 'refCodeWordings').flatMap(({ entity }) =>
      findRole(textOf({ entity }, 'code') ?? '')?.isKnown
        ? []
        : at(
            'manifestation',
            dataField('500', '  ', [['a', textOf({ entity }, 'wording') ?? textOf({ entity }, 'code')]])
          )
    )
  ]
}

/** 255: each scale with the coordinates at the same place. */
function composeScales(work: Whole['work']): DataField[] {
  const textsAt = (key: string) => (work ? textsOf(work.entity, key) : [])
  const [scales, coordinates] = [textsAt('scale'), textsAt('coordinates')]
  return Array.from({ length: Math.max(scales.length, coordinates.length) }, (_, place) =>
    dataField('255', '  ', [
      ['a', scales[place]],
      ['c', coordinates[place]]
    ])
  ).flat()
}

const subjectTags: Readonly<Record<string, readonly [tag: string, indicators: string]>> = Object.fromEntries([
  [place.type, ['651', ' 4']],
  ...[title, ...workTypes].map(({ type }) => [type, ['630', '04']])
])

/** A subject by its type: names of people and corporations have fields of their own. */
function subjectField(related: RelatedEntity): DataField[] {
  const { entity } = related
  if (entity.type === person.type || entity.type === corporation.type) return agentField('6', '4', related, [])
  const [tag, indicators] = subjectTags[entity.type] ?? ['650', ' 4']
  const parts: readonly Part[] = tag === '630' ? [['a', textOf({ entity }, 'title')]] : heading(entity)
  return dataField(tag, indicators, [...parts, ...authorityParts(entity)])
}

const heading = (entity: Entity) => termParts(textOf({ entity }, 'name') ?? '')

/** A heading with its subdivisions: `Cats -- Behaviour`. */
export function termParts(term: string): Part[] {
  const [head, ...divisions] = term.split(/(?<!\s)\s+--\s+/)
  return [['a', head], ...divisions.map((each): Part => ['x', each])]
}

const classes = (whole: Whole, type: string, scheme: string) =>
  ofAnyLevel(whole, type).flatMap(({ level, entity }) =>
    at(
      level,
      dataField('084', '  ', [
        ['a', textsOf(entity, 'code')[0]],
        ['2', scheme]
      ])
    )
  )

/**
 * Entities of any level: MARC has one place for them, and one that several levels have is written
 * once, for the highest.
 */
function ofAnyLevel({ works, expressions, manifestation }: Whole, type: string) {
  const seen = new Set<string>()
  const of = (level: 'work' | 'expression' | 'manifestation', levels: Whole['works']) =>
    relatedOnce(levels, type).flatMap(({ entity }) => {
      if (seen.has(entity.id)) return []
      seen.add(entity.id)
      return [{ level, entity }]
    })
  return [...of('work', works), ...of('expression', expressions), ...of('manifestation', [manifestation])]
}
