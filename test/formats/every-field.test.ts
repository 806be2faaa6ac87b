import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Entity, Json, MetadataEntry } from '#domain/entity/entity.ts'
import { levels, type Publication, type PublicationLevel } from '#domain/entity/publication.ts'
import { labelsOf } from '#domain/labels/labels-of.ts'
import { builtInRecordTypes } from '#domain/record-types/built-in.ts'
import { holdings } from '#domain/record-types/holdings.ts'
import { createModel } from '#domain/record-types/model.ts'
import type { Field, RecordType } from '#domain/record-types/record-type.ts'
import { authorityTypes } from '#domain/record-types/related.ts'
import { writeBibtex } from '#formats/citations/bibtex.ts'
import { writeCslJson } from '#formats/citations/csl-json.ts'
import { writeRis } from '#formats/citations/ris.ts'
import { toCitation } from '#formats/citations/to-citation.ts'
import * as dublinCore from '#formats/dublin-core/describe.ts'
import { composeAuthority } from '#formats/marc/compose-authority.ts'
import { composeRecord } from '#formats/marc/compose-record.ts'
import { describeAuthority } from '#formats/marc/mapping/authority-record.ts'
import { describeRecord } from '#formats/marc/mapping/describe-record.ts'
import { mappingTables } from '#formats/marc/mapping/reader.ts'
import { writeMods } from '#formats/mods/write-mods.ts'
import { describeEntity } from '#formats/rdf/describe-entity.ts'
import { skosOf } from '#formats/rdf/skos.ts'
import { writeSchemaOrg } from '#formats/rdf/write-jsonld.ts'
import { writeNTriples } from '#formats/rdf/write-ntriples.ts'
import { formatNames } from '#protocols/formats/registry.ts'
import { anEntityOf } from '../support/records/publications.ts'
import { goodValue } from '../support/records/write-cases.ts'

/*
 * Every field and relation is written in every format, or its table says why not (`leftOut`). It is
 * written in a format when a record with it looks different there from the record without it.
 */

const model = createModel(builtInRecordTypes)

/** One type for each table. */
const types = [...new Map(builtInRecordTypes.map(each => [each.umbrella ?? each.type, each])).entries()].map(
  ([name]) => builtInRecordTypes.find(each => (each.umbrella ?? each.type) === name) as RecordType
)

/** A record with one thing said of it, and the records around it. */
interface Case {
  readonly entity: Entity
  readonly publication: Publication | undefined
  readonly related: PublicationLevel['related']
}

const address = 'https://example.org'
const graphOf = ({ entity, related }: Case) =>
  describeEntity(model, address, {
    entity,
    whole: [entity],
    referring: [],
    related: new Map(related.map(each => [each.entity.id, each.entity])),
    cutOff: [],
    timeZone: 'UTC'
  })
const ofPublication =
  (write: (publication: Publication) => unknown) =>
  ({ publication }: Case) =>
    publication && JSON.stringify(write(publication))

const isAuthority = ({ entity }: Case) => authorityTypes.some(({ type }) => type === entity.type)

interface Family {
  /** The formats of the registry that are written alike. */
  readonly formats: readonly string[]
  /** The text of a case; undefined if the format is not for records of its type. */
  readonly write: (given: Case) => string | undefined
}

