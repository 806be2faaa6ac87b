import { setImmediate as giveWay } from 'node:timers/promises'

import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Entity } from '#domain/entity.ts'
import type { Model } from '#domain/model.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Publication, PublicationLevel } from '#domain/publication.ts'
import { publicationTypes } from '#domain/record-types/families.ts'
import { type DublinCoreValue, describeEntity, describePublication } from '#formats/dublin-core/describe.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { writeMarcXml } from '#formats/marc/marcxml.ts'
import { writeMods } from '#formats/mods/write-mods.ts'
import type { Xml } from '#formats/xml/write-xml.ts'

/** A record with everything that a format may want to say of it. */
export type DescribedRecord =
  | { readonly entity: Entity; readonly publication: Publication }
  | { readonly entity: Entity; readonly level: PublicationLevel }

/** Reading so many at once holds up others for no more than a few milliseconds. */
const atOnce = 25

/** Finds what formats need, for many records. One that is gone in the meantime is left out. */
export async function describeRecords(
  catalogue: Catalogue,
  model: Model,
  principal: Principal,
  entities: readonly Entity[]
): Promise<ReadonlyMap<string, DescribedRecord>> {
  const isPublication = publicationTest(model)
  const described = new Map<string, DescribedRecord>()
  for (let start = 0; start < entities.length; start += atOnce) {
    if (start > 0) await giveWay()
    const some = entities.slice(start, start + atOnce)
    const publications = await catalogue.readPublications(
      principal,
      some.filter(({ type }) => isPublication(type)).map(({ id }) => id)
    )
    const levels = await catalogue.readLevels(
      principal,
      some.filter(({ type }) => !isPublication(type))
    )
    for (const [id, publication] of publications)
      described.set(id, { entity: publication.manifestation.entity, publication })
    for (const level of levels) described.set(level.entity.id, { entity: level.entity, level })
  }
  return described
}

/** Whether records of a type can be had in library formats. */
export function publicationTest(model: Model): (type: string) => boolean {
  const types = new Set(publicationTypes(model))
  return type => types.has(type)
}

export const dublinCoreOf = (model: Model, record: DescribedRecord): DublinCoreValue[] =>
  'publication' in record ? describePublication(model, record.publication) : describeEntity(model, record.level)

export const modsOf = (model: Model, record: DescribedRecord): Xml | undefined =>
  'publication' in record ? writeMods(model, record.publication) : undefined

export const marcXmlOf = (record: DescribedRecord): Xml | undefined =>
  'publication' in record ? { markup: writeMarcXml(composeRecord(record.publication).record).trimEnd() } : undefined
