import { blankLeader, type DataField, isControlTag, isDataField, type MarcField, type MarcRecord } from './record.ts'

/*
 * The rules of the MARCXML schema (MARC21slim.xsd). Records of other systems were read leniently;
 * harvesters that validate would refuse a whole page for one wrong indicator.
 */

const anywhere = /[\dA-Za-z ]/
/** The allowed characters of each position of the leader. */
const leaderPlaces: readonly RegExp[] = Array.from({ length: 24 }, (_, place) => {
  if (place < 5 || (place > 11 && place < 17)) return /[\d ]/
  if (place === 6) return /[\dA-Za-z]/
  if (place === 10 || place === 11) return /[2 ]/
  return anywhere
})
const controlTag = /^00[1-9A-Za-z]$/
const dataTag = /^(?:0(?:[1-9A-Z][0-9A-Z]|[1-9a-z][0-9a-z])|[1-9A-Z][0-9A-Z]{2}|[1-9a-z][0-9a-z]{2})$/
const indicator = /[\da-z ]/
const subfieldCode = /^[\dA-Za-z!"#$%&'()*+,\-./:;<=>?{}_^`~[\]\\]$/

/**
 * Returns a record that the schema of MARCXML allows: the same one if it does already. Fields with
 * an impossible tag are left out; control fields come first.
 */
export function toSlimRecord(record: MarcRecord): MarcRecord {
  const { leader, fields } = record
  if (slimLeader.test(leader) && fields.every(isSlim) && isControlFirst(fields)) return record
  const allowed = fields.flatMap(toSlimField)
  return {
    leader: toSlimLeader(leader),
    fields: [...allowed.filter(each => !isDataField(each)), ...allowed.filter(isDataField)]
  }
}

/** The same rules as `leaderPlaces` in one pattern. */
const slimLeader = /^[\d ]{5}[\dA-Za-z ][\dA-Za-z][\dA-Za-z ]{3}[2 ]{2}[\d ]{5}[\dA-Za-z ]{3}4500$/
const slimIndicators = /^[\da-z ]{2}$/

/** Tests whether the schema allows a field as it is: that is true of all that are composed. */
const isSlim = (field: MarcField): boolean =>
  isDataField(field)
    ? dataTag.test(field.tag) &&
      slimIndicators.test(field.indicators) &&
      field.subfields.length > 0 &&
      field.subfields.every(({ code }) => subfieldCode.test(code))
    : controlTag.test(field.tag)

const isControlFirst = (fields: readonly MarcField[]) =>
  fields.every((field, place) => isDataField(field) || place === 0 || !isDataField(fields[place - 1] as MarcField))

function toSlimLeader(leader: string): string {
  const places = leaderPlaces.map((allowed, place) => {
    const character = leader[place] ?? ' '
    return allowed.test(character) ? character : (blankLeader[place] ?? ' ')
  })
  return places.slice(0, 20).join('') + blankLeader.slice(20)
}

function toSlimField(field: MarcField): MarcField[] {
  if (isControlTag(field.tag)) {
    if (!controlTag.test(field.tag)) return []
    return [isDataField(field) ? { tag: field.tag, value: field.subfields.map(each => each.value).join(' ') } : field]
  }
  if (!dataTag.test(field.tag)) return []
  return isDataField(field)
    ? toSlimData(field)
    : toSlimData({ tag: field.tag, indicators: '  ', subfields: [{ code: 'a', value: field.value }] })
}

function toSlimData({ tag, indicators, subfields }: DataField): DataField[] {
  if (subfields.length === 0) return []
  const allowed = [0, 1].map(place => {
    const given = indicators[place] ?? ' '
    return indicator.test(given) ? given : ' '
  })
  return [
    {
      tag,
      indicators: allowed.join(''),
      subfields: subfields.map(({ code, value }) => ({ code: subfieldCode.test(code) ? code : '?', value }))
    }
  ]
}
