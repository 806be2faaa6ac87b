import { setImmediate as giveWay } from 'node:timers/promises'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Entity } from '#domain/entity/entity.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Publication, PublicationLevel } from '#domain/entity/publication.ts'
import { publicationTypes } from '#domain/record-types/families.ts'
import { type DublinCoreValue, describeEntity, describePublication } from '#formats/dublin-core/describe.ts'
import { writeMarcXml } from '#formats/marc/marcxml.ts'
import type { MarcField, MarcRecord } from '#formats/marc/record.ts'
import { toSlimRecord } from '#formats/marc/slim-record.ts'
import { writeMods } from '#formats/mods/write-mods.ts'
import { writeRecordXml } from '#formats/native/write-record-xml.ts'
import type { Xml } from '#formats/xml/write-xml.ts'
import { findMarcRecords } from './marc-records.ts'

/** A record with everything that formats need. */
export type DescribedRecord = {
  readonly entity: Entity
  /** Public address of the record; undefined where none is configured. */
  readonly address: string | undefined
} & (
  | { readonly publication: Publication; readonly marc: MarcRecord | undefined }
  | { readonly level: PublicationLevel }
)

export interface DescribeOptions {
  /** Beginning of the addresses of records, such as `https://catalogue.example.org/record/`. */
  readonly recordUrl: string | undefined
  /** Whether MARC records are needed: finding them is expensive, and only one format uses them. */
  readonly withMarc: boolean
}

/** Records per read: other requests wait only a few milliseconds. */
const atOnce = 25

/** Reads the data that formats need, for many records. Records deleted meanwhile are omitted. */
export async function describeRecords(
  catalogue: Catalogue,
  model: Model,
  principal: Principal,
  entities: readonly Entity[],
  { recordUrl, withMarc }: DescribeOptions
): Promise<ReadonlyMap<string, DescribedRecord>> {
  const isPublication = publicationTest(model)
  const described = new Map<string, DescribedRecord>()
  const addressOf = ({ id }: Entity) =>
    recordUrl === undefined ? undefined : `${recordUrl}${encodeURIComponent(id).replaceAll('%3A', ':')}`
  for (let start = 0; start < entities.length; start += atOnce) {
    if (start > 0) await giveWay()
    const some = entities.slice(start, start + atOnce)
    const publications = await catalogue.readPublications(
      principal,
      some.filter(({ type }) => isPublication(type)).map(({ id }) => id),
      { withItems: true }
    )
    const marc = withMarc ? await findMarcRecords(catalogue, principal, publications) : undefined
    const levels = await catalogue.readLevels(
      principal,
      some.filter(({ type }) => !isPublication(type))
    )
    for (const [id, publication] of publications) {
      const entity = publication.manifestation.entity
      described.set(id, { entity, address: addressOf(entity), publication, marc: marc?.get(id)?.record })
    }
    for (const level of levels) {
      const entity = level.entity
      described.set(entity.id, { entity, address: addressOf(entity), level })
    }
  }
  return described
}

/** Whether records of a type are available in library formats. */
export function publicationTest(model: Model): (type: string) => boolean {
  const types = new Set(publicationTypes(model))
  return type => types.has(type)
}

export const dublinCoreOf = (model: Model, record: DescribedRecord): DublinCoreValue[] =>
  'publication' in record
    ? describePublication(model, record.publication, record.address)
    : describeEntity(model, record.level, record.address)

export const modsOf = (model: Model, record: DescribedRecord): Xml | undefined =>
  'publication' in record ? writeMods(model, record.publication, record.address) : undefined

/** The MARC record, with the address of the record in this catalogue added. */
export function marcXmlOf(record: DescribedRecord): Xml | undefined {
  if (!('publication' in record) || record.marc === undefined) return undefined
  const { leader, fields } = toSlimRecord(record.marc)
  const linked = record.address === undefined ? fields : withLink(fields, record.address)
  return { markup: writeMarcXml({ leader, fields: linked }).trimEnd() }
}

/**
 * 856 with second indicator 2: the address of a related resource (the record), not of the
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

export const nativeXmlOf = ({ entity, address }: DescribedRecord): Xml => writeRecordXml(entity, address)
