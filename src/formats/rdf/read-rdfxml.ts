import { type Attributes, createXmlTokens } from '../xml/xml-tokens.ts'
import { RdfTrouble } from './rdf-trouble.ts'
import { resolveIri } from './read-turtle.ts'
import { type Statements, toNode } from './statements.ts'
import type { Term } from './triples.ts'
import { iriOf, rdfType, vocabularies } from './vocabularies.ts'

/** Maximum characters of one text or tag. */
const maxTextLength = 8_000_000

/** An element on the way to the current one. */
interface Open {
  readonly kind: 'root' | 'node' | 'property' | 'markup'
  readonly namespaces: ReadonlyMap<string, string>
  readonly base: string | undefined
  readonly lang: string | undefined
  /** The node that a node element describes, or that a property element belongs to. */
  readonly subject: string
  /** The property, of a property element. */
  readonly predicate: string
  readonly datatype?: string | undefined
  /** The kind of content of a property element. */
  readonly content: 'any' | 'none' | 'list' | 'resource' | 'markup'
  text: string
  /** Whether the value of the property is stated already. */
  isStated: boolean
  /** The number of the last `rdf:li` in a node. */
  members: number
  /** The last item of a list. */
  lastItem?: string | undefined
}

export interface RdfXmlReader {
  write(text: string): void
  end(): void
}

/**
 * Reads RDF/XML as it arrives. Throws `XmlTrouble` or `RdfTrouble`. Document types are refused, so
 * nothing is fetched and no entity grows. https://www.w3.org/TR/rdf-syntax-grammar/
 *
 * Two rare constructs are simplified: markup in a value (`parseType="Literal"`) is read as its
 * text, and `rdf:ID` of a property, which would name the statement, is ignored.
 */
export function createRdfXmlReader(statements: Statements): RdfXmlReader {
  const path: Open[] = []
  const tokens = createXmlTokens({ open, close, text }, maxTextLength)
  return { write: part => tokens.write(part), end: () => tokens.end() }

  function fail(message: string): never {
    throw new RdfTrouble('not_well_formed', `Line ${tokens.line()}: ${message}`)
  }

  function open(tag: string, attributes: Attributes) {
    const around = path.at(-1)
    const scope = scopeOf(around, attributes)
    if (around?.kind === 'markup' || around?.content === 'markup')
      path.push({ ...scope, ...emptyElement, kind: 'markup', subject: '', predicate: '' })
    else if (around === undefined) {
      const name = expand(tag, scope.namespaces)
      if (name === rdf('RDF')) path.push({ ...scope, ...emptyElement, kind: 'root', subject: '', predicate: '' })
      else path.push(openNode(name, attributes, scope, undefined))
    } else if (around.kind === 'root' || (around.kind === 'property' && around.content !== 'resource'))
      path.push(openNode(expand(tag, scope.namespaces), attributes, scope, around))
    else path.push(openProperty(expand(tag, scope.namespaces), attributes, scope, around))
  }

  function openNode(name: string, attributes: Attributes, scope: Scope, around: Open | undefined): Open {
    const known = readAttributes(attributes, scope)
    const subject =
      known.about ?? (known.nodeId === undefined ? statements.blankNode() : statements.blankNode(known.nodeId))
    if (name !== rdf('Description')) statements.add(subject, rdfType, toNode(name))
    for (const [predicate, value] of known.properties) addAttribute(statements, subject, predicate, value, scope)
    if (around?.kind === 'property') {
      if (around.content === 'none') fail('A property with a resource has content too')
      if (around.content === 'list') addToList(statements, around, subject)
      else if (around.isStated) fail('A property has more than one value')
      else statements.add(around.subject, around.predicate, toNode(subject))
      around.isStated = true
    }
    return { ...scope, ...emptyElement, kind: 'node', subject, predicate: '' }
  }

  function openProperty(name: string, attributes: Attributes, scope: Scope, around: Open): Open {
    const predicate = name === rdf('li') ? rdf(`_${++around.members}`) : name
    if (name === rdf('Description') || name === rdf('RDF')) fail(`<${localName(name)}> where a property should be`)
    const known = readAttributes(attributes, scope)
    const property = { ...scope, ...emptyElement, kind: 'property', subject: around.subject, predicate } as const
    const { parseType, datatype } = known
    if (parseType === 'Resource') {
      const node = statements.blankNode()
      statements.add(around.subject, predicate, toNode(node))
      return { ...property, subject: node, content: 'resource', isStated: true }
    }
    if (parseType === 'Collection') return { ...property, content: 'list' }
    if (parseType !== undefined) return { ...property, content: 'markup' }
    const named = known.resource ?? (known.nodeId === undefined ? undefined : statements.blankNode(known.nodeId))
    if (named === undefined && known.properties.length === 0) return { ...property, datatype }
    const node = named ?? statements.blankNode()
    statements.add(around.subject, predicate, toNode(node))
    for (const [each, value] of known.properties) addAttribute(statements, node, each, value, scope)
    return { ...property, content: 'none', isStated: true }
  }

  function close() {
    const closed = path.pop()
    const around = path.at(-1)
    if (closed?.kind === 'markup' && around !== undefined) around.text += closed.text
    if (closed?.kind !== 'property') return
    const { subject, predicate, content, datatype, lang, lastItem } = closed
    if (content === 'list') {
      if (lastItem === undefined) statements.add(subject, predicate, toNode(rdf('nil')))
      else statements.add(lastItem, rdf('rest'), toNode(rdf('nil')))
    } else if (!closed.isStated)
      statements.add(subject, predicate, {
        kind: 'literal',
        text: closed.text,
        ...(datatype === undefined ? withLang(lang) : datatype === iriOf('xsd:string') ? {} : { datatype })
      })
  }

  function text(part: string) {
    const around = path.at(-1)
    if (around === undefined) return
    if (around.kind === 'markup' || around.content === 'markup' || (around.kind === 'property' && !around.isStated))
      around.text += part
    if (around.kind === 'markup' || around.content === 'markup') return
    const isAllowed = around.kind === 'property' && around.content === 'any' && !around.isStated
    if (!isAllowed && /[^ \t\r\n]/.test(part)) fail('A text where only elements may be')
  }

  function expand(tag: string, namespaces: ReadonlyMap<string, string>): string {
    const [prefix = '', local] = tag.includes(':') ? tag.split(':', 2) : ['', tag]
    const space = namespaces.get(prefix)
    if (space === undefined) fail(`The prefix "${prefix}:" of <${tag.slice(0, 100)}> is not declared`)
    return space + local
  }

  function readAttributes(attributes: Attributes, { namespaces, base }: Scope): KnownAttributes {
    const known: { -readonly [K in keyof KnownAttributes]: KnownAttributes[K] } = { properties: [] }
    const properties: [string, string][] = []
    for (const [key, value] of attributes) {
      if (/^xml(?:ns)?(?::|$)/.test(key)) continue
      // An attribute without a prefix is one of RDF in old files; others mean nothing.
      if (!key.includes(':') && !oldAttributes.has(key)) continue
      const name = key.includes(':') ? expand(key, namespaces) : rdf(key)
      const local = name.startsWith(vocabularies.rdf) ? name.slice(vocabularies.rdf.length) : undefined
      if (local === 'about') known.about = resolveIri(value, base)
      else if (local === 'ID') known.about = resolveIri(`#${value}`, base)
      else if (local === 'nodeID') known.nodeId = value
      else if (local === 'resource') known.resource = resolveIri(value, base)
      else if (local === 'datatype') known.datatype = resolveIri(value, base)
      else if (local === 'parseType') known.parseType = value
      else properties.push([name, value])
    }
    return { ...known, properties }
  }
}

