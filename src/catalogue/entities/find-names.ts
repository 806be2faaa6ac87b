import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { inLanguages } from '#domain/entity/languages.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Parts } from '../parts.ts'
import { refuseBlind } from './read-entity.ts'

/**
 * Finds the display names of many entities at once. Entities that do not exist, have no name or may
 * not be read are left out.
 */
export async function findNames(
  parts: Parts,
  principal: Principal,
  identifiers: readonly string[],
  languages: readonly string[] = []
): Promise<ReadonlyMap<string, string>> {
  refuseBlind(principal)
  const names = new Map<string, string>()
  const wanted = [...new Set(identifiers)]
  if (wanted.length === 0) return names
  for (const [key, stored] of await parts.store.findEntities(wanted)) {
    const nameField = parts.model.findType(stored.type)?.nameField
    if (nameField === undefined || !principal.mayRead(stored.type)) continue
    const [name] = valuesOf(inLanguages(JSON.parse(stored.json) as Entity, languages), nameField)
    if (name !== undefined && name !== null) names.set(key, String(name))
  }
  return names
}
