import type { DataField, MarcField, Subfield } from './record.ts'

/* The fields of records that are made from other formats. */

/** A field of the given subfields; none if all of them are empty. */
export function field(tag: string, indicators: string, subfields: readonly (Subfield | undefined)[]): DataField[] {
  const given = subfields.filter(each => each !== undefined && each.value.trim() !== '') as Subfield[]
  return given.length === 0 ? [] : [{ tag, indicators, subfields: given }]
}

export const part = (code: string, value: string | undefined): Subfield | undefined =>
  value === undefined ? undefined : { code, value }

export const parts = (code: string, values: readonly string[]) => values.map(each => part(code, each))

/** The fields in the order of their tags; those of one tag stay in their order. */
export const inOrder = (fields: readonly MarcField[]): MarcField[] =>
  [...fields].sort((one, other) => (one.tag < other.tag ? -1 : one.tag > other.tag ? 1 : 0))

/** 008 with the year of publication, the year of the original of a reprint, and the language. */
export function fixedField(given: {
  year?: string | undefined
  original?: string | undefined
  language?: string | undefined
}): MarcField {
  const year = (text: string | undefined) => /^[12]\d{3}$/.exec(text?.trim() ?? '')?.[0]
  const language = /^[a-z]{3}$/.exec(given.language?.trim() ?? '')?.[0] ?? '   '
  const original = year(given.original)
  const kind = original === undefined ? 's' : 'r'
  return {
    tag: '008',
    value: `||||||${kind}${year(given.year) ?? '    '}${original ?? '    '}xx ${'|'.repeat(17)}${language}||`
  }
}
