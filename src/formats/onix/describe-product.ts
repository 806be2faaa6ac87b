import { table } from '#domain/table.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import type { Level } from '#domain/entity/publication.ts'
import { codeWording, corporation, place, publisher, subject, targetAudience } from '#domain/record-types/related.ts'
import {
  badIsbn,
  describeDrafts,
  invertName,
  type NamedTitle,
  namedAuthority,
  personAuthority,
  readLanguage,
  roleFor
} from '../description/describe-drafts.ts'
import type {
  MappingProblem,
  Origin,
  RecordDescription,
  RelationDraft,
  Statement,
  AuthorityDraft
} from '../description/description.ts'
import { addRelation } from '../description/relations.ts'
import { seriesRelation } from '../description/series.ts'
import { htmlToText } from '../html/html-to-text.ts'
import {
  audienceWords,
  availabilityCodes,
  availabilityWords,
  classKeys,
  editionWords,
  kindFor,
  literaryTypes,
  pricesWithoutTax,
  prizeWords,
  relators,
  schemeNames,
  statusWords
} from './code-lists.ts'
import { type Element, elementsAt, textAt, textsAt } from '../xml/read-element.ts'

/** Describes a product of ONIX 3.0 or 2.1 at the three levels. */
export function describeProduct(product: Element, agency: string | undefined): RecordDescription {
  const draft = createDraft()
  const form = textAt(product, 'DescriptiveDetail/ProductForm') ?? textAt(product, 'ProductForm') ?? ''
  const kind = kindFor(form, [...inEither(product, 'PrimaryContentType'), ...inEither(product, 'ProductContentType')])
  const titles = readTitles(product, draft)
  readNumbers(product, draft)
  readPeople(product, draft, agency ?? 'onix')
  readLanguages(product, draft)
  readPublishing(product, draft)
  readExtent(product, draft)
  readSubjects(product, draft)
  readAudiences(product, draft)
  readSeries(product, draft)
  readTexts(product, draft)
  readPrizes(product, draft)
  readCovers(product, draft)
  readSupply(product, draft)
  draft.add('manifestation', 'material_type', kind.word, 'ProductForm')
  draft.add('expression', 'content_type', kind.contentType, 'ProductForm')
  return describeDrafts({
    controlNumber: textAt(product, 'RecordReference'),
    agency,
    material: kind.material,
    content: kind.content,
    forms: [kind.form],
    levels: draft.levels,
    titles,
    problems: draft.problems
  })
}

/** The parts of a description, while a product is read. */
interface Draft {
  readonly levels: Record<Level, { metadata: Statement[]; relations: RelationDraft[]; identifiers: string[] }>
  readonly problems: MappingProblem[]
  add(level: Level, key: string, value: string | undefined, element: string): void
  relate(
    level: Level,
    relation: string,
    target: AuthorityDraft | undefined,
    element: string,
    role?: RelationDraft['role']
  ): void
  addSeries(title: string, number: string | undefined, issn: string | undefined, element: string): void
}

function createDraft(): Draft {
  const empty = () => ({ metadata: [], relations: [], identifiers: [] })
  const levels: Draft['levels'] = { work: empty(), expression: empty(), manifestation: empty() }
  let index = 0
  const from = (tag: string): Origin => ({ tag, part: '', index: index++ })
  const seen = new Set<string>()
  const isNew = (...parts: readonly unknown[]) => seen.size < seen.add(JSON.stringify(parts)).size
  return {
    levels,
    problems: [],
    add(level, key, value, element) {
      if (value === undefined || value === '' || !isNew(level, key, value)) return
      levels[level].metadata.push({ key, value, from: from(element) })
    },
    relate(level, relation, target, element, role) {
      if (target === undefined || target.key === '') return
      if (isNew(level, relation, target.type, target.key, role?.code))
        levels[level].relations.push({ relation, target, ...(role === undefined ? {} : { role }), from: from(element) })
    },
    addSeries(title, number, issn, element) {
      this.add('manifestation', 'series_statement', number === undefined ? title : `${title} ; ${number}`, element)
      const relation = seriesRelation({ title, number, issn, from: from(element) })
      if (relation !== undefined) addRelation(levels.manifestation.relations, relation)
    }
  }
}

