import type { Defect } from '../source/defects.ts'
import { blankLeader } from './record.ts'

/** A leader of 24 characters for any input. */
export function checkLeader(given: string | undefined, defects: Defect[]): string {
  if (given !== undefined && /^[\x20-\x7e]{24}$/.test(given)) return given
  const message = given === undefined ? 'There is no leader' : `The leader is ${JSON.stringify(given.slice(0, 60))}`
  defects.push({ kind: 'bad_leader', message })
  const usable = given?.trim().replaceAll(/[^\x20-\x7e]/g, ' ') ?? ''
  // A leader that only lost blanks at its end still has most of its content.
  return usable.length >= 8 ? (usable + blankLeader.slice(usable.length)).slice(0, 24) : blankLeader
}
