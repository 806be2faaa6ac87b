import type { Entity } from '#domain/entity/entity.ts'
import type { Publication } from '#domain/entity/publication.ts'
import type { Principal } from '#domain/permissions.ts'
import { type BareRecord, type DescribedRecord, describeRecords, type Need } from '../describe-records.ts'
import { type FoundMarcRecord, findMarcRecords } from '../marc-records.ts'
import { type EntityGraph, findGraph } from '../read-graph.ts'
import { authorities, type DescribedEntities, everyEntity, type FormatParts, manifestations } from './format.ts'

/** A record as it is stored. */
interface StoredRecord {
  readonly id: string
  readonly json: string
}

/** The data that a family of formats is written from. */
export interface Material<T> {
  readonly of: DescribedEntities
  /**
   * Records that are read together. Publications share persons, subjects and languages, so 100
   * at once cost half as much as 20 (bench/export.ts). Reading lets other requests run.
   */
  readonly step: number
  /** Reads the data of records. Records deleted meanwhile may be omitted. */
  read(
    parts: FormatParts,
    principal: Principal,
    records: readonly StoredRecord[]
  ): Promise<readonly { readonly id: string; readonly item: T }[]>
}

const items = <T>(found: ReadonlyMap<string, T>) => [...found].map(([id, item]) => ({ id, item }))

const publicationsOf = (withItems: boolean): Material<Publication> => ({
  of: manifestations,
  step: 100,
  read: async (parts, principal, records) => items(await readAround(parts, principal, records, withItems))
})

/** Manifestations with their expressions, works and copies. */
export const publications = publicationsOf(true)

/** Manifestations with their expressions and works, for citations: those name no copies. */
export const citedPublications = publicationsOf(false)

/** Reads what stands around manifestations; they were read already. */
const readAround = (
  { catalogue }: FormatParts,
  principal: Principal,
  records: readonly StoredRecord[],
  withItems: boolean
) =>
  catalogue.publications.readMany(
    principal,
    records.map(({ id }) => id),
    { withItems, known: records.map(({ json }) => JSON.parse(json) as Entity) }
  )

/** Manifestations as MARC 21 records: as imported, with the changes made here, or composed. */
export const marcRecords = (options: { readonly holdings: boolean }): Material<FoundMarcRecord> => ({
  of: manifestations,
  step: 100,
  async read(parts, principal, records) {
    const found = await readAround(parts, principal, records, true)
    return items(await findMarcRecords(parts.catalogue, principal, found, options))
  }
})

/** Statements about an entity and the entities around it. */
export const graphs: Material<EntityGraph> = {
  of: everyEntity,
  step: 8,
  async read(parts, principal, records) {
    const found = await Promise.all(records.map(async ({ id }) => [id, await findGraph(parts, principal, id)] as const))
    return found.flatMap(([id, item]) => (item === undefined ? [] : [{ id, item }]))
  }
}

/** Entities alone. */
export const bareRecords: Material<BareRecord> = {
  of: everyEntity,
  step: 100,
  read: (parts, principal, records) => describe(parts, principal, records, 'record')
}

/** Entities with the names around them. */
export const descriptions: Material<DescribedRecord> = {
  of: everyEntity,
  step: 20,
  read: (parts, principal, records) => describe(parts, principal, records, 'surroundings')
}

/** Authorities with the names around them, and their authority records. */
export const authorityRecords: Material<DescribedRecord> = {
  of: authorities,
  step: 20,
  read: (parts, principal, records) => describe(parts, principal, records, 'authority')
}

async function describe(
  parts: FormatParts,
  principal: Principal,
  records: readonly StoredRecord[],
  needs: Need
): Promise<readonly { readonly id: string; readonly item: DescribedRecord }[]> {
  const entities = records.map(({ json }) => JSON.parse(json) as Entity)
  const recordUrl = `${parts.publicUrl}/record/`
  return items(await describeRecords(parts, principal, entities, { recordUrl, needs }))
}
