import type { FieldTest } from '#domain/filter/filter.ts'
import { headLength } from '#domain/search/index-values.ts'
import type { TextColumn, TextTest } from '../query/dialect.ts'
import { type Sql, sql } from '../query/sql.ts'
import { headRange, likePattern, wordPattern, wordsOf } from '../query/text-patterns.ts'

/**
 * The whole folded text. Most are no longer than their head, which is in the index: the row need
 * not be read then, and searching for one or two letters takes a third of the time
 * (bench/filter.ts).
 */
const isWholeInHead = `length(v.head) < ${headLength}`
const foldedText = `CASE WHEN ${isWholeInHead} THEN v.head ELSE v.folded END`

/**
 * Checks the deadline for every 64th row, and for each long one: a check costs 0.6 µs, and a long
 * text can cost much more than that.
 */
const tick = `((v.pk & 63 <> 0 AND (${isWholeInHead} OR octet_length(v.folded) < 4096)) OR within_deadline())`

/**
 * Maximum number of texts that are looked up in the trigram index; reading every text is cheaper
 * beyond.
 */
const maxIndexed = 16

/** A condition on `field_values v`. */
export function matchesValue(test: TextTest): Sql {
  switch (test.kind) {
    case 'contains':
      return scanning(
        test.folded.map(text => [text]),
        containsToSql(foldedText, test.folded)
      )
    case 'pattern': {
      const [beginning = ''] = test.pieces
      const like = sql(`${foldedText} LIKE ? ESCAPE '\\'`, likePattern(test.pieces))
      if (beginning === '') return scanning([test.pieces], like)
      // A pattern that begins with letters is a range of the index by head.
      const range = headRange(beginning)
      return sql(`${range.text} AND ${tick} AND ${like.text}`, ...range.parameters, ...like.parameters)
    }
    case 'regex':
      return both(`${tick} AND v.text IS NOT NULL`, regexToSql(test.isFolded ? 'v.folded' : 'v.text', test))
    case 'words': {
      const decided = sql(`word_text(${foldedText}) LIKE ? ESCAPE '\\'`, wordPattern(test))
      const [only] = test.pieces
      // Most texts have spaces on both sides, and other characters between words need no check.
      const isPlain = test.pieces.length === 1 && only && 'text' in only && !test.atStart && !test.atEnd
      return scanning(
        [wordsOf(test)],
        isPlain
          ? sql(
              `(instr(' ' || ${foldedText} || ' ', ?) > 0 OR ${decided.text})`,
              ` ${only.text} `,
              ...decided.parameters
            )
          : decided
      )
    }
  }
}

/** A condition on a column that has no folded copy; `fold` is `foldText`, called by SQLite. */
export function matchesColumn(column: TextColumn, test: TextTest): Sql {
  switch (test.kind) {
    case 'contains':
      return both('within_deadline()', containsToSql(`fold(${column})`, test.folded))
    case 'pattern':
      return sql(`within_deadline() AND fold(${column}) LIKE ? ESCAPE '\\'`, likePattern(test.pieces))
    case 'regex':
      return both('within_deadline()', regexToSql(test.isFolded ? `fold(${column})` : column, test))
    case 'words':
      return sql(`within_deadline() AND word_text(fold(${column})) LIKE ? ESCAPE '\\'`, wordPattern(test))
  }
}

/** `meets_regex` is domain/filter/regular-expression.ts, called by SQLite. */
const regexToSql = (text: string, { source, isFolded }: Extract<FieldTest, { kind: 'regex' }>): Sql =>
  sql(`meets_regex(?, ?, ${text})`, source, isFolded ? 1 : 0)

/** Whether an index leads to the values that meet a test. */
export function isIndexed(test: FieldTest): boolean {
  const hasTrigrams = (text: string) => trigramsOf(text).length > 0
  if (test.kind === 'contains') return test.folded.every(hasTrigrams)
  if (test.kind === 'words') return wordsOf(test).some(hasTrigrams)
  if (test.kind === 'pattern') return test.pieces[0] !== '' || test.pieces.some(hasTrigrams)
  return test.kind === 'equals'
}

const both = (condition: string, { text, parameters }: Sql): Sql => ({ text: `${condition} AND ${text}`, parameters })

/** One text is tested by itself; many would make a statement deeper than SQLite reads. */
function containsToSql(text: string, wanted: readonly string[]): Sql {
  const [only] = wanted
  if (wanted.length === 1 && only !== undefined) return sql(`instr(${text}, ?) > 0`, only)
  return sql(
    `EXISTS (SELECT 1 FROM json_each(?) w WHERE within_deadline() AND instr(${text}, w.value) > 0)`,
    JSON.stringify(wanted)
  )
}

/**
 * A condition that must test the texts one by one, after the trigram index has left out most. Each
 * alternative is a list of the pieces that a text must have to meet it.
 */
function scanning(alternatives: readonly (readonly string[])[], condition: Sql): Sql {
  const groups = alternatives.map(pieces => new Set(pieces.flatMap(trigramsOf)))
  if (groups.length > maxIndexed || groups.some(trigrams => trigrams.size === 0)) return both(tick, condition)
  const match = groups
    .map(trigrams => `(${[...trigrams].map(trigram => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')})`)
    .join(' OR ')
  return sql(
    `v.pk IN (SELECT rowid FROM field_text WHERE field_text MATCH ?) AND ${tick} AND ${condition.text}`,
    match,
    ...condition.parameters
  )
}

/**
 * At most sixteen trigrams, spread over the text: more would narrow no further and cost a list
 * each.
 */
function trigramsOf(text: string): string[] {
  const letters = [...text]
  const last = letters.length - 3
  if (last < 0) return []
  const step = Math.max(1, Math.floor(last / 15))
  const trigrams: string[] = []
  for (let at = 0; at <= last; at += step) trigrams.push(letters.slice(at, at + 3).join(''))
  return trigrams
}
