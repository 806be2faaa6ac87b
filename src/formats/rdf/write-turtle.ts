import { byNode, type Graph, type Term } from './triples.ts'
import { nameOf, prefixes, rdfType, vocabularies } from './vocabularies.ts'
import { quoteText } from './write-ntriples.ts'

/** The prefixes of the vocabularies; once in a file. */
export const turtleHead = prefixes.map(prefix => `@prefix ${prefix}: <${vocabularies[prefix]}> .\n`).join('')

/**
 * Writes the statements of each node together, with the names of the vocabularies.
 * https://www.w3.org/TR/turtle/
 */
export function writeTurtleNodes(graph: Graph): string {
  const nodes = [...byNode(graph)].map(([subject, properties]) => {
    const lines = [...properties].map(([predicate, objects]) => {
      const verb = predicate === rdfType ? 'a' : iriText(predicate)
      return `  ${verb} ${objects.map(termText).join(', ')}`
    })
    return `\n${iriText(subject)}\n${lines.join(' ;\n')} .\n`
  })
  return nodes.join('')
}

const iriText = (iri: string) => nameOf(iri) ?? `<${iri}>`

function termText(term: Term): string {
  if (term.kind === 'iri') return iriText(term.iri)
  const quoted = quoteText(term.text)
  if (term.lang !== undefined) return `${quoted}@${term.lang}`
  return term.datatype === undefined ? quoted : `${quoted}^^${iriText(term.datatype)}`
}
