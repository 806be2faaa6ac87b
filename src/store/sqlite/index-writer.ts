import type { DatabaseSync, SQLInputValue } from 'node:sqlite'

import type { EntityContent } from '#domain/entity/entity.ts'
import { type IndexValue, indexValues } from '#domain/search/index-values.ts'
import { indexWords } from '#domain/search/index-words.ts'
import type { Model } from '#domain/record-types/model.ts'
import { vocabularyRow } from '../query/search-plan.ts'
import { prepareWriting } from './connection.ts'
import { prepareRows } from './row-inserts.ts'

/**
 * Writes the rows by which entities are found, inside the transaction that is open.
 *
 * New rows are gathered until `flush`, and then written in the order of their index: rows that
 * follow each other there go to one page, and it is looked for, changed and written once. The
 * larger the catalogue and the unit, the more that saves. What is erased was flushed before.
 */
export interface IndexWriter {
  /** Writes the rows of a new entity. */
  write(pk: number, content: EntityContent): void
  /** Writes anew what has changed. */
  rewrite(
    pk: number,
    content: EntityContent,
    changed: { readonly relations: boolean; readonly metadata: boolean }
  ): void
  /** Leaves the words that stay as they are: most do when a record is changed. */
  rewriteWords(pk: number, content: EntityContent): void
  /** Writes all rows anew, the names included. */
  writeAnew(pk: number, content: EntityContent): void
  erase(pk: number): void
  /** Writes what was gathered. */
  flush(): void
  /** To be said after a rollback: what was gathered, or remembered as written, is not so. */
  forget(): void
}

/** How many words are remembered to be in the vocabulary. */
const mostKnownWords = 50_000

interface RelationRow {
  readonly pk: number
  readonly position: number
  readonly type: string
  readonly target: string
}

interface ValueRow {
  readonly pk: number
  readonly value: IndexValue
  /** The row's own number: those of an entity have the order of its values. */
  place: number
}

