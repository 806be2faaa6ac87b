import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'

/** The parts that make representations. */
export interface RepresentationParts {
  readonly catalogue: Catalogue
  readonly model: Model
  /** Address of the service for clients; addresses in answers begin with it. */
  readonly publicUrl: string
}

/**
 * Makes the representation, as text or bytes; undefined when entities of this type have none.
 * Throws `not_found` like a get.
 */
export type Make = (
  parts: RepresentationParts,
  principal: Principal,
  identifier: string
) => Promise<string | Buffer | undefined>

/** A format of an entity other than JSON. */
export interface Representation {
  /** Name for `?format=`. */
  readonly name: string
  readonly mediaType: string
  /** The entities that have this format: `every entity`, or a description. */
  readonly of: string
  /** Loads the writer on first use: most services never need most formats. */
  loadMake(): Promise<Make>
}

/** Marks a format that every entity has. */
export const everyEntity = 'every entity'

/** Path of the context of our JSON-LD. */
export const contextPath = '/context.jsonld'
