import { table } from '#domain/table.ts'
import { field, fixedField, inOrder, part as plainPart } from '../marc/make-field.ts'
import { blankLeader, type DataField, type MarcRecord, type Subfield } from '../marc/record.ts'
import { firstOf, type PicaField, subfieldsOf, valuesOf } from './pica-field.ts'

/*
 * Converts PICA+ to MARC 21, for the fields that the catalogue understands. The tags are those of
 * K10plus and GBV (https://format.k10plus.de). The name of a linked authority record stands in
 * capital subfields ($A $D $E $M, and $F for the units of a body) or in one text ($8).
 */

/** Fields whose subfields only get other codes: `a` stays, `n>a` becomes `a`. */
interface Row {
  readonly from: string
  readonly to: string
  readonly indicators?: string
  readonly codes: string
  /** Subfields that are added. */
  readonly with?: string
}

const rows: readonly Row[] = [
  { from: '006A', to: '010', codes: '0>a' },
  { from: '004A', to: '020', codes: '0>a A>a f>q' },
  { from: '005A', to: '022', codes: '0>a' },
  { from: '004L', to: '024', indicators: '3 ', codes: '0>a' },
  { from: '004F', to: '024', indicators: '2 ', codes: '0>a' },
  { from: '004V', to: '024', indicators: '7 ', codes: '0>a', with: '2doi' },
  { from: '004U', to: '024', indicators: '7 ', codes: '0>a', with: '2urn' },
  { from: '004R', to: '024', indicators: '7 ', codes: '0>a', with: '2hdl' },
  { from: '007D', to: '028', codes: '0>a b' },
  { from: '045A', to: '050', codes: 'a' },
  { from: '045F', to: '082', codes: 'a' },
  { from: '045Q', to: '084', codes: 'a', with: '2bkl' },
  { from: '045R', to: '084', codes: 'a', with: '2rvk' },
  { from: '021G', to: '246', indicators: '31', codes: 'a d>b' },
  { from: '021M', to: '246', indicators: '3 ', codes: 'a d>b' },
  { from: '027A', to: '246', indicators: '3 ', codes: 'a' },
  { from: '032@', to: '250', codes: 'a h>b' },
  { from: '035E', to: '255', codes: 'a' },
  { from: '002C', to: '336', codes: 'a b 2' },
  { from: '002D', to: '337', codes: 'a b 2' },
  { from: '002E', to: '338', codes: 'a b 2' },
  { from: '037A', to: '500', codes: 'a' },
  { from: '037G', to: '500', codes: 'a' },
  { from: '037C', to: '502', codes: 'a d>b e>c f>d g' },
  { from: '046M', to: '505', indicators: '0 ', codes: 'a' },
  { from: '047I', to: '520', codes: 'a' },
  { from: '013F', to: '521', codes: 'a' },
  { from: '013D', to: '655', indicators: ' 7', codes: 'a' },
  { from: '044S', to: '655', indicators: ' 7', codes: 'a' },
  { from: '044N', to: '653', codes: 'a' },
  { from: '017C', to: '856', indicators: '40', codes: 'u 3 y z' },
  { from: '009P', to: '856', indicators: '40', codes: 'u a>u y z' },
  { from: '009Q', to: '856', indicators: '42', codes: 'u a>u y z' }
]

const rowsByTag = Map.groupBy(rows, each => each.from)

/** The subjects of a thesaurus, by the kind of the authority record that they are linked to. */
const subjectTags: Readonly<Record<string, string>> = table({ Tp: '600', Tb: '610', Tf: '611', Tu: '630', Tg: '651' })

/** Returns a record of MARC 21 for the fields of one of PICA+. */
export function toMarc(fields: readonly PicaField[]): MarcRecord {
  const find = (tag: string) => fields.find(each => each.tag === tag)
  const leader = leaderOf(fields)
  const number = firstOf(find('003@') ?? none, '0')?.trim()
  const numberField = number ? [{ tag: '001', value: number }] : []
  if (leader[6] === 'z') return { leader, fields: [...numberField, ...authorityFields(fields)] }
  const main = fields.find(({ tag }) => tag === '028A') ?? fields.find(({ tag }) => tag === '029A')
  const languages = find('010@')
  const dates = find('011@')
  const data = [
    ...fields.flatMap(each => (rowsByTag.get(each.tag) ?? []).flatMap(row => converted(each, row))),
    ...fields.flatMap(each => otherNumber(each)),
    ...(languages === undefined ? [] : languageField(languages)),
    ...fields.flatMap(each => agentField(each, each === main)),
    ...titleFields(fields, main !== undefined),
    ...imprint(fields, dates),
    ...extent(fields),
    ...seriesFields(fields),
    ...fields.flatMap(subjectField),
    ...hostFields(fields),
    ...itemFields(fields)
  ]
  return {
    leader,
    fields: [
      ...numberField,
      fixedField({
        year: firstOf(dates ?? none, 'a'),
        original: firstOf(dates ?? none, 'r'),
        language: firstOf(languages ?? none, 'a')
      }),
      ...inOrder(data)
    ]
  }
}

