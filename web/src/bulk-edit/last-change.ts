import type { DoneChange } from './send-bulk-change.ts'

/**
 * The last bulk change, stored so that it can be undone after leaving the page. It holds ids and
 * versions only.
 */
export interface LastChange {
  readonly what: string
  readonly at: string
  readonly done: readonly DoneChange[]
}

/** It belongs to the user who made it. */
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
    // No storage left: it can be undone while the page is open.
  }
}

export const dropLastChange = (who: string) => localStorage.removeItem(placeOf(who))
