import type { DataField } from '../marc/record.ts'
import type { Defect } from '../source/defects.ts'
import type { Content } from './find-publications.ts'
import { isInRegistryRows } from './registry-statements.ts'
import { type GraphView, type ReadName, readIriOf, shownName } from './graph-view.ts'

/** Properties of publications, texts and works that become fields, or that say nothing more. */
const mapped: ReadonlySet<string> = new Set(
  (
    [
      ...['bf:instanceOf', 'bf:hasInstance', 'bf:expressionOf', 'bf:hasExpression', 'bf:translationOf', 'bf:hasItem'],
      ...['bf:title', 'bf:contribution', 'bf:language', 'bf:responsibilityStatement', 'bf:identifiedBy', 'bf:relation'],
      ...['bf:provisionActivity', 'bf:provisionActivityStatement', 'bf:publicationStatement', 'bf:copyrightDate'],
      ...['bf:editionStatement', 'bf:extent', 'bf:dimensions', 'bf:duration', 'bf:content', 'bf:media', 'bf:carrier'],
      ...['bf:summary', 'bf:tableOfContents', 'bf:note', 'bf:dissertation', 'bf:supplementaryContent', 'bf:issuance'],
      ...['bf:usageAndAccessPolicy', 'bf:credits', 'bf:intendedAudience', 'bf:awards', 'bf:preferredCitation'],
      ...['bf:custodialHistory', 'bf:scale', 'bf:cartographicAttributes', 'bf:subject', 'bf:geographicCoverage'],
      ...['bf:temporalCoverage', 'bf:genreForm', 'bf:classification', 'bf:partOf', 'bf:hasPart', 'bf:precededBy'],
      ...['bf:succeededBy', 'bf:otherPhysicalFormat', 'bf:otherEdition', 'bf:hasSeries', 'bf:seriesStatement'],
      ...['bf:seriesEnumeration', 'bf:electronicLocator', 'bf:adminMetadata', 'bf:originDate', 'bf:musicOpusNumber'],
      ...['bf:relatedTo', 'bf:seriesOf', 'bflc:aap', 'bflc:aap-normalized', 'bflc:marcKey', 'bflc:simpleDate'],
      ...['lrmoo:R4_embodies', 'lrmoo:R4i_is_embodied_in', 'lrmoo:R3i_realises', 'lrmoo:R3i_is_realisation_of'],
      ...['lrmoo:R3_is_realised_in', 'lrmoo:R7i_is_exemplified_by', 'crm:P102_has_title', 'crm:P72_has_language'],
      ...['crm:P1_is_identified_by', 'rdf:type', 'rdfs:label', 'rdfs:seeAlso', 'skos:prefLabel', 'owl:sameAs'],
      ...['dcterms:title', 'dcterms:creator', 'dcterms:contributor', 'dcterms:language', 'dcterms:issued'],
      ...['dcterms:date', 'dcterms:subject', 'dc:title', 'dc:creator', 'dc:contributor', 'dc:language', 'dc:date']
    ] as const satisfies readonly ReadName[]
  ).map(readIriOf)
)

const schemaOrg = readIriOf('schema:')

/** Maximum names in a remark. */
const maxNamed = 10

/** The nodes of a publication, its texts and works. */
const nodesOf = (publication: string, contents: readonly Content[]) =>
  new Set([publication, ...contents.flatMap(each => [each.expression, each.work ?? each.expression])])

/** The properties of a record without a place in the model, each as often as it occurs. */
export const unmappedProperties = (view: GraphView, publication: string, contents: readonly Content[]): string[] =>
  [...nodesOf(publication, contents)].flatMap(node =>
    [...(view.statements.nodes.get(node)?.keys() ?? [])]
      .filter(predicate => !mapped.has(predicate) && !predicate.startsWith(schemaOrg) && !isInRegistryRows(predicate))
      .map(shownName)
  )

/** The nodes of a record that are left out, since they have no name. */
export function findNameless(
  view: GraphView,
  publication: string,
  contents: readonly Content[],
  fields: readonly DataField[]
): Defect[] {
  const nodes = nodesOf(publication, contents)
  const nameless = [...nodes]
    .flatMap(node => view.nodes(node, 'bf:contribution').flatMap(each => view.nodes(each, 'bf:agent')))
    .concat([...nodes].flatMap(node => view.nodes(node, 'bf:subject', 'bf:genreForm')))
    .filter(
      each => view.label(each) === undefined && view.text(each, 'bflc:marcKey', 'schema:familyName') === undefined
    )
  const said = (start: string, names: readonly string[]): Defect[] =>
    names.length === 0
      ? []
      : [
          {
            kind: 'bad_value',
            message: `${start}: ${names
              .slice(0, maxNamed)
              .map(each => each.slice(0, 200))
              .join(', ')}${names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''}`
          }
        ]
  const hasLanguage = fields.some(each => each.tag === '041')
  const languages = hasLanguage ? [] : [...nodes].flatMap(node => view.nodes(node, 'bf:language'))
  return [
    ...said('Without a name in the file, and left out', [...new Set(nameless)]),
    ...said('Unknown languages', [...new Set(languages)])
  ]
}