export function createIndexWriter(db: DatabaseSync, model: Model): IndexWriter {
  const insertRelations = prepareRows(db, 'relations', ['entity_pk', 'position', 'type', 'target'])
  const deleteRelations = prepareWriting(db, 'DELETE FROM relations WHERE entity_pk = ?')
  const lastValue = db.prepare('SELECT max(pk) AS pk FROM field_values')
  const insertValues = prepareRows(db, 'field_values', [
    'pk',
    'entity_pk',
    'key',
    'position',
    'text',
    'folded',
    'head',
    'sort',
    'number',
    'instant',
    'truth',
    'is_name',
    'is_derived'
  ])
  const deleteText = prepareWriting(
    db,
    'DELETE FROM field_text WHERE rowid IN (SELECT pk FROM field_values WHERE entity_pk = ?)'
  )
  // One by one: a statement of several rows would have a savepoint, before which the full-text
  // index writes all it has gathered.
  const insertText = db.prepare('INSERT INTO field_text (rowid, folded) VALUES (?, ?)')
  const deleteValues = prepareWriting(db, 'DELETE FROM field_values WHERE entity_pk = ?')
  const insertIdentifier = prepareWriting(
    db,
    'INSERT OR REPLACE INTO identifiers (identifier, entity_pk) VALUES (?, ?)'
  )
  const selectWords = db.prepare('SELECT word, weight FROM search_words WHERE entity_pk = ?')
  const insertWords = prepareRows(db, 'search_words', ['entity_pk', 'word', 'weight'])
  const deleteWord = prepareWriting(db, 'DELETE FROM search_words WHERE entity_pk = ? AND word = ?')
  const deleteWords = prepareWriting(db, 'DELETE FROM search_words WHERE entity_pk = ?')
  const insertVocabulary = prepareRows(db, 'vocabulary', ['length', 'word', 'reversed'], { or: 'OR IGNORE' })

  /** Entities of which something is gathered. */
  const gathered = new Set<number>()
  let relations: RelationRow[] = []
  let values: ValueRow[] = []
  /** Where each word is to be found: entity and weight in turn. */
  let words = new Map<string, number[]>()
  /**
   * Words that the vocabulary has, or that need no place in it: most words of a record are those of
   * others.
   */
  const knownWords = new Set<string>()

  function addWord(pk: number, word: string, weight: number) {
    const places = words.get(word)
    if (places === undefined) words.set(word, [pk, weight])
    else places.push(pk, weight)
  }

  function flushRelations() {
    relations.sort((one, other) => byLetters(one.target, other.target))
    const rows: SQLInputValue[] = []
    for (const { pk, position, type, target } of relations) rows.push(pk, position, type, target)
    insertRelations(rows)
    relations = []
  }

  function flushValues() {
    if (values.length === 0) return
    let place = Number(lastValue.get()?.pk ?? 0)
    // The full-text index wants its rows in the order of their numbers.
    for (const row of values) {
      row.place = ++place
      insertText.get(row.place, row.value.folded)
    }
    values.sort(
      (one, other) => byLetters(one.value.key, other.value.key) || byLetters(one.value.head, other.value.head)
    )
    const rows: SQLInputValue[] = []
    for (const { pk, value, place } of values)
      rows.push(
        place,
        pk,
        value.key,
        value.position,
        value.text,
        value.folded,
        value.head,
        value.sort,
        value.number,
        value.instant,
        value.truth,
        value.isName,
        value.isDerived
      )
    insertValues(rows)
    values = []
  }

  function flushWords() {
    const rows: SQLInputValue[] = []
    const newWords: SQLInputValue[] = []
    for (const word of [...words.keys()].sort()) {
      const places = words.get(word) ?? []
      for (let at = 0; at < places.length; at += 2) rows.push(places[at] ?? 0, word, places[at + 1] ?? 0)
      if (knownWords.has(word)) continue
      const row = vocabularyRow(word)
      if (row) newWords.push(row.length, row.word, row.reversed)
      if (knownWords.size >= mostKnownWords) knownWords.clear()
      knownWords.add(word)
    }
    insertWords(rows)
    insertVocabulary(newWords)
    words = new Map()
  }

  function flush() {
    flushRelations()
    flushValues()
    flushWords()
    gathered.clear()
  }

  /** Before rows of an entity are looked at: what is gathered of it counts as well. */
  const flushIfGathered = (pk: number) => {
    if (gathered.has(pk)) flush()
  }

  function writeRelations(pk: number, content: EntityContent) {
    for (const [position, { type, key }] of content.relations.entries())
      relations.push({ pk, position, type, target: key })
  }

  function writeValues(pk: number, content: EntityContent) {
    for (const value of indexValues(model, content)) values.push({ pk, value, place: 0 })
  }

  function eraseValues(pk: number) {
    deleteText.run(pk)
    deleteValues.run(pk)
  }

  function rewriteWords(pk: number, content: EntityContent) {
    flushIfGathered(pk)
    const wanted = indexWords(model, content)
    const kept = new Set<string>()
    for (const { word, weight } of selectWords.all(pk)) {
      if (wanted.get(String(word)) === weight) kept.add(String(word))
      else deleteWord.run(pk, String(word))
    }
    gathered.add(pk)
    for (const [word, weight] of wanted) if (!kept.has(word)) addWord(pk, word, weight)
  }

  function rewrite(pk: number, content: EntityContent, changed: { relations: boolean; metadata: boolean }) {
    flushIfGathered(pk)
    if (changed.relations) {
      deleteRelations.run(pk)
      writeRelations(pk, content)
    }
    if (changed.metadata) {
      eraseValues(pk)
      rewriteWords(pk, content)
      writeValues(pk, content)
    }
    gathered.add(pk)
  }

  return {
    write(pk, content) {
      gathered.add(pk)
      writeRelations(pk, content)
      writeValues(pk, content)
      for (const [word, weight] of indexWords(model, content)) addWord(pk, word, weight)
    },
    rewrite,
    rewriteWords,
    writeAnew(pk, content) {
      for (const identifier of [content.uuid, content.id, ...content.otherIdentifiers])
        insertIdentifier.run(identifier, pk)
      rewrite(pk, content, { relations: true, metadata: true })
    },
    erase(pk) {
      flushIfGathered(pk)
      deleteRelations.run(pk)
      eraseValues(pk)
      deleteWords.run(pk)
    },
    flush,
    forget() {
      gathered.clear()
      relations = []
      values = []
      words = new Map()
      knownWords.clear()
    }
  }
}

const byLetters = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)
