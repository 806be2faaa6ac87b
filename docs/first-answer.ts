/* The answer to the first request of the README, printed for documents. */

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the answer with one line for each relation. */
export function printWhole(value: unknown, depth = 0): string {
  if (depth === 3 || !isObject(value)) return onOneLine(value)
  const indent = '  '.repeat(depth + 1)
  const members = Object.entries(value).map(
    ([name, inner]) =>
      `${indent}${JSON.stringify(name)}: ${name === 'metadata' ? onOneLine(inner) : printWhole(inner, depth + 1)}`
  )
  return `{\n${members.join(',\n')}\n${'  '.repeat(depth)}}`
}

/**
 * Returns two lines for each level: its first metadata field and its first relation. `…` stands for
 * the rest.
 */
export function printShort(answer: unknown): string {
  if (!isObject(answer)) throw new Error('The answer is not an object')
  const levels = Object.entries(answer).map(([level, content]) => {
    const { type, metadata, relations } = content as Members
    return [
      `  "${level}": {"type": ${JSON.stringify(type)}, "metadata": ${firstOf(metadata)},`,
      `    "relations": ${firstOf(relations)}}`
    ].join('\n')
  })
  return `{\n${levels.join(',\n')}\n}`
}

function firstOf(members: unknown): string {
  const [first, ...others] = Object.entries(members as Members)
  if (first === undefined) return '{}'
  const [name, value] = first
  return `{${JSON.stringify(name)}: ${withoutTail(value)}${others.length > 0 ? ', …' : ''}}`
}

/** Returns an object with at most three members. */
function withoutTail(value: unknown): string {
  if (!isObject(value) || Object.keys(value).length <= 3) return onOneLine(value)
  return onOneLine(Object.fromEntries(Object.entries(value).slice(0, 3))).replace(/\}$/, ', …}')
}

function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/([[{]) /g, '$1')
    .replace(/ ([\]}])/g, '$1')
}
