import { table } from '#domain/table.ts'
import { languageCodeIn } from '../description/describe-drafts.ts'
import { splitOnce } from '../description/split-once.ts'
import { field, fixedField, inOrder, part, parts } from '../marc/make-field.ts'
import type { ReadOptions, Readings } from '../marc/reading.ts'
import { blankLeader, type DataField, type MarcRecord, type Subfield } from '../marc/record.ts'
import type { ByteSource } from '../source/bytes.ts'
import { type Element, elementsAt, textAt, textsAt } from '../xml/read-element.ts'
import { readXmlRecords } from '../marc/read-xml-records.ts'

/**
 * Reads MODS 3 as MARC 21: a record, a collection, or an answer of OAI-PMH or SRU.
 * https://www.loc.gov/standards/mods/
 */
export const readMods = (source: ByteSource, options: ReadOptions = {}): Readings =>
  readXmlRecords(source, options, { form: 'mods', names: 'mods', toMarc: modsToMarc })

function modsToMarc(mods: Element, number: string | undefined): MarcRecord {
  const names = elementsAt(mods, 'name')
  const main = mainName(names)
  const languages = languagesOf(mods)
  const date = dateOf(mods)
  const [identifier] = elementsAt(mods, 'recordInfo/recordIdentifier')
  const source = identifier?.attributes.get('source')
  const control = identifier?.text || number
  const data = [
    ...titleFields(mods, main !== undefined),
    ...names.flatMap(each => nameField(each, each === main ? '1' : '7')),
    ...field('041', '0 ', parts('a', languages)),
    ...originFields(mods, date),
    ...physicalFields(mods),
    ...Object.entries(textTags).flatMap(([name, [tag, indicators]]) =>
      textsAt(mods, name).flatMap(text => field(tag, indicators, [part('a', text)]))
    ),
    ...elementsAt(mods, 'note').flatMap(noteField),
    ...elementsAt(mods, 'subject').flatMap(subjectFields),
    ...elementsAt(mods, 'classification').flatMap(classField),
    ...elementsAt(mods, 'relatedItem').flatMap(relatedFields),
    ...elementsAt(mods, 'identifier').flatMap(identifierField),
    ...elementsAt(mods, 'location').flatMap(locationFields)
  ]
  return {
    leader: leaderOf(mods),
    fields: [
      ...(control ? [{ tag: '001', value: control }] : []),
      ...(source && identifier?.text ? [{ tag: '003', value: source }] : []),
      fixedField({ year: /\d{4}/.exec(date ?? '')?.[0], language: languages[0] }),
      ...inOrder(data)
    ]
  }
}

/** Elements of which only the text counts. */
const textTags: Readonly<Record<string, readonly [tag: string, indicators: string]>> = table({
  genre: ['655', ' 7'],
  abstract: ['520', '  '],
  tableOfContents: ['505', '0 '],
  targetAudience: ['521', '  '],
  accessCondition: ['506', '  ']
})

const attribute = ({ attributes }: Element, name: string) => attributes.get(name)?.trim() ?? ''

