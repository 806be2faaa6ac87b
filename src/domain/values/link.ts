/**
 * A link as it is stored: an address, and after a space the text for people. An address contains no
 * space.
 */
export interface Link {
  readonly address: string
  readonly text: string | undefined
}

export function readLink(value: string): Link {
  const [address = '', ...words] = value.trim().split(/\s+/)
  return { address, text: words.length === 0 ? undefined : words.join(' ') }
}
