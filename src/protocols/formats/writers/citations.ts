import { writeBibtex } from '#formats/citations/bibtex.ts'
import type { Citation } from '#formats/citations/citation.ts'
import { writeCslJson } from '#formats/citations/csl-json.ts'
import { writeRis } from '#formats/citations/ris.ts'
import { toCitation } from '#formats/citations/to-citation.ts'
import { type Frame, frames, singleFrames } from '#formats/frames.ts'
import { addressOf, pageOf } from '#formats/rdf/address-of.ts'
import { citedPublications } from '../materials.ts'
import { recordWriter } from '../record-writer.ts'

/** `address` makes the address of the record, for programs or for people. */
const citedBy = (
  write: (citation: Citation, address: string) => string,
  frame: Frame,
  { single, address = addressOf }: { readonly single?: Frame; readonly address?: typeof addressOf } = {}
) =>
  recordWriter({
    from: citedPublications,
    frame,
    ...(single && { single }),
    write: ({ publicUrl }, publication) =>
      write(toCitation(publication), address(publicUrl, publication.manifestation.entity.id))
  })

export const bibtex = citedBy(writeBibtex, frames.bibtex)
/** A reference manager opens the address in a browser. */
export const ris = citedBy(writeRis, frames.ris, { address: pageOf })
export const cslJson = citedBy(citation => writeCslJson(citation).trimEnd(), frames.jsonList, {
  single: singleFrames.json
})