/** A title with the characters that do not sort, number and name of a part. */
function titleParts(info: Element): { subfields: (Subfield | undefined)[]; skipped: number } {
  const article = textAt(info, 'nonSort') ?? ''
  const joined = article === '' || /['’-]$/.test(article) ? article : `${article} `
  const title = textAt(info, 'title')
  return {
    subfields: [
      part('a', title === undefined ? undefined : joined + title),
      ...parts('n', textsAt(info, 'partNumber')),
      ...parts('p', textsAt(info, 'partName')),
      part('b', textAt(info, 'subTitle'))
    ],
    skipped: Math.min(9, joined.length)
  }
}

function titleFields(mods: Element, hasMain: boolean): DataField[] {
  const all = elementsAt(mods, 'titleInfo')
  const proper = all.find(each => attribute(each, 'type') === '')
  const statement = elementsAt(mods, 'note').find(each => attribute(each, 'type') === 'statement of responsibility')
  const inScript = all.find(each => attribute(each, 'script') !== '' && attribute(each, 'type') === 'alternative')
  const others = all.filter(each => each !== proper && each !== inScript)
  const title = proper === undefined ? { subfields: [], skipped: 0 } : titleParts(proper)
  const indicators = `${hasMain ? 1 : 0}${title.skipped}`
  const link = (tag: string) => (inScript === undefined ? undefined : part('6', `${tag}-01`))
  return [
    ...field('245', indicators, [link('880'), ...title.subfields, part('c', statement?.text)]),
    ...(inScript === undefined ? [] : field('880', indicators, [link('245'), ...titleParts(inScript).subfields])),
    ...others.flatMap((each, index) => {
      const { subfields, skipped } = titleParts(each)
      const isUniform = attribute(each, 'type') === 'uniform'
      // Only the first uniform title is one of this work.
      if (isUniform && others.findIndex(one => attribute(one, 'type') === 'uniform') === index)
        return field(hasMain ? '240' : '130', hasMain ? `1${skipped}` : `${skipped} `, subfields)
      const label = attribute(each, 'displayLabel')
      return field('246', attribute(each, 'type') === 'translated' ? '31' : '3 ', [
        part('i', label === '' ? undefined : `${label}:`),
        ...subfields
      ])
    })
  ]
}

const creatorRoles = /^(?:aut|cre|cmp|art|author|creator|composer|artist)$/i

const rolesOf = (name: Element) =>
  elementsAt(name, 'role/roleTerm').map(each => ({ text: each.text, isCode: attribute(each, 'type') === 'code' }))

/** The name of the main entry: the one marked as primary, or the first creator. */
const mainName = (names: readonly Element[]): Element | undefined =>
  names.find(each => attribute(each, 'usage') === 'primary') ??
  names.find(each => {
    const roles = rolesOf(each)
    return roles.length === 0 ? each === names[0] : roles.some(({ text }) => creatorRoles.test(text))
  })

function nameField(name: Element, hundred: string): DataField[] {
  const type = attribute(name, 'type')
  const subfields = nameParts(name)
  const roles = rolesOf(name)
  const codes = roles.filter(({ isCode }) => isCode)
  const uri = attribute(name, 'valueURI')
  const tag = type === 'corporate' ? '10' : type === 'conference' ? '11' : '00'
  return field(hundred + tag, tag === '00' ? '1 ' : '2 ', [
    ...subfields,
    ...parts('e', codes.length > 0 ? [] : roles.map(({ text }) => text)),
    ...parts(
      '4',
      codes.map(({ text }) => text)
    ),
    part('0', uri === '' ? undefined : uri)
  ])
}

function nameParts(name: Element): (Subfield | undefined)[] {
  const named = (type: string) =>
    elementsAt(name, 'namePart')
      .filter(each => attribute(each, 'type') === type)
      .map(({ text }) => text)
  const [whole, ...units] = named('')
  const family = [named('family').join(' '), named('given').join(' ')].filter(Boolean).join(', ')
  const isCorporate = attribute(name, 'type') === 'corporate'
  const main = whole ?? (family === '' ? textAt(name, 'displayForm') : family)
  if (main === undefined) return []
  return [
    part('a', isCorporate ? main : [main, ...units].join(', ')),
    ...(isCorporate ? parts('b', units) : []),
    ...parts('c', named('termsOfAddress')),
    ...parts('d', named('date'))
  ]
}

/** The codes of the languages, as MARC has them. */
const languagesOf = (mods: Element): string[] => [
  ...new Set(
    elementsAt(mods, 'language')
      .filter(each => attribute(each, 'objectPart') === '')
      .flatMap(each => {
        const terms = elementsAt(each, 'languageTerm')
        return terms.flatMap(({ text }) => languageCodeIn(text) ?? []).slice(0, 1)
      })
  )
]

/** The date of publication as it is written. */
function dateOf(mods: Element): string | undefined {
  for (const name of ['dateIssued', 'copyrightDate', 'dateCreated', 'dateOther']) {
    const dates = elementsAt(mods, `originInfo/${name}`).filter(each => attribute(each, 'point') !== 'end')
    const [first] = [...dates].sort(
      (one, other) => attribute(one, 'encoding').length - attribute(other, 'encoding').length
    )
    const keyed = dates.find(each => attribute(each, 'keyDate') === 'yes')
    const date = keyed ?? first
    if (date !== undefined && date.text !== '') return date.text
  }
  return undefined
}

function originFields(mods: Element, date: string | undefined): DataField[] {
  const places = elementsAt(mods, 'originInfo/place/placeTerm')
    .filter(each => attribute(each, 'type') !== 'code')
    .map(({ text }) => text)
  return [
    ...field('264', ' 1', [
      ...parts('a', places),
      ...parts('b', textsAt(mods, 'originInfo/publisher')),
      part('c', date)
    ]),
    ...textsAt(mods, 'originInfo/edition').flatMap(text => field('250', '  ', [part('a', text)])),
    ...textsAt(mods, 'originInfo/frequency').flatMap(text => field('310', '  ', [part('a', text)]))
  ]
}

const physicalFields = (mods: Element): DataField[] => [
  ...textsAt(mods, 'physicalDescription/extent').flatMap(text => field('300', '  ', [part('a', text)])),
  ...elementsAt(mods, 'physicalDescription/form')
    .filter(each => /^(?:|rdacarrier)$/.test(attribute(each, 'authority')))
    .flatMap(({ text }) => field('338', '  ', [part('a', text)])),
  ...textsAt(mods, 'physicalDescription/note').flatMap(text => field('500', '  ', [part('a', text)]))
]

const noteTags: Readonly<Record<string, string>> = table({
  performers: '511',
  'creation/production credits': '508',
  thesis: '502',
  awards: '586',
  bibliography: '504',
  'date/sequential designation': '362',
  ownership: '561',
  'system details': '538'
})

function noteField(note: Element): DataField[] {
  const type = attribute(note, 'type')
  if (type === 'statement of responsibility') return []
  const tag = noteTags[type] ?? '500'
  return field(tag, tag === '511' ? '0 ' : '  ', [part('a', note.text)])
}

/** A subject: its first term decides on the field, the others are subdivisions. */
function subjectFields(subject: Element): DataField[] {
  const uri = attribute(subject, 'valueURI')
  const link = part('0', uri === '' ? undefined : uri)
  const scale = textAt(subject, 'cartographics/scale')
  const coordinates = textAt(subject, 'cartographics/coordinates')
  const map = field('255', '  ', [part('a', scale), part('c', coordinates)])
  const [first, ...rest] = subject.children.filter(each => Object.hasOwn(subjectTags, each.name))
  if (first === undefined) return map
  const [tag = '650'] = subjectTags[first.name] ?? []
  const divisions = rest.map(each => part(subjectTags[each.name]?.[1] ?? 'x', each.text))
  if (first.name === 'name') return [...map, ...nameField(first, '6').map(each => withParts(each, divisions))]
  const text =
    first.name === 'titleInfo'
      ? textAt(first, 'title')
      : first.name === 'hierarchicalGeographic'
        ? first.children.at(-1)?.text
        : first.text
  return [...map, ...field(tag, tag === '653' ? '  ' : ' 7', [part('a', text), ...divisions, link])]
}

const subjectTags: Readonly<Record<string, readonly [tag: string, division: string]>> = table({
  topic: ['650', 'x'],
  geographic: ['651', 'z'],
  hierarchicalGeographic: ['651', 'z'],
  temporal: ['648', 'y'],
  genre: ['655', 'v'],
  titleInfo: ['630', 'x'],
  name: ['600', 'x']
})

const withParts = (given: DataField, added: readonly (Subfield | undefined)[]): DataField => ({
  ...given,
  subfields: [...given.subfields, ...added.filter(each => each !== undefined)]
})

const classTags: Readonly<Record<string, string>> = table({ ddc: '082', lcc: '050', udc: '080' })

function classField(given: Element): DataField[] {
  const authority = attribute(given, 'authority')
  const tag = classTags[authority]
  return tag === undefined
    ? field('084', '  ', [part('a', given.text), part('2', authority === '' ? undefined : authority)])
    : field(tag, '  ', [part('a', given.text)])
}

const relatedTags: Readonly<Record<string, string>> = table({
  host: '773',
  preceding: '780',
  succeeding: '785',
  original: '765',
  otherVersion: '775',
  otherFormat: '776'
})

function relatedFields(related: Element): DataField[] {
  const type = attribute(related, 'type')
  const [info] = elementsAt(related, 'titleInfo')
  const title = info === undefined ? undefined : titleParts(info).subfields.find(each => each?.code === 'a')?.value
  const number = (kind: string) =>
    elementsAt(related, 'identifier').find(each => attribute(each, 'type').toLowerCase() === kind)?.text
  if (title === undefined) return []
  if (type === 'series') {
    // The number of a series is often written after its title.
    const [name, volume] = splitOnce(title, /(?<!\s)\s+;\s+/)
    const numbered = textAt(related, 'titleInfo/partNumber') ?? textAt(related, 'part/detail/number') ?? volume
    return field('490', '0 ', [part('a', name), part('v', numbered), part('x', number('issn'))])
  }
  if (type === 'constituent') {
    const [name] = elementsAt(related, 'name')
    const [entry] = name === undefined ? [] : nameField(name, '7')
    const person = entry?.subfields.filter(each => !'e4'.includes(each.code)) ?? []
    return entry === undefined
      ? field('740', '02', [part('a', title)])
      : field(entry.tag, '12', [...person, part('t', title)])
  }
  const tag = relatedTags[type]
  if (tag === undefined) return []
  return field(tag, '0 ', [
    part('t', title),
    tag === '773' ? part('g', placeInHost(related)) : undefined,
    part('x', number('issn')),
    part('z', number('isbn'))
  ])
}

/** The part of the host that an article is: a text, or volume, issue, date and pages. */
function placeInHost(host: Element): string | undefined {
  const text = textAt(host, 'part/text')
  if (text !== undefined) return text
  const numbers = elementsAt(host, 'part/detail').flatMap(each => textsAt(each, 'number').slice(0, 1))
  const pages = elementsAt(host, 'part/extent').map(each =>
    [textAt(each, 'start'), textAt(each, 'end')].filter(Boolean).join('-')
  )
  const all = [...numbers, ...textsAt(host, 'part/date'), ...pages.filter(Boolean).map(each => `p. ${each}`)]
  return all.length === 0 ? undefined : all.join(', ')
}

function identifierField(given: Element): DataField[] {
  const { text } = given
  const isInvalid = attribute(given, 'invalid') === 'yes'
  const code = isInvalid ? 'z' : 'a'
  const type = attribute(given, 'type').toLowerCase()
  switch (type) {
    case 'isbn':
      return field('020', '  ', [part(code, text)])
    case 'issn':
      return field('022', '  ', [part(code, text)])
    case 'lccn':
      return field('010', '  ', [part(code, text)])
    case 'ean':
    case 'upc':
      return field('024', type === 'ean' ? '3 ' : '1 ', [part(code, text)])
    case 'doi':
    case 'hdl':
    case 'urn':
      return field('024', '7 ', [part(code, text), part('2', type)])
    case 'uri':
      return field('856', '40', [part('u', text)])
    case 'oclc':
      return field('035', '  ', [part('a', `(OCoLC)${text}`)])
    default:
      if (type.startsWith('music')) return field('028', '02', [part('a', text)])
      return /^\([^)]+\)/.test(text) ? field('035', '  ', [part('a', text)]) : []
  }
}

