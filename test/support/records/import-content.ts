import { createHash } from 'node:crypto'

import type { Entity } from '#domain/entity/entity.ts'
import { everything } from '#domain/filter/filter.ts'
import type { Position } from '#store/ports/queries.ts'
import type { Store } from '#store/store.ts'

/*
 * Returns the content of a catalogue for comparing: with its ids, or only the parts that do not
 * depend on the generated ids.
 */

export async function entitiesIn(store: Store): Promise<Map<string, Entity>> {
  const entities = new Map<string, Entity>()
  for (let from: Position | undefined; ; ) {
    const page = await store.queryEntities({
      filter: everything,
      readableTypes: undefined,
      order: { items: [{ by: 'created' }], ascending: true },
      skip: 0,
      limit: 1000,
      counted: false,
      ...(from === undefined ? {} : { from: { position: from, backwards: false } })
    })
    for (const { id, json } of page.entities) entities.set(id, JSON.parse(json) as Entity)
    if (!page.hasMore) return entities
    from = page.last
  }
}

/** A line for each entity, with everything but its versions and who wrote them when. */
export async function linesOf(store: Store): Promise<string[]> {
  return [...(await entitiesIn(store)).values()]
    .map(({ id, type, metadata, relations, identifiers }) =>
      JSON.stringify([id, type, metadata, relations, [...identifiers].sort()])
    )
    .sort()
}

/**
 * A line for each entity without ids: what it points to stands there as what that is, as a digest.
 */
export async function linesWithoutIds(store: Store, write: (text: string) => string = text => text): Promise<string[]> {
  const entities = await entitiesIn(store)
  const lines = new Map<string, string>()
  const lineOf = (id: string): string => {
    const known = lines.get(id)
    if (known !== undefined) return known
    const entity = entities.get(id)
    if (entity === undefined) return 'nothing'
    const own = ({ type, metadata }: Entity) => [type, write(JSON.stringify(metadata))]
    const relations = entity.relations.map(({ type, key, metadata = [] }) => {
      // Only between records of one level may relations lead back to where they began.
      const peer = peers.has(type) ? entities.get(key) : undefined
      return [type, metadata, short(peer === undefined ? lineOf(key) : JSON.stringify(own(peer)))]
    })
    const line = JSON.stringify([...own(entity), relations])
    lines.set(id, line)
    return line
  }
  return [...entities.keys()].map(lineOf).sort()
}

const peers = new Set(['refParts', 'refPrecededBy', 'refHost'])

const short = (line: string) => createHash('sha256').update(line).digest('base64').slice(0, 16)

export const digestOfLines = (lines: readonly string[]) => createHash('sha256').update(lines.join('\n')).digest('hex')
