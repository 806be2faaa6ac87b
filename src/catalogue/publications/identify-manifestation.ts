import { type Entity, valuesOf } from '#domain/entity/entity.ts'
import { CatalogueError, notFound } from '#domain/errors.ts'
import { readFilters } from '#domain/filter/read-filter.ts'
import type { Principal } from '#domain/permissions.ts'
import { listEntities } from '../lists/list-entities.ts'
import type { Parts } from '../parts.ts'

/** ISBN, ISSN and EAN: eight to thirteen digits with hyphens or spaces, the last may be an X. */
const numberPattern = /^\d[\d -]{6,15}[\dXx]$/

/** Maximum candidates that an error lists. */
const maxCandidates = 20

/**
 * Finds the id of a manifestation by any identifier, or by its ISBN, ISSN or EAN when exactly one
 * manifestation has it. Throws `several_matches` with the candidates, or `not_found`.
 */
export async function identifyManifestation(parts: Parts, principal: Principal, identifier: string): Promise<string> {
  const stored = await parts.store.findEntity(identifier)
  if (stored && principal.mayRead(stored.type) && parts.model.umbrellaOf(stored.type) === 'manifestation')
    return stored.id
  const found = numberPattern.test(identifier) ? await findByNumber(parts, principal, identifier) : undefined
  const [first] = found?.entities ?? []
  if (!found || !first) throw notFound('manifestation', identifier)
  if (found.count === 1) return first.id
  throw new CatalogueError('several_matches', `${found.count} manifestations have the number "${identifier}"`, {
    about: ['id', identifier],
    extra: {
      candidates: found.entities.map(({ id, type, json }) => ({
        id,
        type,
        title: String(valuesOf(JSON.parse(json) as Entity, 'title')[0] ?? '')
      }))
    }
  })
}

function findByNumber(parts: Parts, principal: Principal, number: string) {
  const digits = number.replaceAll(/[ -]/g, '').toUpperCase()
  const forms = [...new Set([number, digits, `${digits.slice(0, 4)}-${digits.slice(4)}`])]
  const keys = ['isbn', 'issn', 'ean'].map(key => `properties.${key}.value`)
  return listEntities(parts, principal, {
    ...readFilters(parts.model, [
      { type: 'type', value: 'manifestation' },
      { type: 'selection', key: keys, value: forms, match_exact: true }
    ]),
    order: { items: [{ by: 'created' }], ascending: true },
    skip: 0,
    limit: maxCandidates,
    cursor: undefined
  })
}
