/**
 * What can be wrong with a request, in the words of the standard. `noMetadataFormats` and
 * `noSetHierarchy` cannot happen here: every record has a format, and there are sets.
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

/** Several things may be wrong at once; all of them are told. */
export class OaiError extends Error {
  readonly faults: readonly OaiFault[]

  constructor(faults: readonly OaiFault[]) {
    super(faults.map(({ message }) => message).join('; '))
    this.name = 'OaiError'
    this.faults = faults
  }
}

export const oaiError = (code: OaiErrorCode, message: string) => new OaiError([{ code, message }])
