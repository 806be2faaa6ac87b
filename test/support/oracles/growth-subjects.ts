import { Buffer } from 'node:buffer'

import { findDifferences, mergeChanges } from '#domain/editing/difference.ts'
import { doubtOfValue } from '#domain/editing/value-warnings.ts'
import type { Field } from '#domain/record-types/record-type.ts'
import { authorityAddress } from '#domain/values/authority-link.ts'
import { readDate } from '#domain/values/dates.ts'
import { shelfOrderOf } from '#domain/search/shelf-order.ts'
import { readIsbn } from '#domain/values/isbn.ts'
import { readItemState } from '#domain/values/item-state.ts'
import { readLink } from '#domain/values/link.ts'
import { isPlaceholder } from '#domain/values/placeholder.ts'
import { checkMetadata } from '#domain/editing/check-fields.ts'
import { clusterRecords } from '../records/cluster-records.ts'
import { bareText, readNumber } from '#domain/entity/duplicates.ts'
import type { Entity, EntityContent, Json, MetadataEntry, Relation } from '#domain/entity/entity.ts'
import { everything } from '#domain/filter/filter.ts'
import { foldText } from '#domain/values/fold.ts'
import { highlight } from '#domain/search/highlight.ts'
import { carryEdits, retainEdits } from '#domain/imports/retain-edits.ts'
import { indexValues } from '#domain/search/index-values.ts'
import { indexWords } from '#domain/search/index-words.ts'
import { findJsonFaults } from '#domain/json.ts'
import { applyJsonPatch } from '#domain/editing/json-patch.ts'
import { keepBoth, valuesWithout } from '#domain/editing/keep-both.ts'
import { addRelations, mergeMetadata, removeMetadata, removeRelations } from '#domain/editing/merge-lists.ts'
import { compareNumbered } from '#domain/entity/part-order.ts'
import type { Publication } from '#domain/entity/publication.ts'
import { readDraft } from '#domain/editing/read-draft.ts'
import { readClientFilters as readFilters } from '#compat/filter/client-filter-reader.ts'
import { findExcess } from '#domain/editing/record-limits.ts'
import { resolveRelations } from '#domain/entity/resolve-relation.ts'
import { comparedKinds, type SimilarRecord, similarityOf } from '#domain/entity/similarity.ts'
import { readSearch } from '#domain/search/search.ts'
import { readSearchText } from '#domain/search/search-language.ts'
import { textOfHtml, wordsOf } from '#domain/search/search-words.ts'
import { undoMerge } from '#domain/editing/undo-merge.ts'
import { wordText } from '#domain/search/word-text.ts'
import { writeBibtex } from '#formats/citations/bibtex.ts'
import { writeCslJson } from '#formats/citations/csl-json.ts'
import { writeRis } from '#formats/citations/ris.ts'
import { toCitation } from '#formats/citations/to-citation.ts'
import { detectDelimiter, readCsv } from '#formats/tables/read-csv.ts'
import { joinValues, splitValues, withoutGuard, writeCsvRow } from '#formats/tables/write-csv.ts'
import { describePublication } from '#formats/dublin-core/describe.ts'
import { writeOaiDublinCore } from '#formats/dublin-core/write-dublin-core.ts'
import { htmlToText } from '#formats/html/html-to-text.ts'
import { sanitizeHtml } from '#formats/html/sanitize-html.ts'
import { writeCalendar } from '#formats/icalendar/write-calendar.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { readMarcEvidence } from '#formats/marc/mapping/evidence.ts'
import { type Form, forms, type MarcRecord } from '#formats/marc/record.ts'
import { writers } from '#formats/marc/write-marc.ts'
import { writeMods } from '#formats/mods/write-mods.ts'
import { writeRecordXml } from '#formats/native/write-record-xml.ts'
import { describeEntity } from '#formats/rdf/describe-entity.ts'
import { writeJsonLd } from '#formats/rdf/write-jsonld.ts'
import { writeNTriples } from '#formats/rdf/write-ntriples.ts'
import { writeRdfXmlNodes } from '#formats/rdf/write-rdfxml.ts'
import { writeTurtleNodes } from '#formats/rdf/write-turtle.ts'
import { readSource } from '#formats/source/read-source.ts'
import { type SourceFormat, sourceFormatNames } from '#formats/source/source-formats.ts'
import { element, escapeXml } from '#formats/xml/write-xml.ts'
import { createXmlTokens } from '#formats/xml/xml-tokens.ts'
import { readFields } from '#http/body/form-body.ts'
import { readJsonBody } from '#http/body/json-body.ts'
import { mapRow } from '#formats/tables/map-row.ts'
import { proposeMeanings, sampleColumns } from '#formats/tables/propose-mapping.ts'
import { pathsIn, readRowMapping } from '#formats/tables/row-mapping.ts'
import { readDay, readMoment } from '#formats/tables/written-dates.ts'
import { cellsOf, readColumns } from '#protocols/export/csv-columns.ts'
import { readArguments } from '#protocols/oai-pmh/read-arguments.ts'
import { readQueries } from '#protocols/reconciliation/read-queries.ts'
import { scoreName } from '#protocols/reconciliation/score-name.ts'
import { cqlToFilter } from '#protocols/sru/cql-to-filter.ts'
import { parseCql } from '#protocols/sru/parse-cql.ts'
import { readEntityTable } from '#protocols/tables/read-entity-table.ts'
import { aLevel, anEntity, anExpressionOf, model, related } from '../records/described-publications.ts'
import { hostileTexts } from '../records/hostile-texts.ts'
import { evidenceFrom } from '../records/marc-lines.ts'
import type { Work } from './measure-growth.ts'

