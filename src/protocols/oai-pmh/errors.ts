/**
 * Error codes of the standard. `noMetadataFormats` and `noSetHierarchy` cannot occur: every record
 * has a format, and there are sets.
 */
export const oaiErrorCodes = [
  'badVerb',
  'badArgument',
  'badResumptionToken',
  'cannotDisseminateFormat',
  'idDoesNotExist',
  'noRecordsMatch'
] as const
export type OaiErrorCode = (typeof oaiErrorCodes)[number]

export interface OaiFault {
  readonly code: OaiErrorCode
  readonly message: string
}

/** An error with one or more codes; all are reported. */
export class OaiError extends Error {
  readonly faults: readonly OaiFault[]

  constructor(faults: readonly OaiFault[]) {
    super(faults.map(({ message }) => message).join('; '))
    this.name = 'OaiError'
    this.faults = faults
  }
}

export const oaiError = (code: OaiErrorCode, message: string) => new OaiError([{ code, message }])
