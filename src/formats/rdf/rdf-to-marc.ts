import { languageCodeIn } from '../description/describe-drafts.ts'
import { splitOnce } from '../description/split-once.ts'
import { ownAgency } from '../marc/compose-record.ts'
import { field, fixedField, inOrder, part, parts } from '../marc/make-field.ts'
import { blankLeader, type DataField, type MarcRecord, type Subfield } from '../marc/record.ts'
import { type Content, contentsOf, originalOf, relatedBy } from './find-publications.ts'
import { codeIn, type GraphView, type ReadName } from './graph-view.ts'
import { agentField, type Contribution, contributionsTo, isAddress, linksOf, mainOf } from './rdf-agents.ts'
import { classFields, subjectFields } from './rdf-subjects.ts'
import { isBlank } from './statements.ts'

/*
 * A publication of BIBFRAME 2 or LRMoo as a record of MARC 21. The IRI of a work becomes $1 of its
 * uniform title: publications of one work are joined by it.
 */

/** Fields that other statements belong to: found once for a publication. */
interface Whole {
  readonly view: GraphView
  readonly publication: string
  readonly contents: readonly Content[]
  /** The publication, its texts and its works. */
  readonly all: readonly string[]
}

/** Converts a publication. `contents` are those of the publication. */
export function rdfToMarc(view: GraphView, publication: string): MarcRecord {
  const contents = contentsOf(view, publication)
  const all = [
    publication,
    ...contents.map(each => each.expression),
    ...new Set(contents.flatMap(each => each.work ?? []))
  ]
  const whole: Whole = { view, publication, contents, all }
  const [only] = contents.length === 1 ? contents : []
  const people = contributionsTo(view, [
    ...contents.flatMap(({ expression, work }) => [
      ...(work === undefined ? [] : [[work, true] as const]),
      [expression, work === undefined] as const
    ]),
    [publication, false]
  ])
  const main = commonCreator(whole, people)
  const languages = languagesOf(whole)
  const date = dateOf(whole)
  const own = ownNumber(view, publication)
  const number = own ?? (isBlank(publication) ? localNumber(whole) : publication)
  return {
    leader: leaderOf(whole),
    fields: [
      ...(number === undefined ? [] : [{ tag: '001', value: number }]),
      ...(own === undefined ? [] : [{ tag: '003', value: ownAgency }]),
      fixedField({ year: /\d{4}/.exec(date ?? '')?.[0], language: languages.texts[0] }),
      ...inOrder([
        ...titleFields(whole, only, main !== undefined),
        ...(main === undefined ? [] : agentField(view, main.agent, '1', { roles: main.roles })),
        ...people.filter(each => each !== main).flatMap(({ agent, roles }) => agentField(view, agent, '7', { roles })),
        ...(contents.length > 1 ? contents.flatMap(each => containedField(whole, each)) : []),
        ...(only === undefined ? [] : partFields(whole, only)),
        ...field('041', languages.originals.length > 0 ? '1 ' : '0 ', [
          ...parts('a', languages.texts),
          ...parts('h', languages.originals)
        ]),
        ...numberFields(whole),
        ...publishingFields(whole, date),
        ...physicalFields(whole),
        ...textFields(whole),
        ...subjectFields(view, whole.all),
        ...classFields(view, whole.all),
        ...relatedFields(whole),
        ...linkFields(whole),
        ...itemFields(whole)
      ])
    ]
  }
}