/** ONIX 3.0 has the description in a block of its own; 2.1 has no such block. */
const inEither = (product: Element, path: string) => [
  ...textsAt(product, `DescriptiveDetail/${path}`),
  ...textsAt(product, path)
]
const blocksOf = (product: Element, ...names: readonly string[]) => [
  product,
  ...names.flatMap(name => elementsAt(product, name))
]
const elementsIn = (product: Element, name: string) =>
  blocksOf(product, 'DescriptiveDetail').flatMap(block => elementsAt(block, name))

// Titles

const kindByTitleType: Readonly<Record<string, NamedTitle['kind']>> = table({
  '03': 'original',
  '05': 'variant',
  '06': 'parallel',
  '08': 'variant',
  '11': 'variant'
})

/** Fields of the titles beside the distinctive one, such as that of the cover. */
const fieldByTitleType: Readonly<Record<string, string>> = table({
  '06': 'parallel_title',
  ...Object.fromEntries(['02', '04', '05', '08', '11', '12', '13', '14'].map(type => [type, 'other_title']))
})

function readTitles(product: Element, draft: Draft): NamedTitle[] {
  const details = [...elementsIn(product, 'TitleDetail'), ...elementsAt(product, 'Title')]
  const distinctive = details.find(each => (textAt(each, 'TitleType') ?? '01') === '01')
  const main = distinctive ?? details.find(each => textAt(each, 'TitleType') === '00')
  const named = main === undefined ? undefined : titleOf(main)
  draft.add('manifestation', 'title', named?.title ?? textAt(product, 'DistinctiveTitle'), 'TitleDetail')
  draft.add('manifestation', 'subtitle', named?.subtitle ?? textAt(product, 'Subtitle'), 'TitleDetail')
  return details.flatMap((detail, index) => {
    const type = textAt(detail, 'TitleType') ?? ''
    const kind = kindByTitleType[type]
    const title = detail === main ? undefined : titleOf(detail)?.title
    const field = title === named?.title ? undefined : fieldByTitleType[type]
    if (field !== undefined) draft.add('manifestation', field, title, `TitleDetail ${type}`)
    // The type is part of the tag: titles of one tag would be taken for parts of each other.
    return title === undefined || kind === undefined
      ? []
      : [{ kind, text: title, from: { tag: `TitleDetail ${type}`, part: 'TitleText', index: 1000 + index } }]
  })
}

function titleOf(detail: Element): { title: string; subtitle: string | undefined } | undefined {
  const parts = elementsAt(detail, 'TitleElement')
  // The title of the product, else of the part; that of the whole collection is its series.
  const element =
    parts.find(each => textAt(each, 'TitleElementLevel') === '01') ??
    parts.find(each => textAt(each, 'TitleElementLevel') !== '02') ??
    parts[0] ??
    detail
  const prefix = textAt(element, 'TitlePrefix')
  const bare = textAt(element, 'TitleWithoutPrefix')
  const joined =
    prefix === undefined || bare === undefined ? bare : `${prefix}${/['’]$/.test(prefix) ? '' : ' '}${bare}`
  const title = textAt(element, 'TitleText') ?? joined
  if (title === undefined) return undefined
  const part = textAt(element, 'PartNumber')
  return { title: part === undefined ? title : `${title}. ${part}`, subtitle: textAt(element, 'Subtitle') }
}

// Numbers

