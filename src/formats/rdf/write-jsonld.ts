import type { Json } from '#domain/entity/entity.ts'
import { termOf, typeOfTerm } from './jsonld-context.ts'
import { fitSchemaOrg } from './fit-schema-org.ts'
import { byNode, type Graph, type Term } from './triples.ts'
import { iriOf, nameOf, rdfType } from './vocabularies.ts'

/**
 * Writes the graph as one JSON object, beginning at one of its nodes: nodes that it refers to stand
 * inside it, described at their first occurrence. The names are those of the context, which is
 * given by its address or as a whole.
 * https://www.w3.org/TR/json-ld11/
 */
export function writeJsonLd(graph: Graph, root: string, context: Json): string {
  return writeNodes(byNode(graph), root, context, false)
}

/**
 * Writes the statements of schema.org about the node, under its own context, with plain texts as
 * values: for web pages that search engines read. They know that context and fetch no other.
 */
export function writeSchemaOrg(graph: Graph, root: string): string {
  const triples = graph.triples.filter(({ predicate, object }) =>
    isOfSchemaOrg(predicate === rdfType && object.kind === 'iri' ? object.iri : predicate)
  )
  const nodes = byNode(fitSchemaOrg({ triples }))
  const reached = new Set([root])
  // Iterating a set includes members added meanwhile.
  for (const node of reached) {
    for (const objects of nodes.get(node)?.values() ?? [])
      for (const object of objects) if (object.kind === 'iri') reached.add(object.iri)
  }
  for (const node of nodes.keys()) if (!reached.has(node)) nodes.delete(node)
  return writeNodes(nodes, root, 'https://schema.org', true)
}

const isOfSchemaOrg = (iri: string) => nameOf(iri)?.startsWith('schema:') === true

function writeNodes(
  nodes: ReadonlyMap<string, ReadonlyMap<string, readonly Term[]>>,
  root: string,
  context: Json,
  isPlain: boolean
): string {
  const described = new Set<string>()
  const tree = describe(root, 0)
  const others: Json[] = []
  for (const node of nodes.keys()) if (!described.has(node)) others.push(describe(node, 0))
  const body = others.length === 0 ? tree : { '@graph': [tree, ...others] }
  return `${JSON.stringify({ '@context': context, ...body })}\n`

  function describe(node: string, depth: number): Record<string, Json> {
    described.add(node)
    const members: Record<string, Json> = { '@id': node }
    for (const [predicate, objects] of nodes.get(node) ?? []) {
      const isType = predicate === rdfType
      const name = isType ? '@type' : (termOf(predicate) ?? predicate)
      const values = objects.map(object =>
        isType && object.kind === 'iri' ? (termOf(object.iri) ?? object.iri) : toValue(predicate, object, depth + 1)
      )
      members[name] = values.length === 1 ? (values[0] as Json) : values
    }
    return members
  }

  function toValue(predicate: string, object: Term, depth: number): Json {
    const expected = typeOfTerm(predicate)
    if (object.kind === 'iri') {
      if (depth <= maxDepth && nodes.has(object.iri) && !described.has(object.iri)) return describe(object.iri, depth)
      return expected === '@id' ? object.iri : { '@id': object.iri }
    }
    const { text, lang, datatype } = object
    if (isPlain && datatype !== undefined) return text
    if (lang !== undefined) return { '@value': text, '@language': lang }
    if (datatype === undefined) return expected === undefined ? text : { '@value': text }
    if (datatype === expected) return text
    if (expected === undefined && datatype === integer && /^(?:0|-?[1-9]\d{0,14})$/.test(text)) return Number(text)
    return { '@value': text, '@type': nameOf(datatype) ?? datatype }
  }
}

/**
 * Maximum nesting; deeper nodes stand beside the tree: a classification may have any number of
 * levels.
 */
const maxDepth = 12

const integer = iriOf('xsd:integer')
