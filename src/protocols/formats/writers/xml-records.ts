import { type DublinCoreValue, describeEntity, describePublication } from '#formats/dublin-core/describe.ts'
import { writeOaiDublinCore, writeSruDublinCore } from '#formats/dublin-core/write-dublin-core.ts'
import { type Frame, frames, singleFrames } from '#formats/frames.ts'
import { writeMods } from '#formats/mods/write-mods.ts'
import { writeRecordXml } from '#formats/native/write-record-xml.ts'
import type { Xml } from '#formats/xml/write-xml.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { BareRecord, DescribedRecord } from '../../describe-records.ts'
import type { EmbeddingWriter } from '../format.ts'
import { bareRecords, descriptions, type Material, publications } from '../materials.ts'
import { recordWriter } from '../record-writer.ts'

/** A writer of XML elements: alone in a document, or in one element for all records of a file. */
const elementWriter = <T>(
  from: Material<T>,
  write: (model: Model, item: T) => Xml,
  frame: Frame,
  embedding: Pick<EmbeddingWriter<Xml>, 'needs' | 'embed'>
): EmbeddingWriter<Xml> => ({
  ...recordWriter({
    from,
    frame,
    single: singleFrames.xml,
    write: ({ model }, item) => write(model, item).markup
  }),
  ...embedding
})

export const mods = elementWriter(publications, writeMods, frames.mods, {
  needs: 'surroundings',
  embed: (model, record) => ('publication' in record ? writeMods(model, record.publication, record.address) : undefined)
})

const dublinCoreOf = (model: Model, record: DescribedRecord): DublinCoreValue[] => {
  if ('publication' in record) return describePublication(model, record.publication, record.address)
  return 'level' in record ? describeEntity(model, record.level, record.address) : []
}

export const dublinCore = elementWriter(
  descriptions,
  (model, record) => writeOaiDublinCore(dublinCoreOf(model, record)),
  frames.dc,
  {
    needs: 'surroundings',
    embed: (model, record, protocol) =>
      (protocol === 'oai' ? writeOaiDublinCore : writeSruDublinCore)(dublinCoreOf(model, record))
  }
)

const writeBare = (_: Model, { entity, address }: BareRecord) => writeRecordXml(entity, address)

export const recordXml = elementWriter(bareRecords, writeBare, frames.libretto, { needs: 'record', embed: writeBare })
