import type { Store } from '#store/store.ts'

/**
 * Notifies waiting requests of changes, so that many of them share one query, and the database is
 * not queried when none waits.
 */
export interface ChangeNotifier {
  /**
   * Resolves when there are changes after this one, when the time is over, or when the notifier is
   * stopped.
   */
  wait(after: number, milliseconds: number): Promise<void>
  stop(): void
}

/**
 * Milliseconds between two queries of the store: each takes a microsecond, and no client notices
 * the delay.
 */
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
      // The database is unavailable: requests wait on, and get the error when they read the changes
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
