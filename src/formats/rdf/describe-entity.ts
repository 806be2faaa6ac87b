import { type Entity, type Relation, type Surrounded, valuesOf } from '#domain/entity/entity.ts'
import { textOf } from '#domain/search/index-values.ts'
import type { Model } from '#domain/record-types/model.ts'
import { zoneOfShow } from '#domain/values/zone-of-place.ts'
import { addressOf } from './address-of.ts'
import type { FieldRule, Part, ReachRule, RelationRule } from './mapping-rule.ts'
import { mappingOf, type TypeMapping } from './mapping-of.ts'
import { predicateOfRole, relatorOf } from './roles.ts'
import { createGraph, type Graph, type GraphBuilder, named, toIri, toText, toWebAddress } from './triples.ts'
import { valueReaders } from './values.ts'
import type { Name } from './vocabularies.ts'

/** Describes an entity and its surroundings according to the tables. */
export function describeEntity(model: Model, publicUrl: string, described: Surrounded): Graph {
  const graph = createGraph()
  const { entity: root, whole, referring, related, timeZone } = described
  const fielded = new Set<string>()
  const nodes = new Map<string, string>()

  for (const entity of whole) describeFields(entity)
  for (const entity of whole) describeRelations(entity, entity.relations)
  for (const entity of referring) {
    describeFields(entity)
    describeRelations(
      entity,
      entity.relations.filter(({ key }) => key === root.id)
    )
  }
  for (const type of described.cutOff) {
    const list = `${addressOf(publicUrl, root.id)}/references?type=${encodeURIComponent(type)}`
    graph.add(nodeOf(root), 'rdfs:seeAlso', toIri(list))
  }
  return graph

  function nodeOf({ id }: Entity): string {
    const node = nodes.get(id) ?? addressOf(publicUrl, id)
    nodes.set(id, node)
    return node
  }

  /** Classes, fields and identifiers: once for each entity. */
  function describeFields(entity: Entity) {
    if (fielded.has(entity.id)) return
    fielded.add(entity.id)
    const node = nodeOf(entity)
    const { classes, fields } = mappingOf(model, entity.type)
    for (const name of classes) graph.add(node, 'rdf:type', named(name))
    for (const identifier of entity.identifiers.slice(2)) {
      const page = toWebAddress(identifier)
      graph.add(node, page ? 'schema:sameAs' : 'schema:identifier', page ?? toText(identifier))
    }
    graph.add(node, 'schema:identifier', toText(entity.id))
    const given = new Set(entity.metadata.map(({ key }) => key))
    for (const [key, rules] of fields) if (given.has(key)) for (const rule of rules) addField(entity, key, rule)
  }

  function addField(entity: Entity, key: string, { predicates, as = 'text', in: part }: FieldRule) {
    let count = 0
    const zone = as === 'moment' ? (zoneOfShow(entity, target => related.get(target)) ?? timeZone) : timeZone
    for (const entry of entity.metadata) {
      if (entry.key !== key) continue
      for (const value of Array.isArray(entry.value) ? entry.value : [entry.value]) {
        const term = valueReaders[as](textOf(value), entry.lang, zone)
        if (term === undefined) continue
        count++
        for (const about of part ? partsOf(graph, nodeOf(entity), entity, { key, part, count }) : [nodeOf(entity)])
          for (const name of predicates) graph.add(about, name, term)
      }
    }
  }

  function describeRelations(entity: Entity, relations: readonly Relation[]) {
    const mapping = mappingOf(model, entity.type)
    for (const relation of relations) {
      const target = related.get(relation.key)
      if (!target) continue
      for (const rule of rulesOf(mapping, relation.type)) {
        describeFields(target)
        addRelation(entity, relation, target, rule)
      }
    }
    if (relations === entity.relations) for (const rule of mapping.reaches ?? []) addReached(entity, rule)
  }

  function addRelation(entity: Entity, relation: Relation, target: Entity, rule: RelationRule) {
    const object = { kind: 'iri', iri: nodeOf(target) } as const
    if (rule.in) {
      const part = partOf(graph, nodeOf(entity), rule.in, 1)
      for (const name of rule.predicates ?? []) graph.add(part, name, object)
      return
    }
    addBetween(entity, target, rule, relation)
    if (rule.roles === 'ofWork') addContribution(entity, relation, target)
  }

  function addBetween(
    entity: Entity,
    target: Entity,
    rule: Pick<RelationRule, 'predicates' | 'back' | 'roles'>,
    by: Relation
  ) {
    const hasPart =
      rule.roles === 'ofEvent' && addPart(graph, nodeOf(entity), by, { id: target.id, node: nodeOf(target) })
    const names: readonly Name[] = rule.roles
      ? rolesOf(by)
          .map(role => predicateOfRole(rule.roles ?? 'ofWork', role))
          .filter(name => !hasPart || name !== 'schema:performer')
      : (rule.predicates ?? [])
    for (const name of names) graph.add(nodeOf(entity), name, { kind: 'iri', iri: nodeOf(target) })
    for (const name of rule.back ?? []) graph.add(nodeOf(target), name, { kind: 'iri', iri: nodeOf(entity) })
  }

  /** BIBFRAME has a node of its own for a contribution with its agent and role. */
  function addContribution(entity: Entity, relation: Relation, target: Entity) {
    const part: Part = { name: `contribution-${target.id}`, by: 'bf:contribution', is: 'bf:Contribution' }
    const node = partOf(graph, nodeOf(entity), part, 1)
    graph.add(node, 'bf:agent', { kind: 'iri', iri: nodeOf(target) })
    for (const role of rolesOf(relation)) {
      if (role === undefined) continue
      const relator = relatorOf(role)
      if (relator) graph.add(node, 'bf:role', relator)
      else graph.add(node, 'rdfs:label', toText(role))
    }
  }

  function addReached(entity: Entity, rule: ReachRule) {
    for (const { target, by } of reach(related, entity, rule.by)) {
      describeFields(target)
      if (rule.name) addNames(graph, nodeOf(entity), target, model.findType(target.type)?.nameField)
      addBetween(entity, target, rule, by)
    }
  }
}

