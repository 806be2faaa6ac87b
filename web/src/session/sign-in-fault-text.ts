import { ConnectionError, isProblem } from '../../../client/index.ts'
import type { SignInFault, Words } from '../i18n/en.ts'
import { ForeignAnswer } from './foreign-answer.ts'

/** The message for a failed sign-in with an issuer. */
export function signInFaultText(words: Words, fault: unknown, issuerName: string): string {
  if (fault instanceof ConnectionError) return words.cannotReach
  const reason = reasonOf(fault)
  const known = Object.hasOwn(words.signInFaults, reason) ? (reason as SignInFault) : undefined
  return known === undefined ? String(fault) : words.signInFaults[known](issuerName)
}

function reasonOf(fault: unknown): string {
  if (fault instanceof ForeignAnswer) return 'mismatch'
  if (isProblem(fault, 'unavailable')) return 'unavailable'
  return isProblem(fault, 'sign_in_failed') ? String(fault.problem.reason) : ''
}