function readNumbers(product: Element, draft: Draft): void {
  const { identifiers } = draft.levels.manifestation
  const seen = new Set<string>()
  // ISBNs of thirteen digits come first.
  const isLong = (each: Element) => textAt(each, 'ProductIDType') === '15'
  const given = elementsAt(product, 'ProductIdentifier')
  for (const each of given.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)))) {
    const type = textAt(each, 'ProductIDType')
    const value = textAt(each, 'IDValue')
    if (value === undefined) continue
    if (type === '13') draft.add('manifestation', 'lccn', value, 'ProductIdentifier')
    if (type === '06') identifiers.push(`https://doi.org/${value.replace(/^https?:\/\/(?:dx\.)?doi\.org\//, '')}`)
    if (type !== '15' && type !== '02' && type !== '03') continue
    const isbn = readIsbn(value)
    if (type === '03' && !/^97[89]/.test(value)) draft.add('manifestation', 'ean', value, 'ProductIdentifier')
    else if (isbn === undefined || !isbn.checkDigitIsRight) draft.problems.push(badIsbn(value))
    if (isbn === undefined || (type === '03' && !/^97[89]/.test(value))) continue
    // The same number in ten and in thirteen digits is stored in both forms.
    const form = `${isbn.comparable} ${type === '02'}`
    if (seen.has(form)) continue
    seen.add(form)
    draft.add('manifestation', 'isbn', value, 'ProductIdentifier')
  }
  for (const related of [...elementsAt(product, 'RelatedMaterial/RelatedWork'), product]) {
    if (related !== product && textAt(related, 'WorkRelationCode') !== '01') continue
    for (const each of elementsAt(related, 'WorkIdentifier')) {
      const value = textAt(each, 'IDValue')
      if (value !== undefined) draft.levels.work.identifiers.push(`onix-work:${textAt(each, 'WorkIDType')}:${value}`)
    }
  }
}

// People

function readPeople(product: Element, draft: Draft, agency: string): void {
  const order = (each: Element) => Number(textAt(each, 'SequenceNumber') ?? 9999)
  const people = elementsIn(product, 'Contributor').toSorted((one, other) => order(one) - order(other))
  for (const each of people) {
    const target = withBiography(agentOf(each), each, agency)
    const given = textsAt(each, 'ContributorRole')
    const codes = (given.length === 0 ? ['A01'] : given).flatMap(code => {
      const known = relators[code]
      if (known === undefined && !/^[A-Z](?:\d\d)$/.test(code))
        draft.problems.push({ kind: 'unknown_role', message: `Unknown role "${code}"`, from: undefined })
      return known ?? ['ctb']
    })
    for (const code of codes) {
      const { level, ...role } = roleFor(code, 'ctb')
      draft.relate(level, 'refAuthors', target, 'Contributor', role)
    }
  }
  draft.add('manifestation', 'responsibility', inEither(product, 'ContributorStatement')[0], 'ContributorStatement')
}

/** The biography that a sender gives; the one that it sends last is the one that is shown. */
function withBiography(
  target: AuthorityDraft | undefined,
  contributor: Element,
  agency: string
): AuthorityDraft | undefined {
  const [note] = textsAt(contributor, 'BiographicalNote')
  if (target === undefined || note === undefined) return target
  const metadata = [{ key: 'biography', value: htmlToText(note) }]
  return { ...target, details: { from: `(${agency})ONIX biography`, metadata } }
}

function agentOf(contributor: Element): AuthorityDraft | undefined {
  const ids = [
    ...elementsAt(contributor, 'NameIdentifier'),
    ...elementsAt(contributor, 'PersonNameIdentifier')
  ].flatMap(each =>
    nameIdentifier(textAt(each, 'NameIDType') ?? textAt(each, 'PersonNameIDType'), textAt(each, 'IDValue'))
  )
  const company = textAt(contributor, 'CorporateName')
  if (company !== undefined) return namedAuthority(corporation.type, company, ids)
  const key = textAt(contributor, 'KeyNames')
  const before = [textAt(contributor, 'NamesBeforeKey'), textAt(contributor, 'PrefixToKey')].filter(Boolean).join(' ')
  const fromKey = key === undefined ? undefined : before === '' ? key : `${key}, ${before}`
  const spoken = textAt(contributor, 'PersonName')
  const inverted = textAt(contributor, 'PersonNameInverted')
  const name =
    inverted?.includes(',') === true
      ? inverted
      : (fromKey ?? (inverted && withComma(inverted, spoken)) ?? (spoken && invertName(spoken)))
  return name === undefined ? undefined : personAuthority(name, lifeDates(contributor), ids)
}

