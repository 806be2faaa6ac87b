import { evidenceVersion } from '#domain/clustering/evidence.ts'
import { isIdentifier } from '#domain/entity/ids.ts'
import { descriptionVersion } from '#formats/description/description.ts'
import { authoritiesOf, toStoredDraft } from '#formats/description/stored-drafts.ts'
import { mentionsIn, type SourceRecord } from '#formats/source/source-item.ts'
import { digestOf, type RecordIdentity } from './identify-records.ts'
import type { NextRecord } from './placing.ts'
import { librariesOf, toStoredItem } from './stored-item.ts'
import { linksOf } from './stored-links.ts'

/** A record in the form in which it is stored. */
export function toNextRecord(item: SourceRecord, { name, number }: RecordIdentity, job: string): NextRecord {
  const { description, format, source } = item
  const { manifestation, controlNumber } = description
  const mentions = mentionsIn(item)
  const { items = [] } = description
  const drafts = [manifestation, ...mentions.flatMap(({ work, expression }) => [work, expression])]
  return {
    record: {
      job,
      manifestation: toStoredDraft(manifestation),
      digest: digestOf(item),
      evidenceVersion,
      descriptionVersion,
      mentions: mentions.length,
      ...linksOf(item),
      ...(controlNumber === undefined ? {} : { controlNumber }),
      ...(number === undefined ? {} : { number })
    },
    mentions: mentions.map(({ evidence, work, expression, titleRank }, place) => ({
      evidence,
      work: toStoredDraft(work),
      expression: toStoredDraft(expression),
      titleRank,
      ...(place > 0 || mentions.length < 2 ? {} : { parts: mentions.length - 1 })
    })),
    items: items.map(toStoredItem),
    source: { form: format, base64: Buffer.from(source).toString('base64') },
    authorities: authoritiesOf([
      ...drafts.flatMap(each => each.relations.map(({ target }) => target)),
      ...librariesOf(items)
    ]),
    identifier: controlNumber !== undefined && isIdentifier(number ?? name) ? (number ?? name) : undefined
  }
}
