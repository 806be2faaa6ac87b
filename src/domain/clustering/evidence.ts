/*
 * The evidence that clustering uses. A format reads it from a record once; it is stored beside the
 * manifestation, as JSON, and is enough to find the works and expressions of the record again.
 *
 * Words used throughout this folder:
 *
 * - mention: a record naming a work: the work that it is a publication of, or one of several works
 *   in it
 * - place: the number of a mention in its record; 0 is the record as a whole, the works in it
 *   follow
 * - name: a title of a work, and its key for comparing
 * - strong name: a name that cataloguers give to tell works apart: uniform titles, original titles,
 *   entries for a work
 * - aggregate: a record that names several works in it
 * - block: mentions that might be of one work, because they share an author (or a title, where no
 *   author is named)
 */

/**
 * Version of the rules that make evidence. Evidence that was stored with another version is made
 * again from the source record.
 */
export const evidenceVersion = 10

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
 * The origin of a name. `proper` is the title on the publication, `listed` a title in a note of
 * contents, `whole` the title with its subtitle, `alternative` one side of “…, or, …” or of a
 * colon, `related` a title that the record names without assigning it to a work.
 */
export type NameKind = (typeof nameKinds)[number]

export interface WorkName {
  readonly kind: NameKind
  readonly key: string
  /** As it stands in the record; for explanations. */
  readonly text: string
}

export interface PersonEvidence {
  readonly surname: string
  readonly forenames: string
  readonly birthYear?: string
  /** Words in brackets after the name, which tell it from others: `novelist`. */
  readonly qualifier?: string
  /** Numbers of authority files, as `file:number`. */
  readonly identifiers?: readonly string[]
  /** Other names of the same agent, in other scripts: `surname, forenames`. */
  readonly also?: readonly string[]
  /** A corporate body or a meeting. */
  readonly isBody?: true
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
  /** The languages that a translation was made from, according to the record. */
  readonly originals: readonly string[]
  /**
   * Marks of a changed text: abridged, retold, a version or arrangement that the uniform title
   * names.
   */
  readonly version: readonly string[]
}

export type Literature = 'fiction' | 'drama' | 'poetry'

export interface WorkEvidence {
  /**
   * The position of the work in the description of the record; some works in a note of contents are
   * no mentions.
   */
  readonly described: number
  /** The kind of material: words and music with the same title are two works. */
  readonly kind: string
  /**
   * The form that tells works with the same title apart (novel, play, short story), if the record
   * gives it.
   */
  readonly genre?: string
  /** For an aggregate, the keys of its works. */
  readonly contents: readonly string[]
  readonly creators: readonly PersonEvidence[]
  /** Keys of all other people named; they tell films apart, and works without an author. */
  readonly others: readonly string[]
  readonly names: readonly WorkName[]
  /** Numbers of the work in authority files, as `file:number`. */
  readonly identifiers: readonly string[]
  /** Its identifiers are those of a version: another version of the work has others. */
  readonly isNumberedByVersion?: true
  /** The sound of the author's name, if the record may have it in a romanisation. */
  readonly sound?: string
  /** ISBN and ISSN of the publication, in their comparable form; for the record as a whole only. */
  readonly numbers: readonly string[]
  /** The year of publication; for the record as a whole only. */
  readonly year?: string
  /** The key of the subtitle. */
  readonly subtitle?: string
  /** Numbers in series: `key / number`. */
  readonly series?: readonly string[]
  /** The publication has an edition statement: a new number in a series may be a new edition. */
  readonly isEdition?: boolean
  /** The title counts it as a physical volume. */
  readonly isVolume?: true
  /** The form of literature that the record names or codes. */
  readonly literature?: Literature
  readonly expression: ExpressionEvidence
}

export interface RecordEvidence {
  readonly version: number
  /** The identifier of the record, the same however often and in any order it is imported. */
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

export const isStrong = ({ kind }: Pick<WorkName, 'kind'>) =>
  kind === 'uniform' || kind === 'original' || kind === 'entry'
export const isPrincipal = (name: Pick<WorkName, 'kind'>) =>
  isStrong(name) || name.kind === 'proper' || name.kind === 'listed'

/** The kind of material of musical works. */
export const musicKind = 'music'

/**
 * Tests whether a work is a film: there titles tell little, and the people who made it tell more.
 */
export const isFilm = (work: WorkEvidence) => work.kind === 'footage'

/**
 * Tests whether an identifier names its authority: a URI, or a number after the code of its agency
 * in brackets.
 */
export const isQualified = (identifier: string) => /^(?:[a-z][a-z0-9+.-]*:\S|\([^()\s]+\)\s*\S)/i.test(identifier)
