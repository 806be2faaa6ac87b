import type { Entity } from '../../../client/index.ts'
import type { NewRecord } from './form-content.ts'

/*
 * Drafts: unsaved input, stored in this browser, so that a closed tab or an expired token loses
 * nothing.
 */

export type Content = Pick<Entity, 'metadata' | 'relations'>

export interface Draft {
  /** The record when editing began; undefined for a new one. */
  readonly base: (Content & { readonly version: number }) | undefined
  readonly content: Content
  /** The related records that are created with it. */
  readonly made?: readonly NewRecord[]
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

/** Stores a draft. False when the browser refuses, because its store is full or not allowed. */
export function keepDraft(name: string, draft: object): boolean {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export const dropDraft = (name: string) => localStorage.removeItem(prefix + name)

/** The subject of a draft: a new record of a type, or an existing record. */
export type DraftName =
  | { readonly kind: 'new'; readonly type: string }
  | { readonly kind: 'change'; readonly id: string }

const newPrefix = 'new:'
const formPrefix = 'form:'
/** The name of the draft of a form that describes no record, such as a new token. */
export const formDraftName = (form: string) => formPrefix + form
export const newDraftName = (type: string) => newPrefix + type
/** Stands for the type when a work, an expression and a manifestation are created together. */
export const publication = 'publication'
/** Stands for the type when several performances are created together. */
export const performances = 'performances'

/** All drafts of records in this browser. */
export function listDrafts(): readonly DraftName[] {
  return Object.keys(localStorage)
    .filter(key => key.startsWith(prefix))
    .map(key => key.slice(prefix.length))
    .filter(name => !name.startsWith(formPrefix))
    .sort()
    .map(name =>
      name.startsWith(newPrefix) ? { kind: 'new', type: name.slice(newPrefix.length) } : { kind: 'change', id: name }
    )
}
