import type { Entity } from '../../../client/index.ts'

/* What was typed and not saved yet. It is kept in this browser, so a tab that is closed, or a token that runs out, costs nobody their work. */

export type Content = Pick<Entity, 'metadata' | 'relations'>

export interface Draft {
  /** What the record was when the change began; undefined for a new one. */
  readonly base: (Content & { readonly version: number }) | undefined
  readonly content: Content
}

const prefix = 'libretto-draft:'

export function findDraft<Kept = Draft>(name: string): Kept | undefined {
  try {
    const text = localStorage.getItem(prefix + name)
    return text === null ? undefined : (JSON.parse(text) as Kept)
  } catch {
    return undefined
  }
}

export function keepDraft(name: string, draft: object) {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(draft))
  } catch {
    // The browser has no room left, or keeps nothing for this page: then there is no draft.
  }
}

export const dropDraft = (name: string) => localStorage.removeItem(prefix + name)
