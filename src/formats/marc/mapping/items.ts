import { holdings, type ItemField, itemFields, type ItemMeaning } from '#domain/record-types/holdings.ts'
import type { AuthorityDraft, ItemDraft } from '../../description/description.ts'
import type { ItemMapping } from '../../source/item-mapping.ts'
import { type DataField, isDataField, type MarcRecord } from '../record.ts'
import { captionTags, statementOf } from './holdings-statement.ts'
import { partsOf } from './values.ts'

/*
 * Items in MARC records: 852 of MARC 21 with the fields that belong to it, or local fields (949,
 * 952, 995) by a mapping, since every system uses their subfields in another way.
 */

/**
 * 852 of MARC 21: $a and $b are the library and its branch, $h to $m the parts of the shelf mark.
 */
export const locationTag = '852'
const location: ItemMapping[string] = {
  a: holdings.library,
  b: holdings.library,
  c: 'location',
  k: 'shelf_mark',
  h: 'shelf_mark',
  i: 'shelf_mark',
  j: 'shelf_mark',
  l: 'shelf_mark',
  m: 'shelf_mark',
  p: 'barcode',
  q: 'note',
  z: 'note',
  u: 'link'
}
/** 876 to 878: the items at a location; 866 to 868: what it holds of a publication in parts. */
export const pieceTags: readonly string[] = ['876', '877', '878']
const piece: ItemMapping[string] = { '3': 'volume', p: 'barcode', j: 'status', l: 'location', z: 'note', h: 'licence' }
const summaryTags = ['866', '867', '868']
/** Without one of these, a record has no items. */
const placeTags = new Set([locationTag, ...pieceTags])
const summary: ItemMapping[string] = { a: 'volume', z: 'note' }
const numbered: ItemMapping[string] = Object.fromEntries([...'abcdefghijklmoz8'].map(code => [code, 'volume']))
/** In holdings records: the address of an electronic resource, and the terms of its use. */
const accessTags: ItemMapping = {
  '856': { u: 'link', '3': 'volume', z: 'note' },
  '845': { a: 'licence', u: 'licence' },
  '540': { a: 'licence', u: 'licence' },
  '506': { a: 'licence', u: 'licence' }
}

/** The subfields with items, by tag. */
export const itemTags = (mapping?: ItemMapping): Readonly<Record<string, string>> =>
  mapping === undefined ? standardTags : tagsOf(mapping)

const tagsOf = (mapping: ItemMapping): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(mapping).map(([tag, rule]) => [tag, Object.keys(rule).join('')]))
const standardTags = tagsOf(
  Object.fromEntries([
    [locationTag, location],
    ...pieceTags.map(tag => [tag, piece] as const),
    ...summaryTags.map(tag => [tag, summary] as const),
    ...Object.entries(captionTags)
      .flat()
      .map(tag => [tag, numbered] as const)
  ])
)

/** Names each subfield of a holdings record that gives nothing of its items: `holdings 583 $a`. */
export function unmappedInHoldings({ fields }: MarcRecord, mapping?: ItemMapping): string[] {
  const tags = mapping === undefined ? { ...standardTags, ...tagsOf(accessTags) } : tagsOf(mapping)
  return fields
    .filter(isDataField)
    .flatMap(({ tag, subfields }) =>
      managedFields.includes(tag)
        ? []
        : subfields
            .filter(({ code, value }) => code !== '' && !`${tags[tag] ?? ''}68`.includes(code) && value.trim() !== '')
            .map(({ code }) => `holdings ${tag} $${code}`)
    )
}

/** Fields that manage the record. */
const managedFields: readonly string[] = ['014', '035', '040', '042', '066', '884', '887']

const fixedRules: ItemMapping = {
  ...accessTags,
  [locationTag]: location,
  ...Object.fromEntries(pieceTags.map(tag => [tag, piece])),
  ...Object.fromEntries(summaryTags.map(tag => [tag, summary]))
}

/** The codes of the subfields of a field of MARC 21 that give a value of an item. */
export function codesOf(tag: string, meaning: ItemMeaning): string | undefined {
  const rule = fixedRules[tag]
  const codes = rule && Object.keys(rule).filter(code => rule[code] === meaning)
  return codes === undefined || codes.length === 0 ? undefined : codes.join('')
}

/** The items of a record: by a mapping, or by the fields of MARC 21 for them. */
export function readItems(record: MarcRecord, mapping?: ItemMapping): ItemDraft[] {
  if (mapping === undefined && !record.fields.some(({ tag }) => placeTags.has(tag))) return []
  const fields = record.fields.flatMap((field, index) => (isDataField(field) ? [{ field, index }] : []))
  const isHoldings = 'uvxy'.includes(record.leader[6] || '?')
  const found = mapping === undefined ? standardItems(fields, isHoldings) : mappedItems(fields, mapping)
  const seen = new Set<string>()
  return found.map((parts, place) => {
    const draft = toDraft(parts)
    const barcode = draft.metadata.find(each => each.key === 'barcode')?.value
    // An item is the same as before if its barcode is; one without a barcode if its place is.
    const key = barcode === undefined || seen.has(barcode) ? `#${place}` : barcode
    seen.add(key)
    return { ...draft, key }
  })
}

