import { faultByForm } from '#domain/editing/value-warnings.ts'
import type { Fault } from '#domain/errors.ts'
import { marcAuthorityFields } from '#domain/labels/marc-authority-fields.ts'
import { type MarcFieldRule, marcFields } from '#domain/labels/marc-fields.ts'
import { type MarcRules, positionsOf, unknownCodes } from '#domain/labels/marc-positions.ts'
import { unimarcAuthorityFields, unimarcFields } from '#domain/labels/unimarc-fields.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { detectAuthority } from './mapping/authority-record.ts'
import { type DataField, detectDialect, isDataField, type MarcField, type MarcRecord } from './record.ts'

/** The rules of a format, and its name. */
interface RecordRules {
  readonly name: string
  readonly fields: ReadonlyMap<string, MarcFieldRule>
  /** The fields of which a record has one in all, and how they are written together. */
  readonly main: { readonly tags: RegExp; readonly listed: string }
  /** The fields of ISBN and ISSN. */
  readonly numbers: { readonly isbn?: string; readonly issn?: string }
}

const marc21Main = { tags: /^1[013][01]$/, listed: '100, 110, 111 or 130' }

const rulesOf: Readonly<Record<MarcRules, RecordRules>> = {
  publication: { name: 'MARC 21', fields: marcFields, main: marc21Main, numbers: { isbn: '020', issn: '022' } },
  authority: {
    name: 'authority records of MARC 21',
    fields: marcAuthorityFields,
    main: marc21Main,
    numbers: { isbn: '020', issn: '022' }
  },
  unimarc: {
    name: 'UNIMARC',
    fields: unimarcFields,
    main: { tags: /^7[0-2]0$/, listed: '700, 710 or 720' },
    numbers: { isbn: '010', issn: '011' }
  },
  unimarcAuthority: {
    name: 'authority records of UNIMARC',
    fields: unimarcAuthorityFields,
    // Headings in other scripts repeat the field, with the script in $7.
    main: { tags: /^$/, listed: '' },
    numbers: {}
  }
}

/** The rules that a record follows. */
function findRules(record: MarcRecord): MarcRules {
  const authority = detectAuthority(record)
  if (authority !== undefined) return authority === 'marc21' ? 'authority' : 'unimarcAuthority'
  return detectDialect(record) === 'marc21' ? 'publication' : 'unimarc'
}

/**
 * Checks a publication or an authority in MARC 21 or UNIMARC by the rules of its format: tags,
 * indicators and subfields that do not exist, repetitions, fixed fields, check digits, and fields
 * in original script without their pair. Each warning has the position of its field among the
 * fields, and its tag. Local fields, with a 9 or a letter in the tag, are not checked.
 */
export function checkRecord(record: MarcRecord): Fault[] {
  const kind = findRules(record)
  const rules = rulesOf[kind]
  const isUnimarc = kind.startsWith('unimarc')
  const counts = Map.groupBy(record.fields, each => each.tag)
  return [
    ...checkPositions('LDR', record.leader, record.leader, kind).map(message => warning(message, 'LDR')),
    ...checkMainEntries(record.fields, rules.main),
    ...record.fields.flatMap((field, index) => {
      const { tag } = field
      const rule = rules.fields.get(tag)
      const isFirst = counts.get(tag)?.[0] === field
      const messages = [
        ...(rule === undefined && !isLocal(tag) ? [`There is no field ${tag} in ${rules.name}`] : []),
        ...(rule?.isRepeatable === false && !isFirst ? [`Field ${tag} may not be repeated`] : []),
        ...(isDataField(field)
          ? [
              ...checkDataField(field, rule, { ...rules.numbers, isUnimarc }),
              ...(isUnimarc ? checkCodedField(field, record.leader, kind) : checkLinkage(field, record)),
              ...(kind === 'publication' ? checkContent(field, record.leader) : [])
            ]
          : checkControlField(tag, field.value, record.leader, kind))
      ]
      return messages.map(message => warning(message, tag, index))
    })
  ]
}

const warning = (message: string, tag: string, index?: number): Fault => ({
  pointer: index === undefined ? '/leader' : `/fields/${index}`,
  message,
  code: 'doubtful_value',
  key: tag
})

const isLocal = (tag: string) => /[9A-Za-z]/.test(tag)

/** Codes that positions of a fixed field do not have. */
const checkPositions = (tag: string, value: string, leader: string, rules: MarcRules): string[] =>
  positionsOf(tag, value, leader, rules).flatMap(position =>
    unknownCodes(value, position).map(
      code => `Position ${position.start} of ${tag} (${position.name}) cannot be "${code.replaceAll(' ', '#')}"`
    )
  )

function checkMainEntries(fields: readonly MarcField[], { tags, listed }: RecordRules['main']): Fault[] {
  const [, ...others] = fields.flatMap(({ tag }, index) => (tags.test(tag) ? [{ tag, index }] : []))
  return others.map(({ tag, index }) => warning(`A record has one main entry (${listed})`, tag, index))
}

