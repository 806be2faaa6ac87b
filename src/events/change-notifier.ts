import type { Store } from '#store/store.ts'

/**
 * Rings when something changed, so that many who wait for changes ask the database once, and nobody
 * asks when nobody waits.
 */
export interface ChangeNotifier {
  /**
   * Resolves when there are changes after this one, when the time is over, or when it is stopped.
   */
  wait(after: number, milliseconds: number): Promise<void>
  stop(): void
}

/** How often the store is asked: a microsecond's work, and no client notices the wait. */
const interval = 50

export function createChangeNotifier(store: Store): ChangeNotifier {
  const waiting = new Set<{ after: number; ring: () => void }>()
  let timer: NodeJS.Timeout | undefined
  let isAsking = false

  const ask = async () => {
    if (isAsking) return
    isAsking = true
    try {
      const { newest } = await store.feedState()
      for (const each of [...waiting]) if (newest > each.after) each.ring()
    } catch {
      // The database is away: who waits goes on waiting, and is told when they ask for the changes
      // themselves.
    } finally {
      isAsking = false
    }
  }

  return {
    wait(after, milliseconds) {
      return new Promise(resolve => {
        const entry = { after, ring: () => {} }
        const over = setTimeout(() => entry.ring(), milliseconds)
        entry.ring = () => {
          clearTimeout(over)
          waiting.delete(entry)
          if (waiting.size === 0) {
            clearInterval(timer)
            timer = undefined
          }
          resolve()
        }
        waiting.add(entry)
        timer ??= setInterval(ask, interval)
      })
    },
    stop() {
      for (const each of [...waiting]) each.ring()
    }
  }
}