const families: Readonly<Record<string, Family>> = {
  rdf: { formats: ['jsonld', 'turtle', 'ntriples', 'rdfxml'], write: given => writeNTriples(graphOf(given)) },
  schema: {
    formats: ['schema'],
    write: given => writeSchemaOrg(graphOf(given), `${address}/entities/${given.entity.id}`)
  },
  dc: {
    formats: ['dc'],
    write: ({ entity, related, publication }) =>
      JSON.stringify(
        publication?.manifestation.entity === entity
          ? dublinCore.describePublication(model, publication)
          : dublinCore.describeEntity(model, { entity, related })
      )
  },
  mods: { formats: ['mods'], write: ofPublication(publication => writeMods(model, publication)) },
  citations: {
    formats: ['bibtex', 'ris', 'csl'],
    write: ofPublication(publication => {
      const citation = toCitation(publication)
      return [writeBibtex(citation), writeRis(citation, address), writeCslJson(citation)]
    })
  },
  skos: {
    formats: ['skos'],
    write: given =>
      isAuthority(given) ? writeNTriples(skosOf(graphOf(given), `${address}/entities/${given.entity.id}`)) : undefined
  },
  marcauth: {
    formats: ['marcauth'],
    write: given => {
      const composed = isAuthority(given) ? composeAuthority(given) : undefined
      // Of a 7XX, only the number is read.
      const linking = composed?.fields.filter(({ tag }) => tag.startsWith('7'))
      return composed && JSON.stringify([describeAuthority(composed, 'marc21'), linking])
    }
  },
  marc21: {
    formats: ['marc21', 'marcxml', 'marcjson', 'mrk'],
    write: ofPublication(each => describeRecord(composeRecord(each).record))
  }
}

/** Formats that have the whole record, whatever its fields. */
const wholeRecords = ['libretto', 'ndjson', 'csv']

/** Values of fields that a format takes only in some form. */
const valueByKey: Readonly<Record<string, Json>> = {
  life_dates: '1871-1901',
  active_dates: '1871-1901',
  material_type: 'audio disc',
  content_type: 'spoken word',
  start: '2027-11-14T20:00:00Z'
}

/** A value that no other field of a case has. */
function sampleOf(key: string, field: Field): Json {
  if (Object.hasOwn(valueByKey, key)) return valueByKey[key] ?? null
  if (field.kind !== 'text') return field.kind === 'year' ? '1871' : goodValue(field)
  if (field.isAddress) return 'https://example.org/zyx'
  return field.form === undefined
    ? 'Zyx, 125 p.'
    : { issn: '2049-3630', ean: '5412345678908', language: 'nld', email: 'zyx@example.org' }[field.form]
}

const role = (value: string) => [{ key: 'role', value }]

/** The records that a relation may lead to, by the first type that it names. */
function targetOf(recordType: RecordType, relation: string): PublicationLevel['related'] {
  const [to = ''] = recordType.relations[relation]?.to ?? []
  const target = model.findType(model.typesNamed(to)[0] ?? '')
  if (target === undefined) return []
  const metadata = Object.entries(target.fields).flatMap(([key, field]) =>
    field.required || key === target.nameField ? [{ key, value: sampleOf(key, field) }] : []
  )
  return [{ type: relation, metadata: role('editor'), entity: anEntityOf(target.type, 'TARGET', metadata) }]
}

/** The parts of a publication that say nothing; it is a translation. */
const plain = (type: string): PublicationLevel => ({
  entity: anEntityOf(type, `OTHER-${type}`, [{ key: 'title', value: 'Name' }]),
  related:
    model.umbrellaOf(type) === levels[1]
      ? [
          {
            type: 'refAuthors',
            metadata: role('translator'),
            entity: anEntityOf('person', 'P', [{ key: 'name', value: 'A' }])
          }
        ]
      : []
})

function caseOf(
  recordType: RecordType,
  metadata: readonly MetadataEntry[],
  related: PublicationLevel['related']
): Case {
  const relations = related.map(({ type, metadata, entity: { id } }) => ({ type, key: id, metadata }))
  const entity = { ...anEntityOf(recordType.type, 'GIVEN', metadata), relations }
  const kind = model.umbrellaOf(recordType.type)
  const at = (level: string, type: string) => {
    const { related: others, ...rest } = plain(type)
    return level === kind ? { entity, related: [...others, ...related] } : { ...rest, related: others }
  }
  const [work, expression, manifestation] = levels.map(level => at(level, `${level}_word`)) as [
    PublicationLevel,
    PublicationLevel,
    PublicationLevel
  ]
  const publication = {
    manifestation,
    expressions: [{ ...expression, work }],
    items: [at(holdings.item, holdings.item)]
  }
  const isPart = [...levels, holdings.item].some(level => level === kind)
  return { entity, related, publication: isPart ? publication : undefined }
}