/** Addresses, except that of the record in its catalogue; and copies. */
function locationFields(location: Element): DataField[] {
  const links = elementsAt(location, 'url')
    .filter(each => attribute(each, 'access') !== 'object in context')
    .flatMap(each => {
      const label = attribute(each, 'displayLabel')
      return field('856', '40', [part('u', each.text), part('y', label === '' ? undefined : label)])
    })
  const library = textAt(location, 'physicalLocation')
  const copies = elementsAt(location, 'holdingSimple/copyInformation')
  const shelf = textAt(location, 'shelfLocator')
  const items =
    copies.length === 0
      ? field('852', '  ', [part('a', library), part('h', shelf)])
      : copies.flatMap(each =>
          field('852', '  ', [
            part('a', library),
            part('c', textAt(each, 'subLocation')),
            part('h', textAt(each, 'shelfLocator') ?? shelf),
            part('p', textAt(each, 'itemIdentifier')),
            ...parts('z', textsAt(each, 'note'))
          ])
        )
  return [...links, ...items]
}

const typeLetters: Readonly<Record<string, string>> = table({
  text: 'a',
  cartographic: 'e',
  'notated music': 'c',
  'sound recording-musical': 'j',
  'sound recording-nonmusical': 'i',
  'sound recording': 'j',
  'still image': 'k',
  'moving image': 'g',
  'three dimensional object': 'r',
  'software, multimedia': 'm',
  'mixed material': 'p'
})

function leaderOf(mods: Element): string {
  const type = typeLetters[textAt(mods, 'typeOfResource')?.toLowerCase() ?? ''] ?? 'a'
  const isSerial = textsAt(mods, 'originInfo/issuance').some(each => /^(?:serial|continuing)$/.test(each))
  const isPart = elementsAt(mods, 'relatedItem').some(each => attribute(each, 'type') === 'host')
  return blankLeader.slice(0, 6) + type + (isSerial ? 's' : isPart ? 'a' : 'm') + blankLeader.slice(8)
}
