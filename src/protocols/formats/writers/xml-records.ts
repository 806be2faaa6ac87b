import { type DublinCoreValue, describeEntity, describePublication } from '#formats/dublin-core/describe.ts'
import { writeOaiDublinCore, writeSruDublinCore } from '#formats/dublin-core/write-dublin-core.ts'
import { type Frame, frames, singleFrames } from '#formats/frames.ts'
import { writeMods } from '#formats/mods/write-mods.ts'
import { writeRecordXml } from '#formats/native/write-record-xml.ts'
import type { Xml } from '#formats/xml/write-xml.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { DescribedRecord } from '../../describe-records.ts'
import type { EmbeddingWriter } from '../format.ts'
import { descriptions, type Material, publications } from '../materials.ts'
import { recordWriter } from '../record-writer.ts'

/** A writer of XML elements: alone in a document, or in one element for all records of a file. */
function elementWriter<T>(
  from: Material<T>,
  write: (model: Model, item: T) => Xml,
  frame: Frame,
  embed: EmbeddingWriter<Xml>['embed']
): EmbeddingWriter<Xml> {
  return {
    ...recordWriter({
      from,
      frame,
      single: singleFrames.xml,
      write: ({ model }, item) => write(model, item).markup
    }),
    embed
  }
}

export const mods = elementWriter(publications, writeMods, frames.mods, (model, record) =>
  'publication' in record ? writeMods(model, record.publication, record.address) : undefined
)

const dublinCoreOf = (model: Model, record: DescribedRecord): DublinCoreValue[] =>
  'publication' in record
    ? describePublication(model, record.publication, record.address)
    : describeEntity(model, record.level, record.address)

export const dublinCore = elementWriter(
  descriptions,
  (model, record) => writeOaiDublinCore(dublinCoreOf(model, record)),
  frames.dc,
  (model, record, protocol) =>
    (protocol === 'oai' ? writeOaiDublinCore : writeSruDublinCore)(dublinCoreOf(model, record))
)

export const recordXml = elementWriter(
  descriptions,
  (_, { entity, address }) => writeRecordXml(entity, address),
  frames.libretto,
  (_, { entity, address }) => writeRecordXml(entity, address)
)