/**
 * An inverted name without its comma (`Verhoeven Mila`): the comma belongs where the spoken form
 * begins, or before the initials at the end; otherwise a name of two words is surname and forename.
 */
function withComma(inverted: string, spoken: string | undefined): string {
  const words = inverted.split(' ')
  const join = (place: number) => `${words.slice(0, place).join(' ')}, ${words.slice(place).join(' ')}`
  for (let place = 1; place < words.length; place++)
    if ([...words.slice(place), ...words.slice(0, place)].join(' ') === spoken) return join(place)
  if (spoken !== undefined && spoken !== inverted) return invertName(spoken)
  const initials = words.findIndex(each => /^(?:\p{Lu}\.-?)+$/u.test(each))
  if (initials > 0) return join(initials)
  return words.length === 2 ? join(1) : inverted
}

function nameIdentifier(type: string | undefined, value: string | undefined): string[] {
  const bare = value?.replaceAll(/[\s-]/g, '')
  if (value === undefined || bare === undefined) return []
  if (type === '16') return [`https://isni.org/isni/${bare}`]
  if (type === '21') return [`https://orcid.org/${value.replace(/^https?:\/\/orcid\.org\//, '')}`]
  return type === '25' ? [`(DE-588)${value}`] : []
}

function lifeDates(contributor: Element): string | undefined {
  const dates = [...elementsAt(contributor, 'ContributorDate'), ...elementsAt(contributor, 'PersonDate')]
  const year = (roles: readonly string[]) =>
    dates
      .filter(each => roles.includes(textAt(each, 'ContributorDateRole') ?? textAt(each, 'PersonDateRole') ?? ''))
      .flatMap(each => textAt(each, 'Date')?.slice(0, 4) ?? [])[0]
  const [born, died] = [year(['50', '007']), year(['51', '008'])]
  return born === undefined && died === undefined ? undefined : `${born ?? ''}-${died ?? ''}`
}

// Languages

function readLanguages(product: Element, draft: Draft): void {
  const add = (level: Level, code: string | undefined) => {
    const target = code === undefined ? undefined : readLanguage(code)
    if (code !== undefined && target === undefined && !['und', 'mul', 'zxx'].includes(code))
      draft.problems.push({ kind: 'unknown_language', message: `Unknown language "${code}"`, from: undefined })
    draft.relate(level, 'refLanguages', target, 'Language')
    if (level === 'expression') draft.relate('manifestation', 'refLanguages', target, 'Language')
  }
  for (const each of elementsIn(product, 'Language')) {
    const role = textAt(each, 'LanguageRole')
    if (role === '01') add('expression', textAt(each, 'LanguageCode'))
    if (role === '02') add('work', textAt(each, 'LanguageCode'))
  }
  for (const code of textsAt(product, 'LanguageOfText')) add('expression', code)
  add('work', textAt(product, 'OriginalLanguage'))
}

// Publication

