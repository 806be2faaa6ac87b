import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { parseSync, Visitor } from 'rolldown/utils'

/** A regular expression as it stands in a source file. */
export interface RegExpLiteral {
  readonly file: string
  readonly line: number
  readonly pattern: string
  readonly flags: string
}

/** Returns every literal of a text in TypeScript. */
export function literalsIn(file: string, text: string): RegExpLiteral[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const found: RegExpLiteral[] = []
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return
      const { pattern, flags } = node.regex
      found.push({ file, line: text.slice(0, node.start).split('\n').length, pattern, flags })
    }
  }).visit(program)
  return found
}

/** Returns every literal of the files below these folders, by parsing them. */
export const findLiterals = (root: string, folders: readonly string[]): RegExpLiteral[] =>
  globSync(
    folders.map(each => `${each}/**/*.{ts,tsx}`),
    { cwd: root, exclude: each => each.includes('node_modules') }
  )
    .sort()
    .flatMap(file => literalsIn(file, readFileSync(join(root, file), 'utf8')))
