import { writeIso2709 } from './iso2709.ts'
import { writeMarcJson } from './marc-json.ts'
import { marcXmlHead, marcXmlTail, writeMarcXml } from './marcxml.ts'
import { writeMrk } from './mrk.ts'
import type { Form, MarcRecord } from './record.ts'

interface Writer {
  readonly head: string
  readonly tail: string
  write(record: MarcRecord): Buffer | string
}

/**
 * The writer of each form, record by record. ISO 2709 throws `invalid` for a record that is too
 * long for it.
 */
export const writers: Readonly<Record<Form, Writer>> = {
  iso2709: { head: '', tail: '', write: writeIso2709 },
  marcxml: {
    head: marcXmlHead,
    tail: marcXmlTail,
    write: record => writeMarcXml(record, { isWithinCollection: true })
  },
  json: { head: '', tail: '', write: record => `${writeMarcJson(record)}\n` },
  mrk: { head: '', tail: '', write: writeMrk }
}
