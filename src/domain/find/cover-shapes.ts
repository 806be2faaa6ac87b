import { table } from '../table.ts'

/** The shape of the picture of a kind of record. Other kinds are shown with an icon. */
export const coverShapes: Readonly<Record<string, 'book' | 'round'>> = table({
  work: 'book',
  expression: 'book',
  manifestation: 'book',
  production: 'book',
  person: 'round',
  corporation: 'round',
  company: 'round',
  venue: 'round',
  library: 'round'
})
