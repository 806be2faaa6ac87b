import { createRequire } from 'node:module'

/*
 * Regular expressions of filters. They have the syntax of RE2, whose time grows with the length of
 * the text, whatever the expression is: no back references and no look-around.
 */

const maxRegularExpressionLength = 200

/** Maximum number of instructions of a compiled expression: quantifiers multiply them. */
const maxInstructions = 1000

/** A fault of an expression, as a sentence for the sender. */
export class RegularExpressionFault extends Error {}

/** Loaded with the first expression, since most services never see one. */
let engine: typeof import('re2js') | undefined

/**
 * A test of texts by an expression. `fold` is applied to the characters of the expression, for
 * texts that were folded in the same way. Throws `RegularExpressionFault`.
 */
export function regularExpressionTest(source: string, fold?: (text: string) => string): (text: string) => boolean {
  if ([...source].length > maxRegularExpressionLength)
    throw new RegularExpressionFault(
      `A regular expression may contain at most ${maxRegularExpressionLength} characters`
    )
  engine ??= createRequire(import.meta.url)('re2js') as typeof import('re2js')
  const { RE2JS, RE2JSSyntaxException } = engine
  try {
    const compiled = RE2JS.compile(fold ? foldExpression(source, fold) : source, RE2JS.DOTALL)
    if (compiled.programSize() > maxInstructions)
      throw new RegularExpressionFault('The regular expression is too large: its quantifiers multiply')
    return text => compiled.test(text)
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error
    throw new RegularExpressionFault(`The regular expression cannot be read: ${error.getDescription()}`)
  }
}

/**
 * Folds the characters of an expression, and leaves its escapes as they are. A class cannot have a
 * character that becomes several.
 */
function foldExpression(source: string, fold: (text: string) => string): string {
  let isInClass = false
  let folded = ''
  for (const [token] of source.matchAll(/\\[pPx]\{[^}]{0,50}\}|\\[pP]?.|./gsu)) {
    if (token === '[') isInClass = true
    else if (token === ']') isInClass = false
    const characters = token.startsWith('\\') ? [token] : [...fold(token)]
    if (characters.length > 1 && isInClass)
      throw new RegularExpressionFault(`"${token}" cannot stand in a class that ignores case`)
    folded += characters.length > 1 ? `(?:${characters.join('')})` : characters.join('')
  }
  return folded
}
