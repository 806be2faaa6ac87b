import { RdfTrouble } from './rdf-trouble.ts'
import type { Term } from './triples.ts'

/*
 * The statements of a file in memory. A blank node is a node whose name begins with `_:`; the
 * names that a file gives to its blank nodes are replaced by numbers.
 */

/** Maximum statements of a file: a record may be anywhere in it, so it is read as a whole. */
export const maxStatements = 1_000_000

/** Maximum characters of an IRI. */
export const maxIriLength = 8_000

/** The statements about a node: the values of each property, in the order of the file. */
export type Properties = ReadonlyMap<string, readonly Term[]>

export interface Statements {
  /** By the name of the node, in the order of the file. */
  readonly nodes: ReadonlyMap<string, Properties>
  /** The node with the given name in the file, or a new one. */
  blankNode(label?: string): string
  add(subject: string, predicate: string, object: Term): void
}

export const isBlank = (node: string) => node.startsWith('_:')

export const toNode = (iri: string): Term => ({ kind: 'iri', iri })

/** Collects statements; a repeated one counts once. */
export function createStatements(limit = maxStatements): Statements {
  const nodes = new Map<string, Map<string, Term[]>>()
  /** The keys of long lists of values; short ones are compared one by one. */
  const keys = new Map<Term[], Set<string>>()
  let count = 0
  const labels = new Map<string, string>()
  let blanks = 0
  return {
    nodes,
    blankNode(label) {
      const given = label === undefined ? undefined : labels.get(label)
      if (given !== undefined) return given
      const made = `_:b${blanks++}`
      if (label !== undefined) labels.set(label, made)
      return made
    },
    add(subject, predicate, object) {
      const properties = nodes.get(subject) ?? new Map<string, Term[]>()
      const values = properties.get(predicate) ?? []
      if (isKnown(values, object)) return
      if (++count > limit)
        throw new RdfTrouble(
          'over_limit',
          `The file has more than ${limit} statements, and is read as a whole; divide it by publications`
        )
      if (values.length === 0) {
        nodes.set(subject, properties)
        properties.set(predicate, values)
      }
      values.push(object)
    }
  }

  function isKnown(values: Term[], object: Term): boolean {
    if (values.length < maxCompared) {
      const key = values.length === 0 ? '' : keyOf(object)
      return values.some(each => keyOf(each) === key)
    }
    const known = keys.get(values) ?? new Set(values.map(keyOf))
    keys.set(values, known)
    return known.size === known.add(keyOf(object)).size
  }
}

/** Maximum values of a property that are compared one by one. */
const maxCompared = 8

const keyOf = (term: Term) =>
  term.kind === 'iri' ? `<${term.iri}` : `"${term.datatype ?? ''} ${term.lang ?? ''} ${term.text}`
