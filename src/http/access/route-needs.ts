import { forbidden } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'

interface Need {
  readonly isMetBy: (principal: Principal) => boolean
  /** The refused action, for the message. */
  readonly act: string
}

/**
 * The least rights that a route needs from a token. Checked before the body of a request is read;
 * operations check the rights for single types later.
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
    act: 'use imports: they need all record types'
  },
  'read, write and delete everything': {
    isMetBy: each => each.readsEverything && each.writesEverything && each.deletesEverything,
    act: 'undo imports: that needs all record types'
  },
  admin: { isMetBy: each => each.isAdmin, act: 'administer the service' }
} as const satisfies Record<string, Need>

export type RouteNeed = keyof typeof routeNeeds

/** Throws `forbidden` for a token that could never use a route. */
export function refuseWithout(need: RouteNeed | undefined, principal: Principal) {
  if (need === undefined || routeNeeds[need].isMetBy(principal)) return
  throw forbidden(routeNeeds[need].act)
}
