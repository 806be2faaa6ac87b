import { forbidden, notFound } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { StoredEntity } from '#store/ports/entities.ts'
import type { Parts } from '../parts.ts'

const actions = {
  write: (principal: Principal, type: string) => principal.mayWrite(type),
  delete: (principal: Principal, type: string) => principal.mayDelete(type)
}

/**
 * Makes a search for an entity that the principal may write or delete. An entity that the principal
 * may neither read, write nor delete does not exist for them.
 */
const findPermitted =
  (action: keyof typeof actions) =>
  async (parts: Parts, principal: Principal, identifier: string): Promise<StoredEntity> => {
    const stored = await parts.store.findEntity(identifier)
    if (stored && actions[action](principal, stored.type)) return stored
    const isKnown = stored && [principal.mayRead, principal.mayWrite, principal.mayDelete].some(may => may(stored.type))
    if (isKnown) throw forbidden(`${action} records of type "${stored.type}"`)
    throw notFound('entity', identifier)
  }

/** Finds an entity that the principal may write. Throws `forbidden` or `not_found`. */
export const findWritable = findPermitted('write')

/** Finds an entity that the principal may delete. Throws `forbidden` or `not_found`. */
export const findDeletable = findPermitted('delete')
