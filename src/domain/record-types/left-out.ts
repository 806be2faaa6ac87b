/*
 * The formats that have a rule for each field, and the reasons for which a field has none.
 * `test/formats/every-field.test.ts` asks of every field and relation for the one or the other.
 */

/** Formats that are written or read alike have one name: `rdf` is JSON-LD, Turtle and others. */
export type RuledFormat = 'rdf' | 'schema' | 'dc' | 'mods' | 'skos' | 'citations' | 'marc21' | 'unimarc' | 'marcauth'

/** The formats without a field, each with the reason. */
export type LeftOut = Readonly<Partial<Record<RuledFormat, string>>>

const because = (reason: string, formats: readonly RuledFormat[]): LeftOut =>
  Object.fromEntries(formats.map(format => [format, reason]))

/** Formats that have no element for a field. */
export const noPlaceIn = (...formats: readonly RuledFormat[]): LeftOut =>
  because('The format has no element that means the same.', formats)

/** Formats whose records consist of what a relation joins. */
export const isInside = (...formats: readonly RuledFormat[]): LeftOut =>
  because('The format describes both records as one.', formats)

/** A field that the service needs and that says nothing about the subject of the record. */
export const ofService: LeftOut = because('It is about the record, not about its subject.', ['rdf', 'schema', 'dc'])
