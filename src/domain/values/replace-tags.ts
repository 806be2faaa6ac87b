/** Replaces everything from a `<` to the next `>`. A `<` without a `>` after it stays. */
export function replaceTags(text: string, replacement: (tag: string) => string): string {
  let replaced = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('<', at)
    const end = start < 0 ? -1 : text.indexOf('>', start)
    if (end < 0) return replaced + text.slice(at)
    replaced += text.slice(at, start) + replacement(text.slice(start, end + 1))
    at = end + 1
  }
}
