import { table } from '#domain/table.ts'
import { findRole } from './roles.ts'

/** Words of theatres and libraries that the table of the MARC mapping does not have. */
const otherWords: Readonly<Record<string, string>> = table({ playwright: 'aut', collector: 'col', dramaturge: 'dgs' })

/** The MARC relator code of a role in words or as a code; undefined for an unknown role. */
export function roleCodeOf(role: string): string | undefined {
  const found = findRole(role)
  if (found?.isKnown) return found.code
  const word = role.trim().toLowerCase()
  return Object.hasOwn(otherWords, word) ? otherWords[word] : undefined
}
