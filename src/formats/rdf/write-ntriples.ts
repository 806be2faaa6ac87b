import { table } from '#domain/table.ts'
import type { Graph, Term } from './triples.ts'
import { iriOf } from './vocabularies.ts'

/** Writes one triple on each line, without abbreviations. https://www.w3.org/TR/n-triples/ */
export function writeNTriples(graph: Graph): string {
  let text = ''
  for (const { subject, predicate, object } of graph.triples)
    text += `<${subject}> <${iriOf(predicate)}> ${termText(object)} .\n`
  return text
}

function termText(term: Term): string {
  if (term.kind === 'iri') return `<${term.iri}>`
  const quoted = quoteText(term.text)
  if (term.lang !== undefined) return `${quoted}@${term.lang}`
  return term.datatype === undefined ? quoted : `${quoted}^^<${term.datatype}>`
}

/** A text in double quotes, on one line, as in N-Triples and Turtle. */
export const quoteText = (text: string) => `"${text.replaceAll(/["\\\n\r\t]/g, letter => escapes[letter] ?? letter)}"`

const escapes: Readonly<Record<string, string>> = table({
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t'
})
