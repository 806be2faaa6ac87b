import { type PublicationLevel, relatedBy } from '#domain/entity/publication.ts'
import { holdings, type ItemField, itemFields } from '#domain/record-types/holdings.ts'
import type { ItemDraft } from '../../description/description.ts'
import { textOf, textsOf } from '../compose/composer.ts'
import { readItems } from '../mapping/items.ts'
import type { MarcRecord } from '../record.ts'

/* The values of items, in the catalogue and as they are read from records. */

export const valuesIn = ({ metadata }: ItemDraft, key: string) =>
  metadata.flatMap(each => (each.key === key ? [each.value] : []))
export const codeIn = ({ library }: ItemDraft) => library?.metadata.find(each => each.key === 'code')?.value

export function codeOf(item: PublicationLevel) {
  const library = relatedBy(item, holdings.at)[0]
  return textOf(library, 'code') ?? textOf(library, 'name')
}

/** The values of an item as one text: two items with equal texts say the same. */
const textOfItem = (library: string | undefined, valuesOf: (key: ItemField) => string[]) =>
  JSON.stringify([library ?? '', ...itemFields.map(key => valuesOf(key).toSorted())])

export const saidOf = (item: PublicationLevel) => textOfItem(codeOf(item), key => textsOf(item.entity, key))

/** The texts of the items that are read from a record, in its order. */
export const saidIn = (record: MarcRecord) =>
  readItems(record).map(draft => textOfItem(codeIn(draft), key => valuesIn(draft, key)))
