import { createGraph, type Graph, named } from './triples.ts'
import type { Name } from './vocabularies.ts'

/**
 * The statements of SKOS about an authority, and the names of those that they lead to. Concepts of
 * which one is broader are not related, too, and another label is not the preferred one.
 */
export function skosOf({ triples }: Graph, root: string): Graph {
  const graph = createGraph()
  const nodes = new Set([root])
  const isSkos = (predicate: Name) => predicate.startsWith('skos:')
  for (const { subject, predicate, object } of triples)
    if (subject === root && isSkos(predicate) && object.kind === 'iri') nodes.add(object.iri)
  const inHierarchy = new Set<string>()
  const preferred = new Set<string>()
  for (const { subject, predicate: name, object } of triples) {
    if (name === 'skos:prefLabel' && object.kind !== 'iri') preferred.add(`${subject} ${object.text}`)
    if ((name === 'skos:broader' || name === 'skos:narrower') && object.kind === 'iri')
      inHierarchy.add(pairOf(subject, object.iri))
  }
  for (const { subject, predicate: name, object } of triples) {
    if (!nodes.has(subject)) continue
    if (name === 'skos:related' && object.kind === 'iri' && inHierarchy.has(pairOf(subject, object.iri))) continue
    if (name === 'skos:altLabel' && object.kind !== 'iri' && preferred.has(`${subject} ${object.text}`)) continue
    if (name === 'schema:sameAs') graph.add(subject, 'skos:exactMatch', object)
    if (!isSkos(name) || (object.kind === 'iri' && subject !== root && object.iri !== root)) continue
    graph.add(subject, 'rdf:type', named('skos:Concept'))
    graph.add(subject, name, object)
  }
  return graph
}

const pairOf = (one: string, other: string) => [one, other].sort().join(' ')
