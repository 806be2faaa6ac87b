import type { FilterPath } from './filter-path.ts'
import { readHoppingPath, withoutPrefix } from './filter-path.ts'
import type { Model } from '../record-types/model.ts'

/*
 * Filters as clients of the other platform send them (contract, section 10). Their members and keys
 * are converted to the forms of section 3 here, so that the rest of the service knows only those. A
 * restriction is never dropped: a member without a meaning here is refused.
 */

/** Hints of a client for its own screens, without influence on the result. */
export const screenMembers = ['label', 'metadata_key_as_label', 'provide_value_options_for_key', '__typename']

/** Members that a client leaves empty when it does not use them. */
const emptyMeansAbsent = ['parent_key', 'aggregation', 'distinct_by', 'key']

/** Removes members that a client sends empty: `null` for any member, `""` for some. */
export const withoutEmptyMembers = (item: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(item).filter(
      ([member, value]) => value !== null && !(value === '' && emptyMeansAbsent.includes(member))
    )
  )

/** Members of a media file that those clients send beside its metadata; here they are metadata. */
const mediaMembers = ['technical_origin', 'original_filename', 'img_width', 'img_height']

/** Reads a field path in any form that a client may use; returns undefined for other text. */
export function readClientPath(model: Model, key: string): FilterPath | undefined {
  const bare = withoutPrefix(key)
  if (model.isDeclaredKey(bare) || mediaMembers.includes(bare)) {
    return readHoppingPath(key) ?? { kind: 'metadata', key: bare }
  }
  return readHoppingPath(key)
}

/** The path whose values a client wants as options of a menu; undefined when it wants records. */
export function readOptionsPath(model: Model, body: unknown): FilterPath | undefined {
  if (!Array.isArray(body)) return undefined
  for (const item of body as unknown[]) {
    if (typeof item !== 'object' || item === null) continue
    const { provide_value_options_for_key: isWanted, key } = item as Record<string, unknown>
    const first: unknown = Array.isArray(key) ? key[0] : key
    if (isWanted === true && typeof first === 'string' && first !== '') return readClientPath(model, first)
  }
  return undefined
}
