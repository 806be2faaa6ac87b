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

/** Statements about a node: the objects of each predicate, by a text that no other object has. */
export type Properties = ReadonlyMap<Name, ReadonlyMap<string, Term>>

export interface Graph {
  /** Triples, each once, in the order in which they were added. */
  readonly triples: readonly Triple[]
  /** The same by node, the nodes in the order of their first statement. */
  readonly nodes: ReadonlyMap<string, Properties>
}

export interface GraphBuilder extends Graph {
  add(subject: string, predicate: Name, object: Term | undefined): void
}

export function createGraph(): GraphBuilder {
  const triples: Triple[] = []
  const nodes = new Map<string, Map<Name, Map<string, Term>>>()
  return {
    triples,
    nodes,
    add(subject, predicate, object) {
      if (object === undefined) return
      let node = nodes.get(subject)
      if (!node) {
        node = new Map()
        nodes.set(subject, node)
      }
      let objects = node.get(predicate)
      if (!objects) {
        objects = new Map()
        node.set(predicate, objects)
      }
      const key = keyOf(object)
      if (objects.has(key)) return
      objects.set(key, object)
      triples.push({ subject, predicate, object })
    }
  }
}

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

/** No IRI begins with a quotation mark. */
const keyOf = (object: Term) =>
  object.kind === 'iri' ? object.iri : `"${object.datatype ?? ''} ${object.lang ?? ''} ${object.text}`
