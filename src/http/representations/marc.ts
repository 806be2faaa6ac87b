import type { Form } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { exportMarc } from '#protocols/export/marc-export.ts'
import { HttpError } from '../reply/errors.ts'
import type { Make } from './representation.ts'

/** A manifestation as a record that other catalogues read. */
const recordIn =
  (form: Form): Make =>
  async ({ catalogue }, principal, identifier) => {
    const [written] = await exportMarc(catalogue, principal, [identifier], form)
    if (written === undefined) {
      // Who asks for something that is not there is told that, rather than that it has no such
      // form.
      await catalogue.readEntity(principal, identifier)
      return undefined
    }
    if (written.bytes === undefined) throw new HttpError('not_acceptable', written.refusal ?? 'It cannot be written so')
    const { head, tail } = writers[form]
    // Bytes, since a record that is given back as it came may be in MARC-8.
    return Buffer.concat([Buffer.from(head), written.bytes, Buffer.from(tail)])
  }

export const makeIso2709 = recordIn('iso2709')
export const makeMarcXml = recordIn('marcxml')
export const makeMarcJson = recordIn('json')
