/** A mutex for each key: work on the same thing runs one after the other. */
export interface KeyedLock {
  /**
   * Resolves when all earlier holders of this key are done; dispose of it to let the next one
   * continue.
   */
  take(name: string): Promise<Disposable>
}

export function createKeyedLock(): KeyedLock {
  /** The last holder in each queue, until it is done. */
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
