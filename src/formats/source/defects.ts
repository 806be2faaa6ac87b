/** Defects of MARC records and of any file, each with the action that the reader takes. */
export const marcDefectKinds = {
  garbage: 'Bytes that belong to no record; left out',
  wrong_length: 'The record has another length than its leader gives; its end was found otherwise',
  no_terminator: 'The record does not end with a record terminator; its end was found otherwise',
  too_long: 'The record is longer than its format allows; its fields were found by their terminators',
  over_limit: 'The record is longer than the limit of this reader; left out',
  truncated: 'The file ends within the record; left out',
  bad_leader: 'The leader is missing, too short, or has invalid characters; the usual ones were used',
  wrong_base_address: 'The leader gives another base address than the directory; that of the directory was used',
  no_directory: 'The record has no readable directory; left out',
  bad_directory: 'An entry of the directory is wrong; its field was found by the terminators',
  field_lost: 'An entry of the directory is wrong and its field cannot be told from others; the field is left out',
  bad_field: 'The field is malformed; its readable part was used',
  bad_subfield: 'A subfield has no code',
  empty_field: 'The field is empty; left out',
  no_control_number: 'The record has no control number (001)',
  repeated_control_number: 'The record has more than one control number (001); the first is used',
  wrong_encoding: 'The text is in another encoding than the record declares; read in its actual encoding',
  undecodable: 'Bytes that stand for no character; replaced by U+FFFD',
  control_characters: 'Control characters within the text; left out',
  not_well_formed: 'The file is not well-formed from here on (XML, JSON)',
  refused: 'A document type or entity declaration; refused, since it can refer to other files and grow without bound',
  not_marc: 'This is not a MARC record'
} as const

/** Defects of other formats. */
export const otherDefectKinds = {
  not_utf8: 'The row, or the whole table, is not in UTF-8; left out, since letters would be misread',
  broken_quote: 'A quotation mark is missing or has text after it; reading continues at the next line',
  wrong_columns:
    'The row has another number of columns than the header; left out, since its values may be in the wrong columns',
  entity_table: 'A table of entities, as an export has them; left out, since it is written by PUT /entities',
  unclear_table:
    'A table whose columns do not tell that its rows are publications; left out, since they would become books',
  bad_value: 'A value that does not fit its column or element; left out',
  not_a_record: 'This is neither a record nor an entity; left out',
  not_bibliographic:
    'A holdings record without the number of its publication, or an authority record without a name: left out',
  unknown_format: 'The file begins like none of the formats that can be read'
} as const

export type DefectKind = keyof typeof marcDefectKinds | keyof typeof otherDefectKinds

/** A defect of one record, found while reading it. */
export interface Defect {
  readonly kind: DefectKind
  /** A sentence about this record. */
  readonly message: string
  /** The field, element or column that it concerns. */
  readonly tag?: string
}

/** The defect of a record that is longer than the limit of its reader. */
export const overLimit = (maxBytes: number): Defect => ({
  kind: 'over_limit',
  message: `The record has more than ${maxBytes} bytes`
})

export const notUtf8: Defect = { kind: 'undecodable', message: 'Bytes that are not UTF-8 were replaced' }

export const controlsLeftOut: Defect = { kind: 'control_characters', message: 'Control characters were left out' }

export const notTwoIndicators = (tag: string): Defect => ({
  kind: 'bad_field',
  message: `A field ${tag} does not have two indicators`,
  tag
})

export const emptySubfield = (tag: string): Defect => ({
  kind: 'bad_subfield',
  message: `A field ${tag} has an empty subfield`,
  tag
})

/** The defect of a text that the parser of JSON refused. */
export const notJson = (error: unknown): Defect => ({
  kind: 'not_well_formed',
  message: `Not JSON: ${(error as Error).message.slice(0, 200)}`
})