interface Field {
  readonly field: DataField
  readonly index: number
}

/** The texts that a field gives, in its order. */
interface ItemParts {
  readonly texts: readonly { readonly meaning: ItemMeaning; readonly value: string }[]
  readonly from: readonly number[]
}

const read = ({ field, index }: Field, rule: ItemMapping[string]): ItemParts => ({
  texts: partsOf(field, Object.keys(rule).join('')).flatMap(({ code, value }) => {
    const meaning = rule[code]
    return meaning === undefined ? [] : [{ meaning, value }]
  }),
  from: [index]
})

const join = (...parts: readonly ItemParts[]): ItemParts => ({
  texts: parts.flatMap(each => each.texts),
  from: [...new Set(parts.flatMap(each => each.from))]
})

const isSomething = ({ texts }: ItemParts) => texts.length > 0

const mappedItems = (fields: readonly Field[], mapping: ItemMapping): ItemParts[] =>
  fields
    .flatMap(each => {
      const rule = mapping[each.field.tag]
      return rule === undefined ? [] : [read(each, rule)]
    })
    .filter(isSomething)

/**
 * Each 852 is an item, or as many as there are 876 to 878 that belong to it: by the number in $8,
 * or because there is one 852 only.
 */
function standardItems(fields: readonly Field[], isHoldings: boolean): ItemParts[] {
  const tagged = (tags: readonly string[]) => fields.filter(({ field }) => tags.includes(field.tag))
  const places = tagged([locationTag])
  const pieces = tagged(pieceTags)
  const summaries = tagged(summaryTags)
  const belongsTo = (place: Field) => (each: Field) =>
    places.length === 1 || (linkOf(each.field) !== undefined && linkOf(each.field) === linkOf(place.field))
  const others = isHoldings ? fields.filter(({ field }) => Object.hasOwn(accessTags, field.tag)) : []
  const located = places.flatMap(place => {
    const told = summaries.filter(belongsTo(place))
    const numbers = tagged(Object.keys(captionTags)).filter(belongsTo(place))
    const own = join(
      read(place, location),
      ...told.map(each => read(each, summary)),
      // A text is written in place of the numbers (866 for 863).
      ...numbers
        .filter(({ field }) => !told.some(each => each.field.tag[2] === String(Number(field.tag[2]) + 3)))
        .map(each => stated(each, fields)),
      ...others.map(each => read(each, accessTags[each.field.tag] ?? {}))
    )
    const copies = pieces.filter(belongsTo(place)).map(each => read(each, piece))
    return copies.length === 0 ? [own] : copies.map(each => join(own, each))
  })
  const loose = pieces.filter(each => !places.some(place => belongsTo(place)(each))).map(each => read(each, piece))
  return [...located, ...loose].filter(isSomething)
}

/** The words of 863 to 865 with the captions that they name by $8. */
function stated(numbers: Field, fields: readonly Field[]): ItemParts {
  const captions = fields.find(
    ({ field }) => field.tag === captionTags[numbers.field.tag] && linkOf(field) === linkOf(numbers.field)
  )
  const value = statementOf(numbers.field, captions?.field)
  const notes = read(numbers, { z: 'note' })
  return {
    texts: [...(value === '' ? [] : [{ meaning: 'volume' as const, value }]), ...notes.texts],
    from: [numbers.index, ...(captions === undefined ? [] : [captions.index])]
  }
}

/** The number by which a field belongs to a location. */
export const linkOf = (field: DataField) =>
  /^\d+/.exec(field.subfields.find(({ code }) => code === '8')?.value ?? '')?.[0]

function toDraft({ texts, from }: ItemParts): Omit<ItemDraft, 'key'> {
  const valuesOf = (meaning: ItemMeaning) => texts.filter(each => each.meaning === meaning).map(each => each.value)
  const metadata = itemFields.flatMap((key): { key: ItemField; value: string }[] => {
    const values = valuesOf(key)
    // The last is the nearest to the item: that of 876 rather than that of 852.
    if (key === 'barcode' || key === 'status' || key === 'location')
      return values.slice(-1).map(value => ({ key, value }))
    if (key === 'note' || key === 'link' || key === 'licence')
      return [...new Set(values)].map(value => ({ key, value }))
    return values.length === 0 ? [] : [{ key, value: values.join(key === 'volume' ? ', ' : ' ') }]
  })
  const library = libraryNamed(valuesOf(holdings.library))
  return { metadata, from, ...(library === undefined ? {} : { library }) }
}

/** The library and its branch have one code together; until somebody names it, this is its name. */
function libraryNamed(parts: readonly string[]): AuthorityDraft | undefined {
  const code = [...new Set(parts)].join('/')
  if (code === '') return undefined
  const metadata = [
    { key: 'code', value: code },
    { key: 'name', value: code }
  ]
  return { type: holdings.library, metadata, identifiers: [], key: code }
}
