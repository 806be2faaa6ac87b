/* A MARC record as lines of text: `245 10 $aTitle :$brest`, # for a blank indicator. */

/** A record in MARC-in-JSON: control fields are texts, data fields have subfields. */
export interface MarcJson {
  readonly leader: string
  readonly fields: readonly Readonly<Record<string, string | MarcDataField>>[]
}

export interface MarcDataField {
  readonly ind1: string
  readonly ind2: string
  readonly subfields: readonly Readonly<Record<string, string>>[]
}

const leaderTag = 'LDR'
/** Stands for a dollar sign within a value, as in .mrk. */
const dollar = '{dollar}'

/** The fields of a record, each with its tag. */
export const fieldsOf = ({ leader, fields }: MarcJson): { tag: string; field: string | MarcDataField }[] => [
  { tag: leaderTag, field: leader },
  ...fields.flatMap(each => Object.entries(each).map(([tag, field]) => ({ tag, field })))
]

export const indicatorsOf = ({ ind1, ind2 }: MarcDataField) => `${ind1}${ind2}`.replaceAll(' ', '#')

export const subfieldsOf = ({ subfields }: MarcDataField) => subfields.flatMap(each => Object.entries(each))

export const toLines = (record: MarcJson): string =>
  fieldsOf(record)
    .map(({ tag, field }) => (typeof field === 'string' ? `${tag} ${field}` : `${tag} ${toLine(field)}`))
    .map(line => line.replaceAll(/[\r\n]+/g, ' '))
    .join('\n')

const toLine = (field: MarcDataField) =>
  `${indicatorsOf(field)} ${subfieldsOf(field)
    .map(([code, value]) => `$${code}${value.replaceAll('$', dollar)}`)
    .join('')}`

export interface ReadLines {
  readonly record: MarcJson
  /** The number of the line of each field, counted from 0; that of the leader is not among them. */
  readonly lineOf: readonly number[]
  /** Lines that cannot be read. */
  readonly faults: readonly number[]
}

/** The line that a warning of the service is about. */
export function lineAt({ lineOf }: ReadLines, pointer: string): number {
  const [, index] = /^\/fields\/(\d+)$/.exec(pointer) ?? []
  return (index === undefined ? 0 : lineOf[Number(index)]) ?? 0
}

/** Reads lines. Empty ones are left out. */
export function readLines(text: string): ReadLines {
  const fields: Record<string, string | MarcDataField>[] = []
  const [lineOf, faults]: [number[], number[]] = [[], []]
  let leader = ''
  for (const [line, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue
    const [tag, rest] = [content.slice(0, 3), content.slice(4)]
    const field = tag === leaderTag || tag.startsWith('00') ? rest : readField(rest)
    if (!/^[0-9A-Za-z]{3}$/.test(tag) || content[3] !== ' ' || field === undefined) faults.push(line)
    else if (tag === leaderTag) leader = rest
    else {
      fields.push({ [tag]: field })
      lineOf.push(line)
    }
  }
  return { record: { leader, fields }, lineOf, faults }
}

function readField(text: string): MarcDataField | undefined {
  const [, ind1 = '', ind2 = '', rest = ''] = /^([0-9a-z# ])([0-9a-z# ]) ?(\$.*)$/.exec(text) ?? []
  if (rest === '') return undefined
  const subfields = rest
    .slice(1)
    .split('$')
    .map(each => ({ [each.slice(0, 1)]: each.slice(1).replaceAll(dollar, '$') }))
  if (subfields.some(each => '' in each)) return undefined
  return { ind1: ind1.replace('#', ' '), ind2: ind2.replace('#', ' '), subfields }
}
