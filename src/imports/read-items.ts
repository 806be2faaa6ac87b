import type { ImportItem, MentionDraft } from '#domain/imports/item.ts'
import type { ImportOptions } from '#domain/imports/job.ts'
import { titleKinds } from '#formats/description/description.ts'
import { readCsvMapping } from '#formats/csv/csv-mapping.ts'
import { readSource } from '#formats/source/read-source.ts'
import type { SourceItem, SourceRecord } from '#formats/source/source-item.ts'

/** Reads a file as what an import is given. */
export async function* readItems(
  bytes: AsyncIterable<Uint8Array>,
  { format, mapping, agency }: ImportOptions
): AsyncGenerator<ImportItem> {
  const options = {
    ...(format === undefined ? {} : { format }),
    ...(mapping === undefined ? {} : { mapping: readCsvMapping(mapping) }),
    ...(agency === undefined ? {} : { agency })
  } as Parameters<typeof readSource>[1]
  for await (const item of readSource(bytes, options)) yield toImportItem(item)
}

function toImportItem(item: SourceItem): ImportItem {
  const { position } = item
  const remarks = item.defects.map(each => (each.tag === undefined ? each.message : `${each.tag}: ${each.message}`))
  switch (item.outcome) {
    case 'entity':
      return { kind: 'entity', position, controlNumber: undefined, entity: item.entity, remarks }
    case 'unreadable':
      return { kind: 'fault', position, controlNumber: item.name, remarks }
    case 'deletion': {
      if (item.name !== undefined)
        return { kind: 'deletion', position, name: item.name, controlNumber: item.name, remarks }
      return {
        kind: 'fault',
        position,
        controlNumber: undefined,
        remarks: [...remarks, 'It says that a record was deleted, but not which']
      }
    }
    case 'record':
      return toRecord(item, remarks)
  }
}

function toRecord(item: SourceRecord, defects: readonly string[]): ImportItem {
  const { position, name, description, evidence, source, format } = item
  const problems = description.problems.map(each => each.message)
  const remarks = [...defects, ...problems]
  const { controlNumber } = description
  if (description.problems.some(each => each.kind === 'no_title'))
    return { kind: 'fault', position, controlNumber, remarks }
  return {
    kind: 'record',
    position,
    name,
    controlNumber,
    source,
    form: format,
    manifestation: description.manifestation,
    mentions: evidence.works.flatMap(work => toMention(description, work) ?? []),
    evidence,
    remarks
  }
}

/**
 * What a record says of one of its works. All records of a work must agree on its type, since an
 * entity never changes it: it is the kind that clustering goes by.
 */
function toMention(
  { works, expressions }: SourceRecord['description'],
  { described, kind }: SourceRecord['evidence']['works'][number]
): MentionDraft | undefined {
  const work = works[described]
  const expression = expressions.find(each => each.work === described) ?? expressions[0]
  const [title] = work?.keys.titles ?? []
  if (work === undefined || expression === undefined) return undefined
  const typed = (type: string) => type.replace(/_.*/, `_${kind}`)
  return {
    work: { ...work, type: typed(work.type) },
    expression: { ...expression, type: typed(expression.type) },
    titleRank: title === undefined ? titleKinds.length : titleKinds.indexOf(title.kind)
  }
}
