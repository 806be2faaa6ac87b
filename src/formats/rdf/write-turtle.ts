import type { Graph, Term } from './triples.ts'
import { nameOf, prefixes, vocabularies } from './vocabularies.ts'
import { quoteText } from './write-ntriples.ts'

/** The prefixes of the vocabularies; once in a file. */
export const turtleHead = prefixes.map(prefix => `@prefix ${prefix}: <${vocabularies[prefix]}> .\n`).join('')

/**
 * Writes the statements of each node together, with the names of the vocabularies.
 * https://www.w3.org/TR/turtle/
 */
export function writeTurtleNodes(graph: Graph): string {
  let text = ''
  for (const [subject, properties] of graph.nodes) {
    let before = `\n${iriText(subject)}\n`
    for (const [predicate, objects] of properties) {
      text += `${before}  ${predicate === 'rdf:type' ? 'a' : predicate} ${[...objects.values()].map(termText).join(', ')}`
      before = ' ;\n'
    }
    text += ' .\n'
  }
  return text
}

const iriText = (iri: string) => nameOf(iri) ?? `<${iri}>`

function termText(term: Term): string {
  if (term.kind === 'iri') return iriText(term.iri)
  const quoted = quoteText(term.text)
  if (term.lang !== undefined) return `${quoted}@${term.lang}`
  return term.datatype === undefined ? quoted : `${quoted}^^${iriText(term.datatype)}`
}
