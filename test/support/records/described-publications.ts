import type { Entity, MetadataEntry } from '#domain/entity/entity.ts'
import { createModel } from '#domain/record-types/model.ts'
import type { Publication, PublicationExpression, PublicationLevel } from '#domain/entity/publication.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { entityOf } from './publications.ts'

/* Publications for tests of formats, made by hand: nothing is asked of a store. */

export const model = createModel(builtInRecordTypes)

type Fields = Readonly<Record<string, unknown>>

export function anEntity(id: string, type: string, fields: Fields, identifiers: readonly string[] = []): Entity {
  const at = '2026-11-15T09:30:00.000Z'
  const metadata = Object.entries(fields).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map(each => ({ key, value: each }) as MetadataEntry)
  )
  return entityOf({ id, uuid: `uuid-${id}`, type, metadata, identifiers, stamp: { at, by: 'test' } })
}

/** A relation with what it leads to, and its role. */
export const related = (type: string, entity: Entity, role?: string) => ({
  type,
  entity,
  metadata: role === undefined ? [] : [{ key: 'role', value: role }]
})

export const aLevel = (entity: Entity, ...list: PublicationLevel['related'][number][]): PublicationLevel => ({
  entity,
  related: list
})

export const anExpressionOf = (
  work: PublicationLevel | undefined,
  entity: Entity,
  ...list: PublicationLevel['related'][number][]
): PublicationExpression => ({ ...aLevel(entity, ...list), work })

export const goethe = anEntity('PERS-G', 'person', { name: 'Goethe, Johann Wolfgang von', life_dates: '1749-1832' })
export const translator = anEntity('PERS-T', 'person', { name: 'Vertaler, Anna' })
export const dutch = anEntity('LANG-NLD', 'language', { name: ['Nederlands', 'Dutch'], code: 'nld' })

const work = aLevel(
  anEntity('W-1', 'work_word', { title: 'Faust', original_title: 'Faust. Eine Tragödie', year: '1808' }),
  related('refAuthors', goethe, 'aut'),
  related('refSubjects', anEntity('SUBJ-1', 'subject', { name: 'Duivel' })),
  related('refGenres', anEntity('GEN-1', 'genre', { name: 'Tragedie' })),
  related('refPlaces', anEntity('PL-1', 'place', { name: 'Leipzig' })),
  related('refTimes', anEntity('TIME-1', 'time', { name: '16e eeuw' })),
  related('refSisos', anEntity('SISO-1', 'siso', { code: '856.3' })),
  related('refTargetAudiences', anEntity('AUD-1', 'target_audience', { name: 'Volwassenen' }))
)

/** Faust in Dutch. */
export const faust: Publication = {
  manifestation: aLevel(
    anEntity(
      'M-1',
      'manifestation_word',
      {
        title: 'Faust',
        subtitle: 'een treurspel',
        isbn: '90-9758-078-1',
        year_of_publication: 1999,
        edition: '2e druk',
        extent: '184 p.',
        material_type: 'boek',
        series_statement: 'Klassieken ; 7',
        responsibility: 'vertaald door Anna Vertaler'
      },
      ['urn:extern:1']
    ),
    related('refPublishers', anEntity('PUB-1', 'publisher', { name: 'De Pers' })),
    related('refPlaces', anEntity('PL-2', 'place', { name: 'Leiden' }))
  ),
  expressions: [
    anExpressionOf(
      work,
      anEntity('E-1', 'expression_word', { title: 'Faust' }),
      related('refAuthors', translator, 'trl'),
      related('refLanguages', dutch)
    )
  ]
}

/** Two works in one volume. */
export const anthology: Publication = {
  manifestation: aLevel(anEntity('M-2', 'manifestation_word', { title: 'Twee stukken', is_omnibus: true })),
  expressions: [
    ...faust.expressions,
    anExpressionOf(
      aLevel(anEntity('W-2', 'work_word', { title: 'Clavigo' }), related('refAuthors', goethe)),
      anEntity('E-2', 'expression_word', { title: 'Clavigo, een toneelspel' })
    )
  ]
}
