import { table } from '#domain/table.ts'
import { byNode, type Graph, type Term } from './triples.ts'
import { nameOf, prefixes, vocabularies } from './vocabularies.ts'

/** The beginning of a document, with the namespaces of the vocabularies. */
export const rdfXmlHead = `<rdf:RDF${prefixes.map(prefix => ` xmlns:${prefix}="${vocabularies[prefix]}"`).join('')}>\n`
export const rdfXmlTail = '</rdf:RDF>\n'

/** Writes RDF as XML, one element for each node. https://www.w3.org/TR/rdf-syntax-grammar/ */
export function writeRdfXmlNodes(graph: Graph): string {
  const nodes = [...byNode(graph)].map(([subject, properties]) => {
    const lines = [...properties].flatMap(([predicate, objects]) => objects.map(object => property(predicate, object)))
    return `  <rdf:Description rdf:about="${escapeAttribute(subject)}">\n${lines.join('')}  </rdf:Description>\n`
  })
  return nodes.join('')
}

function property(predicate: string, object: Term): string {
  const name = nameOf(predicate)
  // A predicate must be an element, so it needs a name; the tables have no others.
  if (name === undefined) throw new Error(`The predicate ${predicate} belongs to no vocabulary`)
  if (object.kind === 'iri') return `    <${name} rdf:resource="${escapeAttribute(object.iri)}"/>\n`
  const kind =
    object.lang !== undefined
      ? ` xml:lang="${object.lang}"`
      : object.datatype !== undefined
        ? ` rdf:datatype="${escapeAttribute(object.datatype)}"`
        : ''
  return `    <${name}${kind}>${escapeText(object.text)}</${name}>\n`
}

/** A literal carriage return would be read as a line feed. */
const escapeText = (text: string) => text.replaceAll(/[&<>\r]/g, letter => escapes[letter] ?? letter)

const escapeAttribute = (text: string) => text.replaceAll(/[&<>"]/g, letter => escapes[letter] ?? letter)

const escapes: Readonly<Record<string, string>> = table({
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;'
})
