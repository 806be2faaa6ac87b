/** The names of record types, fields and values in one language. */
export interface Labels {
  /** One record of the type, and of an umbrella. */
  readonly types: Readonly<Record<string, string>>
  /** Many of them. */
  readonly families: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>>
  readonly relations: Readonly<Record<string, string>>
  /** A relation seen from its target. */
  readonly reverse: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string>>
}

/** A name in every language. */
type Label = readonly [en: string, nl: string, fr: string, de: string]

/** The names in all languages. */
export type LabelTable = { readonly [Section in keyof Labels]: Readonly<Record<string, Label>> }