/*
 * Work on what comes from outside, each with inputs that are bad for it. A subject is named by the
 * folder or file that it is about: a folder of formats or protocols without a subject fails
 * `test/generated/growth.test.ts`.
 */

export interface GrowthSubject {
  /** The folder or file in `src/`. */
  readonly of: string
  readonly name: string
  /** The size that is compared with four times as much; 4 times is about what can be sent. */
  readonly size: number
  readonly prepare: (size: number) => Work
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const rowMapping = readRowMapping(
  {
    dates: 'DMY',
    zone: 'Europe/Brussels',
    records: [
      {
        name: 'production',
        type: 'production',
        id: 'x-{id}',
        fields: { title: 'title', description: { from: ['list', 'notes'], split: ',', join: ' ' } }
      },
      {
        name: 'performance',
        type: 'performance',
        each: { from: 'day', split: ';' },
        id: 'x-{id}-{@}',
        fields: { starts_at: '@' },
        relations: { refProduction: { record: 'production' }, refVenues: { from: 'venues', split: '|', type: 'venue' } }
      }
    ]
  },
  model
)

/** Does the work and leaves out that bad input is refused. */
const tried = (work: () => unknown) => async () => {
  try {
    await work()
  } catch {}
}

async function exhaust(items: AsyncIterable<unknown>) {
  for await (const _ of items);
}

const pieces = (bytes: Buffer, size = 5_000): Buffer[] =>
  times(Math.ceil(bytes.length / size), at => bytes.subarray(at * size, (at + 1) * size))

const folderOf: Readonly<Partial<Record<SourceFormat, string>>> = {
  csv: 'formats/tables',
  ndjson: 'formats/ndjson',
  onix: 'formats/onix',
  pica: 'formats/pica',
  picaxml: 'formats/pica',
  mods: 'formats/mods',
  dc: 'formats/dublin-core',
  turtle: 'formats/rdf',
  ntriples: 'formats/rdf',
  rdfxml: 'formats/rdf',
  jsonld: 'formats/rdf',
  icalendar: 'formats/icalendar',
  uitdatabank: 'formats/events',
  cdbxml: 'formats/events',
  schemaorg: 'formats/events'
}

const reading = (format: SourceFormat, name: string, size: number, make: (size: number) => string | Buffer) => ({
  of: folderOf[format] ?? 'formats/marc',
  name: `reading ${format}: ${name}`,
  size,
  prepare: (count: number) => {
    const bytes = Buffer.from(make(count))
    return tried(() => exhaust(readSource(pieces(bytes), { format })))
  }
})

const onText = (of: string, name: string, work: (text: string) => unknown, size = 25_000): GrowthSubject[] =>
  Object.entries(hostileTexts).map(([kind, make]) => ({
    of,
    name: `${name}: ${kind}`,
    size,
    prepare: count => {
      const text = make(count)
      return tried(() => work(text))
    }
  }))

// --- Contents of records ------------------------------------------------------------------------

const entriesOf = (count: number, key = (at: number) => `k${at}`): MetadataEntry[] =>
  times(count, at => ({ key: key(at), value: `v${at}` }))
const relationsOf = (count: number, key = (at: number) => `E-${at}`): Relation[] =>
  times(count, at => ({
    type: `ref${at % 3 === 0 ? at : 'X'}`,
    key: key(at),
    metadata: [{ key: 'role', value: 'aut' }]
  }))
const contentOf = (count: number, key?: (at: number) => string) => ({
  metadata: entriesOf(count, key),
  relations: relationsOf(count),
  otherIdentifiers: times(count, at => `i${at}`)
})
type Content = ReturnType<typeof contentOf>
const reversed = ({ metadata, relations, otherIdentifiers }: Content): Content => ({
  metadata: metadata.toReversed(),
  relations: relations.toReversed(),
  otherIdentifiers: otherIdentifiers.toReversed()
})
const edited = ({ metadata, relations, otherIdentifiers }: Content, mark: string): Content => ({
  metadata: metadata.map((each, at) => (at % 2 === 0 ? { ...each, value: mark } : each)),
  relations: relations.map((each, at) => (at % 2 === 0 ? { ...each, metadata: [{ key: 'role', value: mark }] } : each)),
  otherIdentifiers: otherIdentifiers.map((each, at) => (at % 2 === 0 ? `${each}${mark}` : each))
})
const entityWith = (content: Content, type = 'production'): Entity => ({
  ...anEntity('X-1', type, {}),
  metadata: content.metadata,
  relations: content.relations,
  identifiers: ['uuid', 'X-1', ...content.otherIdentifiers]
})

const onContent = (file: string, name: string, work: (content: Content) => unknown, size = 2_500): GrowthSubject[] =>
  Object.entries({
    'of many keys': (count: number) => contentOf(count),
    'of one key': (count: number) => contentOf(count, () => 'note')
  }).map(([kind, make]) => ({
    of: `domain/${file}`,
    name: `${name} ${kind}`,
    size,
    prepare: count => {
      const content = make(count)
      return tried(() => work(content))
    }
  }))

const relationSummary = (key: string) => ({
  id: key,
  type: 'person',
  members: '"label":"person"',
  name: key,
  climbs: false,
  parent: undefined
})
const productionType = model.findType('production')
if (!productionType) throw new Error('There is no production')

const doubtfulFields: readonly Field[] = [
  ...(['issn', 'ean', 'language', 'email'] as const).map(form => ({ kind: 'text' as const, form })),
  { kind: 'year' },
  { kind: 'moment' }
]

const records: GrowthSubject[] = [
  ...onContent('editing/difference.ts', 'differences to nothing', content => findDifferences(undefined, content)),
  ...onContent('editing/difference.ts', 'differences of edits', content =>
    findDifferences(content, edited(content, 'x'))
  ),
  ...onContent('editing/difference.ts', 'joining edits', content =>
    mergeChanges(content, reversed(content), edited(content, 'x'))
  ),
  ...onContent('editing/undo-merge.ts', 'taking back edits', content =>
    undoMerge(edited(content, 'x'), content, reversed(content), [], undefined)
  ),
  ...onContent('editing/undo-merge.ts', 'taking back an order', content =>
    undoMerge(reversed(edited(content, 'x')), content, edited(content, 'y'), [], undefined)
  ),
  ...onContent('entity/resolve-relation.ts', 'relations shown', ({ relations }) =>
    resolveRelations(relations, relationSummary)
  ),
  {
    of: 'domain/entity/resolve-relation.ts',
    name: 'relations to one record shown',
    size: 2_500,
    prepare: size => {
      const list = relationsOf(size, () => 'E-1')
      return () => resolveRelations(list, relationSummary)
    }
  },
  {
    of: 'domain/entity/resolve-relation.ts',
    name: 'a long chain of broader records shown',
    size: 5_000,
    prepare: size => {
      const find = (key: string) => ({
        ...relationSummary(key),
        climbs: true,
        parent: String(Math.min(size, Number(key) + 1))
      })
      return () => resolveRelations([{ type: 'refX', key: '0' }], find)
    }
  },
  ...onContent('editing/merge-lists.ts', 'lists joined', content => [
    mergeMetadata(content.metadata, content.metadata.toReversed()),
    addRelations(content.relations, content.relations.toReversed()),
    removeMetadata(content.metadata, content.metadata),
    removeRelations(content.relations, content.relations)
  ]),
  ...onContent('editing/keep-both.ts', 'values of two records kept', content => [
    keepBoth(productionType, content, edited(content, 'x')),
    valuesWithout(productionType, content, edited(content, 'x'))
  ]),
  ...onContent('imports', 'edits kept by an import', content => [
    retainEdits(edited(content, 'x'), content, edited(content, 'y')),
    carryEdits(content, edited(content, 'x'), reversed(content))
  ]),
  ...onContent('search/index-values.ts', 'values indexed', content =>
    indexValues(model, { type: 'production', metadata: content.metadata })
  ),
  ...onContent('search/index-words.ts', 'words indexed', content =>
    indexWords(model, { type: 'production', metadata: content.metadata })
  ),
  ...onContent('editing/record-limits.ts', 'limits checked', content =>
    findExcess(productionType, content as unknown as EntityContent)
  ),
  ...onContent('editing/read-draft.ts', 'a draft read', ({ otherIdentifiers, ...lists }) =>
    readDraft({ type: 'production', identifiers: otherIdentifiers, ...lists }, [])
  ),
  ...onContent('editing/read-draft.ts', 'a draft of faults read', ({ otherIdentifiers }) =>
    readDraft({ metadata: otherIdentifiers, relations: otherIdentifiers.map(() => ({})) }, [])
  ),
  ...onContent('editing/check-fields.ts', 'fields checked', ({ metadata }) =>
    checkMetadata(productionType, metadata, sanitizeHtml, [])
  ),
  ...onContent('json.ts', 'JSON looked through', content => findJsonFaults(content)),
  ...onContent('editing/json-patch.ts', 'a patch applied', ({ metadata }) =>
    applyJsonPatch(
      { metadata: [] } as unknown as Json,
      metadata.map(value => ({ op: 'add', path: '/metadata/-', value }))
    )
  ),
  ...onContent('editing/json-patch.ts', 'a patch that tests', ({ metadata }) =>
    applyJsonPatch(
      { metadata } as unknown as Json,
      metadata.map((value, at) => ({ op: 'test', path: `/metadata/${at}`, value }))
    )
  ),
  ...onContent('filter/read-filter.ts', 'filters read', ({ metadata }) =>
    readFilters(
      model,
      metadata.map(({ value }) => ({ type: 'metadata', key: 'title', value }))
    )
  ),
  ...onContent('search/highlight.ts', 'words found again', content =>
    highlight(model, entityWith(content), everything, true, () => undefined)
  ),
  ...onText('domain/values/fold.ts', 'folding', foldText),
  ...onText('domain/entity/part-order.ts', 'the order of parts', text => {
    const relation = { key: 'X', type: 'refSeries', metadata: [{ key: 'number', value: text }] }
    return compareNumbered(relation, { ...relation })
  }),
  ...onText('domain/values/link.ts', 'a link', readLink),
  ...onText('domain/values/authority-link.ts', 'an authority', text => [
    authorityAddress(text),
    authorityAddress(`(${text}`),
    authorityAddress(`(isni)${text}`)
  ]),
  ...onText('domain/values/placeholder.ts', 'a missing number', isPlaceholder),
  ...onText('domain/values/isbn.ts', 'an ISBN', readIsbn),
  ...onText('domain/values/item-state.ts', 'the state of a copy', readItemState),
  ...onText('domain/search/shelf-order.ts', 'a shelf mark', shelfOrderOf),
  ...onText('domain/values/dates.ts', 'a date', readDate),
  ...onText('domain/editing/value-warnings.ts', 'doubts', text =>
    doubtfulFields.flatMap(field => [doubtOfValue('k', field, text), doubtOfValue('k', field, `a@${text}@`)])
  ),
  {
    of: 'domain/entity/similarity.ts',
    name: 'likeness of records with many values',
    size: 2_500,
    prepare: size => {
      const withValues = (mark: string): SimilarRecord => {
        const texts = Array.from({ length: size }, (_, at) => `${mark}${at}`)
        const targets = Array.from({ length: size }, (_, at) => (mark === 'a' ? at : -at))
        return { name: 'Name, Full', textsOf: () => texts, targetsBy: () => targets }
      }
      const [one, other] = [withValues('a'), withValues('b')]
      return () => comparedKinds().map(kind => similarityOf(kind, one, other, 1))
    }
  },
  ...onText('domain/entity/duplicates.ts', 'numbers that identify', text =>
    doubtfulFields.map(field => [readNumber('k', field, text), bareText(text)])
  ),
  ...onText('domain/search/search-words.ts', 'words', text => [wordsOf(text), wordsOf(textOfHtml(text))]),
  ...onText('domain/search/word-text.ts', 'text of words', wordText),
  ...onText('domain/search/search.ts', 'a search', readSearch, 2_000),
  ...onText(
    'domain/search/search-language.ts',
    'the search language',
    text => [text, `"${text}`, `-${text} OR title:${text}`].map(each => readSearchText(model, each)),
    2_000
  ),
  {
    of: 'domain/clustering',
    name: 'records of one work clustered',
    size: 100,
    prepare: size => {
      const evidence = times(size, at => evidenceFrom(`r${at}`, '100 1# $aBerg, Anna\n245 10 $aGale /$cAnna Berg.'))
      return () => clusterRecords(evidence)
    }
  }
]

// --- Formats ------------------------------------------------------------------------------------

const entryFor = (count: number): Publication => {
  const people = times(count, at =>
    related('refAuthors', anEntity(`P-${at}`, 'person', { name: `Name, A. ${at}` }), 'aut')
  )
  const topics = times(count, at => related('refSubjects', anEntity(`S-${at}`, 'subject', { name: `Topic ${at}` })))
  const notes = times(count, at => `note ${at}`)
  return {
    manifestation: aLevel(
      anEntity('M-1', 'manifestation_word', { title: 'Faust', isbn: notes, description: notes, note: notes }, notes),
      ...people
    ),
    expressions: [
      anExpressionOf(
        aLevel(anEntity('W-1', 'work_word', { title: 'Faust' }), ...people, ...topics),
        anEntity('E-1', 'expression_word', { title: 'Faust' }),
        ...people
      )
    ]
  }
}

const onPublication = (of: string, name: string, write: (publication: Publication) => unknown): GrowthSubject => ({
  of,
  name,
  size: 500,
  prepare: count => {
    const publication = entryFor(count)
    return tried(() => write(publication))
  }
})

/** A publication with the same text in each field of its levels that takes one. */
function publicationOfTexts(text: string): Publication {
  const level = (type: string) => {
    const fields = Object.entries(model.findType(type)?.fields ?? {}).filter(([, { kind }]) => /text|html/.test(kind))
    return anEntity(`X-${type}`, type, Object.fromEntries(fields.map(([key]) => [key, text])))
  }
  return {
    manifestation: aLevel(level('manifestation_word')),
    expressions: [anExpressionOf(aLevel(level('work_word')), level('expression_word'))]
  }
}

const marcWith = (count: number): MarcRecord => ({
  leader: '00000nam a2200000 a 4500',
  fields: [
    { tag: '001', value: 'x' },
    { tag: '245', indicators: '10', subfields: [{ code: 'a', value: 'Title' }] },
    ...['500', '505', '520', '650', '700', '773', '880'].flatMap(tag =>
      times(count, at => ({
        tag,
        indicators: '1 ',
        subfields: [
          { code: 'a', value: `Berg, Anna ${at}` },
          { code: 't', value: `Gale ${at}` }
        ]
      }))
    )
  ]
})

const graphOf = (count: number) => {
  const content = contentOf(count)
  const entity = entityWith({
    ...content,
    relations: times(count, at => ({ type: 'refVenues', key: `V-${at}`, metadata: [] }))
  })
  const targets = new Map(times(count, at => [`V-${at}`, anEntity(`V-${at}`, 'venue', { name: `Venue ${at}` })]))
  return describeEntity(model, 'https://example.org', {
    entity,
    whole: [entity],
    referring: [...targets.values()],
    related: targets,
    cutOff: [],
    timeZone: 'UTC'
  })
}
const onGraph = (name: string, write: (graph: ReturnType<typeof graphOf>) => unknown): GrowthSubject => ({
  of: 'formats/rdf',
  name,
  size: 500,
  prepare: count => {
    const graph = graphOf(count)
    return () => write(graph)
  }
})

const rdfPrefixes = `@prefix bf: <http://id.loc.gov/ontologies/bibframe/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
`

const publicationFormats: readonly (readonly [of: string, name: string, write: (from: Publication) => unknown])[] = [
  ['formats/marc', 'a MARC record composed', publication => composeRecord(publication)],
  [
    'formats/citations',
    'citations',
    publication => {
      const citation = toCitation(publication)
      return [writeBibtex(citation), writeCslJson(citation), writeRis(citation, 'https://x')]
    }
  ],
  ['formats/dublin-core', 'Dublin Core', publication => writeOaiDublinCore(describePublication(model, publication))],
  ['formats/mods', 'MODS', publication => writeMods(model, publication)]
]

const formats: GrowthSubject[] = [
  ...sourceFormatNames.flatMap(format => [
    ...Object.entries(hostileTexts).map(([kind, make]) => reading(format, kind, 25_000, make))
  ]),
  reading('icalendar', 'an event with many lines', 2_000, size => {
    const event = `BEGIN:VEVENT\r\nUID:1\r\nSUMMARY:a\r\n${'CATEGORIES:b\r\n'.repeat(size)}END:VEVENT\r\n`
    return `BEGIN:VCALENDAR\r\n${event}END:VCALENDAR\r\n`
  }),
  reading('icalendar', 'many repeated events', 20, size => {
    const event = 'BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270101T200000Z\r\nRRULE:FREQ=DAILY\r\nSUMMARY:a\r\nEND:VEVENT\r\n'
    return `BEGIN:VCALENDAR\r\n${event.repeat(size)}END:VCALENDAR\r\n`
  }),
  reading('schemaorg', 'a show with many nights', 200, size => {
    const night = '{"@type":"TheaterEvent","startDate":"2027-01-01T20:00Z","location":{"name":"L"}}'
    return `{"@context":"https://schema.org","@type":"TheaterEvent","name":"a","subEvent":[${Array(size).fill(night)}]}`
  }),
  reading('csv', 'many columns', 25_000, size => `id,title,${'c,'.repeat(size)}\n1,x,${'y,'.repeat(size)}\n`),
  reading('csv', 'rows that are too short', 25_000, size => `id,title\n${'1\n'.repeat(size)}`),
  reading('ndjson', 'lines that are no JSON', 25_000, size => '{"\n'.repeat(size)),
  reading(
    'onix',
    'a product with many contributors',
    2_000,
    size =>
      `<ONIXMessage release="3.0"><Product><RecordReference>1</RecordReference><DescriptiveDetail>${times(size, at => `<Contributor><SequenceNumber>${at}</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>N ${at}</PersonName></Contributor>`).join('')}</DescriptiveDetail></Product></ONIXMessage>`
  ),
  ...forms.map((form: Form) =>
    // A record of ISO 2709 has at most 99,999 bytes.
    reading(form, 'a record with many fields', form === 'iso2709' ? 60 : 250, size => {
      const { head, tail, write } = writers[form]
      return `${head}${write(marcWith(size))}${tail}`
    })
  ),
  reading(
    'aleph',
    'a record with many fields',
    2_000,
    size => `000000001 LDR   L 00000nam^a22^^^^^^a^4500\n${'000000001 50010 L $$aA note$$b'.repeat(size)}\n`
  ),
  reading(
    'mods',
    'a record with many subjects',
    2_000,
    size =>
      `<mods>${times(size, at => `<subject><topic>S ${at}</topic></subject><titleInfo><title>T ${at}</title></titleInfo>`).join('')}</mods>`
  ),
  reading('mods', 'records that do not end', 2_000, size => `<modsCollection>${'<mods><x>'.repeat(size)}`),
  reading(
    'dc',
    'a record with many elements',
    2_000,
    size =>
      `<dc>${times(size, at => `<identifier>x${at}</identifier><title>T ${at}</title><creator>C ${at}</creator>`).join('')}</dc>`
  ),
  reading('dc', 'headers without records', 2_000, size => '<header><identifier>x</identifier></header>'.repeat(size)),
  reading('pica', 'a record with many fields', 2_000, size => `003@ $01\n${'037A $aNote$$5\n'.repeat(size)}`),
  reading('pica', 'many copies', 2_000, size =>
    times(size, at => `101@ $a${at}\n209A/01 $aA ${at}\n044K $8S ${at} [Ts1]\n`).join('')
  ),
  reading('pica', 'many subfields', 2_000, size => `003@ $01\n021A ${'$a@x$$'.repeat(size)}\n`),
  reading('turtle', 'a publication with many notes and contributions', 500, size => {
    const many = times(size, at => `bf:note "${at}" ; bf:contribution [ bf:agent [ rdfs:label "N ${at}" ] ]`)
    return `${rdfPrefixes}<http://x/i> a bf:Instance ; bf:title [ bf:mainTitle "T" ] ; ${many.join(' ; ')} .`
  }),
  reading('turtle', 'many publications of one work', 500, size => {
    const publications = times(
      size,
      at => `<http://x/${at}> bf:instanceOf <http://x/w> ; bf:title [ bf:mainTitle "T" ] .`
    )
    const back = times(size, at => `<http://x/${at}>`).join(', ')
    return `${rdfPrefixes}${publications.join('\n')} <http://x/w> bf:expressionOf <http://x/h> ; bf:hasInstance ${back} .
      <http://x/h> bf:hasExpression <http://x/w> .`
  }),
  reading(
    'turtle',
    'works in a circle',
    2_000,
    size =>
      rdfPrefixes +
      times(size, at => `<http://x/${at}> a bf:Work ; bf:hasPart <http://x/${(at + 1) % size}> .`).join('\n')
  ),
  reading(
    'turtle',
    'a value many times',
    10_000,
    size => `${rdfPrefixes}<http://x/i> bf:note ${'"a", '.repeat(size)}"b" .`
  ),
  reading('ntriples', 'many values of one property', 10_000, size =>
    times(size, at => `<http://x/i> <http://x/p> "${at}" .\n`).join('')
  ),
  reading(
    'rdfxml',
    'many nodes and namespaces',
    2_000,
    size =>
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${times(size, at => `<x:A xmlns:x="http://x/${at}"><x:b rdf:nodeID="n${at}"/></x:A>`).join('')}</rdf:RDF>`
  ),
  reading('jsonld', 'many contexts', 2_000, size =>
    JSON.stringify(times(size, at => ({ '@context': { [`t${at}`]: 'http://x/' }, [`t${at}`]: 'y' })))
  ),
  reading('jsonld', 'a fault at the end', 10_000, size => `{"@graph":[${'{"@id":"http://x"},'.repeat(size)}`),
  reading('aleph', 'wrong lines', 2_000, size => `000000001 24510 L $$aTitle\n${'000000001 x\n'.repeat(size)}`),
  {
    of: 'formats/marc',
    name: 'what a record says',
    size: 200,
    prepare: size => {
      const record = marcWith(size)
      return tried(() => readMarcEvidence(record, describeRecord(record), 'x'))
    }
  },
  ...publicationFormats.flatMap(([of, name, write]) => [
    onPublication(of, name, write),
    ...onText(of, `${name} of long texts`, text => write(publicationOfTexts(text)), 1_000)
  ]),
  {
    of: 'formats/native',
    name: 'a record as XML',
    size: 2_500,
    prepare: size => {
      const entity = entityWith(contentOf(size))
      return () => writeRecordXml(entity)
    }
  },
  { of: 'formats/rdf', name: 'a description', size: 500, prepare: size => () => graphOf(size) },
  onGraph('Turtle', writeTurtleNodes),
  onGraph('N-Triples', writeNTriples),
  onGraph('RDF/XML', writeRdfXmlNodes),
  onGraph('JSON-LD', graph => writeJsonLd(graph, 'https://example.org/entities/X-1', 'https://example.org/context')),
  {
    of: 'formats/icalendar',
    name: 'a calendar',
    size: 500,
    prepare: size => {
      const event = {
        changed: 0,
        created: 0,
        sequence: 1,
        status: 'CONFIRMED',
        start: { at: 0, isDay: false }
      } as const
      const events = times(size, at => ({ ...event, uid: String(at), summary: 'é,;\\\n'.repeat(100) }))
      return () => writeCalendar({ name: 'x', address: 'https://x', events })
    }
  },
  ...onText(
    'formats/icalendar',
    'a long summary',
    summary =>
      writeCalendar({
        name: summary,
        address: 'https://x',
        events: [
          {
            uid: '1',
            changed: 0,
            created: 0,
            sequence: 1,
            status: 'CONFIRMED',
            start: { at: 0, isDay: false },
            summary
          }
        ]
      }),
    25_000
  ),
  ...onText('formats/tables', 'cells of a mapping', text =>
    mapRow(rowMapping, { id: text, title: text, day: text, venues: text, notes: text.split(' '), list: text }, model)
  ),
  ...onText('formats/tables', 'a template', text => pathsIn(text)),
  ...onText('formats/tables', 'dates', text => [
    readDay(text, { order: 'DMY', zone: 'Europe/Brussels' }),
    readMoment([text, text], { order: undefined, zone: 'Europe/Brussels' })
  ]),
  ...onText('formats/tables', 'names of columns', text => proposeMeanings([text, `${text}x`], model)),
  {
    of: 'formats/tables',
    name: 'many columns',
    size: 2_000,
    prepare: size => {
      const names = times(size, at => `column ${at}`)
      const row = Object.fromEntries(names.map(each => [each, '1 January 2026']))
      return () => [proposeMeanings(names, model), sampleColumns(times(5, () => row))]
    }
  },
  ...onText('formats/tables', 'rows', text =>
    exhaust(readCsv(pieces(Buffer.from(text)), { delimiter: ',', limit: 1_000_000 }))
  ),
  ...onText('formats/tables', 'rows in one piece', text =>
    exhaust(readCsv([Buffer.from(text)], { delimiter: ',', limit: 1_000_000 }))
  ),
  ...onText('formats/tables', 'cells', text => [
    splitValues(text),
    joinValues([text]),
    withoutGuard(text),
    writeCsvRow([text]),
    detectDelimiter(text)
  ]),
  ...onText('formats/html', 'sanitizing', text => sanitizeHtml(text), 24_000),
  ...onText('formats/html', 'text', text => htmlToText(text), 24_000),
  ...onText('formats/xml', 'escaping', text => element('x', { a: text }, text, escapeXml(text))),
  ...onText('formats/xml', 'tokens', text => {
    const tokens = createXmlTokens({ open() {}, close() {}, text() {} }, 10_000_000)
    tokens.write('<x>')
    // As readers give it: in pieces of 32 kB and more.
    for (const piece of pieces(Buffer.from(text), 32_768)) tokens.write(piece.toString('latin1'))
    tokens.write('</x>')
    tokens.end()
  })
]

// --- Protocols ----------------------------------------------------------------------------------

const protocols: GrowthSubject[] = [
  ...onText('http/body/form-body.ts', 'a form', readFields, 60_000),
  ...onText('http/body/json-body.ts', 'a JSON body', text => readJsonBody(Buffer.from(text)), 60_000),
  ...onText('protocols/oai-pmh', 'arguments', text => readArguments(readFields(text)), 16_000),
  ...onText('protocols/reconciliation', 'names', text => scoreName(text, `${text} x`), 25_000),
  ...onText('protocols/reconciliation', 'queries', readQueries, 16_000),
  ...onText(
    'protocols/sru',
    'CQL',
    text => {
      const { root } = parseCql(`title = ${text}`)
      if (root.kind === 'clause') cqlToFilter({ model, types: ['production'] }, root)
    },
    1_000
  ),
  ...onText('protocols/sru', 'CQL with quotes', text => parseCql(`title = "${text}" and (${text}`), 1_000),
  ...Object.entries({
    'many columns': (size: number) => `id,${times(size, at => `c${at}`).join(',')}\n`,
    'many rows': (size: number) => `type,title\n${'production,x\n'.repeat(size)}`,
    'rows of faults': (size: number) => `id\n${'a,b,c\n'.repeat(size)}`,
    'one long cell': (size: number) => `type,note\nproduction,${'a|'.repeat(size)}\n`,
    'many identifiers': (size: number) => `identifiers,type\n${'a|'.repeat(size)},production\n`
  }).map(([kind, make]) => ({
    of: 'protocols/tables',
    name: `a table: ${kind}`,
    size: 10_000,
    prepare: (size: number) => {
      const bytes = Buffer.from(make(size))
      return tried(() =>
        readEntityTable(bytes, { model, maxRows: Number.POSITIVE_INFINITY, find: async () => undefined })
      )
    }
  })),
  {
    of: 'protocols/export',
    name: 'cells of a record',
    size: 2_500,
    prepare: size => {
      const entity = entityWith(contentOf(size, () => 'note'))
      const columns = readColumns(['id', 'note', 'refX', 'identifiers'])
      return () => cellsOf(entity, columns, new Map())
    }
  }
]

export const growthSubjects: readonly GrowthSubject[] = [...records, ...formats, ...protocols]
