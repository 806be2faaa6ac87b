import type { RecordNumbers } from '#domain/imports/record-links.ts'

/*
 * The description of one record, level by level, before anything is looked up in the catalogue. It
 * is a value without ids: the import finds existing works and people and creates the others.
 *
 * - draft: an entity as far as this record describes it
 * - authority: a person, subject, language or the like that a relation refers to, by its name,
 *   codes and identifiers instead of an id
 * - key: a text for comparing (without case, marks, punctuation and leading articles); never shown
 */

/**
 * Version of the descriptions. Raise it when the same record gives other values: records of earlier
 * imports are then described again when their file is imported again.
 */
export const descriptionVersion = 14

/** The field that a value comes from. For ONIX the tag is the element, for a table the column. */
export interface Origin {
  readonly tag: string
  /** The codes of the subfields that were used, or the positions in a fixed field. */
  readonly part: string
  /** The position of the field among the fields of the record, counted from 0. */
  readonly index: number
}

export interface Statement {
  /** A metadata key of the record type. */
  readonly key: string
  readonly value: string | boolean
  /** The language and script of a text beside one in Latin letters. */
  readonly lang?: string
  readonly from: Origin
}

/** An authority that a relation refers to. */
export interface AuthorityDraft {
  /** A record type: person, corporation, language, subject … */
  readonly type: string
  readonly metadata: readonly { readonly key: string; readonly value: string }[]
  /** Other forms of the name: in the original script, or as an authority record gives them. */
  readonly variants?: readonly string[]
  /** URIs and numbers of authority files ($0, $1). */
  readonly identifiers: readonly string[]
  /** For comparing: the name; the year of birth of a person is separate. */
  readonly key: string
  readonly birthYear?: string
  /** The thesaurus or scheme of the term, if the record gives it. */
  readonly scheme?: string
  /** Other fields that a source of records gives; what it gives later takes their place. */
  readonly details?: { readonly from: string; readonly metadata: AuthorityDraft['metadata'] }
}

/** A relation of an authority to another one; a reversed one is a relation of the other to it. */
export interface AuthorityRelation {
  readonly relation: string
  readonly target: AuthorityDraft
  readonly isReversed?: true
  readonly role?: string
}

export interface Role {
  /** MARC relator code. */
  readonly code: string
  /** The word for it in English, or the word in the record. */
  readonly wording: string
}

export interface RelationDraft {
  /** A relation of the record type: refAuthors, refSubjects … */
  readonly relation: string
  readonly target: AuthorityDraft
  readonly role?: Role
  /** The place among the parts of the target: the number in a series. */
  readonly number?: string
  readonly from: Origin
}

export interface Draft {
  /** `work_word`, `manifestation_music` … */
  readonly type: string
  readonly metadata: readonly Statement[]
  readonly relations: readonly RelationDraft[]
  /**
   * Identifiers of this level in the record: for a work $0 and $1 of its uniform title, for a
   * manifestation 035 and the like.
   */
  readonly identifiers: readonly string[]
}

/** The origins of titles of a work, the most certain first. */
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
   * Whether cataloguers give this name to aggregates (Works, Selections, Poems): it does not name
   * one work.
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

/** The evidence for a work in a record. */
const workEvidences = ['whole record', 'analytic entry', 'part of the title', 'contents note'] as const
export type WorkEvidence = (typeof workEvidences)[number]

export interface WorkDraft extends Draft {
  readonly evidence: WorkEvidence
  readonly keys: {
    /** Its creators: all agents with a role at the level of the work, the main entry first. */
    readonly creators: readonly AgentKey[]
    /** All its titles, the most certain first. */
    readonly titles: readonly TitleKey[]
    /** The languages of the original, as ISO 639-3 codes, if the record gives them. */
    readonly originalLanguages: readonly string[]
    /** The form that a uniform title names ($k: Novel, Selections). */
    readonly form: string | undefined
    /** Medium, number and key of music ($m $n $r), folded: they tell one sonata from the next. */
    readonly music: string | undefined
  }
}

/** The forms of the content of an expression. */
const contentForms = [
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
  /** The work it realises: an index of `works`. */
  readonly work: number
  readonly keys: {
    readonly languages: readonly string[]
    readonly forms: readonly ContentForm[]
    /** Translators, illustrators, performers …: all with a role at this level. */
    readonly contributors: readonly AgentKey[]
    readonly isTranslation: boolean
    /** The version ($s) and the arrangement ($o) in the uniform title. */
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
    | 'supplement'
    | 'supplemented'
    | 'related'
    | 'based on'
  readonly title: string | undefined
  readonly titleKey: string | undefined
  readonly author: (AgentKey & { readonly name: string }) | undefined
  /** ISBN, ISSN, control numbers. */
  readonly identifiers: readonly string[]
  readonly numbers: RecordNumbers
  /** The place in the host: `vol. 3, p. 5-8`. */
  readonly part?: string
  readonly from: Origin
}

export interface MappingProblem {
  readonly kind:
    | 'no_title'
    | 'supplied_title'
    | 'bad_isbn'
    | 'bad_identifier'
    | 'unknown_type'
    | 'unknown_language'
    | 'unknown_role'
  readonly message: string
  readonly from: Origin | undefined
}

/** A copy that a library holds of the publication. */
export interface ItemDraft {
  readonly metadata: readonly { readonly key: string; readonly value: string }[]
  readonly library?: AuthorityDraft
  /** Tells it from the other items of the record: its barcode, or its place among them. */
  readonly key: string
  /** The positions of its fields among the fields of the record. */
  readonly from: readonly number[]
}

/** The description of a record. */
export interface RecordDescription {
  readonly controlNumber: string | undefined
  /** The agency of the control number (003, UNIMARC 801 $b). */
  readonly agency: string | undefined
  /** The time of the last change in the source system (005), unchanged. */
  readonly changed: string | undefined
  /** Whether it contains several works and names them. */
  readonly isAggregate: boolean
  /** Whether it is about an article or another part of a publication, whose numbers it may have. */
  readonly isComponent?: boolean
  readonly manifestation: Draft
  /** The first is that of the record as a whole; those of contained works follow. */
  readonly expressions: readonly ExpressionDraft[]
  readonly works: readonly WorkDraft[]
  readonly links: readonly LinkDraft[]
  /** The copies that libraries hold, if the record names them. */
  readonly items?: readonly ItemDraft[]
  /**
   * `no_title` means that no manifestation can be made of it; the others are for the person who
   * manages the records.
   */
  readonly problems: readonly MappingProblem[]
}
