import { table } from '#domain/table.ts'

/*
 * A publication as reference managers know it; `to-citation.ts` makes it, and each format writes it
 * with its own terms.
 */

/** A name in parts, or in one: of an organisation, or of a person with a single name. */
export type CitedName =
  | { readonly family: string; readonly given: string; readonly suffix?: string }
  | { readonly literal: string }

/** Roles that are cited; people with other roles are left out. */
export const citedRoles = [
  'author',
  'editor',
  'translator',
  'illustrator',
  'composer',
  'director',
  'narrator',
  'performer'
] as const
export type CitedRole = (typeof citedRoles)[number]

export interface Citation {
  readonly id: string
  readonly kind: CitationKind
  readonly title: string
  readonly names: Readonly<Record<CitedRole, readonly CitedName[]>>
  readonly publisher: string | undefined
  readonly place: string | undefined
  /** As printed: mostly four digits. */
  readonly year: string | undefined
  readonly edition: string | undefined
  readonly isbns: readonly string[]
  readonly issn: string | undefined
  readonly series: { readonly title: string; readonly number: string | undefined } | undefined
  /** The journal or book that it is a part of, and the part. */
  readonly host?: { readonly title: string; readonly part: string | undefined } | undefined
  readonly pages: string | undefined
  /** BCP 47, if the code of the language has such a form. */
  readonly language: string | undefined
  readonly summary?: string | undefined
  /** The address of the publication itself, such as its full text. */
  readonly link?: string | undefined
  /** The title of the original of a translation. */
  readonly originalTitle: string | undefined
  /** The year in which the original of a translation first appeared. */
  readonly originalYear?: string | undefined
}

/** The names of a kind of publication in each format. */
export interface CitationKind {
  readonly bibtex: string
  readonly ris: string
  readonly csl: string
  /**
   * The roles of its makers; the first role that anybody has fills the field for authors in formats
   * that have no other.
   */
  readonly makers?: readonly CitedRole[]
  /** The medium, if the word for the kind does not name it. */
  readonly medium?: string
  /** Whether the publisher is the university that the thesis was written at. */
  readonly isThesis?: boolean
}

/** The roles of the makers of most publications. */
const usualMakers: readonly CitedRole[] = ['author', 'composer']

const other: CitationKind = { bibtex: 'misc', ris: 'GEN', csl: 'document' }

const kinds: Readonly<Record<string, CitationKind>> = table({
  manifestation_word: { bibtex: 'book', ris: 'BOOK', csl: 'book' },
  manifestation_music: { bibtex: 'misc', ris: 'MUSIC', csl: 'musical_score' },
  manifestation_map: { bibtex: 'misc', ris: 'MAP', csl: 'map' },
  manifestation_serial: { bibtex: 'misc', ris: 'SER', csl: 'periodical' },
  manifestation_footage: { bibtex: 'misc', ris: 'VIDEO', csl: 'motion_picture', makers: ['director', 'author'] },
  manifestation_mixed_material: { bibtex: 'misc', ris: 'GEN', csl: 'collection' },
  manifestation_computer_file: { bibtex: 'misc', ris: 'COMP', csl: 'software' }
})

/** Kinds that the type of the publication alone does not determine. */
export const otherKinds = {
  'e-book': { bibtex: 'book', ris: 'EBOOK', csl: 'book' },
  audiobook: { bibtex: 'book', ris: 'SOUND', csl: 'book', medium: 'audiobook' },
  recording: {
    bibtex: 'misc',
    ris: 'SOUND',
    csl: 'song',
    makers: ['composer', 'author', 'performer'],
    medium: 'sound recording'
  },
  article: { bibtex: 'article', ris: 'JOUR', csl: 'article-journal' },
  chapter: { bibtex: 'incollection', ris: 'CHAP', csl: 'chapter' },
  thesis: { bibtex: 'phdthesis', ris: 'THES', csl: 'thesis', isThesis: true }
} as const satisfies Readonly<Record<string, CitationKind>>

export const kindOfCitation = (type: string): CitationKind =>
  Object.hasOwn(kinds, type) ? (kinds[type] ?? other) : other

/**
 * The form of the names of a type; other types have names in one part, however many commas they
 * contain.
 */
export const nameForms: Readonly<Record<string, 'in parts'>> = table({ person: 'in parts' })

/** The names for the field for authors in formats that have no other. */
export function makersOf({ kind, names }: Citation): readonly CitedName[] {
  const role = (kind.makers ?? usualMakers).find(each => names[each].length > 0)
  return role === undefined ? [] : names[role]
}

/** Returns a part of a name with spaces in place of its commas, which would begin another part. */
export const withoutCommas = (part: string) =>
  part
    .split(',')
    .map(each => each.trim())
    .join(' ')
