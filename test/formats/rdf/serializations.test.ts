import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { jsonLdContext } from '#formats/rdf/jsonld-context.ts'
import { readJsonLd as readOwnJsonLd } from '#formats/rdf/read-jsonld.ts'
import { createRdfXmlReader } from '#formats/rdf/read-rdfxml.ts'
import { readTurtle as readOwnTurtle } from '#formats/rdf/read-turtle.ts'
import { createStatements, type Statements } from '#formats/rdf/statements.ts'
import { createGraph, type Graph, named, type Term, toIri, toText, toTyped } from '#formats/rdf/triples.ts'
import type { Name } from '#formats/rdf/vocabularies.ts'
import { writeJsonLd, writeSchemaOrg } from '#formats/rdf/write-jsonld.ts'
import { writeNTriples } from '#formats/rdf/write-ntriples.ts'
import { rdfXmlHead, rdfXmlTail, writeRdfXmlNodes } from '#formats/rdf/write-rdfxml.ts'
import { turtleHead, writeTurtleNodes } from '#formats/rdf/write-turtle.ts'
import { anyCharacter } from '../../support/records/any-character.ts'
import { howMany } from '../../support/records/chance.ts'
import { readJsonLd, readNTriples, readRdfXml, readTurtle } from '../../support/oracles/rdf-graphs.ts'

const root = 'https://catalogue.example.org/entities/W-1'
const contextAddress = 'https://catalogue.example.org/context.jsonld'

const turtleOf = (graph: Graph) => turtleHead + writeTurtleNodes(graph)
const rdfXmlOf = (graph: Graph) => rdfXmlHead + writeRdfXmlNodes(graph) + rdfXmlTail

/** Reads the graph back from all four forms, with readers that are not ours. */
async function assertAllSayTheSame(graph: Graph) {
  const lines = readNTriples(writeNTriples(graph))
  assert.equal(lines.length, graph.triples.length)
  assert.deepEqual(readTurtle(turtleOf(graph)), lines)
  assert.deepEqual(await readRdfXml(rdfXmlOf(graph)), lines)
  const inJsonLd = writeJsonLd(graph, root, contextAddress)
  assert.deepEqual(await readJsonLd(inJsonLd, contextAddress, jsonLdContext()), lines)
  // Our own readers say the same as those of others.
  assert.deepEqual(linesRead(writeNTriples(graph), readOwnTurtle), lines)
  assert.deepEqual(linesRead(turtleOf(graph), readOwnTurtle), lines)
  assert.deepEqual(linesRead(inJsonLd, readOwnJsonLd), lines)
  assert.deepEqual(linesRead(rdfXmlOf(graph), readOwnXml), lines)
}

const readOwnXml = (given: string, statements: Statements) => {
  const reader = createRdfXmlReader(statements)
  reader.write(given)
  reader.end()
}

function linesRead(given: string, read: (given: string, statements: Statements) => void): string[] {
  const statements = createStatements()
  read(given, statements)
  const termText = (each: Term) =>
    each.kind === 'iri'
      ? `<${each.iri}>`
      : JSON.stringify([each.text, each.lang ?? each.datatype ?? 'http://www.w3.org/2001/XMLSchema#string'])
  return [...statements.nodes]
    .flatMap(([subject, properties]) =>
      [...properties].flatMap(([predicate, values]) =>
        values.map(value => `<${subject}> <${predicate}> ${termText(value)}`)
      )
    )
    .sort()
}

const predicates: readonly Name[] = [
  ...(['schema:name', 'schema:url', 'schema:startDate', 'schema:latitude', 'schema:datePublished'] as const),
  ...(['schema:numberOfPages', 'bf:date', 'bf:role', 'rdfs:label', 'skos:broader', 'lrmoo:R4_embodies'] as const)
]
const nodes = [
  root,
  `${root}#title`,
  'https://catalogue.example.org/entities/a:b@c~d',
  'urn:x:y',
  'https://schema.org/Book'
]

