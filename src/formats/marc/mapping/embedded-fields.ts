import { table } from '#domain/table.ts'
import { type DataField, type Dialect, isDataField, type MarcField, type Subfield } from '../record.ts'

/*
 * Linking fields of UNIMARC (4XX) have either subfields of their own, or whole fields of the other
 * record in $1: the tag and the indicators, and after it the subfields. The mapping reads the
 * former, so the latter are written that way.
 */

/** The subfield of a linking field for each subfield of an embedded one. */
const linkingCodes: Readonly<Record<string, Readonly<Record<string, string>>>> = table({
  '010': table({ a: 'y' }),
  '011': table({ a: 'x' }),
  '200': table({ a: 't', e: 'o', f: 'f', h: 'h', i: 'i', v: 'v' }),
  '205': table({ a: 'e' }),
  '210': table({ a: 'c', c: 'n', d: 'd' }),
  '214': table({ a: 'c', c: 'n', d: 'd' }),
  '215': table({ a: 'p' }),
  '225': table({ a: 's', v: 'v' }),
  '700': table({ a: 'a' }),
  '701': table({ a: 'a' }),
  '710': table({ a: 'a' }),
  '856': table({ u: 'u' })
})

/** The fields of a record, with embedded fields as subfields; as many, in the same order. */
export function withoutEmbedding(fields: readonly MarcField[], dialect: Dialect): readonly MarcField[] {
  if (dialect === 'marc21' || !fields.some(isEmbedding)) return fields
  return fields.map(field => (isEmbedding(field) ? expanded(field) : field))
}

const isEmbedding = (field: MarcField): field is DataField =>
  field.tag.startsWith('4') &&
  isDataField(field) &&
  field.subfields.some(({ code, value }) => code === '1' && /^\d{3}/.test(value))

function expanded(field: DataField): DataField {
  const subfields: Subfield[] = []
  let tag = ''
  for (const { code, value } of field.subfields) {
    if (code === '1') {
      tag = value.slice(0, 3)
      if (tag === '001') subfields.push({ code: '0', value: value.slice(3) })
      continue
    }
    const last = subfields.at(-1)
    if (tag.startsWith('70') && code === 'b' && last?.code === 'a')
      subfields[subfields.length - 1] = { code: 'a', value: `${last.value}, ${value}` }
    // $1 is counted as a subfield without a place in the model.
    else subfields.push({ code: tag === '' ? code : (linkingCodes[tag]?.[code] ?? '1'), value })
  }
  return { ...field, subfields }
}
