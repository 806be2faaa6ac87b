import type { EntityContent, Json } from '../entity/entity.ts'
import { countCharacters, firstCharacters, foldText } from '../values/fold.ts'
import { readDate } from '../values/dates.ts'
import { readIsbn } from '../values/isbn.ts'
import { readPrice } from '../labels/price.ts'
import type { Model } from '../record-types/model.ts'
import type { Field } from '../record-types/record-type.ts'
import { shelfOrderKey, shelfOrderOf } from './shelf-order.ts'

/** Characters of a text that sorting compares. */
export const sortLength = 256
/**
 * Maximum length of a filter value: a longer text never equals one, so its exact form need not be
 * stored.
 */
export const maxFilterTextLength = 512

/** The kind a value is sorted as: truth, an instant, a number or text, in this order. */
export type SortKind = 'b' | 'd' | 'n' | 't'

/** One value of a metadata key, in every form a filter or an order compares it by. */
export interface IndexValue {
  readonly key: string
  /** 0 for the first value of the key, which is the one to sort by. */
  readonly position: number
  /** As stored, for exact comparing. Null when longer than any filter value. */
  readonly text: string | null
  readonly folded: string
  readonly sortKind: SortKind
  readonly number: number | null
  readonly instant: number | null
  readonly truth: 0 | 1 | null
  /** Whether this is the name of the record for people. */
  readonly isName: 0 | 1
  /**
   * Whether it was made from another value for finding (an ISBN in its other form), and so is not
   * counted.
   */
  readonly isDerived: 0 | 1
}

/** The rows by which an entity's metadata is found. Empty values count as none. */
export function indexValues(model: Model, content: Pick<EntityContent, 'type' | 'metadata'>): IndexValue[] {
  const rows: IndexValue[] = []
  const positions = new Map<string, number>()
  const nameField = model.findType(content.type)?.nameField

  const add = (key: string, value: Json, isDerived: 0 | 1) => {
    const text = textOf(value)
    if (text === '') return
    const position = positions.get(key) ?? 0
    positions.set(key, position + 1)
    const folded = foldText(text)
    const field = model.fieldOf(content.type, key)
    const number = numberOf(field?.kind === 'price' ? (readPrice(text)?.amount ?? value) : value)
    const instant = typeof value === 'string' ? (readDate(value)?.first ?? null) : null
    rows.push({
      key,
      position,
      text: isShort(text) ? text : null,
      folded,
      sortKind: sortKindOf(value, number, instant, field),
      number,
      instant,
      truth: typeof value === 'boolean' ? (value ? 1 : 0) : null,
      isName: key === nameField && !isDerived ? 1 : 0,
      isDerived
    })
  }

  for (const { key, value } of content.metadata) {
    for (const element of Array.isArray(value) ? value : [value]) add(key, element, 0)
  }
  for (const { key, value } of content.metadata) {
    if (!model.isIsbnKey(key) || typeof value !== 'string') continue
    const comparable = readIsbn(value)?.comparable
    if (comparable !== undefined && comparable !== value) add(key, comparable, 1)
  }
  for (const { key, value } of content.metadata)
    if (model.fieldOf(content.type, key)?.isShelfMark && typeof value === 'string')
      add(shelfOrderKey, shelfOrderOf(value), 1)
  return rows
}

/** A value as text: `selection` compares a number or a boolean by it. */
export function textOf(value: Json): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function sortKindOf(value: Json, number: number | null, instant: number | null, field: Field | undefined): SortKind {
  if (typeof value === 'boolean') return 'b'
  // A year is stored as a number or as text; either way 900 comes before 1990. So does a price.
  if (number !== null && (typeof value === 'number' || field?.kind === 'year' || field?.kind === 'price')) return 'n'
  return instant !== null && (!field || field.kind === 'date' || field.kind === 'moment') ? 'd' : 't'
}

/** The text that a value is sorted by, in code-point order. */
export function sortText({
  sortKind,
  truth,
  instant,
  number,
  folded
}: Pick<IndexValue, 'sortKind' | 'truth' | 'instant' | 'number' | 'folded'>): string {
  if (sortKind === 'b') return `b${truth}`
  if (sortKind === 'd') return `d${sortableNumber(instant as number)}`
  if (sortKind === 'n') return `n${sortableNumber(number as number)}`
  return `t${firstCharacters(folded, sortLength)}`
}

const view = new DataView(new ArrayBuffer(8))

/** Sixteen hexadecimal digits that sort like the number: IEEE 754 with the sign inverted. */
export function sortableNumber(value: number): string {
  view.setFloat64(0, value === 0 ? 0 : value)
  const bits = view.getBigUint64(0)
  const sortable = bits >> 63n ? ~bits & 0xffff_ffff_ffff_ffffn : bits | 0x8000_0000_0000_0000n
  return sortable.toString(16).padStart(16, '0')
}

/** Zero has no sign, since `-0` and `0` have one text. */
function numberOf(value: Json): number | null {
  if (typeof value === 'number') return value + 0
  return typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) + 0 : null
}

function isShort(text: string): boolean {
  return (
    text.length <= maxFilterTextLength ||
    (text.length <= 2 * maxFilterTextLength && countCharacters(text) <= maxFilterTextLength)
  )
}
