import type { Static, TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'

/** Reads the value of a member of a line as the schema says; returns the fault of another value. */
export function readShape<T extends TSchema>(
  schema: T,
  given: unknown,
  member: string
): Static<T> | { readonly fault: string } {
  if (Check(schema, given)) return given as Static<T>
  const [first] = Errors(schema, given)
  return { fault: `${member}${first?.instancePath ?? ''}: ${first?.message ?? 'not of this form'}` }
}
