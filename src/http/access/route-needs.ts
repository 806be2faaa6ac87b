import { forbidden } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'

interface Need {
  readonly isMetBy: (principal: Principal) => boolean
  /** What a token without it is told that it may not do. */
  readonly act: string
}

/**
 * The least that a token must be allowed for a route to have any use for it. Checked before the
 * body of a request is read; which types a token may read or write is checked later, by the
 * operations.
 */
export const routeNeeds = {
  read: { isMetBy: each => each.readsAnything, act: 'read' },
  write: { isMetBy: each => each.writesAnything, act: 'write' },
  delete: { isMetBy: each => each.deletesAnything, act: 'delete' },
  'write or delete': { isMetBy: each => each.writesAnything || each.deletesAnything, act: 'write' },
  'write and delete': { isMetBy: each => each.writesAnything && each.deletesAnything, act: 'write and delete' },
  'read or write': { isMetBy: each => each.readsAnything || each.writesAnything, act: 'read' },
  'read and write everything': {
    isMetBy: each => each.readsEverything && each.writesEverything,
    act: 'see or make imports: they touch records of every type'
  },
  'read, write and delete everything': {
    isMetBy: each => each.readsEverything && each.writesEverything && each.deletesEverything,
    act: 'make or undo imports: they change and delete records of every type'
  },
  admin: { isMetBy: each => each.isAdmin, act: 'administer the service' }
} as const satisfies Record<string, Need>

export type RouteNeed = keyof typeof routeNeeds

/** Throws `forbidden` where a token could never make a request to a route. */
export function refuseWithout(need: RouteNeed | undefined, principal: Principal) {
  if (need === undefined || routeNeeds[need].isMetBy(principal)) return
  throw forbidden(routeNeeds[need].act)
}