const rulesOf = ({ relations = {} }: TypeMapping, type: string): readonly RelationRule[] =>
  Object.hasOwn(relations, type) ? (relations[type] ?? []) : []

/** The roles of a relation; a relation without one has one unknown role. */
function rolesOf({ metadata = [] }: Relation): (string | undefined)[] {
  const roles = metadata.filter(({ key, value }) => key === 'role' && textOf(value).trim() !== '')
  return roles.length === 0 ? [undefined] : roles.map(({ value }) => textOf(value))
}

/** The entities at the end of some steps, with the last relation on the way. */
function reach(
  related: Surrounded['related'],
  entity: Entity,
  steps: readonly string[]
): { target: Entity; by: Relation }[] {
  const [step, ...rest] = steps
  return entity.relations
    .filter(relation => relation.type === step)
    .flatMap(by => {
      const target = related.get(by.key)
      if (!target) return []
      return rest.length === 0 ? [{ target, by }] : reach(related, target, rest)
    })
}

/** Adds the names of another entity to a node. */
function addNames(graph: GraphBuilder, node: string, target: Entity, nameField: string | undefined) {
  for (const { key, value, lang } of target.metadata) {
    if (key !== nameField) continue
    graph.add(node, 'schema:name', toText(textOf(value), lang))
    graph.add(node, 'rdfs:label', toText(textOf(value), lang))
  }
}

/** The parts of an entity that the value of a field describes, by its number. */
function partsOf(
  graph: GraphBuilder,
  node: string,
  { metadata }: Entity,
  { key, part, count }: { readonly key: string; readonly part: Part; readonly count: number }
): string[] {
  const { perValueOf } = part
  const values = perValueOf === undefined ? 0 : metadata.filter(each => each.key === perValueOf).length
  if (values < 2) return [partOf(graph, node, part, count)]
  const numbers = key === perValueOf ? [count] : Array.from({ length: values }, (_, index) => index + 1)
  return numbers.map(number => partOf(graph, node, { ...part, each: true }, number))
}

/**
 * Adds the node that schema.org has for a performer with a character or an instrument, and returns
 * whether there is one.
 */
function addPart(
  graph: GraphBuilder,
  node: string,
  { metadata = [] }: Relation,
  performer: { readonly id: string; readonly node: string }
): boolean {
  const texts = (key: string) =>
    valuesOf({ metadata }, key)
      .map(textOf)
      .filter(each => each.trim() !== '')
  const [characters, instruments] = [texts('part'), texts('instrument')]
  if (characters.length + instruments.length === 0) return false
  const isAlternate = valuesOf({ metadata }, 'alternate').includes(true)
  const part: Part = { name: `part-${performer.id}`, by: 'schema:performer', is: 'schema:PerformanceRole' }
  const role = partOf(graph, node, part, 1)
  graph.add(role, 'schema:performer', { kind: 'iri', iri: performer.node })
  for (const each of characters) graph.add(role, 'schema:characterName', toText(each))
  for (const each of [...instruments, ...(isAlternate ? ['alternate'] : [])])
    graph.add(role, 'schema:roleName', toText(each))
  return true
}

/** The IRI of a part; also states that the part exists. */
function partOf(graph: GraphBuilder, node: string, part: Part, count: number): string {
  const name = `${node}#${part.name}${part.each ? `-${count}` : ''}`
  graph.add(node, part.by, { kind: 'iri', iri: name })
  graph.add(name, 'rdf:type', named(part.is))
  return name
}
