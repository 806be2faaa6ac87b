import type { Model } from './model.ts'

export const actions = ['read', 'write', 'delete', 'admin'] as const
export type Action = (typeof actions)[number]

/** Who is asking, and what they may do. The one place that decides it: lists, counts, WEM and references all ask here. */
export interface Principal {
  /** As it stands in the audit: `token:kiosk`. */
  readonly name: string
  /** Tells one bearer from another, also where two have the same name. */
  readonly key: string
  readonly isAdmin: boolean
  /** True when no type is hidden; the usual case, and the quick one. */
  readonly readsEverything: boolean
  /** The types that may be read, where not all may. */
  readonly readableTypes: readonly string[]
  /** Whether there is any type that may be written. */
  readonly writesAnything: boolean
  mayRead(type: string): boolean
  mayWrite(type: string): boolean
  mayDelete(type: string): boolean
}

const scopePattern = new RegExp(`^(${actions.join('|')})(?::([a-z0-9_]+))?$`)

/** Whether a text is a scope of this catalogue: an action alone, or narrowed to a type or an umbrella it knows. */
export function isScope(model: Model, scope: string): boolean {
  const [, , type] = scopePattern.exec(scope) ?? []
  return scopePattern.test(scope) && (type === undefined || model.typesNamed(type).length > 0)
}

/** Unknown scopes give nothing: a token of an issuer may carry some that are meant for others. */
export function createPrincipal(model: Model, name: string, scopes: readonly string[], key = name): Principal {
  const typesByAction = new Map<string, 'all' | Set<string>>()
  for (const scope of scopes) {
    const [, action, type] = scopePattern.exec(scope) ?? []
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
  const mayRead = may('read')
  const mayWrite = may('write')
  return {
    name,
    key,
    isAdmin,
    readsEverything: isAdmin || typesByAction.get('read') === 'all',
    readableTypes: model.recordTypes.map(each => each.type).filter(mayRead),
    mayRead,
    writesAnything: model.recordTypes.some(each => mayWrite(each.type)),
    mayWrite,
    mayDelete: may('delete')
  }
}