function readPublishing(product: Element, draft: Draft): void {
  const blocks = blocksOf(product, 'PublishingDetail')
  const publishers = blocks
    .flatMap(block => elementsAt(block, 'Publisher'))
    .filter(each => (textAt(each, 'PublishingRole') ?? '01') === '01')
    .flatMap(each => textsAt(each, 'PublisherName'))
  const imprints = blocks.flatMap(block => textsAt(block, 'Imprint/ImprintName'))
  const bare =
    publishers.length > 0 ? publishers : [...blocks.flatMap(block => textsAt(block, 'PublisherName')), ...imprints]
  for (const name of bare)
    draft.relate('manifestation', 'refPublishers', namedAuthority(publisher.type, name), 'Publisher')
  for (const city of blocks.flatMap(block => textsAt(block, 'CityOfPublication')))
    draft.relate('manifestation', 'refPlaces', namedAuthority(place.type, city), 'CityOfPublication')
  const dates = blocks.flatMap(block => elementsAt(block, 'PublishingDate'))
  const year = (...roles: readonly string[]) =>
    dates
      .filter(each => roles.includes(textAt(each, 'PublishingDateRole') ?? ''))
      .flatMap(each => yearIn(textAt(each, 'Date')))[0]
  draft.add(
    'manifestation',
    'year_of_publication',
    year('01') ?? yearIn(textAt(product, 'PublicationDate'))[0] ?? yearIn(textAt(product, 'CopyrightYear'))[0],
    'PublishingDate'
  )
  draft.add('work', 'year', year('11', '20') ?? yearIn(textAt(product, 'YearFirstPublished'))[0], 'PublishingDate')
  const types = [...inEither(product, 'EditionType'), ...inEither(product, 'EditionTypeCode')].flatMap(
    each => editionWords[each] ?? []
  )
  const count = inEither(product, 'EditionNumber')[0]
  const made = [...(count === undefined || count === '1' ? [] : [`edition ${count}`]), ...types].join(', ')
  draft.add('manifestation', 'edition', inEither(product, 'EditionStatement')[0] ?? made, 'EditionStatement')
}

const yearIn = (text: string | undefined) => /^[12]\d{3}/.exec(text ?? '') ?? []

const minutesPer: Readonly<Record<string, number>> = table({ '04': 60, '05': 1, '06': 1 / 60 })

/** A playing time in whole minutes; nothing for an unknown unit. */
function minutesOf(unit: string, value: string): number[] {
  if (unit === '14' || unit === '15' || unit === '16')
    return [Number(value.slice(0, 3)) * 60 + Number(value.slice(3, 5) || 0)]
  const minutes = minutesPer[unit]
  return minutes === undefined || Number.isNaN(Number(value)) ? [] : [Math.round(Number(value) * minutes)]
}

function readExtent(product: Element, draft: Draft): void {
  const note = inEither(product, 'IllustrationsNote')[0]
  const times = elementsIn(product, 'Extent').filter(each => textAt(each, 'ExtentType') === '09')
  const [time] = times.flatMap(each => minutesOf(textAt(each, 'ExtentUnit') ?? '', textAt(each, 'ExtentValue') ?? ''))
  if (time !== undefined) draft.add('manifestation', 'duration', String(time), 'Extent')
  const extents = elementsIn(product, 'Extent').flatMap(each => {
    const [type = '', unit = '', value = ''] = ['ExtentType', 'ExtentUnit', 'ExtentValue'].map(name =>
      textAt(each, name)
    )
    if (['00', '05', '07', '08', '10', '11'].includes(type) && unit === '03') return [`${value} p.`]
    return type === '09' ? minutesOf(unit, value).map(minutes => `${minutes} min.`) : []
  })
  const pages = textAt(product, 'NumberOfPages')
  const [first] = [...extents, ...(pages === undefined ? [] : [`${pages} p.`])]
  draft.add(
    'manifestation',
    'extent',
    first === undefined ? undefined : note === undefined ? first : `${first} : ${note}`,
    'Extent'
  )
}

// Subjects

function readSubjects(product: Element, draft: Draft): void {
  const about = [...elementsIn(product, 'Subject'), ...elementsAt(product, 'MainSubject')]
  for (const each of about) {
    const scheme = textAt(each, 'SubjectSchemeIdentifier') ?? textAt(each, 'MainSubjectSchemeIdentifier') ?? ''
    readSubject(scheme, textAt(each, 'SubjectCode'), textAt(each, 'SubjectHeadingText'), draft)
  }
  readSubject('10', textAt(product, 'BASICMainSubject'), undefined, draft)
  readSubject('12', textAt(product, 'BICMainSubject'), undefined, draft)
  const people = [...elementsIn(product, 'NameAsSubject'), ...elementsIn(product, 'PersonAsSubject')]
  for (const each of people) draft.relate('work', 'refSubjects', agentOf(each), 'NameAsSubject')
}

