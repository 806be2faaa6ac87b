import { type Frame, frames, singleFrames } from '#formats/frames.ts'
import { writeJsonLd, writeSchemaOrg } from '#formats/rdf/write-jsonld.ts'
import { writeNTriples } from '#formats/rdf/write-ntriples.ts'
import { rdfXmlHead, rdfXmlTail, writeRdfXmlNodes } from '#formats/rdf/write-rdfxml.ts'
import { skosOf } from '#formats/rdf/skos.ts'
import type { Graph } from '#formats/rdf/triples.ts'
import { turtleHead, writeTurtleNodes } from '#formats/rdf/write-turtle.ts'
import { type Xml, xmlDeclaration } from '#formats/xml/write-xml.ts'
import type { EntityGraph } from '../../read-graph.ts'
import { contextPath } from '../context-path.ts'
import { authorities, type EmbeddingWriter, typesDescribed } from '../format.ts'
import { graphs } from '../materials.ts'
import { recordWriter } from '../record-writer.ts'

/* A triple about two records appears twice in a file of both, which does no harm. */

const graphBy = (write: (found: EntityGraph, publicUrl: string) => string, frame: Frame, single?: Frame) =>
  recordWriter({
    from: graphs,
    frame,
    ...(single && { single }),
    write: ({ publicUrl }, found) => write(found, publicUrl)
  })

export const jsonLd = graphBy(
  ({ graph, root }, publicUrl) => writeJsonLd(graph, root, `${publicUrl}${contextPath}`).trimEnd(),
  frames.jsonList,
  singleFrames.json
)
export const schemaOrg = graphBy(
  ({ graph, root }) => writeSchemaOrg(graph, root).trimEnd(),
  frames.jsonList,
  singleFrames.json
)
export const turtle = graphBy(({ graph }) => writeTurtleNodes(graph), { ...frames.none, head: turtleHead })
export const nTriples = graphBy(({ graph }) => writeNTriples(graph), frames.none)

/** A writer of RDF/XML; `choose` leaves out the statements that a format does not have. */
const rdfXmlOf = (from: typeof graphs, choose: (graph: Graph, root: string) => Graph): EmbeddingWriter<Xml> => ({
  ...recordWriter({
    from,
    frame: { head: `${xmlDeclaration}${rdfXmlHead}`, between: '', tail: rdfXmlTail },
    write: (_, { graph, root }) => writeRdfXmlNodes(choose(graph, root))
  }),
  needs: 'statements',
  embed(model, record) {
    if (!('statements' in record) || !typesDescribed(model, from.of).includes(record.entity.type)) return undefined
    const { statements } = record
    const nodes = writeRdfXmlNodes(choose(statements.graph, statements.root))
    return { markup: `${rdfXmlHead}${nodes}${rdfXmlTail.trimEnd()}` }
  }
})

export const rdfXml = rdfXmlOf(graphs, graph => graph)
export const skos = rdfXmlOf({ ...graphs, of: authorities }, skosOf)
