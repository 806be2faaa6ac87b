/* The keys of the MARC editor: pure functions of the text and the selection. */

export interface Typed {
  readonly text: string
  readonly start: number
  readonly end: number
}

type Command = (typed: Typed) => Typed | undefined

interface KeyPress {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** The keys of the editor, in the order of the list for people, each with its command. */
export const marcKeys = [
  { name: 'newField', keys: 'Alt+Enter', run: newField },
  { name: 'copyField', keys: 'Control+D', run: copyField },
  { name: 'deleteField', keys: 'Control+Shift+X', run: deleteField },
  { name: 'moveUp', keys: 'Alt+ArrowUp', run: (typed: Typed) => moveField(typed, -1) },
  { name: 'moveDown', keys: 'Alt+ArrowDown', run: (typed: Typed) => moveField(typed, 1) },
  { name: 'nextSubfield', keys: 'Control+ArrowDown', run: nextSubfield },
  { name: 'previousSubfield', keys: 'Control+ArrowUp', run: previousSubfield },
  { name: 'pair', keys: 'Alt+8', run: goToPair }
] as const satisfies readonly { readonly name: string; readonly keys: string; readonly run: Command }[]

export type MarcKeyName = (typeof marcKeys)[number]['name']

export function commandFor({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): Command | undefined {
  // With Alt, a key may give another character.
  const named = code.startsWith('Digit') ? code.slice(5) : key.length === 1 ? key.toUpperCase() : key
  const modifiers = [ctrlKey || metaKey ? 'Control' : [], altKey ? 'Alt' : [], shiftKey ? 'Shift' : []].flat()
  const pressed = [...modifiers, named].join('+')
  return marcKeys.find(({ keys }) => keys === pressed)?.run
}

interface Place {
  readonly lines: readonly string[]
  /** The line in which the cursor is, counted from 0. */
  readonly at: number
  readonly column: number
}

export function placeIn({ text, start }: Pick<Typed, 'text' | 'start'>): Place {
  const before = text.slice(0, start).split('\n')
  return { lines: text.split('\n'), at: before.length - 1, column: before.at(-1)?.length ?? 0 }
}

const joined = (lines: readonly string[], at: number, column: number, length = 0): Typed => {
  const start = lines.slice(0, at).reduce((sum, each) => sum + each.length + 1, 0) + column
  return { text: lines.join('\n'), start, end: start + length }
}

/** A tag that the next three letters replace. */
const openTag = '___'

function newField(typed: Typed): Typed {
  const { lines, at } = placeIn(typed)
  return joined(lines.toSpliced(at + 1, 0, `${openTag} ## $a`), at + 1, 0, openTag.length)
}

function copyField(typed: Typed): Typed {
  const { lines, at, column } = placeIn(typed)
  return joined(lines.toSpliced(at + 1, 0, lines[at] ?? ''), at + 1, column)
}

/** Deletes a field; with its pair in another script, if it has one. */
function deleteField(typed: Typed): Typed {
  const { lines, at } = placeIn(typed)
  const gone = new Set([at, pairOf(lines, at) ?? at])
  const left = lines.filter((_, line) => !gone.has(line))
  const above = [...gone].filter(line => line < at).length
  return joined(left, Math.max(0, Math.min(at - above, left.length - 1)), 0)
}

function moveField(typed: Typed, by: 1 | -1): Typed | undefined {
  const { lines, at, column } = placeIn(typed)
  const [own, other] = [lines[at], lines[at + by]]
  if (own === undefined || other === undefined) return undefined
  return joined(lines.with(at, other).with(at + by, own), at + by, column)
}

function nextSubfield({ text, end }: Typed): Typed | undefined {
  const found = text.indexOf('$', end)
  return found < 0 ? undefined : { text, start: found + 2, end: found + 2 }
}

function previousSubfield({ text, start }: Typed): Typed | undefined {
  // The cursor stands after the mark and the code of its own subfield.
  const found = start < 3 ? -1 : text.lastIndexOf('$', start - 3)
  return found < 0 ? undefined : { text, start: found + 2, end: found + 2 }
}

interface Link {
  readonly own: string
  readonly tag: string
  readonly number: string
}

/** The field that one names in $6: `245 10 $6880-01$aTitle` names 880, with the number 01. */
function linkIn(line: string): Link | undefined {
  const [, own, tag, number] = /^(\w{3}) .*?\$6(\w{3})-(\d\d)/.exec(line) ?? []
  return own === undefined || tag === undefined || number === undefined || number === '00'
    ? undefined
    : { own, tag, number }
}

/** The line of the pair of a field: the same in another script, or in this one. */
export function pairOf(lines: readonly string[], at: number): number | undefined {
  const link = linkIn(lines[at] ?? '')
  if (link === undefined) return undefined
  const found = lines.findIndex((line, place) => {
    const other = linkIn(line)
    return place !== at && other?.own === link.tag && other.tag === link.own && other.number === link.number
  })
  return found < 0 ? undefined : found
}

/** Goes to the pair of a field, and adds one in 880 if it has none. */
function goToPair(typed: Typed): Typed | undefined {
  const { lines, at } = placeIn(typed)
  const pair = pairOf(lines, at)
  if (pair !== undefined) return joined(lines, pair, (lines[pair] ?? '').length)
  const line = lines[at] ?? ''
  const [, tag = '', indicators = '', content = ''] = /^(\d{3}) (\S\S) ?(\$.*)$/.exec(line) ?? []
  if (tag === '' || tag === '880' || linkIn(line) !== undefined) return undefined
  const used = lines.flatMap(each => Number(linkIn(each)?.number ?? 0))
  const number = String(Math.max(0, ...used) + 1).padStart(2, '0')
  const codes = content.split('$').flatMap(each => (/^[a-z]/.test(each) ? `$${each[0]}` : []))
  const linked = lines.with(at, `${tag} ${indicators} $6880-${number}${content}`)
  const after = linked.findLastIndex(each => /^\d{3} /.test(each) && each.slice(0, 3) <= '880')
  const added = `880 ${indicators} $6${tag}-${number}${codes[0] ?? '$a'}`
  const rest = codes.slice(1).join('')
  return joined(linked.toSpliced(after + 1, 0, added + rest), after + 1, added.length)
}
