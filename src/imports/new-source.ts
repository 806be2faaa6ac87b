import type { Parts } from '#catalogue/parts.ts'
import { CatalogueError, type Fault } from '#domain/errors.ts'
import type { ImportJob } from '#domain/imports/job.ts'
import { composeChanged } from '#formats/marc/compose/fixed-fields.ts'
import { itemOfRecord } from '#formats/marc/marc-items.ts'
import { detectDialect, type MarcRecord } from '#formats/marc/record.ts'
import type { SourceAuthority, SourceItem } from '#formats/source/source-item.ts'
import { asPublication } from './edit-publication.ts'
import { authorities } from './place/authorities.ts'
import { placingFor } from './place/catalogue-access.ts'
import type { Batch } from './place/import-kind.ts'
import { prepareRecord } from './place/prepare-record.ts'
import { records } from './place/records.ts'
import { fault } from './prepared-edit.ts'
import type { Staging, UndoNotes } from './state/staging.ts'

/** A record that a person wrote, and the job that stores it. */
export interface NewSource {
  readonly staging: Staging
  readonly sent: MarcRecord
  readonly job: ImportJob
  readonly now: string
  readonly undoNotes: UndoNotes
}

/** The entity that a new record describes, and warnings that an import would give as remarks. */
export interface PlacedSource {
  readonly id: string
  readonly warnings: readonly Fault[]
}

/**
 * Stages a new record by the same code as an import of it. Throws `identifier_taken` where an
 * import would change the record that was stored under its number before.
 */
export async function placeNewRecord(
  parts: Parts,
  { staging, sent, job, now, undoNotes }: NewSource
): Promise<PlacedSource> {
  const placing = { ...placingFor(parts, job.id), undoNotes }
  const batch: Batch = { parts, staging, job, placing, undoNotes, allowDangling: false, commitNotes: async () => {} }
  const item = itemOfRecord(withDate(sent, now), {})
  return item.outcome === 'authority' ? placeAuthority(item, batch) : placePublication(item, batch)
}

/** A record of MARC 21 with the time of its last change in 005, if it has that field. */
const withDate = (record: MarcRecord, now: string): MarcRecord =>
  detectDialect(record) === 'marc21'
    ? {
        ...record,
        fields: record.fields.map(each => (each.tag === '005' ? { tag: '005', value: composeChanged(now) } : each))
      }
    : record

async function placePublication(item: SourceItem, batch: Batch): Promise<PlacedSource> {
  if (item.outcome === 'holdings') throw fault('This is a holdings record: import it, or add 852 to its publication')
  const { parts, staging } = batch
  const prepared = prepareRecord(asPublication(item, parts), parts)
  const [given] = await records.place([prepared], batch)
  const { placed, own, identity, collision } = given as Exclude<typeof given, undefined>
  if (placed?.outcome === 'created' && placed.manifestationId !== undefined)
    return { id: placed.manifestationId, warnings: collision === undefined ? [] : [otherNumber(collision)] }
  const name = identity?.name ?? prepared.name
  const known = (await staging.find('record', [name])).get(name)?.manifestationId
  throw isThere(name, (own === undefined ? known : prepared.description.controlNumber) ?? name)
}

const otherNumber = ({ controlNumber, otherTitle }: { controlNumber: string; otherTitle: string }): Fault => ({
  pointer: '',
  message: `Another record has the number "${controlNumber}" (“${otherTitle}”), and neither names its agency in 003`,
  code: 'doubtful_value',
  key: '001'
})

async function placeAuthority(item: SourceAuthority, batch: Batch): Promise<PlacedSource> {
  const { parts, staging } = batch
  const excess = authorities.refuse(item, parts)
  if (excess !== undefined) throw fault(excess.join('; '))
  const { name } = item
  const idNow = async () => {
    const key = (await staging.find('authority record', [name])).get(name)
    return key === undefined ? undefined : (await staging.find('target', [key])).get(key)?.id
  }
  const known = await idNow()
  if (known !== undefined) throw isThere(name, known)
  await authorities.place([item], batch)
  const id = await idNow()
  if (id === undefined) throw isThere(name, name)
  return { id, warnings: [] }
}

const isThere = (name: string, id: string) =>
  new CatalogueError('identifier_taken', `The record ${name} is here already, as "${id}": edit that record instead`, {
    about: ['identifier', name],
    extra: { id }
  })
