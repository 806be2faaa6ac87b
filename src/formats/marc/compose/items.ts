import type { Publication, PublicationLevel } from '#domain/entity/publication.ts'
import { relatedBy } from '#domain/entity/publication.ts'
import type { StoredSourceRecord } from '#domain/imports/stored-source-record.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import type { MarcField, MarcRecord } from '../record.ts'
import { editItem } from '../patch/edit-item.ts'
import { dataField, textOf, textsOf } from './composer.ts'

/**
 * Writes items as MARC: 852 for each, and 876 beside it, linked by $8, if it has a status, a
 * volume or a licence.
 */
export function composeItems(items: readonly PublicationLevel[], firstLink = 1): MarcField[] {
  return items.flatMap((item, place) => {
    const [status, volume, barcode] = [textOf(item, 'status'), textOf(item, 'volume'), textOf(item, 'barcode')]
    const licences = textsOf(item.entity, 'licence')
    const hasPiece = status !== undefined || volume !== undefined || licences.length > 0
    const link = firstLink + place
    const library = relatedBy(item, holdings.at)[0]
    const [code, branch] = splitCode(textOf(library, 'code') ?? textOf(library, 'name'))
    return [
      ...dataField('852', '8 ', [
        ['8', hasPiece ? String(link) : undefined],
        ['a', code],
        ['b', branch],
        ['c', textOf(item, 'location')],
        ['j', textOf(item, 'shelf_mark')],
        ['p', hasPiece ? undefined : barcode],
        ...textsOf(item.entity, 'link').map(link => ['u', link] as const),
        ...textsOf(item.entity, 'note').map(note => ['z', note] as const)
      ]),
      ...(hasPiece
        ? dataField('876', '  ', [
            ['8', `${link}.1`],
            ['3', volume],
            ...licences.map(each => ['h', each] as const),
            ['j', status],
            ['p', barcode]
          ])
        : [])
    ]
  })
}

/** The library and its branch, as `libraryNamed` in mapping/items.ts joins them. */
function splitCode(code: string | undefined): [string | undefined, string | undefined] {
  const cut = code?.indexOf('/') ?? -1
  return cut < 0 ? [code, undefined] : [code?.slice(0, cut), code?.slice(cut + 1)]
}

/**
 * Brings the items of a source record up to date: values of changed items are replaced where they
 * stand. Where that cannot be done, and for deleted items, the fields are removed, and those that
 * the record lacks are added. Returns the same record if there are none.
 */
export function patchItems(
  source: MarcRecord,
  imported: StoredSourceRecord['items'],
  { items = [] }: Pick<Publication, 'items'>
): MarcRecord {
  const present = new Map(items.map(each => [each.entity.id, each]))
  const current = new Set<string>()
  let record = source
  for (const { id, from, isChanged } of imported) {
    const item = present.get(id)
    if (item === undefined) continue
    const edited = isChanged ? editItem(record, from, item) : record
    if (edited === undefined) continue
    current.add(id)
    record = edited
  }
  const staying = new Set(imported.flatMap(({ id, from }) => (current.has(id) ? from : [])))
  const removed = new Set(
    imported.flatMap(({ id, from }) => (current.has(id) ? [] : from.filter(index => !staying.has(index))))
  )
  const missing = items.filter(({ entity }) => !current.has(entity.id))
  if (removed.size === 0 && missing.length === 0 && record === source) return source
  const fields = record.fields.slice(0, source.fields.length).filter((_, index) => !removed.has(index))
  for (const field of [...record.fields.slice(source.fields.length), ...composeItems(missing, nextLink(fields))]) {
    const place = fields.findLastIndex(each => each.tag <= field.tag)
    fields.splice(place + 1, 0, field)
  }
  return { leader: source.leader, fields }
}

/** The first link number ($8) that no field of the record has. */
function nextLink(fields: readonly MarcField[]): number {
  const used = fields.flatMap(field =>
    'subfields' in field
      ? field.subfields.filter(({ code }) => code === '8').map(({ value }) => Number.parseInt(value, 10) || 0)
      : []
  )
  return used.reduce((highest, each) => Math.max(highest, each), 0) + 1
}
