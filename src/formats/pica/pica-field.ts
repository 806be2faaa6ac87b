import type { Subfield } from '../marc/record.ts'

/** A field of PICA+: `028B/01 $aGoethe$dJohann` has the tag 028B and the occurrence 01. */
export interface PicaField {
  readonly tag: string
  /** Empty if there is none. */
  readonly occurrence: string
  readonly subfields: readonly Subfield[]
}

/** Subfields that were read. */
const read = new WeakSet<Subfield>()

export const firstOf = (field: PicaField, code: string): string | undefined => {
  const found = field.subfields.find(each => each.code === code)
  if (found !== undefined) read.add(found)
  return found?.value
}

/** The subfields with any of the codes, in the order of the field. */
export function subfieldsOf({ subfields }: PicaField, codes: string): Subfield[] {
  const found = subfields.filter(each => codes.includes(each.code))
  for (const each of found) read.add(each)
  return found
}

export const valuesOf = (field: PicaField, codes: string): string[] =>
  subfieldsOf(field, codes).map(({ value }) => value)

/**
 * Fields that manage the record or belong to one library; and subfields of the link to an authority
 * record, and of its other numbers.
 */
const managing = /^(?:00[1379]|017L|04[67]|1|20[0-8])/
const linking = '379VXwR'

/** Names each subfield that nobody read so far: `045E $a`. */
export const unreadIn = (fields: readonly PicaField[]): string[] =>
  fields
    .filter(({ tag }) => !managing.test(tag))
    .flatMap(({ tag, subfields }) =>
      subfields.flatMap(each => (read.has(each) || linking.includes(each.code) ? [] : [`${tag} $${each.code}`]))
    )