/** Our own number of a publication that this program exported: its IRI ends with it. */
function ownNumber(view: GraphView, publication: string): string | undefined {
  const id = /\/entities\/([^/#?]+)$/.exec(publication)?.[1]
  if (id === undefined || !view.is(publication, 'lrmoo:F3_Manifestation')) return undefined
  const decoded = decode(id)
  return view.texts(publication, 'schema:identifier').includes(decoded) ? decoded : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The number of the record in its source system. */
const localNumber = ({ view, all }: Whole): string | undefined =>
  all
    .flatMap(node => view.nodes(node, 'bf:adminMetadata'))
    .flatMap(each => view.nodes(each, 'bf:identifiedBy'))
    .flatMap(each => view.text(each, 'rdf:value') ?? [])[0]

/** The creator of the only work, or the one that all works of an aggregate have. */
function commonCreator({ view, contents }: Whole, people: readonly Contribution[]): Contribution | undefined {
  const main = mainOf(people)
  if (main === undefined || contents.length < 2) return main
  const isCommon = contents.every(({ expression, work }) =>
    contributionsTo(view, [[work ?? expression, true]]).some(each => each.agent === main.agent)
  )
  return isCommon ? main : undefined
}

// Titles

const titleClasses: readonly ReadName[] = [
  'bf:VariantTitle',
  'bf:ParallelTitle',
  'bf:KeyTitle',
  'bf:AbbreviatedTitle',
  'bf:CollectiveTitle',
  'bf:TranscribedTitle'
]

interface Title {
  readonly isParallel?: boolean
  readonly subfields: readonly (Subfield | undefined)[]
  readonly skipped: number
}

function titlesOf(view: GraphView, node: string, isWanted: (title: string) => boolean): Title[] {
  return view
    .nodes(node, 'bf:title', 'crm:P102_has_title')
    .filter(isWanted)
    .flatMap(each => {
      const main = view.text(each, 'bf:mainTitle', 'crm:P190_has_symbolic_content') ?? view.label(each)
      if (main === undefined) return []
      const skipped = Number(view.text(each, 'bf:nonSortNum', 'bflc:nonSortNum') ?? 0)
      return [
        {
          isParallel: view.is(each, 'bf:ParallelTitle'),
          subfields: [
            part('a', main),
            ...parts('n', view.texts(each, 'bf:partNumber')),
            ...parts('p', view.texts(each, 'bf:partName')),
            part('b', view.texts(each, 'bf:subtitle').join(' : '))
          ],
          skipped: Number.isInteger(skipped) && skipped > 0 && skipped < 10 ? skipped : 0
        }
      ]
    })
}

/** The title of a node: its own, not a variant; or its name. */
function titleOf(view: GraphView, node: string): Title | undefined {
  const [title] = titlesOf(view, node, each => !view.is(each, ...titleClasses))
  if (title !== undefined) return title
  const name =
    view.text(node, 'dcterms:title', 'dc:title', 'schema:name', 'rdfs:label') ??
    view.text(node, 'bflc:aap', 'skos:prefLabel')
  return name === undefined ? undefined : { subfields: [part('a', name)], skipped: 0 }
}

const mainText = (title: Title | undefined) => title?.subfields.find(each => each?.code === 'a')?.value

function titleFields(
  { view, publication, contents, all }: Whole,
  only: Content | undefined,
  hasMain: boolean
): DataField[] {
  const proper =
    titleOf(view, publication) ?? contents.map(each => titleOf(view, each.expression)).find(each => each !== undefined)
  const statement = view.text(publication, 'bf:responsibilityStatement')
  const work = only?.work ?? (only && originalOf(view, only.expression)) ?? only?.expression
  const uniform = work === undefined ? undefined : titleOf(view, work)
  const address = work !== undefined && isAddress(work) ? work : undefined
  const isNamed = uniform !== undefined && (address !== undefined || mainText(uniform) !== mainText(proper))
  // A title without the class of a variant is one of the work, by which it is known too.
  const variants = all.flatMap(node =>
    titlesOf(view, node, each => view.is(each, ...titleClasses) && !view.is(each, 'bf:TranscribedTitle')).map(each => ({
      ...each,
      isOfWork: node === only?.work
    }))
  )
  return [
    ...(proper === undefined
      ? []
      : field('245', `${hasMain ? 1 : 0}${proper.skipped}`, [...proper.subfields, part('c', statement)])),
    ...(isNamed
      ? field(hasMain ? '240' : '130', hasMain ? `1${uniform.skipped}` : `${uniform.skipped} `, [
          ...uniform.subfields.filter(each => each?.code !== 'b'),
          part('1', address)
        ])
      : []),
    ...variants
      .filter(each => mainText(each) !== mainText(proper))
      .flatMap(({ subfields, isOfWork, isParallel }) =>
        field('246', isParallel ? '31' : '3 ', [isOfWork ? part('i', 'Original title:') : undefined, ...subfields])
      )
  ]
}

/** A work of an aggregate: an entry under its author, or under its title. */
function containedField({ view }: Whole, { expression, work }: Content): DataField[] {
  const node = work ?? expression
  const title = mainText(titleOf(view, node))
  if (title === undefined) return []
  const creator = mainOf(contributionsTo(view, [[node, true]]))
  const rest = [part('t', title), part('1', isAddress(node) ? node : undefined)]
  const [entry] = creator === undefined ? [] : agentField(view, creator.agent, '7', { second: '2', rest })
  return entry === undefined
    ? field('730', '02', [part('a', title), part('1', isAddress(node) ? node : undefined)])
    : [{ ...entry, subfields: entry.subfields.filter(each => each.code !== '0') }]
}

/** Works that are parts of the text. */
const partFields = (whole: Whole, { expression }: Content): DataField[] =>
  [
    ...whole.view.nodes(expression, 'bf:hasPart'),
    ...relatedBy(whole.view, expression, 'haspart', 'contains', 'partcontainerof')
  ]
    .filter(each => whole.view.is(each, 'bf:Work', 'bf:Hub', 'lrmoo:F1_Work', 'lrmoo:F2_Expression'))
    .flatMap(each => containedField(whole, { expression: each, work: undefined }))

// Languages

function languagesOf({ view, publication, contents }: Whole) {
  const codes = (nodes: readonly (string | undefined)[]) => [
    ...new Set(
      nodes.flatMap(node =>
        node === undefined
          ? []
          : [
              ...view
                .nodes(node, 'bf:language', 'dcterms:language', 'crm:P72_has_language')
                .flatMap(each => languageOf(view, each)),
              ...view
                .texts(node, 'bf:language', 'dcterms:language', 'dc:language', 'crm:P72_has_language')
                .flatMap(each => languageCodeIn(each) ?? [])
            ]
      )
    )
  ]
  const spoken = codes([...contents.map(each => each.expression), publication])
  const ofWorks = codes(contents.map(each => each.work ?? originalOf(view, each.expression)))
  return {
    texts: spoken.length > 0 ? spoken : ofWorks,
    originals: spoken.length === 0 ? [] : ofWorks.filter(each => !spoken.includes(each))
  }
}

function languageOf(view: GraphView, node: string): string[] {
  const parts = view.nodes(node, 'rdf:value').flatMap(each => codeIn(each) ?? [])
  const candidates = [...view.texts(node, 'bf:code'), codeIn(node), ...parts, view.label(node)]
  for (const each of candidates) {
    const code = each === undefined || each.length > 40 ? undefined : languageCodeIn(each)
    if (code !== undefined) return [code]
  }
  return []
}

// Numbers

/** Fields by the class of an identifier, with indicators and the source for $2. */
const numberTags: Readonly<Record<string, readonly [tag: string, indicators: string, source?: string]>> = {
  'bf:Isbn': ['020', '  '],
  'bf:Issn': ['022', '  '],
  'bf:Lccn': ['010', '  '],
  'bf:Ean': ['024', '3 '],
  'bf:Upc': ['024', '1 '],
  'bf:Ismn': ['024', '2 '],
  'bf:Isrc': ['024', '0 '],
  'bf:Doi': ['024', '7 ', 'doi'],
  'bf:Hdl': ['024', '7 ', 'hdl'],
  'bf:Urn': ['024', '7 ', 'urn'],
  'bf:AudioIssueNumber': ['028', '02'],
  'bf:MusicPublisherNumber': ['028', '22'],
  'bf:MusicPlate': ['028', '22'],
  'bf:PublisherNumber': ['028', '52'],
  'bf:VideoRecordingNumber': ['028', '42']
}

function numberFields({ view, publication, contents }: Whole): DataField[] {
  const nodes = [publication, ...contents.map(each => each.expression)]
  return nodes.flatMap(node =>
    view.nodes(node, 'bf:identifiedBy', 'crm:P1_is_identified_by').flatMap(each => {
      const value = view.text(each, 'rdf:value', 'crm:P190_has_symbolic_content') ?? view.label(each)
      if (value === undefined) return []
      const kind = view.nodes(each, 'crm:P2_has_type').flatMap(type => view.label(type) ?? codeIn(type) ?? [])[0]
      const rows = Object.entries(numberTags)
      const row =
        rows.find(([name]) => view.is(each, name as ReadName)) ??
        rows.find(([name]) => name.slice(3).toLowerCase() === kind?.toLowerCase())
      const isInvalid =
        view.nodes(each, 'bf:status').some(status => /(?:cancinv|incorrect|cancelled|invalid)$/i.test(status)) ||
        view.nodes(each, 'bf:status').some(status => /cancel|invalid|incorrect/i.test(view.label(status) ?? ''))
      if (row === undefined) return otherNumber(view, each, value)
      const [, [tag, indicators, source]] = row
      return field(tag, indicators, [
        part(isInvalid ? 'z' : 'a', value),
        ...parts('q', tag === '020' ? view.texts(each, 'bf:qualifier') : []),
        part('2', source)
      ])
    })
  )
}

/** A number of another system: with its agency, if the file names it. */
function otherNumber(view: GraphView, node: string, value: string): DataField[] {
  if (view.is(node, 'bf:OclcNumber') || view.is(node, 'bflc:OclcNumber'))
    return field('035', '  ', [part('a', `(OCoLC)${value.replace(/^\(OCoLC\)/, '')}`)])
  const [agency] = view.nodes(node, 'bf:assigner', 'bf:source')
  const code = agency && (view.text(agency, 'bf:code') ?? codeIn(agency))
  const numbered = /^\([^)]+\)/.test(value) ? value : code === undefined ? undefined : `(${code})${value}`
  return field('035', '  ', [part('a', numbered)])
}

// Publication

const provisions: readonly (readonly [name: ReadName, indicator: string])[] = [
  ['bf:Publication', '1'],
  ['bf:Distribution', '2'],
  ['bf:Manufacture', '3'],
  ['bf:Production', '0']
]

/** The events of publication, in BIBFRAME and in LRMoo. */
const provisionsOf = ({ view, publication }: Whole) => [
  ...view.nodes(publication, 'bf:provisionActivity'),
  ...view.referring(publication, 'lrmoo:R24_created')
]

function dateOf(whole: Whole): string | undefined {
  const { view, publication } = whole
  const isPublication = (node: string) => view.is(node, 'bf:Publication')
  const events = provisionsOf(whole).toSorted((one, other) => Number(isPublication(other)) - Number(isPublication(one)))
  const spans = (node: string) => view.nodes(node, 'crm:P4_has_time-span').flatMap(each => view.label(each) ?? [])
  const dates = events.flatMap(each => [...view.texts(each, 'bf:date', 'bflc:simpleDate'), ...spans(each)])
  const statement = /\d{4}/.exec(
    view.text(publication, 'bf:provisionActivityStatement', 'bf:publicationStatement') ?? ''
  )
  return (
    dates.toSorted((one, other) => one.length - other.length)[0] ??
    view.text(publication, 'bf:copyrightDate', 'dcterms:issued', 'dcterms:date', 'dc:date', 'schema:datePublished') ??
    statement?.[0]
  )
}

function publishingFields(whole: Whole, date: string | undefined): DataField[] {
  const { view, publication } = whole
  const events = provisionsOf(whole).map(node => {
    const names = (...of: readonly ReadName[]) => view.nodes(node, ...of).flatMap(each => view.label(each) ?? [])
    const places = [...view.texts(node, 'bflc:simplePlace'), ...names('bf:place', 'crm:P7_took_place_at')]
    const given = [...view.texts(node, 'bflc:simpleAgent'), ...names('bf:agent', 'crm:P14_carried_out_by')]
    // A statement may say all in one.
    const agents = given.length > 0 || places.length > 0 ? given : [view.text(node, 'rdfs:label') ?? ''].filter(Boolean)
    return {
      indicator: provisions.find(([name]) => view.is(node, name))?.[1] ?? '1',
      // The transcribed names come first; a country by its code says less than a place.
      places: view.texts(node, 'bflc:simplePlace').length > 0 ? places.slice(0, 1) : places,
      agents: view.texts(node, 'bflc:simpleAgent').length > 0 ? agents.slice(0, 1) : agents,
      dates: view.texts(node, 'bf:date', 'bflc:simpleDate').slice(0, 1)
    }
  })
  const main = events.filter(each => each.indicator === '1')
  const [place, agent] = statementParts(
    view.text(publication, 'bf:provisionActivityStatement', 'bf:publicationStatement') ?? ''
  )
  const copyright = view.text(publication, 'bf:copyrightDate')
  const places = new Set(main.flatMap(each => each.places))
  const agents = new Set(main.flatMap(each => each.agents))
  return [
    ...field('264', ' 1', [
      ...parts('a', places.size > 0 || place === undefined ? [...places] : [place]),
      ...parts('b', agents.size > 0 || agent === undefined ? [...agents] : [agent]),
      part('c', date)
    ]),
    ...events
      .filter(each => each.indicator !== '1')
      .flatMap(each =>
        field('264', ` ${each.indicator}`, [
          ...parts('a', each.places),
          ...parts('b', each.agents),
          ...parts('c', each.dates)
        ])
      ),
    ...(date === copyright ? [] : field('264', ' 4', [part('c', copyright)])),
    ...view.texts(publication, 'bf:editionStatement').flatMap(each => field('250', '  ', [part('a', each)]))
  ]
}

/** `Gent : De Kade, 1951` */
function statementParts(text: string): (string | undefined)[] {
  if (text.length > 1_000) return []
  const [place, rest] = text.split(' : ', 2)
  if (rest === undefined) return []
  const comma = rest.lastIndexOf(',')
  const hasYear = comma >= 0 && /\d{4}/.test(rest.slice(comma))
  return [place?.trim(), (hasYear ? rest.slice(0, comma) : rest).trim()]
}

function physicalFields({ view, publication, contents }: Whole): DataField[] {
  const nodes = [publication, ...contents.map(each => each.expression)]
  const named = (name: ReadName, tag: string) =>
    nodes.flatMap(node =>
      [
        ...view.nodes(node, name).map(each => ({ text: view.label(each), code: codeIn(each) })),
        ...view.texts(node, name).map(text => ({ text, code: undefined }))
      ].flatMap(({ text, code }) =>
        text === undefined
          ? field(tag, '  ', [part('b', code)])
          : field(tag, '  ', [part('a', text), part('b', code !== undefined && code.length <= 3 ? code : undefined)])
      )
    )
  const extents = [
    ...view.nodes(publication, 'bf:extent').flatMap(each => view.label(each) ?? []),
    ...view.texts(publication, 'bf:extent')
  ]
  const [size] = view.texts(publication, 'bf:dimensions')
  const minutes = nodes.flatMap(node => view.texts(node, 'bf:duration')).flatMap(minutesIn)[0]
  return [
    ...(extents.length === 0
      ? field('300', '  ', [part('c', size)])
      : extents.flatMap((each, index) =>
          field('300', '  ', [part('a', each), part('c', index === 0 ? size : undefined)])
        )),
    ...(minutes === undefined
      ? []
      : field('306', '  ', [part('a', `${twoDigits(Math.floor(minutes / 60))}${twoDigits(minutes % 60)}00`)])),
    ...named('bf:content', '336'),
    ...named('bf:media', '337'),
    ...named('bf:carrier', '338')
  ]
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** The minutes of a duration: `PT1H30M`, `PT90M`. */
function minutesIn(text: string): number[] {
  const [, hours = '0', minutes = '0'] = /^PT(?:(\d{1,2})H)?(?:(\d{1,4})M)?(?:\d+S)?$/.exec(text) ?? []
  const all = Number(hours) * 60 + Number(minutes)
  return all > 0 && all < 6_000 ? [all] : []
}

// Texts

/** Properties of any level whose value is a text, or a node with a label. */
const textTags: readonly (readonly [name: ReadName, tag: string, indicators: string])[] = [
  ['bf:summary', '520', '  '],
  ['bf:tableOfContents', '505', '0 '],
  ['bf:note', '500', '  '],
  ['bf:dissertation', '502', '  '],
  ['bf:supplementaryContent', '504', '  '],
  ['bf:usageAndAccessPolicy', '506', '  '],
  ['bf:credits', '508', '  '],
  ['bf:intendedAudience', '521', '  '],
  ['bf:awards', '586', '  '],
  ['bf:preferredCitation', '524', '  '],
  ['bf:custodialHistory', '561', '  ']
]

function textFields({ view, all }: Whole): DataField[] {
  const seen = new Set<string>()
  const scales = all.flatMap(node => view.nodes(node, 'bf:scale').flatMap(each => view.label(each) ?? []))
  const coordinates = all.flatMap(node =>
    view.nodes(node, 'bf:cartographicAttributes').flatMap(each => view.texts(each, 'bf:coordinates'))
  )
  return [
    ...textTags.flatMap(([name, tag, indicators]) =>
      all
        .flatMap(node => [
          ...view.texts(node, name),
          ...view
            .nodes(node, name)
            .flatMap(each => view.text(each, 'rdfs:label', 'bf:degree') ?? view.label(each) ?? [])
        ])
        .filter(text => !seen.has(`${tag} ${text}`) && seen.add(`${tag} ${text}`))
        .flatMap(text => field(tag, indicators, [part('a', text)]))
    ),
    ...Array.from({ length: Math.max(scales.length, coordinates.length) }, (_, place) =>
      field('255', '  ', [part('a', scales[place]), part('c', coordinates[place])])
    ).flat()
  ]
}

// Relations to other publications

const relatedTags: readonly (readonly [tag: string, name: ReadName, kinds: readonly string[]])[] = [
  ['773', 'bf:partOf', ['partof', 'containedin']],
  ['780', 'bf:precededBy', ['precededby', 'continues', 'continuationof']],
  ['785', 'bf:succeededBy', ['succeededby', 'continuedby']],
  ['776', 'bf:otherPhysicalFormat', ['otherphysicalformat']],
  ['775', 'bf:otherEdition', ['otheredition']]
]

function relatedFields({ view, publication, contents }: Whole): DataField[] {
  const nodes = [publication, ...contents.map(each => each.expression)]
  const number = (node: string, kind: ReadName) =>
    view
      .nodes(node, 'bf:identifiedBy')
      .flatMap(each => (view.is(each, kind) ? (view.text(each, 'rdf:value') ?? []) : []))[0]
  const related = relatedTags.flatMap(([tag, name, kinds]) =>
    [...new Set(nodes.flatMap(node => [...view.nodes(node, name), ...relatedBy(view, node, ...kinds)]))].flatMap(
      each => {
        const own = ownNumber(view, each)
        return field(tag, tag === '776' ? '08' : '0 ', [
          part('t', mainText(titleOf(view, each))),
          part('w', own === undefined ? undefined : `(${ownAgency})${own}`),
          part('x', number(each, 'bf:Issn')),
          part('z', number(each, 'bf:Isbn'))
        ]).filter(({ subfields }) => subfields.some(({ code }) => code === 't'))
      }
    )
  )
  const series = new Set(
    nodes.flatMap(node => [...view.nodes(node, 'bf:hasSeries'), ...relatedBy(view, node, 'series', 'hasseries')])
  )
  const numberIn = view.text(publication, 'bf:seriesEnumeration')
  return [
    ...related,
    ...view.texts(publication, 'bf:seriesStatement').flatMap((text, index) => {
      const [name, volume] = splitOnce(text, /(?<!\s)\s+;\s+/)
      return field('490', '1 ', [part('a', name), part('v', volume ?? (index === 0 ? numberIn : undefined))])
    }),
    ...[...series].flatMap(each => {
      const name = mainText(titleOf(view, each))
      return name === undefined
        ? []
        : field('830', ' 0', [
            part('a', name),
            part('x', number(each, 'bf:Issn')),
            part('v', numberIn),
            ...linksOf(view, each)
          ])
    })
  ]
}

const linkFields = ({ view, all }: Whole): DataField[] =>
  [
    ...new Set(
      all.flatMap(node =>
        [...view.nodes(node, 'bf:electronicLocator'), ...view.texts(node, 'bf:electronicLocator')].flatMap(each =>
          isAddress(each)
            ? [each]
            : isBlank(each)
              ? [...view.nodes(each, 'rdf:value'), ...view.texts(each, 'rdf:value', 'rdfs:label')]
              : []
        )
      )
    )
  ]
    .filter(isAddress)
    .flatMap(each => field('856', '40', [part('u', each)]))

// Items

function itemFields({ view, publication }: Whole): DataField[] {
  const items = new Set([
    ...view.nodes(publication, 'bf:hasItem', 'lrmoo:R7i_is_exemplified_by'),
    ...view.referring(publication, 'bf:itemOf', 'lrmoo:R7_exemplifies')
  ])
  return [...items].flatMap((item, index) => {
    const labelled = (name: ReadName) => [
      ...view.texts(item, name),
      ...view.nodes(item, name).flatMap(each => view.label(each) ?? [])
    ]
    const barcode = view
      .nodes(item, 'bf:identifiedBy')
      .flatMap(each => (view.is(each, 'bf:Barcode') ? (view.text(each, 'rdf:value') ?? []) : []))
    const link = part('8', `${index + 1}.1\\x`)
    const more = [...parts('3', labelled('bf:enumerationAndChronology')), ...parts('j', labelled('bf:status'))]
    return [
      ...field('852', '  ', [
        ...(more.length === 0 ? [] : [link]),
        ...parts('a', labelled('bf:heldBy')),
        ...parts('c', labelled('bf:sublocation')),
        ...parts('h', labelled('bf:shelfMark')),
        ...parts('p', barcode),
        ...parts('z', labelled('bf:note'))
      ]),
      ...(more.length === 0 ? [] : field('876', '  ', [link, ...parts('p', barcode), ...more]))
    ]
  })
}

// The kind of material

const typeLetters: readonly (readonly [letter: string, ...classes: readonly ReadName[]])[] = [
  ['c', 'bf:NotatedMusic'],
  ['d', 'bf:NotatedMovement'],
  ['e', 'bf:Cartography', 'schema:Map'],
  ['j', 'bf:MusicAudio'],
  ['i', 'bf:NonMusicAudio'],
  ['g', 'bf:MovingImage', 'schema:Movie'],
  ['k', 'bf:StillImage'],
  ['r', 'bf:Object', 'bf:ThreeDimensionalObject'],
  ['m', 'bf:Multimedia', 'bf:Dataset'],
  ['p', 'bf:MixedMaterial', 'bf:Collection'],
  ['o', 'bf:Kit']
]

/** By the code of the content, for graphs without the class of the work. */
const contentLetters: readonly (readonly [letter: string, ...codes: readonly string[]])[] = [
  ['c', 'ntm'],
  ['d', 'ntv'],
  ['e', 'cri', 'crd', 'crm', 'crf'],
  ['j', 'prm'],
  ['i', 'spw', 'snd'],
  ['g', 'tdi', 'tdm'],
  ['k', 'sti'],
  ['m', 'cop', 'cod']
]

function leaderOf({ view, all, publication, contents }: Whole): string {
  const is = (...classes: readonly ReadName[]) => all.some(node => view.is(node, ...classes))
  const isSerial =
    is('bf:Serial', 'schema:Periodical') || view.nodes(publication, 'bf:issuance').some(each => codeIn(each) === 'serl')
  const isPart = [publication, ...contents.map(each => each.expression)].some(
    node => view.nodes(node, 'bf:partOf').length > 0 || relatedBy(view, node, 'partof', 'containedin').length > 0
  )
  const audio = is('bf:Audio')
    ? is('schema:MusicComposition') ||
      all.some(node => view.nodes(node, 'bf:content').some(each => codeIn(each) === 'prm'))
      ? 'j'
      : 'i'
    : undefined
  const codes = all.flatMap(node => view.nodes(node, 'bf:content').flatMap(each => codeIn(each) ?? []))
  const [byContent] = codes.flatMap(code => contentLetters.find(([, ...known]) => known.includes(code))?.[0] ?? [])
  const letter = typeLetters.find(([, ...classes]) => is(...classes))?.[0] ?? audio ?? byContent ?? 'a'
  return blankLeader.slice(0, 6) + letter + (isSerial ? 's' : isPart ? 'a' : 'm') + blankLeader.slice(8)
}
