import { isControlTag, type MarcField, type MarcRecord } from './record.ts'

/*
 * Aleph, and files that were made from its screens, have a circumflex or a number sign for a blank
 * in the leader, in coded fields and in indicators. Neither is a value there.
 */

const signs = /[\^#]/g
const coded = new Set(['006', '007', '008'])

export const withBlanks = (text: string) => text.replaceAll(signs, ' ')

/** A field whose signs for blanks are blanks. */
export const fieldWithBlanks = (field: MarcField): MarcField =>
  'value' in field
    ? coded.has(field.tag) || !isControlTag(field.tag)
      ? { ...field, value: withBlanks(field.value) }
      : field
    : { ...field, indicators: withBlanks(field.indicators) }

/** A record with blanks; the record itself unless its leader has signs for them. */
export const recordWithBlanks = (record: MarcRecord): MarcRecord =>
  record.leader.search(signs) < 0
    ? record
    : { ...record, leader: withBlanks(record.leader), fields: record.fields.map(fieldWithBlanks) }
