import type { StoredAuthorityRecord, StoredSourceRecord } from '#domain/imports/stored-source-record.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { familyOf } from '#domain/record-types/families.ts'
import type { Parts } from '../parts.ts'

/**
 * Finds the records that manifestations were imported from, by the ids of the manifestations.
 * Returns nothing to principals who may not read everything that a source record can name.
 */
export async function findSourceRecords(
  parts: Parts,
  principal: Principal,
  ids: readonly string[]
): Promise<ReadonlyMap<string, StoredSourceRecord>> {
  return readsSourceRecords(principal, parts.model) ? parts.findSourceRecords(ids) : new Map()
}

/** Finds the authority records of entities, for principals who may see source records. */
export async function findAuthorityRecords(
  parts: Parts,
  principal: Principal,
  ids: readonly string[]
): Promise<ReadonlyMap<string, StoredAuthorityRecord>> {
  return readsSourceRecords(principal, parts.model) ? parts.findAuthorityRecords(ids) : new Map()
}

/**
 * Reads the lines of an export with the source records of manifestations, as far as the principal
 * may see them.
 */
export async function readSourceLines(
  parts: Parts,
  principal: Principal,
  ids: readonly string[],
  wanted: { readonly withAuthorities: boolean }
): Promise<readonly object[]> {
  return readsSourceRecords(principal, parts.model) ? parts.sourceLines.of(ids, wanted) : []
}

/**
 * Reads all other lines with what imports know: of authorities, holdings, rows and decisions. They
 * name entities of any type, so the principal must be able to read everything.
 */
export async function* walkOtherSourceLines(
  parts: Parts,
  principal: Principal
): AsyncGenerator<readonly object[], void, undefined> {
  if (principal.readsEverything) yield* parts.sourceLines.walkOthers()
}

/**
 * Whether a principal may see source records. A source record names entities of any type except
 * those of the stage, so the principal must be able to read all others.
 */
function readsSourceRecords(principal: Principal, model: Model): boolean {
  const isNamed = (type: string) => familyOf(type) !== 'stage'
  return (
    principal.readsEverything ||
    (model.recordTypes.every(({ type }) => !isNamed(type) || principal.mayRead(type)) &&
      principal.readLimits.every(({ type, parts }) => ![type, ...parts.map(each => each.type)].some(isNamed)))
  )
}
