import { type Entity, valuesOf } from './entity/entity.ts'
import type { Model } from './record-types/model.ts'
import type { RecordType } from './record-types/record-type.ts'
import { readDate } from './values/dates.ts'

export const actions = ['read', 'write', 'delete', 'admin'] as const
export type Action = (typeof actions)[number]

/**
 * Records of a type that may be read only while a field has one of some values, such as published
 * productions, or between two moments. Parts of such a record may be read only if the record may.
 */
export interface ReadLimit {
  readonly type: string
  /**
   * The field and its values; absent in a limit by moments alone. Without it, a part that has no
   * whole may be read, such as the cover of a book.
   */
  readonly status?: { readonly field: string; readonly values: readonly string[] }
  /** The types of its parts, each with the relation to it, and the fields that a part needs. */
  readonly parts: readonly {
    readonly type: string
    readonly relation: string
    readonly fields?: readonly string[]
  }[]
  /** The fields with the moments from which and until which a record may be read. */
  readonly publication?: RecordType['publication']
  /** The time of reading, in milliseconds since 1970. */
  readonly at?: number
}

const minute = 60_000

/**
 * The limits at a time. Moments count by the minute, since pages are cached for a minute: a record
 * is never published early, and never withdrawn late.
 */
export const limitsAt = (limits: readonly ReadLimit[], now: number): readonly ReadLimit[] =>
  limits.map(limit => (limit.publication ? { ...limit, at: now - (now % minute) } : limit))

/**
 * The instants of fields by which a record may not be read: it is published after `last`, or was
 * withdrawn before `first`.
 */
export function unreadable({ publication, at = 0 }: ReadLimit, { first = at, last = at } = {}) {
  const { from, until } = publication ?? {}
  return [
    { field: from, from: last + 1, to: Number.MAX_SAFE_INTEGER },
    { field: until, from: Number.MIN_SAFE_INTEGER, to: first + minute - 1 }
  ].flatMap(({ field, ...range }) => (field === undefined ? [] : [{ field, ...range }]))
}

/** Tests whether a limit lets a record be read at its time, or at some time of a period. */
export const isWithin = (
  limit: ReadLimit,
  entity: Pick<Entity, 'metadata'>,
  period?: { readonly first: number; readonly last: number }
): boolean =>
  (limit.status?.values.includes(String(valuesOf(entity, limit.status.field)[0])) ?? true) &&
  !unreadable(limit, period).some(({ field, from, to }) => {
    const instant = readDate(String(valuesOf(entity, field)[0] ?? ''))?.first
    return instant !== undefined && instant >= from && instant <= to
  })

/** The key of requests without a bearer token. */
export const anonymousKey = 'anonymous'

/**
 * The identity on whose behalf work continues, and the time when it ends at the latest, in
 * milliseconds since 1970; null for no end of its own.
 */
export interface Authority {
  readonly key: string
  readonly until: number | null
}

/**
 * The caller, with its rights. The one place that decides them: lists, counts, WEM and references
 * all use it.
 */
export interface Principal extends Authority {
  /** As it stands in the audit: `token:kiosk`. */
  readonly name: string
  /** Tells one bearer from another, also where two have the same name. */
  readonly key: string
  /** The address of a caller without a bearer, where it is known. */
  readonly address?: string
  /** Whether queries that it asks at once are answered together: a page needs all answers. */
  readonly asksTogether?: boolean
  readonly isAdmin: boolean
  /** True when no type is hidden; the usual case, and the fast one. */
  readonly readsEverything: boolean
  /** The types that may be read, if not all may. */
  readonly readableTypes: readonly string[]
  /**
   * Types of which not all records may be read; mostly none. A principal with such a limit may not
   * write.
   */
  readonly readLimits: readonly ReadLimit[]
  /**
   * The moments of publication and withdrawal, which hold for visitors whatever they may read; for
   * readers by status they are part of `readLimits`.
   */
  readonly momentLimits: readonly ReadLimit[]
  /** Whether any type may be read. */
  readonly readsAnything: boolean
  /** Whether any type may be written. */
  readonly writesAnything: boolean
  /** Whether the records of any type may be deleted. */
  readonly deletesAnything: boolean
  readonly writesEverything: boolean
  readonly deletesEverything: boolean
  mayRead(type: string): boolean
  mayWrite(type: string): boolean
  mayDelete(type: string): boolean
}

const scopePattern = new RegExp(`^(${actions.join('|')})(?::([A-Za-z0-9_]+))?(?::([A-Za-z0-9_]+))?$`)

/** Tests whether a scope is limited to records with one status. */
export const isLimited = (scope: string) => scopePattern.exec(scope)?.[3] !== undefined

/**
 * Returns what is wrong with a scope, naming the wrong part; undefined for a scope of this
 * catalogue: an action alone, or narrowed to a known type or umbrella.
 */