function addAttribute(
  statements: Statements,
  subject: string,
  predicate: string,
  value: string,
  { lang, base }: Scope
) {
  const object: Term =
    predicate === rdfType ? toNode(resolveIri(value, base)) : { kind: 'literal', text: value, ...withLang(lang) }
  statements.add(subject, predicate, object)
}

function addToList(statements: Statements, list: Open, member: string) {
  const item = statements.blankNode()
  if (list.lastItem === undefined) statements.add(list.subject, list.predicate, toNode(item))
  else statements.add(list.lastItem, rdf('rest'), toNode(item))
  statements.add(item, rdf('first'), toNode(member))
  list.lastItem = item
}

const oldAttributes = new Set(['about', 'ID', 'resource', 'nodeID', 'datatype', 'parseType', 'type'])

interface KnownAttributes {
  readonly about?: string
  readonly nodeId?: string
  readonly resource?: string
  readonly datatype?: string
  readonly parseType?: string
  readonly properties: readonly (readonly [predicate: string, value: string])[]
}

type Scope = Pick<Open, 'namespaces' | 'base' | 'lang'>

const emptyElement = { content: 'any', text: '', isStated: false, members: 0 } as const

const rdf = (name: string) => vocabularies.rdf + name

const localName = (iri: string) => iri.slice(vocabularies.rdf.length)

const withLang = (lang: string | undefined) =>
  lang === undefined || !/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/.test(lang) ? {} : { lang: lang.toLowerCase() }

const xmlNamespaces: ReadonlyMap<string, string> = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])

/** The declarations that hold inside an element. */
function scopeOf(around: Open | undefined, attributes: Attributes): Scope {
  const inherited = around?.namespaces ?? xmlNamespaces
  const declared = [...attributes].flatMap(([key, value]): [string, string][] =>
    key === 'xmlns' ? [['', value]] : key.startsWith('xmlns:') ? [[key.slice(6), value]] : []
  )
  const base = attributes.get('xml:base')
  return {
    namespaces: declared.length === 0 ? inherited : new Map([...inherited, ...declared]),
    base: base === undefined ? around?.base : resolveIri(base, around?.base),
    lang: attributes.get('xml:lang') ?? around?.lang
  }
}
