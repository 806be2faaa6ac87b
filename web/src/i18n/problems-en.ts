/** A sentence for each problem code of the service, in English. */
export const problemsEn = {
  invalid: 'Some of the values are not valid. Correct them and try again.',
  description_too_long: 'The short description is too long: 500 characters at most. Use the long description.',
  invalid_filter: 'The search is not valid. Clear the filters and try again.',
  unknown_filter_type: 'The search uses a filter that this service does not know.',
  bad_request: 'The request is not valid.',
  malformed_json: 'The request could not be read by the service.',
  unauthenticated: 'Your session has ended. Sign in again.',
  sign_in_failed: 'The sign-in failed. Try again.',
  forbidden: 'You do not have permission for this. Ask the administrator.',
  not_found: 'The record does not exist, or you may not read it.',
  incomplete_wem: 'The expression or the work of this publication is missing.',
  several_matches: 'Several publications have this number.',
  no_such_path: 'The service does not offer this.',
  method_not_allowed: 'The service does not offer this.',
  not_acceptable: 'The service cannot answer in this format.',
  request_timeout: 'The request took too long to arrive. Check your connection and try again.',
  identifier_taken: 'Another record already has this identifier.',
  still_referenced: 'Other records refer to this record.',
  patch_not_applicable: 'The change does not fit the record as it is now. Load it again.',
  cursor_expired: 'This list has changed too much since it was opened. Load it again.',
  key_reused: 'This request was sent before with other content. Load the page again.',
  version_mismatch: 'Somebody else changed the record meanwhile. Load it again.',
  offset_mismatch: 'The upload was interrupted at another position. Start it again.',
  checksum_mismatch: 'The file was damaged on its way. Upload it again.',
  media_too_large: 'The file is too large.',
  body_too_large: 'The request is too large. Send less at once.',
  uri_too_long: 'The search is too long. Use fewer words or filters.',
  unsupported_media_type: 'The service does not accept files of this kind.',
  range_not_satisfiable: 'This part of the file does not exist.',
  unsupported_tus_version: 'The upload protocol of this page is outdated. Load the page again.',
  rate_limited: 'Too many requests. Wait a moment and try again.',
  too_many_imports: 'Too many of your imports are waiting. Send the file when one of them has ended, or stop one.',
  headers_too_large: 'The request is too large.',
  internal: 'The service failed unexpectedly. Try again; if it happens again, tell the administrator.',
  query_timeout: 'The search took too long. Narrow it and try again.',
  unavailable: 'The service is busy or starting. Try again in a moment.',
  storage_full: 'The storage of the service is full. Tell the administrator.'
}

export type ProblemSentences = Readonly<Record<keyof typeof problemsEn, string>>

/** A sentence for each code of a warning: about a field or relation, and a value. */
export const warningsEn = {
  doubtful_value: (name: string, value: string) => `${name}: “${value}” looks wrong; it is stored as typed`,
  undeclared_name: (_: string, value: string) => `This kind of record has no “${value}”; it is stored as typed`,
  second_value: (name: string, _: string) => `${name} has one value; a second one was left out`,
  unsafe_markup: (name: string, value: string) => `${name}: unsafe markup was removed (${value})`,
  default_category: (name: string, value: string) => `${name} was set to “${value}”`,
  missing_target: (_: string, value: string) => `A relation to “${value}” was not restored: the record is gone`,
  duplicate: (_: string, value: string) => `“${value}” may be the same record`
}

export type WarningSentences = typeof warningsEn
