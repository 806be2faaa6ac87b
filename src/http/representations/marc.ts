import type { Form } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { exportMarc } from '#protocols/export/marc-export.ts'
import { HttpError } from '../reply/errors.ts'
import type { Make } from './representation.ts'

/** Writes a manifestation as a MARC record. */
const recordIn =
  (form: Form): Make =>
  async ({ catalogue }, principal, identifier) => {
    const [written] = await exportMarc(catalogue, principal, [identifier], form)
    if (written === undefined) {
      // A missing entity is reported as missing, not as lacking this format.
      await catalogue.readEntity(principal, identifier)
      return undefined
    }
    if (written.bytes === undefined)
      throw new HttpError('not_acceptable', written.refusal ?? 'It cannot be written in this format')
    const { head, tail } = writers[form]
    // Bytes, since an imported record may be in MARC-8.
    return Buffer.concat([Buffer.from(head), written.bytes, Buffer.from(tail)])
  }

export const makeIso2709 = recordIn('iso2709')
export const makeMarcXml = recordIn('marcxml')
export const makeMarcJson = recordIn('json')
