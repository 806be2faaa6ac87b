import { createGraph, type Graph, named, type Term, type Triple } from './triples.ts'
import { iriOf, type Name } from './vocabularies.ts'

/*
 * The mapping uses properties of schema.org for every record that has such a value: an ISBN for a
 * map, a composer for a recording. Linked data may say so; validators of search engines complain of
 * a property that the class does not have. For web pages such statements are made by a property
 * that the class has, or left out.
 */

interface Rule {
  /** The classes that have the property. */
  readonly of: readonly Name[]
  /** The property for other classes; none leaves the statement out. */
  readonly otherwise?: Name
}

const rules: ReadonlyMap<Name, Rule> = new Map<Name, Rule>([
  ['schema:isbn', { of: ['schema:Book'], otherwise: 'schema:identifier' }],
  ['schema:gtin13', { of: ['schema:Offer'], otherwise: 'schema:identifier' }],
  ['schema:issn', { of: ['schema:Periodical'], otherwise: 'schema:identifier' }],
  ['schema:numberOfPages', { of: ['schema:Book'] }],
  ['schema:bookEdition', { of: ['schema:Book'] }],
  ['schema:illustrator', { of: ['schema:Book'], otherwise: 'schema:contributor' }],
  ['schema:readBy', { of: [], otherwise: 'schema:contributor' }],
  ['schema:lyricist', { of: ['schema:MusicComposition'], otherwise: 'schema:contributor' }],
  [
    'schema:composer',
    { of: ['schema:MusicComposition', 'schema:TheaterEvent', 'schema:EventSeries'], otherwise: 'schema:creator' }
  ],
  [
    'schema:director',
    { of: ['schema:Movie', 'schema:TheaterEvent', 'schema:EventSeries'], otherwise: 'schema:contributor' }
  ],
  [
    'schema:actor',
    { of: ['schema:Movie', 'schema:TheaterEvent', 'schema:EventSeries'], otherwise: 'schema:contributor' }
  ],
  [
    'schema:performer',
    { of: ['schema:TheaterEvent', 'schema:EventSeries', 'schema:PerformanceRole'], otherwise: 'schema:contributor' }
  ],
  ['schema:subtitleLanguage', { of: ['schema:Movie'] }],
  ['schema:accessibilityFeature', { of: [], otherwise: 'schema:keywords' }],
  ['schema:copyrightNotice', { of: ['schema:MediaObject'] }],
  ['schema:email', { of: ['schema:Person', 'schema:Organization', 'schema:TheaterGroup'] }]
])

/** Properties whose values are people; an organisation is a contributor. */
const ofPeople = new Set<Name>(['schema:editor', 'schema:illustrator', 'schema:director'])

/** Properties whose values are texts: a record stands for its name. */
const ofTexts = new Set<Name>(['schema:temporalCoverage'])

/** The graph of these triples with the properties that the classes of its nodes have. */
export function fitSchemaOrg(triples: readonly Triple[]): Graph {
  const typesOf = new Map<string, Set<string>>()
  const names = new Map<string, Term>()
  for (const { subject, predicate, object } of triples) {
    if (predicate === 'rdf:type' && object.kind === 'iri')
      typesOf.set(subject, (typesOf.get(subject) ?? new Set()).add(object.iri))
    if (predicate === 'schema:name' && !names.has(subject)) names.set(subject, object)
  }
  const has = (node: string, classes: readonly Name[]) => classes.some(each => typesOf.get(node)?.has(iriOf(each)))
  const fitted = createGraph()
  for (const { subject, predicate, object } of triples) {
    // A node without a class of schema.org is a thing.
    if (!typesOf.has(subject)) fitted.add(subject, 'rdf:type', named('schema:Thing'))
    const rule = rules.get(predicate)
    const isOrganisation = object.kind === 'iri' && has(object.iri, ['schema:Organization', 'schema:TheaterGroup'])
    if (ofTexts.has(predicate) && object.kind === 'iri') fitted.add(subject, predicate, names.get(object.iri))
    else if (rule && !has(subject, rule.of)) {
      if (rule.otherwise) fitted.add(subject, rule.otherwise, object)
    } else if (isOrganisation && ofPeople.has(predicate)) fitted.add(subject, 'schema:contributor', object)
    else fitted.add(subject, predicate, object)
  }
  return fitted
}
