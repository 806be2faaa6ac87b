import type { Level } from '#domain/entity/publication.ts'
import type { ContentForm, LinkDraft } from '../../description/description.ts'

/*
 * The form of the mapping tables (`marc21-table.ts`, `unimarc-table.ts`). A row gives the value of
 * a field and its level. Rows are read from the top; a row with `otherwise` counts only if no row
 * above it has given the same at the same level.
 */

/**
 * Ways to make a value from a field. `docs/reference/marc-mapping.md` shows these words beside each
 * row.
 */
export const readings = {
  text: 'the text of the subfields, with the punctuation between them left out',
  title: 'title, number and name of a part; a final full stop is left out',
  uniform: 'the title of the work, without language, version and form',
  year: 'the first year in the text',
  'fixed year': 'four digits; anything else is left out',
  isbn: 'the number before any qualifier',
  number: 'the number, unchanged',
  name: 'the term, without punctuation at its end',
  words: 'the subfields with a space between them',
  host: 'title and part, with a semicolon between them',
  'cancelled isbn': 'the number in thirteen digits, if it has the form of an ISBN',
  'class number': 'the class, without the marks at which it may be shortened',
  'date as written': 'the text, unless it is only a year',
  'isbn with qualifier': 'the number, then its qualifiers in brackets',
  minutes: 'hours, minutes and seconds as minutes; several are added',
  link: 'the address in the first subfield, then the text in the others',
  'unless unknown': 'the name; "s.n.", "s.l." and the like are left out',
  'place in imprint': 'the place before the first comma; text in brackets is left out',
  'publisher in imprint': 'each name after the first comma; text in brackets is left out',
  'personal name': 'name with numeration and titles; dates apart',
  'corporate name': 'name and its subordinate units',
  'meeting name': 'name, number, date and place',
  heading: 'the heading with its topical subdivisions',
  'work as subject': 'the title of the work; a form such as “Letters” becomes a subject, after its author',
  languages: 'each code of three letters',
  code: 'the word that the code stands for',
  'series heading': 'the series, its number and its ISSN; after a name, the name follows the title in brackets',
  'series statement': 'the same, unless a heading belongs to it: then another form of its title',
  class: 'the class, if the scheme is the one named',
  'with scheme': 'the class or number, with its scheme in brackets: that of $2, or the one of the field',
  subtitle: 'the term, unless an equals sign stands before it',
  'parallel title': 'the titles after an equals sign'
} as const
export type Reading = keyof typeof readings

/** Conditions on a field for a row to count. */
export interface Condition {
  /** An indicator has one of these values. */
  readonly indicator?: { readonly place: 1 | 2; readonly is: string }
  /** An indicator has another value: the field then means something else. */
  readonly unlessIndicator?: { readonly place: 1 | 2; readonly is: string }
  /** It has one of these subfields. */
  readonly has?: string
  /** It has none of these subfields. */
  readonly lacks?: string
  /** Whether it names a work within this one, by its second indicator or the words in $i. */
  readonly isPart?: boolean
  /** The words in $i are none of these. */
  readonly unlessIntroduced?: readonly RegExp[]
  /** A subfield with one of these values. */
  readonly hasValue?: { readonly code: string; readonly oneOf: readonly string[] }
  /** No subfield has one of these values. */
  readonly unlessValue?: { readonly code: string; readonly oneOf: readonly string[] }
  /** A position of the same fixed field has one of these characters. */
  readonly place?: { readonly at: number; readonly is: string }
  /**
   * Only records whose leader/06 is one of these: the positions of 008 have different meanings for
   * different materials.
   */
  readonly leaderType?: string
  /** Only records whose leader/07 is one of these: a component part names its host. */
  readonly leaderLevel?: string
}

interface RowBase {
  readonly tags: readonly string[]
  readonly when?: Condition
  /** Codes of subfields, in their output order; or positions, as `35-37`. */
  readonly from: string
  readonly as: Reading
  /** The punctuation before a subfield, where the format has none of its own; else a semicolon. */
  readonly before?: Readonly<Record<string, string>>
  readonly otherwise?: true
  readonly note?: string
}

/** A field that gives a metadata key. */
export interface MetadataRow extends RowBase {
  readonly level: Level
  readonly gives: string
  /** The meaning of each code. */
  readonly codes?: Readonly<Record<string, string>>
  /** The scheme of a number or class in a field that does not name one. */
  readonly scheme?: string
  /**
   * Where the value is written, under the first tag: the indicators, and the subfield, as `0 $a`.
   * `compose/notes.ts` divides values that stand in several subfields.
   */
  readonly written?: `${string}$${string}`
}

/** A field that gives a relation. */
export interface RelationRow extends RowBase {
  /** `by role`: the role decides, according to the table of roles. */
  readonly level: Level | 'by role'
  readonly relation: string
  readonly to: string
  readonly codes?: Readonly<Record<string, string>>
  /** The role of an agent without one. */
  readonly role?: string
}

/** A field that gives a title of the work, for finding it. */
export interface TitleRow extends RowBase {
  readonly kind: 'uniform' | 'original' | 'original in a note' | 'proper' | 'parallel' | 'variant'
  /** The indicator with the number of leading characters that do not count. */
  readonly nonFiling?: 1 | 2
  /** The title stands in a note, after one of these words. */
  readonly introducedBy?: RegExp
}

/** A field that names a work within this one, or beside it. */
export interface ContainedRow extends RowBase {
  readonly evidence: 'analytic entry' | 'part of the title' | 'contents note'
  /** The kind of name in the same field. */
  readonly creator?: 'personal name' | 'corporate name' | 'meeting name'
}

export interface LinkRow extends RowBase {
  readonly link: LinkDraft['kind']
  /** The subfield with the author, and those with numbers. */
  readonly author?: string
  readonly numbers?: string
  /** The subfield with the place in the host. */
  readonly part?: string
}

export interface MappingTable {
  readonly metadata: readonly MetadataRow[]
  readonly relations: readonly RelationRow[]
  readonly titles: readonly TitleRow[]
  readonly contained: readonly ContainedRow[]
  readonly links: readonly LinkRow[]
  /**
   * Leader/06 (and /07 for multipart material): the material of the manifestation, and the form of
   * its content.
   */
  readonly materials: readonly MaterialRow[]
  /** Values of leader/07 that make a language material a serial. */
  readonly serialLevels: string
}

export interface MaterialRow {
  readonly leaderTypes: string
  /** One of the seven kinds of material (`manifestation_…`). */
  readonly material: string
  /** The kind of material of the work and the expression: text read aloud is text. */
  readonly content: string
  readonly form: ContentForm
  readonly meaning: string
}
