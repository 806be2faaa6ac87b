/*
 * What clustering looks at. A format reads it out of a record once; it is kept beside the
 * manifestation, as JSON, and is all that is needed to find out again which works and expressions
 * the record belongs to.
 *
 * Words used throughout this folder:
 *
 * - mention: a record naming a work: as what it is a publication of, or as one of several works in
 *   it
 * - place: which mention of its record it is; 0 is the record as a whole, the works in it follow
 * - name: a title that a work goes by, and its key for comparing
 * - strong name: one that cataloguers give to tell works apart: uniform titles, original titles,
 *   entries for a work
 * - gathering: a record with several works in it that it names
 * - block: mentions that might be of one work, because they share an author (or a title, where
 *   nobody is named)
 */

/**
 * Raised when rules change that make evidence; what was stored with another number is made again
 * from the source record.
 */
export const evidenceVersion = 3

export const nameKinds = [
  'uniform',
  'original',
  'entry',
  'proper',
  'listed',
  'whole',
  'alternative',
  'parallel',
  'variant',
  'subtitle',
  'related'
] as const
/**
 * Where a name comes from. `proper` is the title on the publication, `listed` a title in a note of
 * contents, `whole` the title with its subtitle, `alternative` one side of “…, or, …” or of a
 * colon, `related` a title that the record names without saying whose it is.
 */
export type NameKind = (typeof nameKinds)[number]

export interface WorkName {
  readonly kind: NameKind
  readonly key: string
  /** As it stands in the record; for explaining. */
  readonly text: string
}

export interface PersonEvidence {
  readonly surname: string
  readonly forenames: string
  readonly birthYear?: string
  readonly identifiers?: readonly string[]
}

export interface ExpressionEvidence {
  readonly languages: readonly string[]
  /** text, spoken, moving image … */
  readonly forms: readonly string[]
  readonly translators: readonly PersonEvidence[]
  /** Readers and performers. */
  readonly voices: readonly PersonEvidence[]
  readonly adapters: readonly PersonEvidence[]
  readonly isTranslation: boolean
  /** The languages that a translation is said to be from. */
  readonly originals: readonly string[]
  /**
   * What makes the words other ones: abridged, retold, a version or arrangement that the uniform
   * title names.
   */
  readonly version: readonly string[]
}

export interface WorkEvidence {
  /**
   * Which of the works that the record was described with; some of those that a note lists are no
   * mentions.
   */
  readonly described: number
  /** The kind of material: words and music with the same title are two works. */
  readonly kind: string
  /**
   * The form that tells works with the same title apart (novel, play, short story), where the
   * record says it.
   */
  readonly genre?: string
  /** Of a gathering, the keys of the works in it. */
  readonly contents: readonly string[]
  readonly creators: readonly PersonEvidence[]
  /** Keys of everybody else who is named; they tell films apart, and works without an author. */
  readonly others: readonly string[]
  readonly names: readonly WorkName[]
  readonly identifiers: readonly string[]
  /** ISBN and ISSN of the publication that the whole record is about, as they are compared. */
  readonly numbers: readonly string[]
  /** The year of the publication, where the record is about the whole. */
  readonly year?: string
  /** The subtitle as it is compared. */
  readonly subtitle?: string
  /** Series that it is a number of: `key / number`. */
  readonly series?: readonly string[]
  /** The publication has an edition statement: a new number in a series may be a new edition. */
  readonly isEdition?: boolean
  readonly expression: ExpressionEvidence
}

export interface RecordEvidence {
  readonly version: number
  /** What the record goes by, however often and in whichever order it is imported. */
  readonly record: string
  readonly works: readonly WorkEvidence[]
}

export interface Mention extends WorkEvidence {
  readonly record: string
  readonly place: number
  /** `record#place`. */
  readonly id: string
}

export const mentionId = (record: string, place: number) => `${record}#${place}`

export function mentionsOf({ record, works }: RecordEvidence): Mention[] {
  return works.map((work, place) => ({ ...work, record, place, id: mentionId(record, place) }))
}

export const isStrong = ({ kind }: WorkName) => kind === 'uniform' || kind === 'original' || kind === 'entry'
export const isPrincipal = (name: WorkName) => isStrong(name) || name.kind === 'proper' || name.kind === 'listed'

/**
 * The work is about material that moves or is seen: there titles tell little, and the people who
 * made it tell more.
 */
export const isFilm = (work: WorkEvidence) => work.kind === 'footage'

/**
 * Whether an identifier says whose it is: a URI, or a number behind the code of its agency in
 * brackets.
 */
export const isQualified = (identifier: string) => /^(?:[a-z][a-z0-9+.-]*:\S|\([^()\s]+\)\s*\S)/i.test(identifier)