/** Codes of languages and areas, and the order and punctuation of the title. */
function checkContent({ tag, indicators, subfields }: DataField, leader: string): string[] {
  if (tag === '041' && indicators[1] !== '7')
    return subfields.flatMap(({ code, value }) =>
      /[a-z]/.test(code) && value.length % 3 !== 0
        ? [`Subfield $${code} of 041 must have codes of three letters, not "${value}"`]
        : []
    )
  if (tag === '043')
    return subfields.flatMap(({ code, value }) =>
      code === 'a' && value.length !== 7 ? [`Subfield $a of 043 must have seven characters, not "${value}"`] : []
    )
  return tag === '245' ? checkTitle(subfields, leader) : []
}

/** The punctuation before a subfield of 245, where the leader says that there is any (ISBD). */
const titlePunctuation: Readonly<Record<string, { readonly isRight: RegExp; readonly listed: string }>> = {
  b: { isRight: / [:;=]$/, listed: '" :", " ;" or " ="' },
  c: { isRight: / \/$/, listed: '" /"' },
  n: { isRight: /\.$/, listed: '"."' },
  p: { isRight: /[.,]$/, listed: '"," after $n, else "."' }
}

function checkTitle(all: DataField['subfields'], leader: string): string[] {
  const subfields = all.filter(({ code }) => /[a-z]/.test(code))
  const messages = subfields[0]?.code === 'a' ? [] : ['The first subfield of 245 is $a']
  if (!'ai'.includes(leader[18] ?? ' ')) return messages
  for (const [place, { code }] of subfields.entries()) {
    const rule = titlePunctuation[code]
    const before = subfields[place - 1]
    if (rule === undefined || before === undefined) continue
    const isRight = code === 'p' ? (before.code === 'n' ? /,$/ : /\.$/) : rule.isRight
    if (!isRight.test(before.value)) messages.push(`Before $${code} of 245 there must be ${rule.listed}`)
  }
  return messages
}

/** The positions of the coded fields of UNIMARC, which are in $a. */
const checkCodedField = ({ tag, subfields }: DataField, leader: string, kind: MarcRules): string[] =>
  subfields.flatMap(({ code, value }) => (code === 'a' ? checkPositions(tag, value, leader, kind) : []))

/** The lengths of fixed fields. */
const lengths: Readonly<Record<string, number>> = { '006': 18, '008': 40 }

function checkControlField(tag: string, value: string, leader: string, rules: MarcRules): string[] {
  const length = lengths[tag]
  return length === undefined || value.length === length
    ? checkPositions(tag, value, leader, rules)
    : [`Field ${tag} has ${length} characters, not ${value.length}`]
}

function checkDataField(
  { tag, indicators, subfields }: DataField,
  rule: MarcFieldRule | undefined,
  { isbn, issn, isUnimarc = false }: RecordRules['numbers'] & { readonly isUnimarc?: boolean }
): string[] {
  const messages = subfields
    .filter(({ value }) => value.trim() === '')
    .map(({ code }) => `Subfield $${code} of ${tag} is empty`)
  for (const { code, value } of subfields)
    if (/[\t\r\n]/.test(value)) messages.push(`Subfield $${code} of ${tag} has a tab or a line break`)
  if (tag === isbn) messages.push(...numbersIn(subfields).flatMap(isbnFault))
  if (tag === issn) messages.push(...numbersIn(subfields).flatMap(issnFault))
  if (rule === undefined) return messages
  for (const [place, values] of rule.indicators.entries()) {
    const value = indicators[place] ?? ' '
    if (values !== undefined && !values.includes(value) && !(isUnimarc && value === '|'))
      messages.push(`Indicator ${place + 1} of ${tag} cannot be "${value.replace(' ', '#')}"`)
  }
  for (const code of new Set(subfields.map(each => each.code)))
    if (rule.subfields !== undefined && !/\d/.test(code) && !rule.subfields.includes(code))
      messages.push(`Field ${tag} has no subfield $${code}`)
  for (const code of rule.once)
    if (subfields.filter(each => each.code === code).length > 1)
      messages.push(`Subfield $${code} of ${tag} may not be repeated`)
  return messages
}

const numbersIn = (subfields: DataField['subfields']) =>
  subfields.filter(({ code }) => code === 'a').map(({ value }) => value.split(' ')[0] ?? '')

const isbnFault = (text: string) => (readIsbn(text)?.checkDigitIsRight ? [] : [`"${text}" is not a valid ISBN`])

function issnFault(text: string): string[] {
  const fault = faultByForm.issn(text)
  return fault === undefined ? [] : [`"${text}" ${fault}`]
}

/** The tag and number in $6 of a field: `880-01`, `245-01/$1`. 00 means that there is no pair. */
const linkOf = (field: MarcField) => {
  const value = isDataField(field) ? field.subfields.find(({ code }) => code === '6')?.value : undefined
  const [, tag, number] = /^([0-9A-Z]{3})-(\d\d)/i.exec(value ?? '') ?? []
  return tag === undefined || number === undefined ? undefined : { tag, number }
}

/** Checks that a field in original script (880) and its pair name each other. */
function checkLinkage(field: DataField, { fields }: MarcRecord): string[] {
  const link = linkOf(field)
  if (link === undefined) return field.tag === '880' ? ['Field 880 does not name its field in $6'] : []
  if (link.number === '00') return []
  const isPair = fields.some(each => {
    const other = linkOf(each)
    return each.tag === link.tag && other?.tag === field.tag && other.number === link.number
  })
  return isPair ? [] : [`Field ${field.tag} names ${link.tag}-${link.number} in $6, and no field ${link.tag} names it`]
}
