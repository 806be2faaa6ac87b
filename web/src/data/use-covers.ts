import { queryOptions, useQuery } from '@tanstack/react-query'

import type { Client, Entity } from '../../../client/index.ts'
import { postersOf } from '../session/early-answers.ts'
import { useSession } from '../session/session.tsx'
import { isEmpty, textOf, valuesOf } from './record-model.ts'
import { useRecords } from './use-names.ts'

/** The relations of a record to its pictures, the best first. */
export const pictureRelations: readonly string[] = ['refPrimaryThumbnail', 'refPrimaryMediafile', 'refMediafiles']

/** Whether a media file is a picture whose bytes are here and that a browser can show small. */
export const isPicture = (file: Entity) =>
  !isEmpty(valuesOf(file, 'sha256')[0]) &&
  /^image\/(?:png|jpeg|gif|webp|avif|tiff)$/.test(textOf(valuesOf(file, 'mimetype')[0] ?? ''))

/** The text in place of a picture: its description, or its title. */
export const altOf = (file: Entity, language: string) =>
  textOf(['alt_text', 'description', 'title'].flatMap(key => valuesOf(file, key, language))[0] ?? '')

export function postersQuestion(client: Client, productions: readonly string[]) {
  const { filters, options } = postersOf(productions)
  return queryOptions({
    queryKey: ['posters', productions],
    queryFn: ({ signal }) => client.entities.find(filters, { ...options, signal })
  })
}

/** The picture of each record that has one: a cover, a portrait, the poster of a production. */
export function useCovers(entities: readonly Entity[]): ReadonlyMap<string, Entity> {
  const { client, model } = useSession()
  const own = (entity: Entity) =>
    pictureRelations.flatMap(relation => entity.relations.filter(({ type }) => type === relation)).map(({ key }) => key)
  const files = useRecords(entities.flatMap(entity => own(entity).slice(0, 4)))
  const productions = entities
    .filter(({ type }) => type === model.stage.production?.type)
    .map(({ id }) => id)
    .sort()
  const found = useQuery({ ...postersQuestion(client, productions), enabled: productions.length > 0 })
  const covers = new Map<string, Entity>()
  for (const file of found.data?.results.filter(isPicture) ?? [])
    for (const { type, key } of file.relations) if (type === 'refProductions' && !covers.has(key)) covers.set(key, file)
  for (const entity of entities) {
    const file = own(entity)
      .flatMap(id => files.get(id) ?? [])
      .find(isPicture)
    if (file) covers.set(entity.id, file)
  }
  return covers
}
