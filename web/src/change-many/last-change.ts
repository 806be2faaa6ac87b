import type { DoneChange } from './send-many.ts'

/** The last change of many records, so that it can be undone also by whoever has left the page meanwhile. It holds names of records, nothing of them. */
export interface LastChange {
  readonly what: string
  readonly at: string
  readonly done: readonly DoneChange[]
}

/** Somebody else who signs in here did not do it. */
const placeOf = (who: string) => `libretto-last-change:${who}`

export function findLastChange(who: string): LastChange | undefined {
  try {
    const text = localStorage.getItem(placeOf(who))
    return text === null ? undefined : (JSON.parse(text) as LastChange)
  } catch {
    return undefined
  }
}

export function keepLastChange(who: string, change: LastChange) {
  try {
    localStorage.setItem(placeOf(who), JSON.stringify(change))
  } catch {
    // No room: it can be undone as long as the page is open.
  }
}

export const dropLastChange = (who: string) => localStorage.removeItem(placeOf(who))
