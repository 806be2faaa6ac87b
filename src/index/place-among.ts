/** The place of a text among those that are known; a new one gets the next. */
export function placeAmong(known: Map<string, number>, text: string, next = known.size): number {
  const found = known.get(text)
  if (found !== undefined) return found
  known.set(text, next)
  return next
}
