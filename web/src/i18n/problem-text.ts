import { ConnectionError, isProblem } from '../../../client/index.ts'
import type { Words } from './en.ts'

/** Maximum number of faults that are named in a message. */
const maxFaults = 3

/** Status codes of refusals that depend on what was sent: the service names the fault. */
const detailed = [400, 409, 413, 415, 422]

/** The sentence for an error. Faults of single values are in the words of the service. */
export function problemText(words: Words, error: Error): string {
  if (error instanceof ConnectionError) return words.cannotReach
  if (!isProblem(error)) return error.message
  const sentence = (words.problems as Readonly<Record<string, string>>)[error.code] ?? error.message
  const faults = [...new Set(error.errors.map(({ message }) => message))].slice(0, maxFaults)
  const isAboutContent = detailed.includes(error.status)
  const details = faults.length > 0 ? faults : isAboutContent ? [error.message] : []
  return [sentence, ...details].join(' ')
}
