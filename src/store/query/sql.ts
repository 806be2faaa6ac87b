/**
 * A piece of a statement. `text` is made of constants only; everything that came from outside is in
 * `parameters`.
 */
export interface Sql {
  readonly text: string
  readonly parameters: readonly (string | number | null)[]
}

export const sql = (text: string, ...parameters: (string | number | null)[]): Sql => ({ text, parameters })

export const selectProperty = 'SELECT value FROM properties WHERE name = ?'
