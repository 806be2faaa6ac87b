import { writeBibtex } from '#formats/citations/bibtex.ts'
import type { Citation } from '#formats/citations/citation.ts'
import { writeCslJson } from '#formats/citations/csl-json.ts'
import { writeRis } from '#formats/citations/ris.ts'
import { toCitation } from '#formats/citations/to-citation.ts'
import { addressOf } from '#formats/rdf/address-of.ts'
import type { Make } from './representation.ts'

type Write = (citation: Citation, address: string) => string

const citedBy =
  (write: Write): Make =>
  async ({ catalogue, publicUrl }, principal, identifier) => {
    const [publication] = (await catalogue.readPublications(principal, [identifier])).values()
    if (publication) return write(toCitation(publication), addressOf(publicUrl, publication.manifestation.entity.id))
    // A missing entity is reported as missing, not as lacking this format.
    await catalogue.readEntity(principal, identifier)
    return undefined
  }

export const makeBibtex = citedBy(writeBibtex)
export const makeRis = citedBy(writeRis)
export const makeCslJson = citedBy(writeCslJson)
