import type { Model } from '#domain/record-types/model.ts'
import { oaiDublinCoreNamespace, writeOaiDublinCore } from '#formats/dublin-core/write-dublin-core.ts'
import { modsNamespace } from '#formats/mods/write-mods.ts'
import { recordNamespace } from '#formats/native/write-record-xml.ts'
import type { Xml } from '#formats/xml/write-xml.ts'
import { type DescribedRecord, dublinCoreOf, marcXmlOf, modsOf, nativeXmlOf } from '../describe-records.ts'
import { recordSchemaPath } from './record-schema-path.ts'

export interface MetadataFormat {
  readonly prefix: string
  readonly namespace: string
  /** Address of the schema; relative to the root of this service if it begins with a slash. */
  readonly schema: string
  /** Whether only publications are available in it. */
  readonly isOfPublications: boolean
  /** Whether it is written from MARC records. */
  readonly isMarc?: boolean
  write(model: Model, record: DescribedRecord): Xml | undefined
}

/** The metadata formats. Add new ones here. */
export const metadataFormats: readonly MetadataFormat[] = [
  {
    prefix: 'oai_dc',
    namespace: oaiDublinCoreNamespace,
    schema: 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd',
    isOfPublications: false,
    write: (model, record) => writeOaiDublinCore(dublinCoreOf(model, record))
  },
  {
    prefix: 'marcxml',
    namespace: 'http://www.loc.gov/MARC21/slim',
    schema: 'http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd',
    isOfPublications: true,
    isMarc: true,
    write: (_, record) => marcXmlOf(record)
  },
  {
    prefix: 'mods',
    namespace: modsNamespace,
    schema: 'http://www.loc.gov/standards/mods/v3/mods-3-7.xsd',
    isOfPublications: true,
    write: modsOf
  },
  {
    prefix: 'libretto',
    namespace: recordNamespace,
    schema: recordSchemaPath,
    isOfPublications: false,
    write: (_, record) => nativeXmlOf(record)
  }
]
