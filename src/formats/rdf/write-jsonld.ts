import type { Json } from '#domain/entity/entity.ts'
import { termOf, typeOfTerm } from './jsonld-context.ts'
import { fitSchemaOrg } from './fit-schema-org.ts'
import type { Graph, Term } from './triples.ts'
import { iriOf, type Name, nameOf } from './vocabularies.ts'

/**
 * Writes the graph as one JSON object, beginning at one of its nodes: nodes that it refers to stand
 * inside it, described at their first occurrence. The names are those of the context, which is
 * given by its address or as a whole.
 * https://www.w3.org/TR/json-ld11/
 */
export function writeJsonLd(graph: Graph, root: string, context: Json): string {
  return writeNodes(graph.nodes, root, context, false)
}

/**
 * Writes the statements of schema.org about the node, under its own context, with plain texts as
 * values: for web pages that search engines read. They know that context and fetch no other.
 */
export function writeSchemaOrg(graph: Graph, root: string): string {
  const triples = graph.triples.filter(({ predicate, object }) =>
    (predicate === 'rdf:type' && object.kind === 'iri' ? nameOf(object.iri) : predicate)?.startsWith('schema:')
  )
  const { nodes } = fitSchemaOrg(triples)
  const reached = new Set([root])
  // Iterating a set includes members added meanwhile.
  for (const node of reached) {
    for (const objects of nodes.get(node)?.values() ?? [])
      for (const object of objects.values()) if (object.kind === 'iri') reached.add(object.iri)
  }
  const shown = new Map([...nodes].filter(([node]) => reached.has(node)))
  return writeNodes(shown, root, 'https://schema.org', true)
}

/** Writes the text at once: a tree of objects for each node takes twice the time. */
function writeNodes(nodes: Graph['nodes'], root: string, context: Json, isPlain: boolean): string {
  const described = new Set<string>()
  const tree = members(root, 0)
  const others: string[] = []
  for (const node of nodes.keys()) if (!described.has(node)) others.push(`{${members(node, 0)}}`)
  const body = others.length === 0 ? tree : `"@graph":[{${tree}},${others.join()}]`
  return `{"@context":${JSON.stringify(context)},${body}}\n`

  function members(node: string, depth: number): string {
    described.add(node)
    let text = `"@id":${JSON.stringify(node)}`
    for (const [predicate, objects] of nodes.get(node) ?? []) {
      const isType = predicate === 'rdf:type'
      text += isType ? ',"@type":' : `,"${termOf(predicate)}":`
      if (objects.size > 1) text += '['
      let between = ''
      for (const object of objects.values()) {
        text +=
          between + (isType && object.kind === 'iri' ? typeText(object.iri) : valueText(predicate, object, depth + 1))
        between = ','
      }
      if (objects.size > 1) text += ']'
    }
    return text
  }

  function valueText(predicate: Name, object: Term, depth: number): string {
    const expected = typeOfTerm(predicate)
    if (object.kind === 'iri') {
      if (depth <= maxDepth && nodes.has(object.iri) && !described.has(object.iri))
        return `{${members(object.iri, depth)}}`
      const iri = JSON.stringify(object.iri)
      return expected === '@id' ? iri : `{"@id":${iri}}`
    }
    const { lang, datatype } = object
    const text = JSON.stringify(object.text)
    if (isPlain && datatype !== undefined) return text
    if (lang !== undefined) return `{"@value":${text},"@language":"${lang}"}`
    if (datatype === undefined) return expected === undefined ? text : `{"@value":${text}}`
    if (datatype === expected) return text
    if (expected === undefined && datatype === integer && /^(?:0|-?[1-9]\d{0,14})$/.test(object.text))
      return object.text
    return `{"@value":${text},"@type":${JSON.stringify(nameOf(datatype) ?? datatype)}}`
  }
}

function typeText(iri: string): string {
  const name = nameOf(iri)
  return JSON.stringify(name ? termOf(name) : iri)
}

/**
 * Maximum nesting; deeper nodes stand beside the tree: a classification may have any number of
 * levels.
 */
const maxDepth = 12

const integer = iriOf('xsd:integer')
