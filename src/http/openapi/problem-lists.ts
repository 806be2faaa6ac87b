/** The problems of routes that change an existing entity. */
export const changeProblems = [
  'not_found',
  'invalid',
  'description_too_long',
  'identifier_taken',
  'version_mismatch',
  'storage_full'
] as const
