/** Words that stand where a number is missing, without punctuation. */
const words = new Set(['na', 'none', 'null', 'nil', 'undefined', 'unknown', 'onbekend', 'inconnu', 'unbekannt', 'tbd'])

/** Tests for a text that stands where a number is missing: `--`, `n/a`, `0000-0000`, `xxxx`. */
export function isPlaceholder(text: string): boolean {
  const bare = text.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
  return /^(?:0*|x+)$/.test(bare) || words.has(bare)
}
