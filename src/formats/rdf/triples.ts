import { iriOf, type Name } from './vocabularies.ts'

/*
 * Words of RDF, as used here:
 *
 * - triple: one statement, subject – predicate – object
 * - graph: a set of triples
 * - node: a subject. All have an IRI: that of a part of a record (its title, its address) is the
 *   IRI of the record with a fragment, so no graph of ours has blank nodes, and two graphs are
 *   equal when their triples are
 */

export interface Iri {
  readonly kind: 'iri'
  readonly iri: string
}

export interface Literal {
  readonly kind: 'literal'
  readonly text: string
  /** IRI of the datatype; a text has none, or a language. */
  readonly datatype?: string
  /** In lower case. */
  readonly lang?: string
}

export type Term = Iri | Literal

export interface Triple {
  readonly subject: string
  readonly predicate: Name
  readonly object: Term
}

/** Statements about a node: the objects of each predicate, each once. */
export type Properties = ReadonlyMap<Name, readonly Term[]>

export interface Graph {
  /** Triples, each once, in the order in which they were added. */
  readonly triples: readonly Triple[]
  /** The same in runs, of which some are whole graphs that were included. */
  readonly runs: readonly (Graph | readonly Triple[])[]
  /** The same by node, the nodes in the order of their first statement. */
  readonly nodes: ReadonlyMap<string, Properties>
  /** Nodes about which everything is said by an included graph, with that graph. */
  readonly included: ReadonlyMap<string, Graph>
}

export interface GraphBuilder extends Graph {
  add(subject: string, predicate: Name, object: Term | undefined): void
  /** Adds all triples of a graph that does not change any more. */
  include(other: Graph): void
}

export function createGraph(): GraphBuilder {
  const runs: (Graph | Triple[])[] = []
  const nodes = new Map<string, Map<Name, Term[]>>()
  const included = new Map<string, Graph>()
  /** The keys of long lists of objects; those of short ones are compared one by one. */
  const keys = new Map<Term[], Set<string>>()
  let run: Triple[] | undefined
  return {
    runs,
    nodes,
    included,
    get triples() {
      return runs.flatMap(each => ('triples' in each ? each.triples : each))
    },
    add(subject, predicate, object) {
      if (object === undefined) return
      const known = nodes.get(subject)?.get(predicate)
      if (known && isAmong(known, object)) return
      const objects = objectsOf(subject, predicate)
      objects.push(object)
      keys.get(objects)?.add(keyOf(object))
      if (run === undefined) {
        run = []
        runs.push(run)
      }
      run.push({ subject, predicate, object })
    },
    include(other) {
      if (other.nodes.keys().some(subject => nodes.has(subject))) {
        for (const { subject, predicate, object } of other.triples) this.add(subject, predicate, object)
        return
      }
      for (const [subject, properties] of other.nodes) {
        nodes.set(subject, properties as Map<Name, Term[]>)
        included.set(subject, other)
      }
      runs.push(other)
      run = undefined
    }
  }

  /** The objects to add one to; those of an included graph are copied first. */
  function objectsOf(subject: string, predicate: Name): Term[] {
    let node = nodes.get(subject)
    if (node === undefined || included.delete(subject)) {
      node = new Map([...(node ?? [])].map(([name, all]) => [name, [...all]]))
      nodes.set(subject, node)
    }
    let objects = node.get(predicate)
    if (!objects) {
      objects = []
      node.set(predicate, objects)
    }
    return objects
  }

  function isAmong(objects: Term[], object: Term): boolean {
    if (objects.length < maxCompared) return objects.some(each => isSame(each, object))
    const known = keys.get(objects) ?? new Set(objects.map(keyOf))
    keys.set(objects, known)
    return known.has(keyOf(object))
  }
}

/** Maximum objects that are compared one by one. */
const maxCompared = 8

/** Characters that no serialization of an IRI can contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
const notInIri = /[\u0000-\u0020<>"{}|^`\\\u007f-\u009f]/

/** An IRI; undefined when the text is none. */
export function toIri(text: string): Iri | undefined {
  return /^[A-Za-z][A-Za-z0-9+.-]*:./.test(text) && !notInIri.test(text) ? { kind: 'iri', iri: text } : undefined
}

/** The address of a web page; undefined when the text is none. */
export const toWebAddress = (text: string) => (/^https?:\/\/[^/]/i.test(text) ? toIri(text.trim()) : undefined)

export const named = (name: Name): Iri => ({ kind: 'iri', iri: iriOf(name) })

/** A text, in a language where one is known. Undefined when it is empty. */
export function toText(text: string, lang?: string): Literal | undefined {
  const clean = text.replaceAll(notInXml, '')
  if (clean === '') return undefined
  return lang !== undefined && languageTag.test(lang)
    ? { kind: 'literal', text: clean, lang: lang.toLowerCase() }
    : { kind: 'literal', text: clean }
}

export const toTyped = (text: string, datatype: Name): Literal => ({
  kind: 'literal',
  text,
  datatype: iriOf(datatype)
})

/**
 * Characters that XML cannot contain; every serialization leaves them out, so that all are equal.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const languageTag = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/

function isSame(one: Term, other: Term): boolean {
  if (one.kind === 'iri') return other.kind === 'iri' && one.iri === other.iri
  return (
    other.kind === 'literal' && one.text === other.text && one.lang === other.lang && one.datatype === other.datatype
  )
}

/** No IRI begins with a quotation mark. */
const keyOf = (object: Term) =>
  object.kind === 'iri' ? object.iri : `"${object.datatype ?? ''} ${object.lang ?? ''} ${object.text}`