export function faultOfScope(model: Model, scope: string): string | undefined {
  const [, action, type, status] = scopePattern.exec(scope) ?? []
  if (action === undefined) return scopeForms
  if (type !== undefined && model.typesNamed(type).length === 0) return `there is no type "${type}"`
  if (type === undefined || status === undefined || (action === 'read' && limitOf(model, type, status)))
    return undefined
  if (action !== 'read') return `a status narrows the action "read" only, not "${action}"`
  const field = model.findType(type)?.statusField
  const statuses = field === undefined ? [] : (model.fieldOf(type, field)?.of ?? [])
  return statuses.length === 0
    ? `records of the type "${type}" have no status`
    : `there is no status "${status}" of the type "${type}"; it has ${statuses.join(', ')}`
}

const scopeForms =
  'scopes are read, write, delete and admin, alone or with a type: read:manifestation; a production can be read by status: read:production:published'

/**
 * Creates a principal from scopes. Unknown scopes give no rights: the token of an issuer may have
 * some for other services.
 */
export function createPrincipal(
  model: Model,
  name: string,
  scopes: readonly string[],
  key = name,
  until: number | null = null
): Principal {
  const typesByAction = new Map<string, 'all' | Set<string>>()
  const limited = new Map<string, ReadLimit>()
  for (const scope of scopes) {
    const [, action, type, status] = scopePattern.exec(scope) ?? []
    if (status !== undefined) {
      const limit = action === 'read' ? limitOf(model, type, status) : undefined
      const values = [...(limited.get(limit?.type ?? '')?.status?.values ?? []), status]
      if (limit?.status) limited.set(limit.type, { ...limit, status: { ...limit.status, values } })
      continue
    }
    if (action === undefined || typesByAction.get(action) === 'all') continue
    if (type === undefined) typesByAction.set(action, 'all')
    else {
      const types = (typesByAction.get(action) as Set<string> | undefined) ?? new Set<string>()
      for (const each of model.typesNamed(type)) types.add(each)
      typesByAction.set(action, types)
    }
  }
  const isAdmin = typesByAction.get('admin') === 'all'
  const may = (action: Action) => {
    const types = typesByAction.get(action)
    if (isAdmin || types === 'all') return () => true
    const narrowed = new Set([...(types ?? []), ...((typesByAction.get('admin') as Set<string> | undefined) ?? [])])
    return (type: string) => narrowed.has(type)
  }
  const mayReadAll = may('read')
  const readLimits = [...limited.values()].filter(limit => !mayReadAll(limit.type))
  const mayRead = (type: string) => mayReadAll(type) || readLimits.some(limit => limit.type === type)
  // A writer would drop content that it cannot see: a principal that sees only some records may not
  // write.
  const mayNothing = () => false
  const mayWrite = readLimits.length > 0 ? mayNothing : may('write')
  const mayDelete = readLimits.length > 0 ? mayNothing : may('delete')
  const types = model.recordTypes.map(each => each.type)
  const momentLimits =
    key === anonymousKey
      ? model.recordTypes.flatMap(each =>
          each.publication && mayReadAll(each.type)
            ? { type: each.type, parts: partsOf(model, each), publication: each.publication }
            : []
        )
      : []
  return {
    name,
    key,
    until,
    isAdmin,
    readsEverything: isAdmin || typesByAction.get('read') === 'all',
    readableTypes: types.filter(mayRead),
    readLimits,
    momentLimits,
    mayRead,
    readsAnything: types.some(mayRead),
    writesAnything: types.some(mayWrite),
    deletesAnything: types.some(mayDelete),
    writesEverything: types.every(mayWrite),
    deletesEverything: types.every(mayDelete),
    mayWrite,
    mayDelete
  }
}

/**
 * The limit of a scope such as `read:production:published`; undefined if the type has no such
 * status.
 */
function limitOf(model: Model, type: string | undefined, status: string): ReadLimit | undefined {
  const recordType = type === undefined ? undefined : model.findType(type)
  const field = recordType?.statusField
  if (!recordType || field === undefined || !recordType.fields[field]?.of?.includes(status)) return undefined
  const parts = partsOf(model, recordType).map(each => {
    const fields = model.findType(each.type)?.shownWith
    return { ...each, ...(fields ? { fields } : {}) }
  })
  const { publication } = recordType
  return { type: recordType.type, status: { field, values: [status] }, parts, ...(publication ? { publication } : {}) }
}

/** The types of the parts of a type, each with the relation to it. */
const partsOf = (model: Model, { type: whole }: RecordType) =>
  model.recordTypes.flatMap(({ type, partOf, relations }) =>
    partOf !== undefined && relations[partOf]?.to.includes(whole) ? [{ type, relation: partOf }] : []
  )
