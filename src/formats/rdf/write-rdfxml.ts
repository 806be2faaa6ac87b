import { table } from '#domain/table.ts'
import type { Graph, Term } from './triples.ts'
import { type Name, prefixes, vocabularies } from './vocabularies.ts'

/** The beginning of a document, with the namespaces of the vocabularies. */
export const rdfXmlHead = `<rdf:RDF${prefixes.map(prefix => ` xmlns:${prefix}="${vocabularies[prefix]}"`).join('')}>\n`
export const rdfXmlTail = '</rdf:RDF>\n'

/** Writes RDF as XML, one element for each node. https://www.w3.org/TR/rdf-syntax-grammar/ */
export function writeRdfXmlNodes(graph: Graph): string {
  let text = ''
  for (const [subject, properties] of graph.nodes) {
    text += `  <rdf:Description rdf:about="${escapeAttribute(subject)}">\n`
    for (const [name, objects] of properties) for (const object of objects.values()) text += property(name, object)
    text += '  </rdf:Description>\n'
  }
  return text
}

function property(name: Name, object: Term): string {
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
