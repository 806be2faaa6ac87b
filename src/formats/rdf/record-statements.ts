import { contentsOf } from './find-publications.ts'
import { type GraphView, type ReadName, readIriOf } from './graph-view.ts'
import { plainlyReadAs } from './registry-statements.ts'
import { isBlank, type Statements } from './statements.ts'
import type { Term } from './triples.ts'
import { quoteText } from './write-ntriples.ts'

/** Maximum statements about a publication, its texts and its works. */
const maxOwn = 5_000
/** Maximum statements about people, subjects and other nodes that these refer to. */
const maxAround = 2_000
/** Maximum steps from a publication to such a node. */
const maxSteps = 5

/** Properties to other publications and texts of the work, and to parts: not of this record. */
const toSiblings: ReadonlyMap<string, ReadName> = new Map(
  (
    [
      'bf:hasInstance',
      'bf:hasExpression',
      'bf:hasPart',
      'bf:seriesOf',
      'lrmoo:R4i_is_embodied_in',
      'lrmoo:R3_is_realised_in',
      'schema:workExample',
      'schema:hasPart',
      'skos:narrower'
    ] as const satisfies readonly ReadName[]
  ).map(name => [readIriOf(name), name])
)

function siblingBy(predicate: string): ReadName | undefined {
  const name = plainlyReadAs(predicate)
  return toSiblings.get(name === undefined ? predicate : readIriOf(name))
}

export interface RecordStatements {
  /** In N-Triples. The same statements in another file, in any order, give the same lines. */
  readonly lines: string
  readonly count: number
  readonly isOver: boolean
}

/**
 * The statements that a record consists of: those of its levels, and those around them.
 * `statements` are those of the file, where the view has more.
 */
export function sourceOf(
  view: GraphView,
  publication: string,
  statements: Pick<Statements, 'nodes'> = view.statements
): RecordStatements {
  const contents = contentsOf(view, publication)
  const own = new Set([
    publication,
    ...contents.flatMap(({ expression, work }) => (work === undefined ? [expression] : [expression, work])),
    ...view.nodes(publication, 'bf:hasItem', 'lrmoo:R7i_is_exemplified_by'),
    ...view.referring(publication, 'bf:itemOf', 'lrmoo:R7_exemplifies')
  ])
  const steps = new Map([...own].map(node => [node, 0]))
  const labels = new Map<string, string>()
  const lines: string[] = []
  let around = 0
  // Iterating a map includes members added meanwhile.
  for (const [node, step] of steps) {
    const isOwn = own.has(node)
    for (const [predicate, values] of inOrder(statements.nodes.get(node))) {
      const sibling = siblingBy(predicate)
      if (sibling !== undefined) {
        // The list may be long; the references to the few nodes of this record are not.
        const linked = isOwn ? [...own].filter(each => view.referring(each, sibling).includes(node)) : []
        for (const each of linked) lines.push(line(node, predicate, { kind: 'iri', iri: each }))
        continue
      }
      if (isOwn && lines.length + values.length > maxOwn) return { lines: '', count: lines.length, isOver: true }
      if (!isOwn) around += values.length
      if (around > maxAround && !isOwn) continue
      for (const value of valuesInOrder(values)) {
        lines.push(line(node, predicate, value))
        if (value.kind === 'iri' && step < maxSteps && !steps.has(value.iri) && view.statements.nodes.has(value.iri))
          steps.set(value.iri, step + 1)
      }
    }
  }
  return { lines: lines.join(''), count: lines.length, isOver: false }

  function line(node: string, predicate: string, value: Term): string {
    return `${nodeText(node)} <${predicate}> ${value.kind === 'iri' ? nodeText(value.iri) : literal(value)} .\n`
  }

  function nodeText(node: string): string {
    if (!isBlank(node)) return `<${node}>`
    const known = labels.get(node) ?? `_:n${labels.size}`
    labels.set(node, known)
    return known
  }
}

function literal(value: Extract<Term, { kind: 'literal' }>): string {
  const text = quoteText(value.text)
  if (value.lang !== undefined) return `${text}@${value.lang}`
  return value.datatype === undefined ? text : `${text}^^<${value.datatype}>`
}

/** The values in the order of their texts; blank nodes come last, in the order of the file. */
const valuesInOrder = (values: readonly Term[]): readonly Term[] => {
  if (values.length < 2) return values
  const keyed = values.map(value => {
    const text = value.kind === 'iri' ? value.iri : `"${value.text}" ${value.lang ?? ''} ${value.datatype ?? ''}`
    return { value, key: isBlank(text) ? '\uffff' : text }
  })
  return keyed.sort(({ key: one }, { key: other }) => (one < other ? -1 : one > other ? 1 : 0)).map(each => each.value)
}

/** The properties by their names, so that the order of the file does not count. */
const inOrder = (properties: ReadonlyMap<string, readonly Term[]> | undefined) =>
  [...(properties ?? [])].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
