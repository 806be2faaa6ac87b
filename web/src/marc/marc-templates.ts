import type { MarcRules } from '../../../src/domain/labels/marc-positions.ts'

/* Templates of the MARC editor: the fields of a kind of record, and those of this browser. */

export type RecordKind = MarcRules

export interface MarcTemplate {
  readonly name: string
  readonly lines: string
}

const rda = (content: string, medium: string, carrier: string) =>
  [
    ['336', content, 'rdacontent'],
    ['337', medium, 'rdamedia'],
    ['338', carrier, 'rdacarrier']
  ]
    .map(([tag, terms = '', scheme]) => {
      const [word, code] = terms.split('|')
      return `${tag} ## $a${word}$b${code}$2${scheme}`
    })
    .join('\n')

const [text, unmediated, volume] = ['text|txt', 'unmediated|n', 'volume|nc']
const imprint = '264 #1 $a :$b,$c'

/** The leader with its positions 06 and 07, and 008 with the day alone. */
const begin = (kind: string, date: string) => `LDR 00000n${kind} a2200000 i 4500\n008 ${date}${'|'.repeat(32)}||`
const beginAuthority = (date: string) => `LDR 00000nz  a2200000n  4500\n008 ${date}${'|'.repeat(34)}\n040 ## $a$erda`
const beginUnimarcAuthority = (date: string) => `LDR 00000nx   2200000   45  \n100 ## $a20${date}a|||y50      ba0`
const beginUnimarc = (kind: string, date: string) =>
  `LDR 00000n${kind}0 2200000   450 \n100 ## $a20${date}d        k  y0frey50      ba\n101 0# $a\n102 ## $a`

/** The fields of each kind of record, with the punctuation between their subfields. */
const kinds = {
  book: [
    'publication',
    'am',
    `020 ## $a\n245 10 $a :$b /$c\n${imprint}\n300 ## $a pages :$b ;$c cm\n${rda(text, unmediated, volume)}`
  ],
  serial: [
    'publication',
    'as',
    `022 ## $a\n245 00 $a\n${imprint}\n310 ## $a\n362 0# $a\n${rda(text, unmediated, volume)}`
  ],
  score: [
    'publication',
    'cm',
    `028 32 $a$b\n245 10 $a /$c\n${imprint}\n300 ## $a pages ;$c cm\n${rda('notated music|ntm', unmediated, volume)}\n382 0# $a`
  ],
  recording: [
    'publication',
    'jm',
    `024 3# $a\n028 02 $a$b\n245 10 $a /$c\n${imprint}\n300 ## $a\n306 ## $a\n${rda('performed music|prm', 'audio|s', 'audio disc|sd')}\n511 0# $a`
  ],
  ebook: [
    'publication',
    'am',
    `007 cr ${'|'.repeat(11)}\n020 ## $a$q(electronic book)\n245 10 $a :$b /$c\n${imprint}\n300 ## $a1 online resource\n${rda(text, 'computer|c', 'online resource|cr')}\n856 40 $u`
  ],
  person: ['authority', '', '100 1# $a,$d\n400 1# $a\n670 ## $a'],
  organisation: ['authority', '', '110 2# $a\n410 2# $a\n670 ## $a'],
  subject: ['authority', '', '150 ## $a\n450 ## $a\n550 ## $wg$a'],
  unimarcBook: [
    'unimarc',
    'am',
    '010 ## $a\n105 ## $a|||||||||||||\n200 1# $a$e$f\n210 ## $a$c$d\n215 ## $a$d\n606 ## $a\n700 #1 $a$b$4070'
  ],
  unimarcSerial: ['unimarc', 'as', '011 ## $a\n110 ## $aa||||||||||\n200 1# $a\n207 #0 $a\n210 ## $a$c$d\n326 ## $a'],
  unimarcPerson: ['unimarcAuthority', '', '200 #1 $a$b$f\n400 #1 $a$b\n810 ## $a']
} as const satisfies Readonly<Record<string, readonly [of: RecordKind, leader: string, lines: string]>>

export type KindTemplate = keyof typeof kinds

/** The kinds of records that a template is for: those of one sort, or all of them. */
export const templatesOf = (sort: RecordKind | undefined): KindTemplate[] =>
  (Object.keys(kinds) as KindTemplate[]).filter(kind => sort === undefined || kinds[kind][0] === sort)

/** The lines of a kind of record, begun on a day. */
export function linesOfKind(kind: KindTemplate, day = new Date()): string {
  const [sort, leader, lines] = kinds[kind]
  const date = [day.getFullYear() % 100, day.getMonth() + 1, day.getDate()]
    .map(each => String(each).padStart(2, '0'))
    .join('')
  const first = {
    publication: begin(leader, date),
    authority: beginAuthority(date),
    unimarc: beginUnimarc(leader, date),
    unimarcAuthority: beginUnimarcAuthority(date)
  }
  return withTemplate(first[sort], lines)
}

const storeKey = 'libretto-marc-templates'

export function listOwnTemplates(): readonly MarcTemplate[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storeKey) ?? '[]')
    return Array.isArray(stored) ? (stored as readonly MarcTemplate[]) : []
  } catch {
    return []
  }
}

/**
 * Stores a template; one with the same name is replaced. False when the browser refuses, because
 * its store is full or not allowed.
 */
export const keepOwnTemplate = (template: MarcTemplate): boolean =>
  store([...listOwnTemplates().filter(({ name }) => name !== template.name), template])

export const dropOwnTemplate = (name: string): boolean => store(listOwnTemplates().filter(each => each.name !== name))

function store(templates: readonly MarcTemplate[]): boolean {
  const sorted = templates.toSorted((one, other) => one.name.localeCompare(other.name))
  try {
    localStorage.setItem(storeKey, JSON.stringify(sorted))
    return true
  } catch {
    return false
  }
}

const tagOf = (line: string) => line.slice(0, 3)

/** Adds the fields of a template whose tags a record lacks, each after the last lower tag. */
export function withTemplate(record: string, template: string): string {
  const lines = record.split('\n').filter(line => line.trim() !== '')
  const there = new Set(lines.map(tagOf))
  for (const line of template.split('\n').filter(each => !there.has(tagOf(each)))) {
    const isLeader = tagOf(line) === 'LDR'
    const after = lines.findLastIndex(each => !isLeader && (tagOf(each) === 'LDR' || tagOf(each) <= tagOf(line)))
    lines.splice(after + 1, 0, line)
  }
  return lines.join('\n')
}
