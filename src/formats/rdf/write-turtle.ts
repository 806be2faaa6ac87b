import { byNode, type Graph, type Term } from './triples.ts'
import { nameOf, prefixes, rdfType, vocabularies } from './vocabularies.ts'
import { quoteText } from './write-ntriples.ts'

/** What is said of each node together, with names for what the vocabularies have. https://www.w3.org/TR/turtle/ */
export function writeTurtle(graph: Graph): string {
  const head = prefixes.map(prefix => `@prefix ${prefix}: <${vocabularies[prefix]}> .\n`).join('')
  const nodes = [...byNode(graph)].map(([subject, properties]) => {
    const lines = [...properties].map(([predicate, objects]) => {
      const verb = predicate === rdfType ? 'a' : iriText(predicate)
      return `  ${verb} ${objects.map(termText).join(', ')}`
    })
    return `\n${iriText(subject)}\n${lines.join(' ;\n')} .\n`
  })
  return head + nodes.join('')
}

const iriText = (iri: string) => nameOf(iri) ?? `<${iri}>`

function termText(term: Term): string {
  if (term.kind === 'iri') return iriText(term.iri)
  const quoted = quoteText(term.text)
  if (term.lang !== undefined) return `${quoted}@${term.lang}`
  return term.datatype === undefined ? quoted : `${quoted}^^${iriText(term.datatype)}`
}
