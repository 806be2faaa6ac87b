import { hash } from 'node:crypto'

/** Returns the strong ETag of an answer, made from its bytes. */
export const etagOf = (body: string | Buffer) => `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
