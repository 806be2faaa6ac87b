import type { Json } from '#domain/entity/entity.ts'
import { type Citation, type CitedRole, citedRoles } from './citation.ts'

/**
 * An item as citation processors read it.
 * https://docs.citationstyles.org/en/stable/specification.html#appendix-iv-variables
 */
export function writeCslJson(citation: Citation): string {
  const { series } = citation
  const people = citedRoles
    .filter(role => citation.names[role].length > 0)
    .map((role: CitedRole): [string, Json] => [role, citation.names[role].map(name => ({ ...name }))])
  const item: Readonly<Record<string, Json | undefined>> = {
    id: citation.id,
    type: citation.kind.csl,
    title: citation.title,
    ...Object.fromEntries(people),
    publisher: citation.publisher,
    'publisher-place': citation.place,
    issued: dateOf(citation.year),
    edition: citation.edition,
    'container-title': citation.host?.title,
    note: citation.host?.part,
    'collection-title': series?.title,
    'collection-number': series?.number,
    'number-of-pages': citation.pages,
    ISBN: citation.isbns.join(' ') || undefined,
    ISSN: citation.issn,
    language: citation.language,
    'original-title': citation.originalTitle,
    'original-date': dateOf(citation.originalYear),
    medium: citation.kind.medium,
    abstract: citation.summary,
    URL: citation.link,
    genre: citation.kind.isThesis ? 'Thesis' : undefined
  }
  return `${JSON.stringify(item)}\n`
}

function dateOf(year: string | undefined): Json | undefined {
  if (year === undefined) return undefined
  return /^\d{4}$/.test(year) ? { 'date-parts': [[Number(year)]] } : { literal: year }
}
