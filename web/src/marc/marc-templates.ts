/* Templates of the MARC editor: the fields of a kind of record, and those of this browser. */

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

/** The fields of each kind, with the punctuation between their subfields. */
export const kindTemplates = {
  book: `020 ## $a\n245 10 $a :$b /$c\n${imprint}\n300 ## $a pages :$b ;$c cm\n${rda(text, unmediated, volume)}`,
  serial: `022 ## $a\n245 00 $a\n${imprint}\n310 ## $a\n362 0# $a\n${rda(text, unmediated, volume)}`,
  score: `028 32 $a$b\n245 10 $a /$c\n${imprint}\n300 ## $a pages ;$c cm\n${rda('notated music|ntm', unmediated, volume)}\n382 0# $a`,
  recording: `024 3# $a\n028 02 $a$b\n245 10 $a /$c\n${imprint}\n300 ## $a\n306 ## $a\n${rda('performed music|prm', 'audio|s', 'audio disc|sd')}\n511 0# $a`,
  ebook: `020 ## $a$q(electronic book)\n245 10 $a :$b /$c\n${imprint}\n300 ## $a1 online resource\n${rda(text, 'computer|c', 'online resource|cr')}\n856 40 $u`
} as const

export type KindTemplate = keyof typeof kindTemplates

const storeKey = 'libretto-marc-templates'

export function listOwnTemplates(): readonly MarcTemplate[] {
  try {
    return JSON.parse(localStorage.getItem(storeKey) ?? '[]') as readonly MarcTemplate[]
  } catch {
    return []
  }
}

/** Stores a template; one with the same name is replaced. */
export const keepOwnTemplate = (template: MarcTemplate): void =>
  store([...listOwnTemplates().filter(({ name }) => name !== template.name), template])

export const dropOwnTemplate = (name: string): void => store(listOwnTemplates().filter(each => each.name !== name))

function store(templates: readonly MarcTemplate[]) {
  const sorted = templates.toSorted((one, other) => one.name.localeCompare(other.name))
  localStorage.setItem(storeKey, JSON.stringify(sorted))
}

const tagOf = (line: string) => line.slice(0, 3)

/** Adds the fields of a template whose tags a record lacks, each after the last lower tag. */
export function withTemplate(record: string, template: string): string {
  const lines = record.split('\n').filter(line => line.trim() !== '')
  const there = new Set(lines.map(tagOf))
  for (const line of template.split('\n').filter(each => !there.has(tagOf(each)))) {
    const after = lines.findLastIndex(each => tagOf(each) === 'LDR' || tagOf(each) <= tagOf(line))
    lines.splice(after + 1, 0, line)
  }
  return lines.join('\n')
}
