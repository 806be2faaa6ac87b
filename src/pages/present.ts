import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { levels, wemLinks } from '#domain/entity/publication.ts'
import type { Filter } from '#domain/filter/filter.ts'
import { programme } from '#domain/record-types/programme.ts'
import type { Locale } from './locale.ts'
import type { PageParts } from './page.ts'
import { zonesOf } from './zones.ts'

/**
 * What there is of each record at present, as text: the number of editions of a work, the next
 * performance of a production.
 */
export async function presentOf(
  parts: PageParts,
  entities: readonly Entity[],
  locale: Locale
): Promise<(entity: Entity) => string | undefined> {
  const { model } = parts
  const works = entities.filter(({ type }) => model.umbrellaOf(type) === levels[0])
  const productions = entities.filter(({ type }) => type === programme.production)
  const texts = new Map<string, string>()
  for (const { id } of works) {
    const count = await countEditions(parts, id)
    if (count > 0) texts.set(id, locale.phrases.editionsOfWork(count, locale.number(count)))
  }
  const next = new Map<string, Entity>()
  for (const { id } of productions) {
    const performance = await nextOf(parts, id)
    if (performance !== undefined) next.set(id, performance)
  }
  const zoneOf = await zonesOf(parts, [...next.values()])
  for (const [id, performance] of next) {
    const start = String(valuesOf(performance, 'start')[0])
    texts.set(id, locale.phrases.nextPerformance(locale.moment(start, zoneOf(performance))))
  }
  return ({ id }) => texts.get(id)
}

/** The number of editions of a work that visitors may read. */
async function countEditions({ model, catalogue, principal }: PageParts, work: string): Promise<number> {
  const types = principal.readableTypes.filter(each => model.umbrellaOf(each) === levels.at(-1))
  const ofWork: Filter = {
    kind: 'related',
    type: wemLinks.expression,
    of: { kind: 'identifiers', identifiers: [work] }
  }
  const { count } = await catalogue.listEntities(principal, {
    filter: {
      kind: 'all',
      of: [
        { kind: 'types', types },
        { kind: 'related', type: wemLinks.manifestation, of: ofWork }
      ]
    },
    order: { items: [{ by: 'created' }], ascending: true },
    ...{ skip: 0, limit: 0, cursor: undefined }
  })
  return count
}

/** The next performance of a production that visitors may read. */
async function nextOf({ catalogue, principal, now }: PageParts, production: string): Promise<Entity | undefined> {
  if (!principal.mayRead(programme.performance)) return undefined
  const { entities } = await catalogue.listEntities(principal, {
    filter: {
      kind: 'all',
      of: [
        { kind: 'types', types: [programme.performance] },
        {
          kind: 'field',
          path: { kind: 'relation_key', type: programme.ofProduction },
          test: { kind: 'equals', values: [production] }
        },
        {
          kind: 'field',
          path: { kind: 'metadata', key: 'start' },
          test: { kind: 'instant', from: now(), to: Number.POSITIVE_INFINITY }
        }
      ]
    },
    order: { items: [{ by: 'metadata', key: 'start' }], ascending: true },
    ...{ skip: 0, limit: 1, cursor: undefined, isCounted: false }
  })
  return entities[0] && (JSON.parse(entities[0].json) as Entity)
}
