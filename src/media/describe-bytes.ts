import type { ContentFacts } from '#domain/entity/server-fields.ts'
import { detectType } from './detect-type.ts'
import { readImageSize } from './image-size.ts'

/**
 * Describes bytes by their beginning (`bytesToDetectType`), without regard to the name that came
 * with them.
 */
export function describeBytes(head: Buffer, sha256: string, size: number): ContentFacts {
  const mimetype = detectType(head)
  return { sha256, size, mimetype, ...readImageSize(mimetype, head) }
}