const awkward = fc.constantFrom(
  ...['"', '\\', '\\n', '\n', '\r\n', '\t', '<b>&amp;</b>', ']]>', "'''", '"""', '@en', '^^<x>', '{{id}}'],
  ...[
    '\u0000\u0001\u000b\u001f\u007f\u0085',
    '\ufffe',
    '\u200b',
    'é',
    '\u0301',
    'Ὀδύσσεια',
    '𝔘😀',
    ' ',
    '_:b',
    '@id',
    '-0',
    '1e3'
  ]
)
const text = fc.oneof(
  awkward,
  fc.string({ unit: anyCharacter }),
  fc.array(awkward, { maxLength: 4 }).map(all => all.join(''))
)
const literal = fc.oneof(
  text.map(each => toText(each)),
  fc
    .tuple(text, fc.constantFrom('nl', 'en-GB', 'NL', 'zh-Hant-TW', 'not a tag', ''))
    .map(([each, lang]) => toText(each, lang)),
  fc.integer().map(each => toTyped(String(each), 'xsd:integer')),
  fc.constantFrom('007', '-0', '99999999999999999999').map(each => toTyped(each, 'xsd:integer')),
  fc.constantFrom('1.5', '-0.001').map(each => toTyped(each, 'xsd:decimal')),
  fc.constantFrom('2026-01-16T19:00:00Z').map(each => toTyped(each, 'xsd:dateTime')),
  fc.constantFrom('1603').map(each => toTyped(each, 'xsd:gYear'))
)
const term: fc.Arbitrary<Term | undefined> = fc.oneof(
  literal,
  fc.constantFrom(...nodes).map(toIri),
  fc.constant(named('schema:Book'))
)
const graphs = fc
  .array(fc.tuple(fc.constantFrom(...nodes), fc.constantFrom(...predicates), term), { maxLength: 30 })
  .map(triples => {
    const graph = createGraph()
    graph.add(root, 'rdf:type', named('schema:CreativeWork'))
    for (const [subject, predicate, object] of triples) graph.add(subject, predicate, object)
    return graph as Graph
  })

describe('A graph', () => {
  it('says the same as N-Triples, Turtle, RDF/XML and JSON-LD, whatever its texts hold', async () => {
    await fc.assert(fc.asyncProperty(graphs, assertAllSayTheSame), {
      numRuns: howMany({ quick: 60, short: 200, long: 5000, onPostgres: 200 })
    })
  })

  it('says each triple once', () => {
    const graph = createGraph()
    for (let times = 0; times < 2; times++) graph.add(root, 'schema:name', toText('Hamlet'))
    graph.add(root, 'schema:name', toText('Hamlet', 'nl'))
    graph.add(root, 'schema:name', undefined)

    assert.equal(graph.triples.length, 2)
  })

  it('holds chains of any length', async () => {
    const graph = createGraph()
    for (let level = 0; level < 3000; level++)
      graph.add(`${root}${level || ''}`, 'skos:broader', toIri(`${root}${level + 1}`))

    const written = writeJsonLd(graph, root, contextAddress)

    assert.deepEqual(await readJsonLd(written, contextAddress, jsonLdContext()), readNTriples(writeNTriples(graph)))
    assert.doesNotThrow(() => writeSchemaOrg(graph, root))
  })

  it('takes no text for a name that is none', () => {
    for (const wrong of ['', 'Hamlet', 'https://example.org/a b', 'https://example.org/<x>', 'urn:', 'x:"', 'a:\u0007'])
      assert.equal(toIri(wrong), undefined, wrong)
  })
})

describe('JSON-LD for web pages', () => {
  it('holds what schema.org says, under its own context, and nothing that only others lead to', () => {
    const graph = createGraph()
    graph.add(root, 'rdf:type', named('bf:Hub'))
    graph.add(root, 'rdf:type', named('schema:CreativeWork'))
    graph.add(root, 'schema:name', toText('Hamlet'))
    graph.add(root, 'schema:startDate', toTyped('2026-01-16', 'xsd:date'))
    graph.add(root, 'bf:title', toIri(`${root}#title`))
    graph.add(`${root}#title`, 'schema:name', toText('hidden'))

    assert.deepEqual(JSON.parse(writeSchemaOrg(graph, root)), {
      '@context': 'https://schema.org',
      '@id': root,
      '@type': 'CreativeWork',
      name: 'Hamlet',
      startDate: '2026-01-16'
    })
  })
})
