import type { Json } from '#domain/entity/entity.ts'
import { memoizeByObject } from '#domain/memoize.ts'
import { termOf, typeOfTerm } from './jsonld-context.ts'
import { fitSchemaOrg } from './fit-schema-org.ts'
import type { Graph, Properties, Term } from './triples.ts'
import { iriOf, type Name, nameOf } from './vocabularies.ts'

/**
 * Writes the graph as one JSON object, beginning at one of its nodes: nodes that it refers to stand
 * inside it, described at their first occurrence. The names are those of the context, which is
 * given by its address or as a whole.
 * https://www.w3.org/TR/json-ld11/
 */
export function writeJsonLd(graph: Graph, root: string, context: Json): string {
  return writeNodes(graph, root, context, false)
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
      for (const object of objects) if (object.kind === 'iri') reached.add(object.iri)
  }
  const shown = new Map([...nodes].filter(([node]) => reached.has(node)))
  return writeNodes({ nodes: shown, included: new Map() }, root, 'https://schema.org', true)
}

function writeNodes(graph: Pick<Graph, 'nodes' | 'included'>, root: string, context: Json, isPlain: boolean): string {
  const { members, described } = treeOf(graph, isPlain)
  const tree = members(root, 0)
  const others: string[] = []
  for (const node of graph.nodes.keys()) if (!described.has(node)) others.push(`{${members(node, 0)}}`)
  const body = others.length === 0 ? tree : `"@graph":[{${tree}},${others.join()}]`
  return `{"@context":${JSON.stringify(context)},${body}}\n`
}

/** Writes the text at once: a tree of objects for each node takes twice the time. */
function treeOf({ nodes, included }: Pick<Graph, 'nodes' | 'included'>, isPlain: boolean, others?: Set<string>) {
  const described = new Set<string>()
  let deepest = 0
  return { members, described, depth: () => deepest }

  function members(node: string, depth: number): string {
    const properties = nodes.get(node)
    const branch = properties && branchAt(node, properties, depth)
    if (branch !== undefined) {
      for (const each of branch.nodes) described.add(each)
      return branch.text
    }
    described.add(node)
    deepest = Math.max(deepest, depth)
    let text = `"@id":${JSON.stringify(node)}`
    for (const [predicate, objects] of properties ?? []) {
      const isType = predicate === 'rdf:type'
      text += isType ? ',"@type":' : `,"${termOf(predicate)}":`
      if (objects.length > 1) text += '['
      let between = ''
      for (const object of objects) {
        text +=
          between + (isType && object.kind === 'iri' ? typeText(object.iri) : valueText(predicate, object, depth + 1))
        between = ','
      }
      if (objects.length > 1) text += ']'
    }
    return text
  }

  /** The text of a node of an included graph, if this graph adds nothing to it. */
  function branchAt(node: string, properties: Properties, depth: number): Branch | undefined {
    const from = included.get(node)
    if (from === undefined) return undefined
    const branch = branchOf(properties, from, node)
    if (depth + branch.depth > maxDepth || branch.others.some(each => nodes.has(each))) return undefined
    return branch.nodes.every(each => included.get(each) === from && !described.has(each)) ? branch : undefined
  }

  function valueText(predicate: Name, object: Term, depth: number): string {
    const expected = typeOfTerm(predicate)
    if (object.kind === 'iri') {
      if (depth <= maxDepth && nodes.has(object.iri) && !described.has(object.iri))
        return `{${members(object.iri, depth)}}`
      others?.add(object.iri)
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

/** A node with those inside it, as it is written wherever a graph is included. */
interface Branch {
  readonly text: string
  readonly nodes: readonly string[]
  /** The nodes that it refers to without describing them. */
  readonly others: readonly string[]
  readonly depth: number
}

const branchOf = memoizeByObject((_: Properties, graph: Graph, node: string): Branch => {
  const others = new Set<string>()
  const { members, described, depth } = treeOf({ nodes: graph.nodes, included: new Map() }, false, others)
  const text = members(node, 0)
  for (const each of described) others.delete(each)
  return { text, nodes: [...described], others: [...others], depth: depth() }
})

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
