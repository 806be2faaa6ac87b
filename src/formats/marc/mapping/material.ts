import type { MarcRecord } from '../record.ts'
import { formOf } from '../../description/content-forms.ts'
import type { ContentForm, MappingProblem } from '../../description/description.ts'
import type { MappingTable } from './table.ts'

/** The material of a record: the kind of the publication, and of its contents. */
export interface Material {
  readonly material: string
  readonly content: string
  /** The form that the leader names, and all that the content types name. */
  readonly form: ContentForm
  readonly forms: readonly ContentForm[]
}

/** Leader/07 of a serial: an electronic journal is one; a database that is updated is not. */
const serial = 's'

export function findMaterial(
  record: MarcRecord,
  table: MappingTable,
  contentTypes: readonly string[],
  problems: MappingProblem[]
): Material {
  const type = record.leader[6] ?? ' '
  const level = record.leader[7] ?? ' '
  const row = table.materials.find(each => each.leaderTypes.includes(type)) ?? table.materials[0]
  if (row === undefined) throw new Error('The table of materials is empty')
  if (!row.leaderTypes.includes(type))
    problems.push({
      kind: 'unknown_type',
      message: `Leader/06 is "${type}"; read as language material`,
      from: undefined
    })
  const isSerial =
    (row.form === 'text' && table.serialLevels.includes(level)) || (row.form === 'computer' && level === serial)
  if (isSerial) return { material: 'serial', content: 'serial', form: 'text', forms: ['text'] }
  const named = contentTypes.flatMap(word => formOf(word) ?? [])
  const forms = named.length === 0 ? [row.form] : [...new Set(named.map(each => each.form))]
  // A file of text is text; but pictures in a book of text do not make it a book of pictures.
  const content =
    named.length === 0 || named.some(each => each.content === row.content)
      ? row.content
      : (named[0]?.content ?? row.content)
  return { material: row.material, content, form: row.form, forms }
}
