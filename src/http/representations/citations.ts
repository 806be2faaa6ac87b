import { writeBibtex } from '#formats/citations/bibtex.ts'
import type { Citation } from '#formats/citations/citation.ts'
import { writeCslJson } from '#formats/citations/csl-json.ts'
import { writeRis } from '#formats/citations/ris.ts'
import { toCitation } from '#formats/citations/to-citation.ts'
import { addressOf } from '#formats/rdf/describe-entity.ts'
import type { Representation } from '../representation.ts'

type Write = (citation: Citation, address: string) => string

const citation = (name: string, mediaType: string, write: Write): Representation => ({
  name,
  mediaType,
  of: 'a manifestation',
  async make({ catalogue, publicUrl }, principal, identifier) {
    const [publication] = (await catalogue.readPublications(principal, [identifier])).values()
    if (publication) return write(toCitation(publication), addressOf(publicUrl, publication.manifestation.entity.id))
    // Who asks for something that is not there is told that, rather than that it has no such form.
    await catalogue.readEntity(principal, identifier)
    return undefined
  }
})

export const citationForms: readonly Representation[] = [
  citation('bibtex', 'application/x-bibtex', writeBibtex),
  citation('ris', 'application/x-research-info-systems', writeRis),
  citation('csl', 'application/vnd.citationstyles.csl+json', writeCslJson)
]
