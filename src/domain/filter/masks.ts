import type { MaskPiece } from '../search/word-text.ts'

/*
 * Texts with masks: `any` stands for any run of characters, `one` for one. They are matched from
 * left to right without a way back: a run of the pattern that fits at the first possible place
 * leaves most room for the rest. So the time grows with the length of the text times that of the
 * pattern, whatever they are.
 */

/**
 * The texts of a pattern between two `any`, with one character between each and the next. The first
 * run of a pattern begins the text, the last one ends it.
 */
export type MaskRun = readonly string[]

/** The runs of some pieces. */
export function toRuns(pieces: readonly MaskPiece[]): MaskRun[] {
  const runs = [['']]
  for (const piece of pieces) {
    const run = runs.at(-1) as string[]
    if ('text' in piece) run.push(`${run.pop()}${piece.text}`)
    else if (piece.mask === 'one') run.push('')
    else runs.push([''])
  }
  return runs
}

/** Tests whether a whole text fits a pattern, which has at least one run. */
export function fitsRuns(text: string, runs: readonly MaskRun[]): boolean {
  const last = runs.length - 1
  let from = endAt(text, 0, runs[0] as MaskRun)
  if (last === 0) return from === text.length
  for (let at = 1; at < last && from >= 0; at++) from = endAfter(text, from, runs[at] as MaskRun)
  return from >= 0 && endsWith(text, from, runs[last] as MaskRun)
}

/** The end of a run that begins at a place of the text, or -1. */
function endAt(text: string, place: number, run: MaskRun): number {
  let at = place
  for (let part = 0; part < run.length; part++) {
    const said = run[part] as string
    if (part > 0) at += lengthAt(text, at)
    if (at > text.length || !text.startsWith(said, at)) return -1
    at += said.length
  }
  return at
}

/** The end of the first place at or after another one where a run fits, or -1. */
function endAfter(text: string, from: number, run: MaskRun): number {
  const [only = ''] = run
  if (run.length === 1) {
    const found = text.indexOf(only, from)
    return found < 0 ? -1 : found + only.length
  }
  for (let at = from; at < text.length; at += lengthAt(text, at)) {
    const end = endAt(text, at, run)
    if (end >= 0) return end
  }
  return -1
}

/** Tests whether a run ends the text, and begins at or after a place. */
function endsWith(text: string, from: number, run: MaskRun): boolean {
  const [only = ''] = run
  if (run.length === 1) return text.length - only.length >= from && text.endsWith(only)
  for (let at = from; at < text.length; at += lengthAt(text, at)) if (endAt(text, at, run) === text.length) return true
  return false
}

/** The number of UTF-16 units of the character at a place; 1 at the end, where there is none. */
const lengthAt = (text: string, at: number) => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)