const none: PicaField = { tag: '', occurrence: '', subfields: [] }

const part = (code: string, value: string | undefined): Subfield | undefined =>
  plainPart(code, value === undefined ? undefined : filing(value).text)

const parts = (code: string, values: readonly string[]) => values.map(each => part(code, each))

/** A text without the `@` before the word that it is sorted by; `skipped` characters precede it. */
function filing(text: string): { text: string; skipped: number } {
  const at = /^@|(?<=[\s'’])@/.exec(text)?.index
  return at === undefined ? { text, skipped: 0 } : { text: text.slice(0, at) + text.slice(at + 1), skipped: at }
}

function converted(given: PicaField, { to, indicators = '  ', codes, with: added }: Row): DataField[] {
  const mapping = new Map(codes.split(' ').map(each => [each[0] ?? '', each.at(-1) ?? '']))
  const kept = subfieldsOf(given, [...mapping.keys()].join('')).map(({ code, value }) =>
    part(mapping.get(code) ?? code, value)
  )
  const whole = field(to, indicators, kept)
  return added === undefined ? whole : whole.flatMap(each => [withPart(each, added)])
}

const withPart = (given: DataField, added: string): DataField => ({
  ...given,
  subfields: [...given.subfields, { code: added.slice(0, 1), value: added.slice(1) }]
})

/** The numbers of the record in WorldCat and in the union list of serials. */
function otherNumber(given: PicaField): DataField[] {
  const number = firstOf(given, '0')
  if (number === undefined) return []
  if (given.tag === '003O' && /^OCoLC$/i.test(firstOf(given, 'a') ?? ''))
    return field('035', '  ', [part('a', `(OCoLC)${number}`)])
  return given.tag === '006Z' ? field('035', '  ', [part('a', `(DE-599)ZDB${number}`)]) : []
}

const languageField = (given: PicaField): DataField[] =>
  field('041', firstOf(given, 'c') === undefined ? '0 ' : '1 ', [
    ...parts('a', valuesOf(given, 'a')),
    ...parts('b', valuesOf(given, 'd')),
    ...parts('h', valuesOf(given, 'c')),
    ...parts('j', valuesOf(given, 'f'))
  ])

/** Persons (028), corporate bodies (029) and conferences (030). The main one is entered in 1XX. */
function agentField(given: PicaField, isMain: boolean): DataField[] {
  const { tag } = given
  const hundred = isMain ? '1' : '7'
  const isPerson = /^028[A-Y]/.test(tag)
  if (!isPerson && !/^029[A-Y]/.test(tag)) return tag === '030F' ? conference(given) : []
  const roles = [...parts('e', valuesOf(given, 'B')), ...parts('4', valuesOf(given, '4'))]
  const usual = tag === '028B' && roles.length === 0 ? [part('4', 'aut')] : []
  const name = isPerson ? personName(given) : corporateName(given)
  const indicator = isPerson ? (firstOf(given, 'P') === undefined ? '1 ' : '0 ') : '2 '
  return name.length === 0
    ? []
    : field(hundred + (isPerson ? '00' : '10'), indicator, [...name, ...roles, ...usual, ...authority(given)])
}

function personName(given: PicaField): (Subfield | undefined)[] {
  const surname = ownOrLinked(given, 'a')
  const direct = firstOf(given, 'P')
  const expansion = expanded(given)
  const forenames = [ownOrLinked(given, 'd'), ownOrLinked(given, 'c')].filter(Boolean).join(' ')
  const name =
    surname !== undefined
      ? [surname, forenames].filter(Boolean).join(', ')
      : direct !== undefined
        ? [direct, ownOrLinked(given, 'n')].filter(Boolean).join(' ')
        : expansion?.name
  if (name === undefined) return []
  const dates = firstOf(given, 'h') ?? yearsOf(firstOf(given, 'E'), firstOf(given, 'M')) ?? expansion?.dates
  return [part('a', name), part('c', ownOrLinked(given, 'l')), part('d', dates)]
}

/** A part of a name: of the field itself, or of the authority record that it is linked to. */
const ownOrLinked = (given: PicaField, code: string) => firstOf(given, code) ?? firstOf(given, code.toUpperCase())

const yearsOf = (born: string | undefined, died: string | undefined): string | undefined =>
  born === undefined && died === undefined ? undefined : `${born ?? ''}-${died ?? ''}`

function corporateName(given: PicaField): (Subfield | undefined)[] {
  const name = ownOrLinked(given, 'a') ?? expanded(given)?.name
  if (name === undefined) return []
  const units = [...valuesOf(given, 'b'), ...valuesOf(given, 'F')]
  return [part('a', withAddition(name, ownOrLinked(given, 'g'))), ...parts('b', units)]
}

/** A name with the text that tells it from others: `Deutschland (Bundesrepublik)`. */
const withAddition = (name: string, addition: string | undefined) =>
  addition === undefined ? name : `${name} (${addition})`

const conference = (given: PicaField): DataField[] =>
  field('711', '2 ', [
    part('a', ownOrLinked(given, 'a') ?? expanded(given)?.name),
    part('n', ownOrLinked(given, 'j')),
    part('d', ownOrLinked(given, 'p')),
    part('c', ownOrLinked(given, 'k')),
    ...authority(given)
  ])

/** The text of a linked authority record: `Kafka, Franz *1883-1924* [Tp1]`. */
function expanded(given: PicaField): { name: string; dates: string | undefined; kind: string | undefined } | undefined {
  const text = firstOf(given, '8')?.trim()
  if (text === undefined || text === '') return undefined
  const kind = /\[(T[a-z])\w*\]$/.exec(text)?.[1]
  const bare = text.replace(/\[T\w+\]$/, '').trimEnd()
  const dates = /\*([^*]+)\*$/.exec(bare)?.[1]
  return { name: (dates === undefined ? bare : bare.slice(0, bare.indexOf('*'))).trim(), dates, kind }
}

/** The kind of the linked authority record: `Tp` of `[Tp1]`, or of `Tpv1` in $V. */
const kindOf = (given: PicaField): string | undefined =>
  expanded(given)?.kind ?? /^T[a-z]/.exec(firstOf(given, 'V') ?? '')?.[0]

/** The number of the authority record in the GND: `gnd/118559230`. */
function authority(given: PicaField): (Subfield | undefined)[] {
  const number = [...valuesOf(given, '7'), ...valuesOf(given, '0')].find(each => each.startsWith('gnd/'))
  return number === undefined ? [] : [part('0', `(DE-588)${number.slice(4)}`)]
}

function titleFields(fields: readonly PicaField[], hasMain: boolean): DataField[] {
  const [own] = fields.filter(each => each.tag === '021A')
  const [subseries] = fields.filter(({ tag }) => tag === '021C' || tag === '021B')
  const [whole] = fields.filter(each => each.tag === '036C' && each.occurrence !== '01')
  // A volume is named by the whole, its number and its own title.
  const isVolume = whole !== undefined && firstOf(whole, 'a') !== undefined
  const proper = isVolume ? whole : own
  const title = firstOf(proper ?? none, 'a')
  const volume = isVolume ? [part('n', firstOf(whole, 'l')), part('p', firstOf(own ?? none, 'a'))] : []
  const statement = own ?? proper ?? none
  const skipped = title === undefined ? 0 : Math.min(9, filing(title).skipped)
  const [uniform] = fields.filter(each => each.tag === '022A' && each.occurrence !== '01')
  const work = firstOf(uniform ?? none, 'a')
  const workSkipped = work === undefined ? 0 : Math.min(9, filing(work).skipped)
  return [
    ...field('245', `${hasMain ? 1 : 0}${skipped}`, [
      part('a', title),
      ...volume,
      ...(subseries === undefined ? [] : [part('n', firstOf(subseries, 'l')), part('p', firstOf(subseries, 'a'))]),
      part('b', valuesOf(statement, 'd').join(' : ')),
      part('c', firstOf(statement, 'h'))
    ]),
    ...(work === undefined || uniform === undefined
      ? []
      : field(hasMain ? '240' : '130', hasMain ? `1${workSkipped}` : `${workSkipped} `, [
          part('a', work),
          ...subfieldsOf(uniform, 'nmprkosf')
        ]))
  ]
}

function imprint(fields: readonly PicaField[], dates: PicaField | undefined): DataField[] {
  const [from, to, written] = ['a', 'b', 'n'].map(code => firstOf(dates ?? none, code))
  const date = written ?? (from === undefined ? undefined : to === undefined ? from : `${from}-${to}`)
  const published = fields.filter(each => each.tag === '033A')
  if (published.length === 0) return field('264', ' 1', [part('c', date)])
  return published.flatMap((each, index) =>
    field('264', ' 1', [
      ...parts('a', valuesOf(each, 'p')),
      ...parts('b', valuesOf(each, 'n')),
      index === 0 ? part('c', date) : undefined
    ])
  )
}

const extent = (fields: readonly PicaField[]): DataField[] =>
  field(
    '300',
    '  ',
    Object.entries({ '034D': 'a', '034M': 'b', '034I': 'c', '034K': 'e' }).flatMap(([tag, code]) =>
      fields.filter(each => each.tag === tag).flatMap(each => parts(code, valuesOf(each, 'a')))
    )
  )

function subjectField(given: PicaField): DataField[] {
  if (!/^(?:041A|044[A-MP-RT-Z])$/.test(given.tag)) return []
  const expansion = expanded(given)
  const name = ownOrLinked(given, 'a') ?? firstOf(given, 'P') ?? expansion?.name
  if (name === undefined) return given.tag === '041A' ? place(given) : []
  const category = firstOf(given, 'N')
  const forenames = ownOrLinked(given, 'd')
  const kind = kindOf(given)
  const isPerson = kind === 'Tp' || category === '600'
  const tag = category !== undefined && /^6\d\d$/.test(category) ? category : (subjectTags[kind ?? ''] ?? '650')
  const linkedYears = yearsOf(firstOf(given, 'E'), firstOf(given, 'M'))
  const dates = expansion?.dates ?? linkedYears ?? (category === undefined ? undefined : forenames)
  return field(tag, isPerson ? '17' : ' 7', [
    part(
      'a',
      forenames === undefined || category !== undefined
        ? withAddition(name, firstOf(given, 'G'))
        : `${name}, ${forenames}`
    ),
    ...(tag === '610' ? parts('b', valuesOf(given, 'F')) : []),
    part('d', isPerson ? dates : undefined),
    ...subfieldsOf(given, 'txyzv'),
    ...authority(given)
  ])
}

/**
 * Series: 036E as the publication has them, 036F as the records that they are linked to; both have
 * the same occurrence.
 */
function seriesFields(fields: readonly PicaField[]): DataField[] {
  const linked = fields.filter(each => each.tag === '036F' && firstOf(each, 'a') !== undefined)
  return fields.flatMap(each => {
    const number = part('v', firstOf(each, 'l') ?? firstOf(each, 'm'))
    if (each.tag === '036E') {
      const isTraced = linked.some(({ occurrence }) => occurrence === each.occurrence)
      const title = [firstOf(each, 'a'), ...valuesOf(each, 'p')].filter(Boolean).join('. ')
      return field('490', isTraced ? '1 ' : '0 ', [part('a', title || undefined), number])
    }
    if (!linked.includes(each)) return []
    return field('830', ' 0', [part('a', firstOf(each, 'a')), number, part('x', firstOf(each, '1'))])
  })
}

/** A place ($g) or a period ($z) in a chain of subjects. */
const place = (given: PicaField): DataField[] => [
  ...field('651', ' 7', [part('a', firstOf(given, 'g'))]),
  ...field('648', ' 7', [part('a', firstOf(given, 'z'))])
]

/** The host of an article with its place in it; preceding and succeeding titles. */
function hostFields(fields: readonly PicaField[]): DataField[] {
  const [at] = fields.filter(each => each.tag === '031A')
  const [volume, issue, year, pages, written] = ['d', 'e', 'j', 'h', 'y'].map(code => firstOf(at ?? none, code))
  const where =
    written ??
    [[volume, year && `(${year})`].filter(Boolean).join(' '), issue, pages && `p. ${pages}`].filter(Boolean).join(', ')
  return fields.flatMap(each => {
    const relation = each.tag === '039E' ? (/^s/.test(firstOf(each, 'b') ?? '') ? '785' : '780') : '773'
    if (each.tag !== '039B' && each.tag !== '039E') return []
    const number = firstOf(each, '6')
    const kind = { ISSN: 'x', ISBN: 'z' }[firstOf(each, 'C') ?? '']
    return field(relation, relation === '773' ? '0 ' : '00', [
      part('a', firstOf(each, 'l')),
      part('t', firstOf(each, 't') ?? expanded(each)?.name),
      relation === '773' ? part('g', where || undefined) : undefined,
      kind === undefined ? undefined : part(kind, number)
    ])
  })
}

/**
 * The copies: fields of one occurrence after the number of a library (101@) belong together. 209A
 * has the shelf mark, 209G the barcode, 237A a note.
 */
function itemFields(fields: readonly PicaField[]): DataField[] {
  let library: string | undefined
  const copies = new Map<string, (Subfield | undefined)[]>()
  for (const each of fields) {
    if (each.tag === '101@') library = firstOf(each, 'a')
    if (!each.tag.startsWith('2')) continue
    const key = `${library} ${each.occurrence}`
    const copy = copies.get(key) ?? [part('a', library === undefined ? undefined : `ILN ${library}`)]
    copies.set(key, copy)
    if (each.tag === '209A') copy.push(part('c', firstOf(each, 'f')), part('h', firstOf(each, 'a')))
    if (each.tag === '209G') copy.push(part('p', firstOf(each, 'a')))
    if (each.tag === '237A') copy.push(part('z', firstOf(each, 'a')))
  }
  return [...copies.values()].flatMap(copy =>
    copy.some(each => each && each.code !== 'a') ? field('852', '  ', copy) : []
  )
}

/** The names of authority records: the preferred one, and the variants. */
const authorityTags: Readonly<Record<string, string>> = table({
  '028A': '100',
  '028@': '400',
  '029A': '110',
  '029@': '410',
  '030A': '111',
  '030@': '411',
  '022A': '130',
  '022@': '430',
  '041A': '150',
  '041@': '450',
  '065A': '151',
  '065@': '451'
})

function authorityFields(fields: readonly PicaField[]): DataField[] {
  const [life] = fields.filter(each => each.tag === '060R')
  const dates = yearsOf(firstOf(life ?? none, 'a'), firstOf(life ?? none, 'b'))
  return fields.flatMap(each => {
    if (each.tag === '007K') return field('035', '  ', [part('a', `(DE-588)${firstOf(each, '0') ?? ''}`)])
    const tag = authorityTags[each.tag]
    if (tag === undefined) return []
    const name = each.tag.startsWith('028') ? personName(each) : corporateName(each)
    const isPreferred = tag === '100' && !name.some(subfield => subfield?.code === 'd')
    return field(tag, '1 ', [...name, isPreferred ? part('d', dates) : undefined])
  })
}

const contentLetters: Readonly<Record<string, string>> = table({
  txt: 'a',
  cri: 'e',
  crd: 'e',
  ntm: 'c',
  prm: 'j',
  spw: 'i',
  sti: 'k',
  tdi: 'g',
  cop: 'm',
  cod: 'm'
})

/** The type of the record by the first letter of 002@, where no type of content is given. */
const materialLetters: Readonly<Record<string, string>> = table({
  B: 'g',
  G: 'j',
  H: 't',
  I: 'k',
  K: 'e',
  M: 'c',
  S: 'm',
  T: 'z',
  V: 'r',
  Z: 'o'
})

function leaderOf(fields: readonly PicaField[]): string {
  const [kind] = fields.filter(each => each.tag === '002@')
  const [material = '', level = ''] = firstOf(kind ?? none, '0') ?? ''
  const [content] = fields.filter(each => each.tag === '002C')
  const type =
    material === 'T' ? 'z' : (contentLetters[firstOf(content ?? none, 'b') ?? ''] ?? materialLetters[material] ?? 'a')
  const bibliographic = 'bd'.includes(level || '?') ? 's' : 'so'.includes(level || '?') ? 'a' : 'm'
  const status = fields.some(each => each.tag === '001E') ? 'd' : 'n'
  return blankLeader.slice(0, 5) + status + type + bibliographic + blankLeader.slice(8)
}
