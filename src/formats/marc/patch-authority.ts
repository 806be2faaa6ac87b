import type { ChangedNames } from '#domain/imports/stored-source-record.ts'
import { describeAuthority, detectAuthority } from './mapping/authority-record.ts'
import { withText } from './patch/edit-values.ts'
import {
  type DataField,
  type Dialect,
  findControlValue,
  isDataField,
  type MarcField,
  type MarcRecord
} from './record.ts'

/**
 * Updates an authority record: the fields that say something else about what people changed since
 * are changed where they stand, or replaced by composed ones. All others stay as they are. Returns
 * the record itself if nothing was changed.
 */
export function patchAuthority(source: MarcRecord, composed: MarcRecord, changed: ChangedNames): MarcRecord {
  if (changed?.size === 0) return source
  const [before, after] = [source, composed].map(saidBy)
  if (before === undefined || after === undefined) return composed
  const names = changed ?? new Set([...before, ...after].map(each => each.name))
  const fields: (MarcField | undefined)[] = [...source.fields]
  const come: MarcField[] = []
  for (const name of names) {
    const [was, is] = [before, after].map(list => list.filter(each => each.name === name))
    const gone = minus(was, is)
    const isNew: (Said | undefined)[] = minus(is, was)
    for (const [place, { index, text }] of gone.entries()) {
      const field = fields[index]
      const next = isNew[place]
      if (field === undefined || !isDataField(field)) continue
      // The name and number of another authority (5XX) are not changed.
      const isOwn = text !== undefined && next?.text !== undefined && !field.tag.startsWith('5')
      fields[index] = isOwn ? withText(field, letters, [text, next.text]) : undefined
      if (fields[index] !== undefined) isNew.splice(place, 1, undefined)
      // Other values of the field stay, in fields of their own.
      else
        come.push(
          ...restOf(
            field,
            gone.filter(each => each.index === index)
          )
        )
    }
    for (const each of isNew) {
      const field = each && composed.fields[each.index]
      if (field !== undefined && !come.includes(field)) come.push(field)
    }
  }
  const all = fields.filter(each => each !== undefined)
  for (const field of come) all.splice(all.findLastIndex(each => each.tag <= field.tag) + 1, 0, field)
  const time = findControlValue(composed, '005')
  return {
    leader: `${source.leader.slice(0, 5)}c${source.leader.slice(6)}`,
    fields: all.map(each => (each.tag === '005' && time !== undefined ? { tag: '005', value: time } : each))
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** A value or relation that one field of an authority record gives. */
export interface Said {
  /** The key of the field or the type of the relation. */
  readonly name: string
  readonly line: string
  readonly index: number
  /** The text of a value that is written as it is. */
  readonly text: string | undefined
}

/** The statements of each field: those of a record of it and the name, beyond those of the name. */
export function saidBy(record: MarcRecord): Said[] | undefined {
  const dialect = detectAuthority(record)
  const heading = record.fields.findIndex(each => isHeading(each, record, dialect))
  const name = record.fields[heading]
  if (dialect === undefined || name === undefined) return undefined
  const own = linesOf({ ...record, fields: [name] }, dialect)
  const known = new Set(own.map(each => each.line))
  return record.fields.flatMap((field, index) => {
    if (index === heading) return own.map(each => ({ ...each, index }))
    return linesOf({ ...record, fields: [name, field] }, dialect).flatMap(each =>
      known.has(each.line) ? [] : [{ ...each, index }]
    )
  })
}

const isHeading = (field: MarcField, record: MarcRecord, dialect: Dialect | undefined) =>
  dialect !== undefined &&
  isDataField(field) &&
  describeAuthority({ ...record, fields: [field] }, dialect) !== undefined

function linesOf(record: MarcRecord, dialect: Dialect): Omit<Said, 'index'>[] {
  const found = describeAuthority(record, dialect)
  if (found === undefined) return []
  const { authority, details, relations } = found
  return [
    ...[...authority.metadata, ...details].map(({ key, value }) => ({
      name: key,
      line: `${key} ${value}`,
      text: value
    })),
    ...(authority.variants ?? []).map(text => ({ name: variant, line: `${variant} ${text}`, text })),
    ...authority.identifiers.map(each => ({ name: 'identifier', line: `identifier ${each}`, text: undefined })),
    ...relations.map(({ relation, target, isReversed, role }) => ({
      name: relation,
      line: [relation, isReversed, role, target.type, ...target.metadata.map(each => each.value)].join(' '),
      text: undefined
    }))
  ]
}

const variant = 'non_preferred_name'

function minus(list: readonly Said[] = [], other: readonly Said[] = []): Said[] {
  const lines = new Set(other.map(each => each.line))
  return list.filter(each => !lines.has(each.line))
}

/** A field without the subfields of some values. */
function restOf(field: DataField, gone: readonly Said[]): DataField[] {
  const texts = new Set(gone.map(each => each.text))
  const subfields = field.subfields.filter(({ code, value }) => /[a-z]/.test(code) && !texts.has(value))
  const isList = field.subfields.length > 1 && new Set(field.subfields.map(each => each.code)).size === 1
  return isList && subfields.length > 0 ? [{ ...field, subfields }] : []
}
