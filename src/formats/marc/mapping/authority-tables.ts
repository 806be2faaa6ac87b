import type { Dialect } from '../record.ts'

/*
 * Authority records: the type of record that each kind of preferred name becomes.
 * https://www.loc.gov/marc/authority/
 */

export interface HeadingRow {
  /** The tag of the preferred name, and of its other forms. */
  readonly heading: string
  readonly tracing: string
  /** A subfield that the preferred name must have. */
  readonly has?: string
  readonly type: string
  readonly as: 'personal name' | 'corporate name' | 'meeting name' | 'title' | 'term'
  /** Codes of subfields. */
  readonly from: string
}

// biome-ignore format: a row stands on one line, so that the table can be read as one
export const authorityTables: Readonly<Record<Dialect, readonly HeadingRow[]>> = {
  marc21: [
    { heading: '100', tracing: '400', has: 't', type: 'title', as: 'title', from: 'tnpmr' },
    { heading: '110', tracing: '410', has: 't', type: 'title', as: 'title', from: 'tnp' },
    { heading: '100', tracing: '400', type: 'person', as: 'personal name', from: 'abc' },
    { heading: '110', tracing: '410', type: 'corporation', as: 'corporate name', from: 'ab' },
    { heading: '111', tracing: '411', type: 'corporation', as: 'meeting name', from: 'anqdce' },
    { heading: '130', tracing: '430', type: 'title', as: 'title', from: 'anp' },
    { heading: '148', tracing: '448', type: 'time', as: 'term', from: 'ax' },
    { heading: '150', tracing: '450', type: 'subject', as: 'term', from: 'abx' },
    { heading: '151', tracing: '451', type: 'place', as: 'term', from: 'ax' },
    { heading: '155', tracing: '455', type: 'genre', as: 'term', from: 'ax' }
  ],
  unimarc: [
    { heading: '200', tracing: '400', type: 'person', as: 'personal name', from: 'abcd' },
    { heading: '210', tracing: '410', type: 'corporation', as: 'corporate name', from: 'ab' },
    { heading: '215', tracing: '415', type: 'place', as: 'term', from: 'ax' },
    { heading: '230', tracing: '430', type: 'title', as: 'title', from: 'ahi' },
    { heading: '250', tracing: '450', type: 'subject', as: 'term', from: 'ax' },
    { heading: '280', tracing: '480', type: 'genre', as: 'term', from: 'ax' }
  ]
}
