import type { Entity } from '#domain/entity/entity.ts'
import type { Filter } from '#domain/filter/filter.ts'
import { importOf } from '#domain/imports/job.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Parts } from '../parts.ts'
import { listEntities } from './list-entities.ts'

/** Records of one kind that one author changed shortly after each other, or those of one import. */
export interface RecentGroup {
  /** The kind of the records; undefined for an import, which has records of many kinds. */
  readonly kind: string | undefined
  /** The id of the import that made the changes. */
  readonly importId: string | undefined
  readonly by: string
  /** Whether the records were created, not changed. */
  readonly isNew: boolean
  /** The changed records that were read, the latest first. */
  readonly entities: readonly [Entity, ...Entity[]]
  /** Whether there may be more than were read. */
  readonly isCut: boolean
}

/** Number of records in each read, and maximum number of reads. */
const atOnce = 40
const maxReads = 6

/** Milliseconds within which changes belong together. */
const together = 3_600_000

/**
 * Reads the latest changes that the principal may see, the newest first, in groups. It reads
 * backwards from now: after each read without the imports that were in it, and without the kind of
 * record at its end, so that thousands of changes of one kind do not hide the others.
 */
export async function readRecent(parts: Parts, principal: Principal, limit: number): Promise<RecentGroup[]> {
  const groups: RecentGroup[] = []
  const kinds = new Set<string>()
  const authors = new Set<string>()
  const seen = new Set<string>()
  let before = Number.POSITIVE_INFINITY
  for (let read = 0; read < maxReads && groups.length < limit; read++) {
    const page = await listEntities(parts, principal, {
      filter: { kind: 'all', of: leaving([...kinds].flatMap(parts.model.typesNamed), [...authors], before) },
      order: { items: [{ by: 'updated' }], ascending: false },
      ...{ skip: 0, limit: atOnce, cursor: undefined, isCounted: false }
    })
    const entities = page.entities.map(({ json }) => JSON.parse(json) as Entity)
    const oldest = entities.at(-1)
    const found = groupsOf(
      entities.filter(({ id }) => !seen.has(id)),
      parts.model.umbrellaOf
    )
    for (const { id } of entities) seen.add(id)
    const last = found.at(-1)
    if (!last || !oldest || page.next === undefined) {
      groups.push(...found)
      break
    }
    for (const group of found) {
      const isImport = group.importId !== undefined
      groups.push({ ...group, isCut: isImport || group === last })
      if (isImport) authors.add(group.by)
    }
    if (last.kind !== undefined) kinds.add(last.kind)
    before = Date.parse(oldest.audit.updated.at)
  }
  return groups.slice(0, limit)
}

/** Filters of the changes up to an instant, without some types and authors. */
function leaving(types: readonly string[], authors: readonly string[], before: number): Filter[] {
  const from = Number.NEGATIVE_INFINITY
  return [
    ...(types.length === 0 ? [] : [{ kind: 'not', of: { kind: 'types', types } } as const]),
    ...(authors.length === 0 ? [] : [{ kind: 'not', of: isBy(authors) } as const]),
    ...(before === Number.POSITIVE_INFINITY
      ? []
      : [{ kind: 'field', path: { kind: 'updated_at' }, test: { kind: 'instant', from, to: before } } as const])
  ]
}

const isBy = (values: readonly string[]): Filter => ({
  kind: 'field',
  path: { kind: 'updated_by' },
  test: { kind: 'equals', values }
})

type OpenGroup = RecentGroup & { readonly entities: [Entity, ...Entity[]] }

function groupsOf(entities: readonly Entity[], kindOf: (type: string) => string): readonly RecentGroup[] {
  const groups: OpenGroup[] = []
  for (const entity of entities) {
    const { by } = entity.audit.updated
    const importId = importOf(by)
    const isNew = entity.version === 1
    const kind = importId === undefined ? kindOf(entity.type) : undefined
    const latest = groups.at(-1)
    const isLike = latest?.kind === kind && latest?.by === by && latest.isNew === isNew
    const known = kind === undefined ? groups.find(each => each.by === by) : isLike ? latest : undefined
    if (known && (kind === undefined || isShortlyBefore(entity, known.entities[0]))) known.entities.push(entity)
    else groups.push({ kind, importId, by, isNew, entities: [entity], isCut: false })
  }
  return groups
}

const isShortlyBefore = (one: Entity, other: Entity) =>
  Date.parse(other.audit.updated.at) - Date.parse(one.audit.updated.at) < together
