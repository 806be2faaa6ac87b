import type { FacetRule, Field, RecordType } from './record-type.ts'

/** A facet of all records: a field, or a relation whose targets are counted. */
export interface ModelFacet extends FacetRule {
  /** The metadata key or the relation type. */
  readonly name: string
  /** The field; undefined for a relation. */
  readonly field?: Field
}

/** The facets of all types in their order. The first declaration of a name counts. */
export function facetsOf(recordTypes: readonly RecordType[]): readonly ModelFacet[] {
  const facets = new Map<string, ModelFacet>()
  const add = (name: string, rule: FacetRule | undefined, field?: Field) => {
    if (rule && !facets.has(name)) facets.set(name, { ...rule, name, ...(field && { field }) })
  }
  for (const { fields, relations } of recordTypes) {
    for (const [key, field] of Object.entries(fields)) add(key, field.facet, field)
    for (const [type, { facet }] of Object.entries(relations)) add(type, facet)
  }
  return [...facets.values()].sort((one, other) => one.order - other.order)
}
