import type { Subfield } from '../marc/record.ts'

/** A field of PICA+: `028B/01 $aGoethe$dJohann` has the tag 028B and the occurrence 01. */
export interface PicaField {
  readonly tag: string
  /** Empty if there is none. */
  readonly occurrence: string
  readonly subfields: readonly Subfield[]
}

export const firstOf = ({ subfields }: PicaField, code: string): string | undefined =>
  subfields.find(each => each.code === code)?.value

export const valuesOf = ({ subfields }: PicaField, codes: string): string[] =>
  subfields.filter(each => codes.includes(each.code)).map(({ value }) => value)
