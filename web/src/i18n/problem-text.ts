import { ConnectionError, isProblem } from '../../../client/index.ts'
import type { Words } from './en.ts'

/** Maximum number of faults that are named in a message. */
const maxFaults = 3

/** The sentence for an error. Faults of single values are in the words of the service. */
export function problemText(words: Words, error: Error): string {
  if (error instanceof ConnectionError) return words.cannotReach
  if (!isProblem(error)) return error.message
  const sentence = (words.problems as Readonly<Record<string, string>>)[error.code] ?? error.message
  const faults = [...new Set(error.errors.map(({ message }) => message))].slice(0, maxFaults)
  return faults.length === 0 ? sentence : `${sentence} ${faults.join(' · ')}`
}
