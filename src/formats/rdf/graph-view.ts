import { isBlank, type Statements } from './statements.ts'
import type { Literal, Term } from './triples.ts'
import { rdfType, vocabularies } from './vocabularies.ts'
import { dublinCoreNamespace } from '../xml/namespaces.ts'

/*
 * The names of vocabularies in which libraries publish records, and a graph that is asked by them.
 */

const spaces = {
  ...vocabularies,
  madsrdf: 'http://www.loc.gov/mads/rdf/v1#',
  crm: 'http://www.cidoc-crm.org/cidoc-crm/',
  dcterms: 'http://purl.org/dc/terms/',
  dc: dublinCoreNamespace,
  foaf: 'http://xmlns.com/foaf/0.1/',
  owl: 'http://www.w3.org/2002/07/owl#',
  rdaw: 'http://rdaregistry.info/Elements/w/',
  rdae: 'http://rdaregistry.info/Elements/e/',
  rdam: 'http://rdaregistry.info/Elements/m/',
  rdaa: 'http://rdaregistry.info/Elements/a/',
  lrmer: 'http://iflastandards.info/ns/lrm/lrmer/'
} as const

export type ReadName = `${keyof typeof spaces}:${string}`

export function readIriOf(name: ReadName): string {
  const colon = name.indexOf(':')
  return spaces[name.slice(0, colon) as keyof typeof spaces] + name.slice(colon + 1)
}

/** The name of an IRI with its prefix, for people. Other IRIs stay as they are. */
export function shownName(iri: string): string {
  const found = Object.entries(spaces).find(([, space]) => iri.startsWith(space))
  return found === undefined ? iri : `${found[0]}:${iri.slice(found[1].length)}`
}

export interface GraphView {
  readonly statements: Statements
  /** The values of properties of a node, in the order of the names. */
  values(node: string, ...names: readonly ReadName[]): readonly Term[]
  /** The nodes among the values. */
  nodes(node: string, ...names: readonly ReadName[]): string[]
  /** The texts among the values, without empty ones. */
  texts(node: string, ...names: readonly ReadName[]): string[]
  text(node: string, ...names: readonly ReadName[]): string | undefined
  /** Tests whether a node is of one of the classes. */
  is(node: string, ...classes: readonly ReadName[]): boolean
  /** The nodes that refer to a node by one of the properties. */
  referring(node: string, ...names: readonly ReadName[]): string[]
  /** The name of a node for people. */
  label(node: string): string | undefined
}

const labels: readonly ReadName[] = [
  'rdfs:label',
  'madsrdf:authoritativeLabel',
  'skos:prefLabel',
  'schema:name',
  'foaf:name',
  'rdf:value'
]

export function createGraphView(statements: Statements): GraphView {
  /** By property, then by object. Only properties that are asked for are indexed. */
  const indexes = new Map<string, Map<string, string[]>>()

  function indexOf(predicate: string): Map<string, string[]> {
    const known = indexes.get(predicate)
    if (known !== undefined) return known
    const index = new Map<string, string[]>()
    for (const [node, properties] of statements.nodes)
      for (const term of properties.get(predicate) ?? []) {
        if (term.kind !== 'iri') continue
        const found = index.get(term.iri)
        if (found === undefined) index.set(term.iri, [node])
        else found.push(node)
      }
    indexes.set(predicate, index)
    return index
  }

  const view: GraphView = {
    statements,
    values(node, ...names) {
      const properties = statements.nodes.get(node)
      if (properties === undefined) return []
      if (names.length === 1) return properties.get(readIriOf(names[0] as ReadName)) ?? []
      return names.flatMap(name => properties.get(readIriOf(name)) ?? [])
    },
    nodes: (node, ...names) => [
      ...new Set(view.values(node, ...names).flatMap(term => (term.kind === 'iri' ? [term.iri] : [])))
    ],
    texts: (node, ...names) => [
      ...new Set(
        inOneLanguage(view.values(node, ...names).filter(term => term.kind === 'literal'))
          .map(({ text }) => text.replaceAll(/\s+/g, ' ').trim())
          .filter(text => text !== '')
      )
    ],
    text: (node, ...names) => view.texts(node, ...names)[0],
    is(node, ...classes) {
      const given = statements.nodes.get(node)?.get(rdfType) ?? []
      return classes.some(name => {
        const iri = readIriOf(name)
        return given.some(term => term.kind === 'iri' && term.iri === iri)
      })
    },
    referring: (node, ...names) => [...new Set(names.flatMap(name => indexOf(readIriOf(name)).get(node) ?? []))],
    label(node) {
      for (const name of labels) {
        const text = view.text(node, name)
        if (text !== undefined) return text
      }
      // A work or a publication has a node for its title.
      return view.nodes(node, 'bf:title').flatMap(each => view.text(each, 'bf:mainTitle') ?? [])[0]
    }
  }
  return view
}

/** Texts without a language come first: they are the form that is meant for everybody. */
const inOneLanguage = (given: readonly Literal[]): readonly Literal[] =>
  given.some(each => each.lang === undefined)
    ? given.toSorted((one, other) => Number(one.lang !== undefined) - Number(other.lang !== undefined))
    : given

/** The last part of an IRI: the code in an address of id.loc.gov. */
export const codeIn = (iri: string): string | undefined =>
  isBlank(iri) ? undefined : /[/#]([A-Za-z0-9_-]+)\/?$/.exec(iri)?.[1]
