/**
 * Returns a clock that follows the machine's when that is set back, but not when it is set forward:
 * then it goes on as if nothing had happened. Harvesters continue from the time of an answer. If it
 * were ahead, and the machine's clock were corrected afterwards, they would not ask for the changes
 * until that time.
 */
export function createCautiousClock(
  now: () => number = Date.now,
  elapsed: () => number = () => performance.now()
): () => number {
  let leastStart = now() - elapsed()
  return () => {
    leastStart = Math.min(leastStart, now() - elapsed())
    return leastStart + elapsed()
  }
}
