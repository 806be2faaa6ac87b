import type { Parts } from '#catalogue/parts.ts'
import { readPublications } from '#catalogue/publications/read-publications.ts'
import { comparedRecord, isSameRecord } from '#domain/imports/same-record.ts'
import { createPrincipal } from '#domain/permissions.ts'
import type { RecordDescription } from '#formats/description/description.ts'
import { composeRecord, ownAgency } from '#formats/marc/compose-record.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarcEvidence } from '#formats/marc/mapping/evidence.ts'
import type { SourceRecord } from '#formats/source/source-item.ts'
import type { Staging } from '../state/staging.ts'

/*
 * Records of this catalogue in a file of MARC records that it exported. They exist already,
 * imported or not: an import neither creates them again nor changes them.
 */

/** Whether a record of this catalogue has the same values in the file as here. */
export type OwnState = 'same' | 'other'

/**
 * Finds the records of this catalogue among the records of a file: the agency is ours, the number
 * is the id of a publication, and title or standard numbers agree with it. A record that was
 * imported under this number before is not one of them; it is imported again.
 */
export async function findOwnRecords(
  parts: Parts,
  staging: Staging,
  records: readonly SourceRecord[]
): Promise<ReadonlyMap<SourceRecord, OwnState>> {
  const own = new Map<SourceRecord, OwnState>()
  const ours = records.filter(({ description }) => description.agency === ownAgency)
  if (ours.length === 0) return own
  const imported = await staging.find(
    'record',
    ours.map(each => each.name)
  )
  const open = ours.filter(each => !imported.has(each.name))
  const reader = createPrincipal(parts.model, 'import', ['read'])
  const publications = await readPublications(
    parts,
    reader,
    open.flatMap(({ description }) => description.controlNumber ?? [])
  )
  for (const record of open) {
    const { description, evidence, name } = record
    const publication = publications.get(description.controlNumber ?? '')
    if (publication === undefined) continue
    const composed = composeRecord(publication).record
    const present = describeRecord(composed)
    const [one, other] = [
      comparedRecord(evidence, description.manifestation),
      comparedRecord(readMarcEvidence(composed, present, name), present.manifestation)
    ]
    if (isSameRecord(one, other)) own.set(record, contentOf(description) === contentOf(present) ? 'same' : 'other')
  }
  return own
}

const contentOf = ({ manifestation, expressions, works }: RecordDescription) =>
  JSON.stringify([manifestation, expressions, works], (key, value: unknown) => (key === 'from' ? undefined : value))
