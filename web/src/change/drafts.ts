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

/** What a draft is of: a new record of a type, or a record that is there. */
export type DraftName =
  | { readonly kind: 'new'; readonly type: string }
  | { readonly kind: 'change'; readonly id: string }

const newPrefix = 'new:'
export const newDraftName = (type: string) => newPrefix + type
/** Stands for a type where a work, an expression and a manifestation are made in one go. */
export const publication = 'publication'

/** All drafts that are kept in this browser. */
export function listDrafts(): readonly DraftName[] {
  return Object.keys(localStorage)
    .filter(key => key.startsWith(prefix))
    .map(key => key.slice(prefix.length))
    .sort()
    .map(name =>
      name.startsWith(newPrefix) ? { kind: 'new', type: name.slice(newPrefix.length) } : { kind: 'change', id: name }
    )
}
