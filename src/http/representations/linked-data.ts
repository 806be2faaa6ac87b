import { addressOf, describeEntity } from '#formats/rdf/describe-entity.ts'
import { surroundingsOf } from '#formats/rdf/mapping-of.ts'
import type { Graph } from '#formats/rdf/triples.ts'
import { writeJsonLd, writeSchemaOrg } from '#formats/rdf/write-jsonld.ts'
import { writeNTriples } from '#formats/rdf/write-ntriples.ts'
import { writeRdfXml } from '#formats/rdf/write-rdfxml.ts'
import { writeTurtle } from '#formats/rdf/write-turtle.ts'
import { everyEntity, type Representation } from '../representation.ts'

/** Where the context of our JSON-LD is published. */
export const contextPath = '/context.jsonld'

type Write = (graph: Graph, root: string, publicUrl: string) => string

/** A form that is a way to write down the graph of an entity; every entity has them. */
const inRdf = (name: string, mediaType: string, write: Write): Representation => ({
  name,
  mediaType,
  of: everyEntity,
  async make({ catalogue, model, publicUrl }, principal, identifier) {
    const found = await catalogue.readSurroundings(principal, identifier, type => surroundingsOf(model, type))
    return write(describeEntity(model, publicUrl, found), addressOf(publicUrl, found.entity.id), publicUrl)
  }
})

export const linkedDataForms: readonly Representation[] = [
  inRdf('jsonld', 'application/ld+json', (graph, root, publicUrl) =>
    writeJsonLd(graph, root, `${publicUrl}${contextPath}`)
  ),
  inRdf('turtle', 'text/turtle', writeTurtle),
  inRdf('ntriples', 'application/n-triples', writeNTriples),
  inRdf('rdfxml', 'application/rdf+xml', writeRdfXml),
  // By its name only: its media type is that of the first.
  inRdf('schema', 'application/ld+json', writeSchemaOrg)
]
