/*
 * A list of values as a short text that clients carry and send back. They do not look inside; its
 * reader checks every value.
 */

export const writeCompact = (values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/** Reads the values back; undefined for any text that is not a list of this length. */
export function readCompact(text: string, length: number): readonly unknown[] | undefined {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(values) && values.length === length ? values : undefined
  } catch {
    return undefined
  }
}
