import type { Model } from '#domain/record-types/model.ts'
import { mappings } from './mapping.ts'
import type { FieldRule, RdfMapping } from './mapping-rule.ts'

/** The mapping of a type, as descriptions read it. */
export interface TypeMapping extends Omit<RdfMapping, 'fields'> {
  /** Up to fifty, of which a record has values for some ten. */
  readonly fields: readonly (readonly [key: string, rules: readonly FieldRule[]])[]
  /** Relations whose targets are described in turn. */
  readonly follow: readonly string[]
  readonly referrers: Exclude<RdfMapping['referrers'], undefined>
}

/**
 * The mapping of a type: the rows of its umbrella and its own. A type without a table has its name
 * only.
 */
export function mappingOf(model: Model, type: string): TypeMapping {
  const ofModel = made.get(model) ?? new Map<string, TypeMapping>()
  made.set(model, ofModel)
  const known = ofModel.get(type)
  if (known) return known
  const { fields = {}, referrers = {}, ...rows } = joinRows(model, type)
  const followed = Object.entries(rows.relations ?? {}).filter(([, rules]) => rules.some(rule => rule.follow))
  const mapping = { ...rows, fields: Object.entries(fields), referrers, follow: followed.map(([relation]) => relation) }
  ofModel.set(type, mapping)
  return mapping
}

/** A description needs the rows of the same few types many times. */
const made = new WeakMap<Model, Map<string, TypeMapping>>()

function joinRows(model: Model, type: string): RdfMapping {
  const umbrella = model.umbrellaOf(type)
  const general = umbrella === type ? undefined : rowsOf(umbrella)
  const own = rowsOf(type)
  if (!general && !own) {
    const nameField = model.findType(type)?.nameField ?? 'name'
    return { classes: ['schema:Thing'], fields: { [nameField]: [{ predicates: ['schema:name', 'rdfs:label'] }] } }
  }
  if (!general || !own) return (general ?? own) as RdfMapping
  return { ...general, ...own, classes: [...general.classes, ...own.classes] }
}

const rowsOf = (name: string) => (Object.hasOwn(mappings, name) ? mappings[name] : undefined)
