import { setImmediate } from 'node:timers/promises'

/** Milliseconds after which a long piece of work lets other requests run. */
const maxTurn = 10

/** Number of items whose work is started at once, unless the caller gives one. */
const itemsAtOnce = 50

/**
 * Returns a function for loops over input: it waits for other requests when the loop has held the
 * main thread for a while. A loop that only awaits results from memory would otherwise hold it to
 * its end.
 */
export function createTurns(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < maxTurn) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}

/** Maps a list, some items at once, and lets other requests run in between. */
export async function mapInTurns<From, To>(
  list: readonly From[],
  map: (item: From) => Promise<To>,
  atOnce = itemsAtOnce
): Promise<To[]> {
  const takeTurns = createTurns()
  const mapped: To[] = []
  for (let start = 0; start < list.length; start += atOnce) {
    mapped.push(...(await Promise.all(list.slice(start, start + atOnce).map(map))))
    await takeTurns()
  }
  return mapped
}
