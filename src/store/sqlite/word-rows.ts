import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

import { vocabularyRow } from '../query/search-plan.ts'
import { prepareWriting } from './connection.ts'
import { prepareRows } from './row-inserts.ts'

/** Maximum number of words that are cached as being in the vocabulary. */
const maxCachedWords = 50_000

/** Buffers rows of `search_words` and `vocabulary` until they are flushed. */
export class WordRows {
  /** The occurrences of each word: entity and weight in turn. */
  #pending = new Map<string, number[]>()
  /**
   * Words that are in the vocabulary, or do not belong there: most words of a record occur in
   * others too.
   */
  readonly #inVocabulary = new Set<string>()
  readonly #select
  readonly #insert
  readonly #insertVocabulary
  readonly #delete
  readonly #deleteAll

  constructor(db: DatabaseSync) {
    this.#select = db.prepare('SELECT word, weight FROM search_words WHERE entity_pk = ?')
    this.#insert = prepareRows(db, 'search_words', ['entity_pk', 'word', 'weight'])
    this.#insertVocabulary = prepareRows(db, 'vocabulary', ['length', 'word', 'reversed'], { or: 'OR IGNORE' })
    this.#delete = prepareWriting(db, 'DELETE FROM search_words WHERE entity_pk = ? AND word = ?')
    this.#deleteAll = prepareWriting(db, 'DELETE FROM search_words WHERE entity_pk = ?')
  }

  add(pk: number, words: Iterable<readonly [word: string, weight: number]>) {
    for (const [word, weight] of words) {
      const occurrences = this.#pending.get(word)
      if (occurrences === undefined) this.#pending.set(word, [pk, weight])
      else occurrences.push(pk, weight)
    }
  }

  /** Replaces the words of an entity. Unchanged rows stay: most do when a record is changed. */
  replace(pk: number, words: ReadonlyMap<string, number>) {
    const unchanged = new Set<string>()
    for (const { word, weight } of this.#select.all(pk)) {
      if (words.get(String(word)) === weight) unchanged.add(String(word))
      else this.#delete.run(pk, String(word))
    }
    this.add(
      pk,
      [...words].filter(([word]) => !unchanged.has(word))
    )
  }

  delete(pk: number) {
    this.#deleteAll.run(pk)
  }

  flush() {
    const rows: SQLInputValue[] = []
    const newWords: SQLInputValue[] = []
    for (const word of [...this.#pending.keys()].sort()) {
      const occurrences = this.#pending.get(word) ?? []
      for (let at = 0; at < occurrences.length; at += 2) rows.push(occurrences[at] ?? 0, word, occurrences[at + 1] ?? 0)
      if (this.#inVocabulary.has(word)) continue
      const row = vocabularyRow(word)
      if (row) newWords.push(row.length, row.word, row.reversed)
      if (this.#inVocabulary.size >= maxCachedWords) this.#inVocabulary.clear()
      this.#inVocabulary.add(word)
    }
    this.#insert(rows)
    this.#insertVocabulary(newWords)
    this.#pending = new Map()
  }

  /** Discards pending rows, and the cache, after a rollback. */
  clear() {
    this.#pending = new Map()
    this.#inVocabulary.clear()
  }
}
