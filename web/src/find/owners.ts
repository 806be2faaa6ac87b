import type { Client, Entity, EntityPage } from '../../../client/index.ts'
import type { RecordModel } from '../data/record-model.ts'

/** The relation from a part to the record under which it is listed, by kind. */
const ownerRelations: Readonly<Record<string, string>> = {
  manifestation: 'refExpressions',
  expression: 'refWork',
  performance: 'refProduction',
  mediafile: 'refProductions'
}

/** Maximum number of steps from a part to its owner: edition, expression, work. */
const maxSteps = 2

/** A page of results with the owners of its parts that are not on the page themselves. */
export interface OwnedPage extends EntityPage {
  readonly owners: readonly Entity[]
}

/** The id of the record that a part belongs to; undefined for a record that stands alone. */
export function ownerOf(model: RecordModel, entity: Entity): string | undefined {
  const relation = ownerRelations[model.familyOf(entity.type)]
  return entity.relations.find(({ type }) => type === relation)?.key
}

/** Adds the owners of all parts of a page. They arrive with it, so that entries never move. */
export async function withOwners(
  client: Client,
  model: RecordModel,
  page: EntityPage,
  signal: AbortSignal
): Promise<OwnedPage> {
  const known = new Map(page.results.map(entity => [entity.id, entity]))
  const owners: Entity[] = []
  let parts: readonly Entity[] = page.results
  for (let step = 0; step < maxSteps; step++) {
    const missing = new Set(parts.flatMap(each => ownerOf(model, each) ?? []).filter(id => !known.has(id)))
    if (missing.size === 0) break
    const found = await client.entities.find([{ type: 'id', value: [...missing] }], { limit: missing.size, signal })
    for (const each of found.results) known.set(each.id, each)
    owners.push(...found.results)
    // Expressions that are on the page already have owners to be found too.
    parts = [...page.results, ...owners]
  }
  return { ...page, owners }
}

/** An entry of the list of results: a record, and the parts of it that were found. */
export interface Entry {
  readonly entity: Entity
  /** Whether the record itself was found, and not only a part of it. */
  readonly isFound: boolean
  readonly parts: readonly Entity[]
}

/** One entry for each work and production, in the order in which it or a part of it was found. */
export function groupByOwner(
  model: RecordModel,
  found: readonly Entity[],
  owners: readonly Entity[]
): readonly Entry[] {
  const known = new Map([...owners, ...found].map(entity => [entity.id, entity]))
  const entries = new Map<string, { entity: Entity; isFound: boolean; parts: Entity[] }>()
  for (const entity of found) {
    let top = entity
    for (let step = 0; step < maxSteps; step++) top = known.get(ownerOf(model, top) ?? '') ?? top
    const entry = entries.get(top.id) ?? { entity: top, isFound: false, parts: [] }
    entries.set(top.id, entry)
    if (top === entity) entry.isFound = true
    else entry.parts.push(entity)
  }
  return [...entries.values()]
}
