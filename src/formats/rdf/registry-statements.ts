import { readIsbn } from '#domain/values/isbn.ts'
import { type ReadName, readIriOf } from './graph-view.ts'
import {
  agentNumberPath,
  classOfName,
  numberPath,
  type Path,
  registryClasses,
  registryRows,
  registryTerms
} from './registry-rows.ts'
import { createStatements, type Properties, type Statements, toNode } from './statements.ts'
import { rdfType } from './vocabularies.ts'
import type { Term } from './triples.ts'

/*
 * Statements in the vocabularies of the RDA registry, IFLA LRM and FRBRer, said again in those that
 * are read. They are added to those of the file for the mapping only: the source record does not
 * have them.
 */

const registry = /^https?:\/\/(?:www\.)?rdaregistry\.info\/Elements\/([a-z])\/(?:object\/|datatype\/)?([^/#]+)$/
const ifla = /^https?:\/\/(?:www\.)?iflastandards\.info\/ns\/(?:lrm\/lrmer|fr\/frbr\/frbrer)[/#]([^/#]+)$/
const terms = /^https?:\/\/(?:www\.)?rd(?:aregistry|vocab)\.info\/termList\/(\w+)\/(\d+)$/

/** The prefix and the name of a property or class of the registries. */
function registryName(iri: string): readonly [prefix: string, name: string] | undefined {
  const [, letter, name] = registry.exec(iri) ?? []
  if (letter !== undefined && name !== undefined) return [`rda${letter}`, name]
  const [, number] = ifla.exec(iri) ?? []
  return number === undefined ? undefined : [iri.includes('/lrmer') ? 'lrmer' : 'frbrer', number]
}

interface Row {
  readonly path: Path
  readonly order: number
  /** The number of the property. */
  readonly number: string
}

const rows: ReadonlyMap<string, Row> = new Map(
  Object.entries(registryRows)
    .flatMap(([prefix, table]) => Object.entries(table).map(([names, path]) => ({ prefix, names, path })))
    .flatMap(({ prefix, names, path }, order) => {
      const all = names.split(' ')
      const row = { path: typeof path === 'string' ? { property: path } : path, order, number: all[0] ?? '' }
      return all.map(name => [`${prefix}:${name}`, row] as const)
    })
)

const rowOf = (predicate: string): Row | undefined => {
  const name = registryName(predicate)
  return name && rows.get(name.join(':'))
}

/** The property of the read vocabularies that a property of the registries stands for by itself. */
export function plainlyReadAs(predicate: string): ReadName | undefined {
  const path = rowOf(predicate)?.path
  return path?.via === undefined ? path?.property : undefined
}

/** Whether a property has a place in the model by one of the rows. */
export const isInRegistryRows = (predicate: string) => rowOf(predicate) !== undefined || workManifested.test(predicate)

/** A publication of a work whose text is not described. */
const workManifested = /\/Elements\/m\/(?:object\/)?(?:P30135|workManifested)$/

/** Whether a node has a property or a class of the registries. */
const usesRegistry = (properties: Properties) =>
  [...properties.keys()].some(each => registryName(each) !== undefined) ||
  (properties.get(rdfType) ?? []).some(each => classOf(each) !== undefined)

/** The statements of a file, with those of the registries said in the read vocabularies. */
export function withRegistry(given: Statements): Statements {
  if (![...given.nodes.values()].some(usesRegistry)) return given
  const all = createStatements(Number.POSITIVE_INFINITY)
  const labels = new Map<string, string | undefined>()
  let made = 0
  const newNode = () => `_:r${made++}`
  const add = (subject: string, name: ReadName, value: Term) => all.add(subject, readIriOf(name), value)
  const text = (value: string): Term => ({ kind: 'literal', text: value })
  for (const [node, properties] of given.nodes) {
    for (const [predicate, values] of properties) for (const value of values) all.add(node, predicate, value)
    for (const type of properties.get(rdfType) ?? []) {
      const name = classOf(type)
      if (name !== undefined) all.add(node, rdfType, toNode(readIriOf(name)))
    }
  }
  for (const [node, properties] of given.nodes) {
    const shared = new Map<string, string>()
    const found = [...properties].flatMap(([predicate, values]) => {
      const row = rowOf(predicate)
      return row ? [{ row, values }] : []
    })
    for (const { row, values } of found.sort((one, other) => one.row.order - other.row.order))
      for (const value of values) say(node, row, value, shared)
    addMissingText(node, properties)
  }
  return all

  function say(node: string, { path, number }: Row, value: Term, shared: Map<string, string>) {
    if (path === agentNumberPath) {
      // Some files have the name with its dates as identifier: it comes before other names.
      if (value.kind === 'literal' && /^\p{Lu}[^,]*, /u.test(value.text)) add(node, 'rdfs:label', value)
      const address = addressOf(value)
      if (address !== undefined) add(node, path.property, toNode(address))
      return
    }
    if (path === numberPath) {
      const { kind, number: bare, qualifier } = readNumber(value.kind === 'iri' ? value.iri : value.text)
      const made = newNode()
      add(node, 'bf:identifiedBy', toNode(made))
      add(made, 'rdf:value', text(bare))
      if (qualifier !== undefined) add(made, 'bf:qualifier', text(qualifier))
      if (kind !== undefined) add(made, 'rdf:type', toNode(readIriOf(kind)))
      return
    }
    const agentClass = classOfName[number]
    if (path.property === 'rdfs:label' && agentClass !== undefined)
      all.add(node, rdfType, toNode(readIriOf(agentClass)))
    const plain = path.isNode ? asNode(value) : asText(value)
    if (plain === undefined) return
    const holder = path.via === undefined ? node : between(node, path, plain, shared)
    add(holder, path.property, plain)
    if (path.role !== undefined) add(holder, 'bf:role', text(path.role))
  }

  /** The node between a subject and a value: one of its own, or that of the subject. */
  function between(node: string, path: Path, value: Term, shared: Map<string, string>): string {
    const key = `${path.via} ${path.of ?? ''}`
    const known = path.isAlone ? undefined : shared.get(key)
    const held = known === undefined ? undefined : all.nodes.get(known)?.get(readIriOf(path.property))
    // A second title is another form of the first.
    const isOther = path.property === 'bf:mainTitle' && held !== undefined
    if (known !== undefined && !isOther) return known
    if (isOther && held.some(each => each.kind === 'literal' && value.kind === 'literal' && each.text === value.text))
      return known ?? node
    const made = newNode()
    add(node, path.via ?? path.property, toNode(made))
    const kind = isOther ? 'bf:VariantTitle' : path.of
    if (kind !== undefined) all.add(made, rdfType, toNode(readIriOf(kind)))
    if (!path.isAlone && !isOther) shared.set(key, made)
    return made
  }

  function asNode(value: Term): Term {
    if (value.kind === 'iri') return value
    const made = newNode()
    add(made, 'rdfs:label', value)
    return toNode(made)
  }

  /** A text; the string of a nomen, the label of a node, or the code of a term. */
  function asText(value: Term): Term | undefined {
    if (value.kind === 'literal') return value
    const [, list = '', number] = terms.exec(value.iri) ?? []
    const code = codes.get(`${list.toLowerCase()} ${number}`)
    if (code !== undefined) return toNode(`http://id.loc.gov/vocabulary/${list}/${code}`)
    if (!labels.has(value.iri)) labels.set(value.iri, labelOf(given, value.iri, 3))
    const named = labels.get(value.iri)
    return named === undefined ? value : text(named)
  }

  /** A publication of a work without a description of its text gets one without any. */
  function addMissingText(node: string, properties: Properties) {
    const works = [...properties].flatMap(([predicate, values]) => (workManifested.test(predicate) ? values : []))
    const embodies = all.nodes.get(node)?.get(readIriOf('lrmoo:R4_embodies')) ?? []
    for (const work of embodies.length > 0 ? [] : works) {
      if (work.kind !== 'iri') continue
      const made = newNode()
      add(node, 'lrmoo:R4_embodies', toNode(made))
      add(made, 'lrmoo:R3i_realises', work)
    }
  }
}

/** The label of a node, or that of the node which stands for it, at most so many steps away. */
function labelOf(given: Statements, node: string, steps: number): string | undefined {
  const properties = given.nodes.get(node)
  if (properties === undefined || steps === 0) return undefined
  for (const [predicate, values] of properties) {
    if (plainlyReadAs(predicate) !== 'rdfs:label') continue
    for (const value of values) {
      const found = value.kind === 'literal' ? value.text : labelOf(given, value.iri, steps - 1)
      if (found !== undefined) return found
    }
  }
  const [label] = properties.get(readIriOf('rdfs:label')) ?? properties.get(readIriOf('skos:prefLabel')) ?? []
  return label?.kind === 'literal' ? label.text : undefined
}

/** The codes of MARC by list and number of the registry. */
const codes: ReadonlyMap<string, string> = new Map(
  Object.entries(registryTerms).flatMap(([list, text]) =>
    text.split(' ').map(term => {
      const [number, code = ''] = term.split('=')
      return [`${list} ${number}`, code] as const
    })
  )
)

/** The class of a type, which some files give as a text. */
function classOf(type: Term): ReadName | undefined {
  const name = registryName(type.kind === 'iri' ? type.iri : type.text)
  return name && registryClasses[name.join(':')]
}

/** The address of an agent in an authority file. */
function addressOf(value: Term): string | undefined {
  const text = value.kind === 'iri' ? value.iri : value.text
  if (/^https?:\/\//.test(text)) return text
  const [, isni] = /^ISNI:?\s*((?:\d[\s-]?){15}[\dX])$/.exec(text) ?? []
  return isni === undefined ? undefined : `https://isni.org/isni/${isni.replaceAll(/[\s-]/g, '')}`
}

const numberKinds: Readonly<Record<string, ReadName>> = {
  isbn: 'bf:Isbn',
  issn: 'bf:Issn',
  ismn: 'bf:Ismn',
  lccn: 'bf:Lccn',
  doi: 'bf:Doi'
}

/** `ISBN 1-56308-969-6 (paperback)`, `urn:isbn:9025499678`, `978-0-7475-8747-7` */
function readNumber(text: string) {
  const [, named, rest = text] = /^(?:urn:)?([A-Za-z]{3,4})[:\s]+(.*)$/s.exec(text) ?? []
  const [number = '', qualifier] = rest.replace(/\)$/, '').split('(', 2)
  const known = numberKinds[named?.toLowerCase() ?? '']
  const kind = known ?? (readIsbn(text)?.checkDigitIsRight ? 'bf:Isbn' : undefined)
  return {
    kind,
    number: known === undefined ? text : number.trim(),
    qualifier: known === undefined ? undefined : qualifier
  }
}
