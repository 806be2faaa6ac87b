import { createHash } from 'node:crypto'

import { evidenceVersion } from '#domain/clustering/evidence.ts'
import { isIdentifier } from '#domain/entity/ids.ts'
import {
  joinAuthorities,
  storedDraftOf,
  storedMentionOf,
  type StoredAuthority,
  authorityKeyOf,
  authoritiesIn
} from '#domain/imports/stored.ts'
import type { ImportedRecord } from '#domain/imports/item.ts'
import type { NextRecord } from './placing.ts'

/** Tells one state of a record from another. */
export const digestOf = ({ form, source }: Pick<ImportedRecord, 'form' | 'source'>) =>
  createHash('sha256').update(form).update(source).digest('base64')

export function toNextRecord(record: ImportedRecord, job: string): NextRecord {
  const { evidence, form, source, controlNumber, name, number } = record
  const targets = new Map<string, Omit<StoredAuthority, 'id'>>()
  for (const target of authoritiesIn(record)) {
    const key = authorityKeyOf(target)
    const { type, metadata, identifiers, birthYear } = target
    const kept = { type, metadata, identifiers, ...(birthYear === undefined ? {} : { birthYear }) }
    const known = targets.get(key)
    targets.set(key, known === undefined ? kept : joinAuthorities(known, kept))
  }
  const mentions = evidence.works.flatMap((work, place) => {
    const draft = record.mentions[place]
    return draft === undefined ? [] : [storedMentionOf(work, draft)]
  })
  return {
    record: {
      job,
      manifestation: storedDraftOf(record.manifestation),
      digest: digestOf(record),
      evidenceVersion,
      mentions: mentions.length,
      ...(controlNumber === undefined ? {} : { controlNumber }),
      ...(number === undefined ? {} : { number })
    },
    mentions,
    source: { form, base64: Buffer.from(source).toString('base64') },
    targets,
    identifier: controlNumber !== undefined && isIdentifier(number ?? name) ? (number ?? name) : undefined
  }
}