/** The record of a type with its name, and with one field or relation more. */
function withAndWithout(recordType: RecordType, name: string): { readonly bare: Case; readonly given: Case } {
  const field = recordType.fields[name]
  const named = [{ key: recordType.nameField, value: 'Name' }]
  const metadata = field
    ? [...named.filter(({ key }) => key !== name), { key: name, value: sampleOf(name, field) }]
    : named
  return {
    bare: caseOf(recordType, named, []),
    given: caseOf(recordType, metadata, field ? [] : targetOf(recordType, name))
  }
}

/** Fields and relations that the tables give by other rows than those of their names. */
const givenByOtherRows: Readonly<Record<string, keyof typeof mappingTables.unimarc>> = {
  'work title': 'titles',
  'work original_title': 'titles',
  'expression title': 'titles',
  'manifestation is_omnibus': 'contained',
  'expression refWork': 'contained',
  'manifestation refExpressions': 'contained',
  'manifestation refHost': 'links',
  'work refPrecededBy': 'links',
  'work refSupplementTo': 'links',
  'work refTranslationOf': 'links',
  'work refBasedOn': 'links',
  'work refRelatedWorks': 'links'
}

/** Tests whether a format has a rule; undefined if it is not for records of the type. */
function hasRule(format: string, recordType: RecordType, name: string): boolean | undefined {
  if (format === 'unimarc') {
    const { umbrella: level } = recordType
    if (level === undefined) return undefined
    const { metadata, relations } = mappingTables.unimarc
    return (
      Object.hasOwn(givenByOtherRows, `${level} ${name}`) ||
      metadata.some(row => row.level === level && row.gives === name) ||
      relations.some(row => (row.level === level || row.level === 'by role') && row.relation === name)
    )
  }
  const { write } = families[format] ?? assert.fail(format)
  const { bare, given } = withAndWithout(recordType, name)
  const without = write(bare)
  return without === undefined ? undefined : write(given) !== without
}

const ruledFormats = [...Object.keys(families), 'unimarc']

/** Fields and relations with neither a rule in a format nor a reason, or with both. */
const faultsIn = (format: string, recordTypes: readonly RecordType[]) =>
  recordTypes.flatMap(recordType =>
    Object.entries({ ...recordType.fields, ...recordType.relations }).flatMap(([name, { leftOut = {} }]) => {
      const isWritten = hasRule(format, recordType, name)
      if (isWritten === undefined || isWritten === !Object.hasOwn(leftOut, format)) return []
      const what = `${name} of ${recordType.umbrella ?? recordType.type}`
      return [isWritten ? `${what} is left out, and there is a rule` : `${what}: no rule, and not left out`]
    })
  )

describe('Every field and relation', () => {
  for (const format of ruledFormats) {
    it(`has a rule in ${format}, or is left out for a reason`, () => {
      assert.deepEqual(faultsIn(format, types), [])
    })

    it(`is missed in ${format} if nobody thought about it`, () => {
      const first = types.find(each => hasRule(format, each, each.nameField) !== undefined)
      assert.ok(first)
      const fields = { ...first.fields, unheard_of: { kind: 'text' } as const }
      const relations = { ...first.relations, refUnheardOf: { to: ['title'] } }
      const found = faultsIn(format, [{ ...first, fields, relations }])
      // Dublin Core has an element for any relation.
      const expected = format === 'dc' ? ['unheard_of'] : ['unheard_of', 'refUnheardOf']
      assert.deepEqual(
        found.map(each => each.split(' ')[0]),
        expected
      )
    })
  }

  it('has a label in each language', () => {
    for (const labels of Object.values(labelsOf)) {
      const nameless = types.flatMap(({ fields, relations }) => [
        ...Object.keys(fields).filter(key => !Object.hasOwn(labels.fields, key)),
        ...Object.keys(relations).filter(type => !Object.hasOwn(labels.relations, type))
      ])
      assert.deepEqual([...new Set(nameless)], [])
    }
  })
})

describe('Every format', () => {
  it('is asked for its fields, or has whole records', () => {
    const asked = Object.values(families).flatMap(({ formats }) => formats)
    assert.deepEqual([...asked, ...wholeRecords].sort(), [...formatNames].sort())
  })
})
