import { findRole } from './roles.ts'

/** Words of stages and libraries that the table of the MARC mapping does not have. */
const otherWords: Readonly<Record<string, string>> = { playwright: 'aut', collector: 'col', dramaturge: 'dgs' }

/**
 * The MARC relator code of a role in words or as a code; undefined for what the list does not have.
 */
export function roleCodeOf(role: string): string | undefined {
  const found = findRole(role)
  if (found?.isKnown) return found.code
  const word = role.trim().toLowerCase()
  return Object.hasOwn(otherWords, word) ? otherWords[word] : undefined
}
