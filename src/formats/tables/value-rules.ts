import type { Fault } from '#domain/errors.ts'
import { isJsonObject, pointerTo } from '#domain/json.ts'
import { splitValues } from './write-csv.ts'

/*
 * The language of mappings: which values of a row a field or a relation gets. Mappings of rows and
 * mappings of publications share it.
 *
 * - path: the name of a column, or the members on the way to a value, separated by points
 */

export interface ListRule {
  readonly from: readonly string[]
  /** The text between values in one cell. */
  readonly split?: string
}

export interface ValueRule extends ListRule {
  /** A value that is the same in all rows. */
  readonly value?: string | number | boolean
  readonly lang?: string
  /** The text between several values that become one. */
  readonly join?: string
  /** The value for each word of the column. */
  readonly words?: Readonly<Record<string, string>>
}

/** The text between the values of a cell in tables that we write; inside a value it is doubled. */
export const ownSplit = ' | '

const valueMembers = ['lang', 'join', 'words']

/** Reads a mapping member by member, and collects the faults with their pointers. */
export class MappingReader {
  readonly faults: Fault[] = []

  fault(pointer: string, message: string): undefined {
    this.faults.push({ pointer, message })
  }

  text(given: unknown, at: string): string | undefined {
    if (given === undefined || (typeof given === 'string' && given !== '')) return given
    return this.fault(at, 'Must be text')
  }

  /** One of some words. */
  word<Word extends string>(given: unknown, at: string, words: readonly Word[]): Word | undefined {
    const found = words.find(each => each === given)
    if (found === undefined && given !== undefined) this.fault(at, `Must be one of ${words.join(', ')}`)
    return found
  }

  object(given: unknown, at: string): Readonly<Record<string, unknown>> {
    if (isJsonObject(given)) return given
    this.fault(at, 'Must be an object')
    return {}
  }

  onlyMembers(given: unknown, known: readonly string[], at: string): void {
    for (const member of isJsonObject(given) ? Object.keys(given) : [])
      if (!known.includes(member)) this.fault(pointerTo(at, member), `Unknown member "${member}"`)
  }

  delimiter(given: unknown): string | undefined {
    if (given === undefined) return undefined
    const isOne = typeof given === 'string' && /^[\t\x20-\x7e]$/.test(given) && given !== '"'
    return isOne ? given : this.fault('/delimiter', 'Must be one character')
  }

  value(given: unknown, at: string): ValueRule {
    if (typeof given === 'string') return { from: [given] }
    const { value } = this.object(given, at)
    if (value === undefined) return { ...this.list(given, at, valueMembers), ...this.form(given, at) }
    this.onlyMembers(given, ['value', 'lang'], at)
    if (!['string', 'number', 'boolean'].includes(typeof value))
      this.fault(`${at}/value`, 'Must be a text, a number, true or false')
    return { from: [], value: value as string, ...this.form(given, at) }
  }

  list(given: unknown, at: string, others: readonly string[] = []): ListRule {
    if (typeof given === 'string') return { from: [given] }
    const { from } = this.object(given, at)
    this.onlyMembers(given, ['from', 'split', ...others], at)
    const paths: unknown[] = Array.isArray(from) ? from : [from]
    if (paths.length === 0 || !paths.every(each => typeof each === 'string' && each !== ''))
      this.fault(`${at}/from`, 'Must be the name of a column or the path to a value, or a list of them')
    return { from: paths.map(String), ...this.split(given, at) }
  }

  split(given: unknown, at: string): Pick<ListRule, 'split'> {
    const split = this.text(this.object(given, at).split, `${at}/split`)
    return split === undefined ? {} : { split }
  }

  /** The members that tell how the values of columns become those of the field. */
  form(given: unknown, at: string): Omit<ValueRule, keyof ListRule | 'value'> {
    const { lang, join, words } = this.object(given, at)
    if (words !== undefined && !(isJsonObject(words) && Object.values(words).every(each => typeof each === 'string')))
      this.fault(`${at}/words`, 'Must be an object with the value for each word')
    const language = this.text(lang, `${at}/lang`)
    const between = this.text(join, `${at}/join`)
    return {
      ...(language === undefined ? {} : { lang: language }),
      ...(between === undefined ? {} : { join: between }),
      ...(words === undefined ? {} : { words: words as Readonly<Record<string, string>> })
    }
  }
}

// Values of a row

/** A row, and the value of a list in it that a record is made for. */
export interface RowValues {
  readonly row: unknown
  readonly item?: unknown
}

/** The texts of a rule: split, joined, and with the value for each word. */
export function textsOfRule({ words, join, ...rule }: ValueRule, values: RowValues): string[] {
  const found = textsOf(rule, values)
  const texts = join === undefined || found.length === 0 ? found : [found.join(join)]
  return words === undefined ? texts : texts.map(text => wordIn(words, text) ?? text)
}

function wordIn(words: Readonly<Record<string, string>>, text: string): string | undefined {
  if (Object.hasOwn(words, text)) return words[text]
  const wanted = text.toLowerCase()
  return Object.entries(words).find(([word]) => word.toLowerCase() === wanted)?.[1]
}

/** The texts at some paths, without empty ones. */
export function textsOf(rule: ListRule, values: RowValues): string[] {
  return listAt(rule, values)
    .filter(each => each !== null && each !== undefined && typeof each !== 'object')
    .map(each => String(each).trim())
    .filter(each => each !== '')
}

export function listAt({ from, split }: ListRule, values: RowValues): unknown[] {
  const found = from.flatMap(path => valuesOf(path, values))
  if (split === undefined) return found
  return found.flatMap(each => (typeof each === 'string' ? splitText(each, split) : [each]))
}

const splitText = (text: string, split: string) =>
  split === ownSplit ? splitValues(text) : text.split(split).flatMap(piece => piece.trim() || [])

/** The values at a path: `@` is the value that the record is made for. */
function valuesOf(path: string, { row, item }: RowValues): unknown[] {
  if (path === '@') return item === undefined ? [] : [item]
  return path.startsWith('@.') ? valuesAt(item, path.slice(2)) : valuesAt(row, path)
}

/**
 * The values at a path. Lists on the way stand for each of their values. A member whose name has
 * points itself is found first.
 */
export function valuesAt(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap(each => valuesAt(each, path))
  if (!isJsonObject(value)) return []
  if (Object.hasOwn(value, path)) {
    const found = value[path]
    return Array.isArray(found) ? found : [found]
  }
  for (let at = path.indexOf('.'); at > 0; at = path.indexOf('.', at + 1)) {
    const member = path.slice(0, at)
    if (Object.hasOwn(value, member)) return valuesAt(value[member], path.slice(at + 1))
  }
  return []
}
