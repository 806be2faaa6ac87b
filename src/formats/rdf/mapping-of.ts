import type { Model } from '#domain/record-types/model.ts'
import { mappings } from './mapping.ts'
import type { RdfMapping } from './mapping-rule.ts'

/**
 * The mapping of a type: the rows of its umbrella and its own. A type without a table has its name
 * only.
 */
export function mappingOf(model: Model, type: string): RdfMapping {
  const ofModel = made.get(model) ?? new Map<string, RdfMapping>()
  made.set(model, ofModel)
  const known = ofModel.get(type)
  if (known) return known
  const mapping = joinRows(model, type)
  ofModel.set(type, mapping)
  return mapping
}

/** A description needs the rows of the same few types many times. */
const made = new WeakMap<Model, Map<string, RdfMapping>>()

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

/**
 * The surroundings that the description of a type needs: relations whose targets are described in
 * turn, and referring entities.
 */
export interface Surroundings {
  readonly follow: readonly string[]
  readonly referrers: Readonly<Record<string, { readonly follow?: boolean }>>
}

export function surroundingsOf(model: Model, type: string): Surroundings {
  const { relations = {}, referrers = {} } = mappingOf(model, type)
  const follow = Object.entries(relations).filter(([, rules]) => rules.some(rule => rule.follow))
  return { follow: follow.map(([relation]) => relation), referrers }
}
