import { invalidWith } from '#domain/errors.ts'
import { writeMarcXml } from '#formats/marc/marcxml.ts'
import type { Form, MarcField } from '#formats/marc/record.ts'
import { toSlimRecord } from '#formats/marc/slim-record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import type { Xml } from '#formats/xml/write-xml.ts'
import type { DescribedRecord } from '../../describe-records.ts'
import type { EmbeddingWriter } from '../format.ts'
import { authorityRecords, marcRecords } from '../materials.ts'
import { recordWriter } from '../record-writer.ts'

/**
 * A writer of MARC 21 records in one form. Records that were imported in ISO 2709 and not changed
 * are given back as they came.
 */
const marcIn = (form: Form) =>
  recordWriter({
    from: marcRecords,
    frame: { head: writers[form].head, between: '', tail: writers[form].tail },
    write: (_, { record, original }) =>
      original?.form === 'iso2709' && form === 'iso2709' ? Buffer.from(original.bytes) : writers[form].write(record)
  })

export const iso2709 = marcIn('iso2709')
export const marcJson = marcIn('json')
export const marcLines = marcIn('mrk')

export const marcXml: EmbeddingWriter<Xml> = {
  ...marcIn('marcxml'),
  needs: 'marc',
  embed(_, record) {
    if (!('publication' in record) || record.marc === undefined) return undefined
    const { leader, fields } = toSlimRecord(record.marc)
    const linked = record.address === undefined ? fields : withLink(fields, record.address)
    return { markup: writeMarcXml({ leader, fields: linked }).trimEnd() }
  }
}

/** Authorities as MARC 21 records: as imported, with the changes made here, or composed. */
export const marcAuthority: EmbeddingWriter<Xml> = {
  ...recordWriter({
    from: authorityRecords,
    frame: { head: writers.marcxml.head, between: '', tail: writers.marcxml.tail },
    write(_, described) {
      const record = authorityOf(described)
      if (record === undefined) throw invalidWith([{ pointer: '', message: 'The record has no name' }])
      return writers.marcxml.write(record)
    }
  }),
  needs: 'authority',
  embed(_, described) {
    const record = authorityOf(described)
    return record && { markup: writeMarcXml(record).trimEnd() }
  }
}

function authorityOf(described: DescribedRecord) {
  const record = 'level' in described ? described.authority : undefined
  return record && toSlimRecord(record)
}

/**
 * Adds 856 with second indicator 2: the address of a related resource (the record), not of the
 * publication.
 */
function withLink(fields: readonly MarcField[], address: string): MarcField[] {
  const link = {
    tag: '856',
    indicators: '42',
    subfields: [
      { code: '3', value: 'Catalogue record' },
      { code: 'u', value: address }
    ]
  }
  const place = fields.findLastIndex(each => each.tag <= link.tag) + 1
  return [...fields.slice(0, place), link, ...fields.slice(place)]
}
