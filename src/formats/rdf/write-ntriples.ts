import { table } from '#domain/table.ts'
import { memoizeByObject } from '#domain/memoize.ts'
import type { Graph, Term, Triple } from './triples.ts'
import { iriOf } from './vocabularies.ts'

/** Writes one triple on each line, without abbreviations. https://www.w3.org/TR/n-triples/ */
export function writeNTriples(graph: Graph): string {
  let text = ''
  for (const run of graph.runs) text += 'triples' in run ? includedText(run) : linesOf(run)
  return text
}

function linesOf(triples: readonly Triple[]): string {
  let text = ''
  for (const { subject, predicate, object } of triples)
    text += `<${subject}> <${iriOf(predicate)}> ${termText(object)} .\n`
  return text
}

const includedText = memoizeByObject((graph: Graph) => writeNTriples(graph))

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
