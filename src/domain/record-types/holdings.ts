import { addressFields, contactFields, recordHead, nameFields, variantNames } from './common-fields.ts'
import { isInside, noPlaceIn } from './left-out.ts'
import type { RecordType } from './record-type.ts'

/* The copies that libraries hold of publications. */

/** A copy of a publication. Its name is its shelf mark; many have none. */
export const item: RecordType = {
  ...recordHead('item', 'IT', 'A copy of a publication in a library', 'shelf_mark'),
  toldApartBy: ['barcode', 'location', 'volume', 'refManifestation', 'refLibrary'],
  fields: {
    shelf_mark: { kind: 'text', isCode: true, isShelfMark: true, leftOut: noPlaceIn('schema', 'citations') },
    barcode: { kind: 'text', isCode: true, identifies: true, leftOut: noPlaceIn('schema', 'dc', 'citations') },
    location: { kind: 'text', leftOut: noPlaceIn('schema', 'dc', 'citations') },
    volume: { kind: 'text', isCode: true, leftOut: noPlaceIn('schema', 'dc', 'citations') },
    status: { kind: 'text', isCode: true, leftOut: noPlaceIn('schema', 'dc', 'mods', 'citations') },
    note: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'citations') },
    link: { kind: 'text', repeatable: true, isCode: true, isAddress: true, leftOut: noPlaceIn('schema', 'citations') },
    licence: { kind: 'text', repeatable: true, leftOut: noPlaceIn('schema', 'mods', 'citations') }
  },
  relations: {
    refManifestation: {
      to: ['manifestation'],
      min: 1,
      max: 1,
      leftOut: isInside('schema', 'mods', 'citations', 'marc21')
    },
    // Readers narrow publications by it, through their copies.
    refLibrary: {
      to: ['library'],
      max: 1,
      facet: { order: 100 },
      leftOut: noPlaceIn('schema', 'citations')
    }
  },
  partOf: 'refManifestation'
}

export const library: RecordType = {
  ...recordHead('library', 'LIB', 'A library, or one of its branches'),
  toldApartBy: ['code', 'city', 'country'],
  fields: {
    name: nameFields.name,
    code: { kind: 'text', isCode: true },
    non_preferred_name: variantNames,
    ...addressFields,
    ...contactFields('schema', 'dc')
  },
  resolvedAs: { value: 'name', code: 'code' }
}

/** The two types, and the relations between them and to publications, for code that names none. */
export const holdings = {
  item: 'item',
  library: 'library',
  ofPublication: 'refManifestation',
  at: 'refLibrary'
} as const

/** The fields of an item that a mapping of MARC subfields may give, beside its library. */
// biome-ignore format: one line
export const itemFields = ['shelf_mark', 'barcode', 'location', 'volume', 'status', 'note', 'link', 'licence'] as const
export type ItemField = (typeof itemFields)[number]

/** The meanings of a subfield: a field of the item, or its library. */
export const itemMeanings = [holdings.library, ...itemFields] as const
export type ItemMeaning = (typeof itemMeanings)[number]
