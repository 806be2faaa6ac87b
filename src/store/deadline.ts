import { CatalogueError } from '#domain/errors.ts'

/** What a question gets that passes its deadline, given in milliseconds. */
export const tooSlow = (queryDeadline: number, cause?: unknown) =>
  new CatalogueError('query_timeout', `The question took longer than ${queryDeadline} ms; ask for less`, { cause })
