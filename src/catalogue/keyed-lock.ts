/** Lets those who want the same thing have it one after the other. */
export interface KeyedLock {
  /**
   * Resolves when all who asked for this name before are done; dispose of it to let the next one go
   * on.
   */
  take(name: string): Promise<Disposable>
}

export function createKeyedLock(): KeyedLock {
  /** What the last in each line has not finished yet. */
  const lines = new Map<string, Promise<void>>()
  return {
    async take(name) {
      const before = lines.get(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      lines.set(name, promise)
      await before
      return {
        [Symbol.dispose]() {
          if (lines.get(name) === promise) lines.delete(name)
          resolve()
        }
      }
    }
  }
}
