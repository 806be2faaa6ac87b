import type { Publication } from '#domain/entity/publication.ts'
import type { Model } from '#domain/record-types/model.ts'
import { writeBibtex } from '#formats/citations/bibtex.ts'
import { writeCslJson } from '#formats/citations/csl-json.ts'
import { writeRis } from '#formats/citations/ris.ts'
import { toCitation } from '#formats/citations/to-citation.ts'
import { modsNamespace, writeMods } from '#formats/mods/write-mods.ts'
import { writeJsonLd } from '#formats/rdf/write-jsonld.ts'
import { writeNTriples } from '#formats/rdf/write-ntriples.ts'
import { turtleHead, writeTurtleNodes } from '#formats/rdf/write-turtle.ts'
import type { Graph } from '#formats/rdf/triples.ts'
import { xmlDeclaration } from '#formats/xml/write-xml.ts'

/*
 * Writers of files that consist of separately written records: the text before, between and after
 * them.
 */

interface DocumentFrame {
  readonly head: string
  readonly between: string
  readonly tail: string
}

export interface PublicationWriter extends DocumentFrame {
  write(model: Model, publication: Publication, address: string): string
}

/** Writers of manifestations with their expressions and works. */
export const publicationWriters = {
  bibtex: { head: '', between: '\n', tail: '', write: (_, publication) => writeBibtex(toCitation(publication)) },
  ris: {
    head: '',
    between: '\r\n',
    tail: '',
    write: (_, publication, address) => writeRis(toCitation(publication), address)
  },
  csl: {
    head: '[\n',
    between: ',\n',
    tail: '\n]\n',
    write: (_, publication) => writeCslJson(toCitation(publication)).trimEnd()
  },
  mods: {
    head: `${xmlDeclaration}<modsCollection xmlns="${modsNamespace}">\n`,
    between: '\n',
    tail: '\n</modsCollection>\n',
    write: (model, publication) => writeMods(model, publication).markup
  }
} as const satisfies Readonly<Record<string, PublicationWriter>>

export interface GraphWriter extends DocumentFrame {
  write(graph: Graph, root: string, contextAddress: string): string
}

/** Writers of all records. A triple of two records appears twice, which does no harm. */
export const graphWriters = {
  jsonld: {
    head: '[\n',
    between: ',\n',
    tail: '\n]\n',
    write: (graph, root, context) => writeJsonLd(graph, root, context).trimEnd()
  },
  turtle: { head: turtleHead, between: '', tail: '', write: writeTurtleNodes },
  ntriples: { head: '', between: '', tail: '', write: writeNTriples }
} as const satisfies Readonly<Record<string, GraphWriter>>
