/*
 * Where in a request a metadata entry or a relation stood.
 *
 * Faults are told by a JSON pointer into what was sent, but some are found only in the list that
 * comes of it, when it was joined with what the entity has, and what could not be read was left
 * out. Counting there would point to another entry, or to none.
 */

const places = new WeakMap<object, string>()

export const rememberPlace = (entry: object, pointer: string) => places.set(entry, pointer)

/** The pointer to an entry; one that was not sent has the place it has in the list. */
export const placeOf = (entry: object, list: string, index: number) => places.get(entry) ?? `/${list}/${index}`

/** Whether an entry came with the request, rather than from the record as it was. */
export const wasSent = (entry: object) => places.has(entry)

/** What was made of an entry stands where the entry stood. */
export function inPlaceOf<T extends object>(entry: object, made: T): T {
  const pointer = places.get(entry)
  if (pointer !== undefined) places.set(made, pointer)
  return made
}
