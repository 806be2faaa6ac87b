import Type, { type Static } from 'typebox'

import { readShape } from './read-shape.ts'

/*
 * Lines of NDJSON with the bytes of media files, `{"media": {…}}`: pieces of one content, one after
 * the other.
 */

const MediaLine = Type.Object(
  {
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    /** The number of all bytes of the content. */
    size: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    /** The position of the piece in the content. */
    offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    /** The piece, in base64. */
    bytes: Type.String({ minLength: 1 })
  },
  { additionalProperties: false }
)
export type MediaLine = Static<typeof MediaLine>

/** Bytes of a piece in an export; pieces of other catalogues may have another number. */
export const bytesOfPiece = 1_048_575

/** Reads the value of `media` on a line; returns the fault of another value. */
export const readMediaLine = (given: unknown): MediaLine | { readonly fault: string } =>
  readShape(MediaLine, given, 'media')
