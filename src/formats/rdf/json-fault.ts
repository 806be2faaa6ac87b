/** Finds the first fault in a text that JSON.parse refused: its message does not always tell. */
export function findJsonFault(text: string): number {
  const open: string[] = []
  let expected: 'value' | 'name' | 'colon' | 'next' = 'value'
  let at = 0
  for (;;) {
    while (blanks.has(text[at] ?? '')) at++
    const letter = text[at]
    if (letter === undefined) return at
    const start = at
    const isEnd = letter === '}' || letter === ']'
    if (expected === 'colon') {
      if (letter !== ':') return start
      at++
      expected = 'value'
    } else if (isEnd && (expected === 'next' || isEmpty(text, start, open.at(-1)))) {
      if (open.pop() !== (letter === '}' ? '{' : '[')) return start
      at++
      expected = 'next'
    } else if (expected === 'next') {
      if (letter !== ',' || open.length === 0) return start
      at++
      expected = open.at(-1) === '{' ? 'name' : 'value'
    } else if (letter === '"') {
      at = endOfText(text, start)
      if (at < 0) return start
      expected = expected === 'name' ? 'colon' : 'next'
    } else if (expected === 'name') return start
    else if (letter === '{' || letter === '[') {
      open.push(letter)
      at++
      expected = letter === '{' ? 'name' : 'value'
    } else {
      plain.lastIndex = at
      const word = plain.exec(text)?.[0]
      if (word === undefined) return start
      at += word.length
      expected = 'next'
    }
  }
}

const blanks = new Set([' ', '\t', '\n', '\r'])
const plain = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y

/** Tests whether a bracket ends an object or list that has just begun. */
function isEmpty(text: string, at: number, opened: string | undefined): boolean {
  let before = at - 1
  while (blanks.has(text[before] ?? '')) before--
  return opened !== undefined && text[before] === opened
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (letter === '"') return at + 1
    if (letter < ' ') return -1
    if (letter !== '\\') continue
    const found = /^(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/.exec(text.slice(at + 1, at + 6))?.[0]
    if (found === undefined) return -1
    at += found.length
  }
  return -1
}
