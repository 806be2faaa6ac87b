import type { Authority } from '#domain/permissions.ts'
import type { StateWrite } from '#store/ports/state.ts'
import type { Store } from '#store/store.ts'

/*
 * The authority of imports and webhooks: the person or program that they act for. It is stored
 * beside them, since they continue long after the request that began them.
 */

const kind = 'authority'

export type ActsFor = 'import' | 'webhook'

/** Whether rights are in force now (auth/live-rights.ts). */
export type IsInForce = (authority: Authority) => Promise<boolean>

export const authorityWrite = (what: ActsFor, id: string, authority: Authority | null): StateWrite => ({
  kind,
  key: `${what}\n${id}`,
  value: authority && JSON.stringify({ key: authority.key, until: authority.until })
})

export async function storeAuthority(store: Store, what: ActsFor, id: string, authority: Authority | null) {
  await store.write({ writes: [], by: `${what}:${id}`, state: [authorityWrite(what, id, authority)] })
}

/**
 * Finds a stored authority; undefined when a command began the work, or a version before
 * authorities were stored.
 */
export const findAuthority = async (store: Store, what: ActsFor, id: string): Promise<Authority | undefined> =>
  (await findAuthorities(store, what, [id])).get(id)

/** Finds the authorities of several, by id. */
export async function findAuthorities(
  store: Store,
  what: ActsFor,
  ids: readonly string[]
): Promise<Map<string, Authority>> {
  const keyOf = (id: string) => `${what}\n${id}`
  const found = await store.findState(kind, ids.map(keyOf))
  return new Map(
    ids.flatMap(id => {
      const value = found.get(keyOf(id))
      return value === undefined ? [] : [[id, JSON.parse(value) as Authority] as const]
    })
  )
}

/** Whether an import or a webhook may continue. */
export async function mayContinue(store: Store, isInForce: IsInForce, what: ActsFor, id: string): Promise<boolean> {
  const authority = await findAuthority(store, what, id)
  return authority === undefined || isInForce(authority)
}
