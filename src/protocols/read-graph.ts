import type { Catalogue } from '#catalogue/catalogue.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Model } from '#domain/record-types/model.ts'
import { addressOf } from '#formats/rdf/address-of.ts'
import { describeEntity } from '#formats/rdf/describe-entity.ts'
import { mappingOf } from '#formats/rdf/mapping-of.ts'
import type { Graph } from '#formats/rdf/triples.ts'

/** Statements about an entity and the entities around it, and the IRI of the entity. */
export interface EntityGraph {
  readonly graph: Graph
  readonly root: string
}

interface GraphParts {
  readonly catalogue: Catalogue
  readonly model: Model
  readonly publicUrl: string
}

/** Reads the statements about an entity; undefined if it was deleted meanwhile. */
export async function findGraph(
  { catalogue, model, publicUrl }: GraphParts,
  principal: Principal,
  id: string
): Promise<EntityGraph | undefined> {
  try {
    const found = await catalogue.entities.readSurroundings(principal, id, type => mappingOf(model, type))
    return { graph: describeEntity(model, publicUrl, found), root: addressOf(publicUrl, found.entity.id) }
  } catch (error) {
    if (error instanceof CatalogueError && error.code === 'not_found') return undefined
    throw error
  }
}
