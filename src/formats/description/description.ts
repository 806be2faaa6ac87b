/*
 * What one record says, level by level, before anything is looked up in the catalogue. It is a
 * value without ids: finding the works and people that are there already, and making those that are
 * not, is done by whoever imports.
 *
 * - draft: a record of ours as far as this record describes it
 * - target: what a relation points to, by its name, codes and identifiers instead of an id
 * - key: a text made for comparing (case, marks, punctuation and leading articles gone); never
 *   shown
 */

/**
 * Which field something was taken from. Of ONIX the tag is the element, of a table it is the
 * column.
 */
export interface Origin {
  readonly tag: string
  /** The codes of the subfields that were used, or the places in a fixed field. */
  readonly part: string
  /** The place of the field among the fields of the record, counted from 0. */
  readonly index: number
}

export interface Statement {
  /** A metadata key of the record type. */
  readonly key: string
  readonly value: string | boolean
  readonly from: Origin
}

/** What a relation points to. */
export interface Target {
  /** A record type: person, corporation, language, subject … */
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: string }[]
  /** URIs and numbers of authority files ($0, $1). */
  readonly identifiers: readonly string[]
  /** For comparing: name, and of people the year of birth apart. */
  readonly key: string
  readonly birthYear?: string
  /** The thesaurus or scheme that the term is from, where the record says so. */
  readonly scheme?: string
}

export interface Role {
  /** MARC relator code. */
  readonly code: string
  /** The word for it in English, or the word that the record has. */
  readonly wording: string
}

export interface RelationDraft {
  /** A relation of the record type: refAuthors, refSubjects … */
  readonly relation: string
  readonly target: Target
  readonly role?: Role
  readonly from: Origin
}

export interface Draft {
  /** `work_word`, `manifestation_music` … */
  readonly type: string
  readonly metadata: readonly Statement[]
  readonly relations: readonly RelationDraft[]
  /**
   * Identifiers that the record gives for this level: of a work $0 and $1 of its uniform title, of
   * a manifestation 035 and the like.
   */
  readonly identifiers: readonly string[]
}

/** Why a title is taken as a title of a work, the surest first. */
export const titleKinds = [
  'uniform',
  'original',
  'original in a note',
  'proper',
  'analytic entry',
  'part of the title',
  'contents note',
  'parallel',
  'variant'
] as const
export type TitleKind = (typeof titleKinds)[number]

export interface TitleKey {
  readonly kind: TitleKind
  readonly text: string
  readonly key: string
  /**
   * A name that cataloguers give to gatherings of works (Works, Selections, Poems): it does not
   * name one work.
   */
  readonly isCollective: boolean
  readonly from: Origin
}

export interface AgentKey {
  readonly key: string
  readonly birthYear: string | undefined
  readonly role: string
  readonly identifiers: readonly string[]
}

/** Why a work is thought to be there. */
export const workEvidences = ['whole record', 'analytic entry', 'part of the title', 'contents note'] as const
export type WorkEvidence = (typeof workEvidences)[number]

export interface WorkDraft extends Draft {
  readonly evidence: WorkEvidence
  readonly keys: {
    /** Who made it: all with a role at the level of the work, the main entry first. */
    readonly creators: readonly AgentKey[]
    /** Every title it goes by, the surest first. */
    readonly titles: readonly TitleKey[]
    /** The language it was first written in, as an ISO 639-3 code, where the record says so. */
    readonly originalLanguages: readonly string[]
    /** The form that a uniform title names ($k: Novel, Selections). */
    readonly form: string | undefined
    /** Medium, number and key of music ($m $n $r), folded: what tells one sonata from the next. */
    readonly music: string | undefined
  }
}

/** How an expression is taken in. */
export const contentForms = [
  'text',
  'spoken',
  'notated music',
  'performed music',
  'moving image',
  'still image',
  'cartographic',
  'computer',
  'tactile',
  'object',
  'sound',
  'mixed'
] as const
export type ContentForm = (typeof contentForms)[number]

export interface ExpressionDraft extends Draft {
  /** The work it realises: a place in `works`. */
  readonly work: number
  readonly keys: {
    readonly languages: readonly string[]
    readonly forms: readonly ContentForm[]
    /** Translators, illustrators, performers …: all with a role at this level. */
    readonly contributors: readonly AgentKey[]
    readonly isTranslation: boolean
    /** What the uniform title says of the version ($s) and the arrangement ($o). */
    readonly version: string | undefined
  }
}

/** Another record or work that this one names. */
export interface LinkDraft {
  readonly kind:
    | 'original'
    | 'translation'
    | 'other edition'
    | 'other form'
    | 'host'
    | 'part'
    | 'preceding'
    | 'succeeding'
    | 'related'
  readonly title: string | undefined
  readonly titleKey: string | undefined
  readonly author: AgentKey | undefined
  /** ISBN, ISSN, control numbers. */
  readonly identifiers: readonly string[]
  readonly from: Origin
}

export interface MappingProblem {
  readonly kind: 'no_title' | 'supplied_title' | 'bad_isbn' | 'unknown_type' | 'unknown_language' | 'unknown_role'
  readonly message: string
  readonly from: Origin | undefined
}

/** What a record says. */
export interface RecordDescription {
  readonly controlNumber: string | undefined
  /** Whose control number it is (003, UNIMARC 801 $b). */
  readonly agency: string | undefined
  /** When the record was last changed where it came from (005), as it stands there. */
  readonly changed: string | undefined
  /** Several works are in it, and it names them. */
  readonly isAggregate: boolean
  readonly manifestation: Draft
  /** The first is that of the record as a whole; those of contained works follow. */
  readonly expressions: readonly ExpressionDraft[]
  readonly works: readonly WorkDraft[]
  readonly links: readonly LinkDraft[]
  /**
   * `no_title` means that no manifestation can be made of it; the others are for the person who
   * looks after the records.
   */
  readonly problems: readonly MappingProblem[]
}
