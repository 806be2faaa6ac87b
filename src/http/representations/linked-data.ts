import { addressOf } from '#formats/rdf/address-of.ts'
import { describeEntity } from '#formats/rdf/describe-entity.ts'
import { surroundingsOf } from '#formats/rdf/mapping-of.ts'
import type { Graph } from '#formats/rdf/triples.ts'
import { writeJsonLd, writeSchemaOrg } from '#formats/rdf/write-jsonld.ts'
import { writeNTriples } from '#formats/rdf/write-ntriples.ts'
import { writeRdfXml } from '#formats/rdf/write-rdfxml.ts'
import { writeTurtle } from '#formats/rdf/write-turtle.ts'
import { contextPath, type Make } from './representation.ts'

type Write = (graph: Graph, root: string, publicUrl: string) => string

/** Writes the graph of an entity; available for every entity. */
const graphBy =
  (write: Write): Make =>
  async ({ catalogue, model, publicUrl }, principal, identifier) => {
    const found = await catalogue.readSurroundings(principal, identifier, type => surroundingsOf(model, type))
    return write(describeEntity(model, publicUrl, found), addressOf(publicUrl, found.entity.id), publicUrl)
  }

export const makeJsonLd = graphBy((graph, root, publicUrl) => writeJsonLd(graph, root, `${publicUrl}${contextPath}`))
export const makeTurtle = graphBy(writeTurtle)
export const makeNTriples = graphBy(writeNTriples)
export const makeRdfXml = graphBy(writeRdfXml)
export const makeSchemaOrg = graphBy(writeSchemaOrg)
