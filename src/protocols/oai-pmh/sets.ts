import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import { familyNames, familyOf } from '#domain/record-types/families.ts'

/*
 * Sets are a tree: a family, an umbrella where the type has one, the type.
 * `bibliographic:manifestation:manifestation_word` is in `bibliographic:manifestation`, and that in
 * `bibliographic`.
 */

export interface OaiSet {
  readonly spec: string
  readonly name: string
}

/** The set of a type; its parents are part of the name. */
export function setOf(model: Model, type: string): string {
  const umbrella = model.findType(type)?.umbrella
  return [familyOf(type), ...(umbrella === undefined ? [] : [umbrella]), type].join(':')
}

/** All sets with types that the principal may read. */
export function listSets(model: Model, principal: Principal): OaiSet[] {
  const specs = model.recordTypes.filter(({ type }) => principal.mayRead(type)).map(({ type }) => setOf(model, type))
  const all = new Set(
    specs.flatMap(spec => spec.split(':').map((_, index, parts) => parts.slice(0, index + 1).join(':')))
  )
  return familyNames.flatMap(family =>
    [...all].filter(spec => spec.split(':')[0] === family).map(spec => ({ spec, name: nameOf(model, spec) }))
  )
}

function nameOf(model: Model, spec: string): string {
  const parts = spec.split(':')
  const last = parts.at(-1) ?? spec
  const recordType = model.findType(last)
  if (recordType && parts.length > 1) return `${last.replaceAll('_', ' ')}: ${recordType.description}`
  return `All ${last.replaceAll('_', ' ')} records`
}

/** The types of a set; none for an unknown set. */
export function typesInSet(model: Model, spec: string): string[] {
  return model.recordTypes
    .map(({ type }) => type)
    .filter(type => {
      const own = setOf(model, type)
      return own === spec || own.startsWith(`${spec}:`)
    })
}
