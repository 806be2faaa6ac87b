import { table } from '#domain/table.ts'
import type { Model } from '#domain/record-types/model.ts'
import { writeSruDublinCore } from '#formats/dublin-core/write-dublin-core.ts'
import { recordNamespace } from '#formats/native/write-record-xml.ts'
import type { Xml } from '#formats/xml/write-xml.ts'
import { type DescribedRecord, dublinCoreOf, marcXmlOf, modsOf, nativeXmlOf } from '../describe-records.ts'

export interface RecordSchema {
  readonly name: string
  readonly identifier: string
  readonly title: string
  /** Whether it is written from MARC records. */
  readonly isMarc?: boolean
  /** Writes XML or text; undefined for a record that is not available in this schema. */
  write(model: Model, record: DescribedRecord): Xml | string | undefined
}

/** The schemas of records; the first is the default. */
export const recordSchemas: readonly RecordSchema[] = [
  {
    name: 'dc',
    identifier: 'info:srw/schema/1/dc-v1.1',
    title: 'Dublin Core',
    write: (model, record) => writeSruDublinCore(dublinCoreOf(model, record))
  },
  {
    name: 'marcxml',
    identifier: 'info:srw/schema/1/marcxml-v1.1',
    title: 'MARC 21 in XML',
    isMarc: true,
    write: (_, record) => marcXmlOf(record)
  },
  { name: 'mods', identifier: 'info:srw/schema/1/mods-v3.7', title: 'MODS 3.7', write: modsOf },
  {
    name: 'libretto',
    identifier: recordNamespace,
    title: 'The record itself, as XML',
    write: (_, record) => nativeXmlOf(record)
  },
  {
    name: 'json',
    identifier: `${recordNamespace}:json`,
    title: 'The record itself, as JSON',
    write: (_, { entity }) => JSON.stringify(entity)
  }
]

/** Other names of the same schemas. */
const otherNames: Readonly<Record<string, string>> = table({
  marc21: 'marcxml',
  marc: 'marcxml',
  'info:srw/schema/1/marcxml-v1.1': 'marcxml',
  'http://www.loc.gov/mods/v3': 'mods',
  'info:srw/schema/1/dc-schema': 'dc'
})

export function findSchema(name: string): RecordSchema | undefined {
  const known = Object.hasOwn(otherNames, name) ? otherNames[name] : name
  return recordSchemas.find(each => each.name === known || each.identifier === name)
}
