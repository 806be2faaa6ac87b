/**
 * A piece of a statement. `text` is made of constants only; everything that came from outside is in
 * `parameters`.
 */
export interface Sql {
  readonly text: string
  readonly parameters: readonly (string | number)[]
  /**
   * For the condition that `e.pk` is in a set: the statement that gives the set as `pk`. Counting
   * that is faster.
   */
  readonly set?: string
}

export const sql = (text: string, ...parameters: (string | number)[]): Sql => ({ text, parameters })

export const parameter = (value: string | number): Sql => ({ text: '?', parameters: [value] })

export function joined(...parts: readonly (string | Sql)[]): Sql {
  return {
    text: parts.map(part => (typeof part === 'string' ? part : part.text)).join(''),
    parameters: parts.flatMap(part => (typeof part === 'string' ? [] : part.parameters))
  }
}
