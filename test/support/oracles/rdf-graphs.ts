import { Readable } from 'node:stream'

import type { Quad } from '@rdfjs/types'
import jsonld from 'jsonld'
import { Parser } from 'n3'
import { RdfXmlParser } from 'rdfxml-streaming-parser'

/*
 * Graphs as readers that are not ours read them: n3 for Turtle and N-Triples,
 * rdfxml-streaming-parser for RDF/XML, jsonld for JSON-LD. Ours have no blank nodes, so two graphs
 * are equal when their sorted lines are.
 */

export const readTurtle = (text: string) => linesOf(new Parser({ format: 'text/turtle' }).parse(text))

/** Refuses what is Turtle but no N-Triples. */
export const readNTriples = (text: string) => linesOf(new Parser({ format: 'application/n-triples' }).parse(text))

export async function readRdfXml(text: string): Promise<string[]> {
  const parser = new RdfXmlParser()
  const quads: Quad[] = []
  for await (const quad of Readable.from([text]).pipe(parser as unknown as NodeJS.ReadWriteStream))
    quads.push(quad as unknown as Quad)
  return linesOf(quads)
}

/** Expands with the context at its address, which is the only one that may be asked for. */
export async function readJsonLd(text: string, contextAddress: string, context: unknown): Promise<string[]> {
  const quads = (await jsonld.toRDF(JSON.parse(text), {
    documentLoader: async url => {
      if (url !== contextAddress) throw new Error(`The context is at ${contextAddress}, not at ${url}`)
      return { contextUrl: undefined, documentUrl: url, document: context as object }
    },
    // Terms that the context lacks would otherwise be omitted silently.
    safe: true
  } as jsonld.Options.ToRdf)) as unknown as Quad[]
  return linesOf(quads)
}

function linesOf(quads: readonly Quad[]): string[] {
  return quads.map(({ subject, predicate, object }) => [subject, predicate, object].map(termText).join(' ')).sort()
}

interface AnyTerm {
  readonly termType: string
  readonly value: string
  readonly language?: string
  readonly datatype?: { readonly value: string }
}

function termText(term: AnyTerm): string {
  if (term.termType === 'NamedNode') return `<${term.value}>`
  if (term.termType !== 'Literal') throw new Error(`A graph of ours holds a ${term.termType}: ${term.value}`)
  return JSON.stringify([term.value, term.language || term.datatype?.value])
}