function readSubject(scheme: string, code: string | undefined, heading: string | undefined, draft: Draft): void {
  const classification = classKeys[scheme]
  if (classification !== undefined && code !== undefined) draft.add('manifestation', classification, code, 'Subject')
  const name = schemeNames[scheme]
  // Keywords stand in one element, separated by semicolons.
  for (const term of scheme === '20' ? (heading ?? '').split(';').map(each => each.trim()) : [heading ?? ''])
    if (term !== '') draft.relate('work', 'refSubjects', namedAuthority(subject.type, term), 'Subject')
  if (name !== undefined && code !== undefined) {
    draft.relate('work', 'refCodeWordings', codeAuthority(name, code, heading), 'Subject')
    const found = literaryTypes.find(([of, begins]) => of === name && code.startsWith(begins))
    if (found !== undefined && !draft.levels.work.metadata.some(each => each.key === 'literary_type'))
      draft.add('work', 'literary_type', found[2], 'Subject')
  }
}

const codeAuthority = (scheme: string, code: string, wording: string | undefined): AuthorityDraft => ({
  type: codeWording.type,
  metadata: [
    { key: 'code', value: code },
    ...(wording === undefined ? [] : [{ key: 'wording', value: wording }]),
    { key: 'code_wording_type', value: scheme }
  ],
  identifiers: [],
  key: `${scheme} ${code}`
})

function readAudiences(product: Element, draft: Draft): void {
  const add = (name: string | undefined) =>
    name === undefined
      ? undefined
      : draft.relate('work', 'refTargetAudiences', namedAuthority(targetAudience.type, name), 'Audience')
  for (const code of inEither(product, 'AudienceCode')) add(audienceWords[code])
  for (const each of elementsIn(product, 'Audience'))
    if (textAt(each, 'AudienceCodeType') === '01') add(audienceWords[textAt(each, 'AudienceCodeValue') ?? ''])
  for (const each of elementsIn(product, 'AudienceRange')) {
    if (!['17', '18'].includes(textAt(each, 'AudienceRangeQualifier') ?? '')) continue
    const precisions = textsAt(each, 'AudienceRangePrecision')
    const [first, second] = textsAt(each, 'AudienceRangeValue')
    if (first === undefined) continue
    add(
      precisions[0] === '04'
        ? `up to ${first} years`
        : second === undefined
          ? `${first} years and over`
          : `${first} to ${second} years`
    )
  }
}

/** Lists 153 (3.0) and 33 (2.1): the key for each kind of text. */
const textKeys: Readonly<Record<string, Readonly<Record<string, string>>>> = table({
  TextContent: table({ '03': 'summary', '04': 'contents' }),
  OtherText: table({ '01': 'summary', '03': 'summary', '04': 'contents' })
})
/** A short description counts where there is no other. */
const shortTexts: Readonly<Record<string, string>> = table({ TextContent: '02', OtherText: '02' })

function readTexts(product: Element, draft: Draft): void {
  for (const [name, keys] of Object.entries(textKeys)) {
    const texts = blocksOf(product, 'CollateralDetail').flatMap(block => elementsAt(block, name))
    const typeOf = (each: Element) => textAt(each, 'TextType') ?? textAt(each, 'TextTypeCode') ?? ''
    const hasSummary = texts.some(each => keys[typeOf(each)] === 'summary')
    for (const each of texts) {
      const key = keys[typeOf(each)] ?? (hasSummary || typeOf(each) !== shortTexts[name] ? undefined : 'summary')
      const text = textAt(each, 'Text')
      if (key !== undefined && text !== undefined) draft.add('manifestation', key, htmlToText(text), name)
    }
  }
}

// Prizes, covers and supply

function readPrizes(product: Element, draft: Draft): void {
  for (const prize of blocksOf(product, 'CollateralDetail').flatMap(block => elementsAt(block, 'Prize'))) {
    const [name, year, code] = ['PrizeName', 'PrizeYear', 'PrizeCode'].map(each => textAt(prize, each))
    const dated = year === undefined ? name : `${name}, ${year}`
    const result = prizeWords[code ?? '']
    const composed = name === undefined || result === undefined ? dated : `${dated}: ${result}`
    draft.add('manifestation', 'award', name === undefined ? textAt(prize, 'PrizeStatement') : composed, 'Prize')
  }
}

