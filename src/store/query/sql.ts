/**
 * A piece of a statement. `text` is made of constants only; everything that came from outside is in
 * `parameters`.
 */
export interface Sql {
  readonly text: string
  readonly parameters: readonly (string | number)[]
}

export const sql = (text: string, ...parameters: (string | number)[]): Sql => ({ text, parameters })
