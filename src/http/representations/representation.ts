import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'

/** What a representation is made with. */
export interface RepresentationParts {
  readonly catalogue: Catalogue
  readonly model: Model
  /** Where clients reach the service; addresses in answers begin with it. */
  readonly publicUrl: string
}

/**
 * It, as text or as bytes; undefined when an entity of this type has no such form. Throws
 * `not_found` as a get does.
 */
export type Make = (
  parts: RepresentationParts,
  principal: Principal,
  identifier: string
) => Promise<string | Buffer | undefined>

/** A form, other than our JSON, in which an entity can be had. */
export interface Representation {
  /** For `?format=`. */
  readonly name: string
  readonly mediaType: string
  /** What can be had so, in words; `every entity`, or what makes it says which cannot. */
  readonly of: string
  /**
   * What makes it, loaded when it is first asked for: most services are never asked for most forms.
   */
  loadMake(): Promise<Make>
}

/** Said of a form that no entity lacks. */
export const everyEntity = 'every entity'

/** Where the context of our JSON-LD is published. */
export const contextPath = '/context.jsonld'