/** List 38: the front cover, also in high quality. */
const coverTypes = new Set(['04', '06'])

function readCovers(product: Element, draft: Draft): void {
  const resources = blocksOf(product, 'CollateralDetail').flatMap(block => elementsAt(block, 'SupportingResource'))
  // List 158: the front cover.
  const links = resources
    .filter(each => textAt(each, 'ResourceContentType') === '01')
    .flatMap(each => textsAt(each, 'ResourceVersion/ResourceLink'))
  const files = elementsAt(product, 'MediaFile')
    .filter(each => coverTypes.has(textAt(each, 'MediaFileTypeCode') ?? ''))
    .flatMap(each => textsAt(each, 'MediaFileLink'))
  for (const address of [...links, ...files])
    if (/^https?:\/\/\S+$/i.test(address)) draft.add('manifestation', 'cover_link', address, 'SupportingResource')
}

/** The status of the publication, its availability, and its prices: the terms of availability. */
function readSupply(product: Element, draft: Draft): void {
  const statuses = blocksOf(product, 'PublishingDetail').flatMap(block => textsAt(block, 'PublishingStatus'))
  for (const code of statuses)
    draft.add('manifestation', 'terms_of_availability', statusWords[code], 'PublishingStatus')
  for (const supply of blocksOf(product, 'ProductSupply').flatMap(block => elementsAt(block, 'SupplyDetail'))) {
    const words = [
      ...textsAt(supply, 'ProductAvailability').map(code => availabilityWords[code]),
      ...textsAt(supply, 'AvailabilityCode').map(code => availabilityCodes[code])
    ]
    draft.add('manifestation', 'terms_of_availability', words[0], 'ProductAvailability')
    for (const price of elementsAt(supply, 'Price')) {
      const amount = textAt(price, 'PriceAmount')
      const type = textAt(price, 'PriceType') ?? textAt(price, 'PriceTypeCode') ?? ''
      const words = [textAt(price, 'CurrencyCode'), amount].filter(Boolean).join(' ')
      const taxed = pricesWithoutTax.includes(type) ? `${words}, tax not included` : words
      if (amount !== undefined) draft.add('manifestation', 'terms_of_availability', taxed, 'Price')
    }
  }
}

function readSeries(product: Element, draft: Draft): void {
  for (const each of elementsIn(product, 'Collection')) {
    const [element] = elementsAt(each, 'TitleDetail/TitleElement').filter(
      part => textAt(part, 'TitleElementLevel') !== '01'
    )
    const title =
      element &&
      titleOf({
        name: '',
        attributes: new Map(),
        text: '',
        children: [{ ...element, children: element.children.filter(part => part.name !== 'PartNumber') }]
      })?.title
    const part = element && textAt(element, 'PartNumber')
    if (title !== undefined)
      draft.addSeries(title, part, issnOf(each, 'CollectionIdentifier', 'CollectionIDType'), 'Collection')
  }
  for (const each of elementsAt(product, 'Series')) {
    const title =
      textAt(each, 'TitleOfSeries') ?? elementsAt(each, 'Title').flatMap(one => titleOf(one)?.title ?? [])[0]
    const part = textAt(each, 'NumberWithinSeries')
    const issn = textAt(each, 'SeriesISSN') ?? issnOf(each, 'SeriesIdentifier', 'SeriesIDType')
    if (title !== undefined) draft.addSeries(title, part, issn, 'Series')
  }
}

/** The ISSN among the identifiers of a collection: those of type 02. */
const issnOf = (collection: Element, path: string, type: string) =>
  elementsAt(collection, path)
    .filter(each => textAt(each, type) === '02')
    .flatMap(each => textAt(each, 'IDValue') ?? [])[0]
