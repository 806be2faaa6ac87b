import { writeJsonLd, writeSchemaOrg } from '#formats/rdf/write-jsonld.ts'
import { writeNTriples } from '#formats/rdf/write-ntriples.ts'
import { rdfXmlHead, rdfXmlTail, writeRdfXmlNodes } from '#formats/rdf/write-rdfxml.ts'
import { turtleHead, writeTurtleNodes } from '#formats/rdf/write-turtle.ts'
import { type Xml, xmlDeclaration } from '#formats/xml/write-xml.ts'
import type { EntityGraph } from '../../read-graph.ts'
import { contextPath } from '../context-path.ts'
import type { EmbeddingWriter } from '../format.ts'
import { graphs } from '../materials.ts'
import { type Frame, recordWriter } from '../record-writer.ts'

/* A triple about two records appears twice in a file of both, which does no harm. */

const graphBy = (write: (found: EntityGraph, publicUrl: string) => string, frame: Frame, single?: Frame) =>
  recordWriter({
    from: graphs,
    frame,
    ...(single && { single }),
    write: ({ publicUrl }, found) => write(found, publicUrl)
  })

const inList: Frame = { head: '[\n', between: ',\n', tail: '\n]\n' }
const alone: Frame = { head: '', between: '', tail: '\n' }

export const jsonLd = graphBy(
  ({ graph, root }, publicUrl) => writeJsonLd(graph, root, `${publicUrl}${contextPath}`).trimEnd(),
  inList,
  alone
)
export const schemaOrg = graphBy(({ graph, root }) => writeSchemaOrg(graph, root).trimEnd(), inList, alone)
export const turtle = graphBy(({ graph }) => writeTurtleNodes(graph), { head: turtleHead, between: '', tail: '' })
export const nTriples = graphBy(({ graph }) => writeNTriples(graph), { head: '', between: '', tail: '' })

export const rdfXml: EmbeddingWriter<Xml> = {
  ...graphBy(({ graph }) => writeRdfXmlNodes(graph), {
    head: `${xmlDeclaration}${rdfXmlHead}`,
    between: '',
    tail: rdfXmlTail
  }),
  needs: 'statements',
  embed: (_, { statements }) =>
    statements && { markup: `${rdfXmlHead}${writeRdfXmlNodes(statements.graph)}${rdfXmlTail.trimEnd()}` }
}
