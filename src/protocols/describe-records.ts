import type { Catalogue } from '#catalogue/catalogue.ts'
import { createTurns } from '#catalogue/take-turns.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Publication, PublicationLevel } from '#domain/entity/publication.ts'
import { publicationTypes } from '#domain/record-types/families.ts'
import type { MarcRecord } from '#formats/marc/record.ts'
import { findMarcAuthorities, findMarcRecords } from './marc-records.ts'
import { type EntityGraph, findGraph } from './read-graph.ts'

/** A record itself. */
export interface BareRecord {
  readonly entity: Entity
  /** Public address of the record; undefined where none is configured. */
  readonly address: string | undefined
}

/** A record with everything that a format needs. */
export type DescribedRecord =
  | BareRecord
  | (BareRecord & { readonly statements: EntityGraph })
  | (BareRecord & { readonly publication: Publication; readonly marc: MarcRecord | undefined })
  | (BareRecord & { readonly level: PublicationLevel; readonly authority: MarcRecord | undefined })

/**
 * The data that a format needs: the record itself, statements about it, or the records around it,
 * from which a MARC record may be made.
 */
export type Need = 'record' | 'statements' | 'surroundings' | 'marc' | 'authority'

interface DescribeParts {
  readonly catalogue: Catalogue
  readonly model: Model
  readonly publicUrl: string
}

export interface DescribeOptions {
  /** Beginning of the addresses of records, such as `https://catalogue.example.org/record/`. */
  readonly recordUrl: string | undefined
  readonly needs: Need
}

/**
 * Records per read. Publications share persons, subjects and languages, so 100 at once cost less
 * than 25. Reading lets other requests run.
 */
const atOnce = 100

/** Reads the data that formats need, for many records as the principal sees them. */
export async function describeRecords(
  parts: DescribeParts,
  principal: Principal,
  entities: readonly Entity[],
  { recordUrl, needs }: DescribeOptions
): Promise<ReadonlyMap<string, DescribedRecord>> {
  const { catalogue } = parts
  const isPublication = publicationTest(parts.model)
  const described = new Map<string, DescribedRecord>()
  const takeTurns = createTurns()
  const bare = (entity: Entity): BareRecord => ({
    entity,
    address: recordUrl === undefined ? undefined : `${recordUrl}${encodeURIComponent(entity.id).replaceAll('%3A', ':')}`
  })
  if (needs === 'record') return new Map(entities.map(entity => [entity.id, bare(entity)]))
  if (needs === 'statements') {
    for (const entity of entities) {
      const statements = await findGraph(parts, principal, entity.id)
      if (statements) described.set(entity.id, { ...bare(entity), statements })
      await takeTurns()
    }
    return described
  }
  for (let start = 0; start < entities.length; start += atOnce) {
    await takeTurns()
    const some = entities.slice(start, start + atOnce)
    const known = some.filter(({ type }) => isPublication(type))
    const ids = known.map(({ id }) => id)
    const publications = await catalogue.publications.readMany(principal, ids, { withItems: true, known })
    const marc = needs === 'marc' ? await findMarcRecords(catalogue, principal, publications) : undefined
    const levels = await catalogue.publications.levels(
      principal,
      some.filter(({ type }) => !isPublication(type))
    )
    for (const [id, publication] of publications)
      described.set(id, { ...bare(publication.manifestation.entity), publication, marc: marc?.get(id)?.record })
    const authorities = needs === 'authority' ? await findMarcAuthorities(catalogue, principal, levels) : undefined
    for (const level of levels) {
      const { id } = level.entity
      described.set(id, { ...bare(level.entity), level, authority: authorities?.get(id) })
    }
  }
  return described
}

/** Whether records of a type are available in library formats. */
function publicationTest(model: Model): (type: string) => boolean {
  const types = new Set(publicationTypes(model))
  return type => types.has(type)
}
