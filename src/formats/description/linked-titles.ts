import { valuesOf } from '#domain/entity/entity.ts'
import { numbersOf } from '#domain/entity/part-order.ts'
import { type PublicationLevel, relatedBy } from '#domain/entity/publication.ts'
import { keyOf } from './keys.ts'
import { readHost } from './statements.ts'

/*
 * Titles of hosts and predecessors: the texts of a publication, and the related records that none
 * of these names.
 */

/** `Title ; vol. 3, p. 5-8` for each host. */
export function hostStatements(manifestation: PublicationLevel): string[] {
  const own = valuesOf(manifestation.entity, 'host').map(String)
  const known = new Set(own.map(each => keyOf(readHost(each).title)))
  const hosts = relatedBy(manifestation, 'refHost').flatMap(each => {
    const title = String(valuesOf(each.entity, 'title')[0] ?? '')
    return title === '' || known.has(keyOf(title)) ? [] : [[title, ...numbersOf(each)].join(' ; ')]
  })
  return [...own, ...hosts]
}

export function precedingTitles(manifestation: PublicationLevel, work: PublicationLevel | undefined): string[] {
  const own = valuesOf(manifestation.entity, 'preceding_title').map(String)
  const known = new Set(own.map(keyOf))
  const titles = relatedBy(work, 'refPrecededBy').map(({ entity }) => String(valuesOf(entity, 'title')[0] ?? ''))
  return [...own, ...titles.filter(each => each !== '' && !known.has(keyOf(each)))]
}
