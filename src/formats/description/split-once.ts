/** Returns the text before the first separator, and the text after it, if there is a separator. */
export function splitOnce(text: string, separator: RegExp): readonly [before: string, after?: string] {
  const found = separator.exec(text)
  return found === null ? [text] : [text.slice(0, found.index), text.slice(found.index + found[0].length)]
}
