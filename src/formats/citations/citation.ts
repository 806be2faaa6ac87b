/*
 * A publication as reference managers know it; `to-citation.ts` makes one, and each format writes
 * it in its own words.
 */

/**
 * Somebody with a name in parts, or a name that is one: of an organisation, or of one who has no
 * other.
 */
export type CitedName =
  | { readonly family: string; readonly given: string; readonly suffix?: string }
  | { readonly literal: string }

/** What people did. Those of other roles are not cited. */
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
  /** As it was printed: mostly four digits. */
  readonly year: string | undefined
  readonly edition: string | undefined
  readonly isbns: readonly string[]
  readonly issn: string | undefined
  readonly series: { readonly title: string; readonly number: string | undefined } | undefined
  readonly pages: string | undefined
  /** BCP 47, where the code of the language has such a form. */
  readonly language: string | undefined
  /** Of what was translated. */
  readonly originalTitle: string | undefined
  /** When the original first appeared, of a translation. */
  readonly originalYear?: string | undefined
}

/** What a kind of publication is called in each format. */
export interface CitationKind {
  readonly bibtex: string
  readonly ris: string
  readonly csl: string
  /**
   * The roles of its makers, the first that anybody has: they stand where formats know authors
   * only.
   */
  readonly makers?: readonly CitedRole[]
  /** What it is, where the word for the kind does not say it. */
  readonly medium?: string
  /** Whether the publisher is the university that the thesis was written at. */
  readonly isThesis?: boolean
}

/** Who counts as the maker of most publications. */
export const usualMakers: readonly CitedRole[] = ['author', 'composer']

const other: CitationKind = { bibtex: 'misc', ris: 'GEN', csl: 'document' }

const kinds: Readonly<Record<string, CitationKind>> = {
  manifestation_word: { bibtex: 'book', ris: 'BOOK', csl: 'book' },
  manifestation_music: { bibtex: 'misc', ris: 'MUSIC', csl: 'musical_score' },
  manifestation_map: { bibtex: 'misc', ris: 'MAP', csl: 'map' },
  manifestation_serial: { bibtex: 'misc', ris: 'SER', csl: 'periodical' },
  manifestation_footage: { bibtex: 'misc', ris: 'VIDEO', csl: 'motion_picture', makers: ['director', 'author'] },
  manifestation_mixed_material: { bibtex: 'misc', ris: 'GEN', csl: 'collection' },
  manifestation_computer_file: { bibtex: 'misc', ris: 'COMP', csl: 'software' }
}

/** Kinds that the type of the publication alone does not tell. */
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
  thesis: { bibtex: 'phdthesis', ris: 'THES', csl: 'thesis', isThesis: true }
} as const satisfies Readonly<Record<string, CitationKind>>

export const kindOfCitation = (type: string): CitationKind =>
  Object.hasOwn(kinds, type) ? (kinds[type] ?? other) : other

/** How the names of a type are read; what is not here is one name, however many commas it has. */
export const nameForms: Readonly<Record<string, 'in parts'>> = { person: 'in parts' }

/** The names that stand where a format knows authors only. */
export function makersOf({ kind, names }: Citation): readonly CitedName[] {
  const role = (kind.makers ?? usualMakers).find(each => names[each].length > 0)
  return role === undefined ? [] : names[role]
}
