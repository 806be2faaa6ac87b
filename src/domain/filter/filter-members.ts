import { maxFilterTextLength } from '../search/index-values.ts'
import { table } from '../table.ts'

/* The parts of a filter, and their limits. */

/** Limits of one filter, so that no query can cost without bound. */
export const filterLimits = {
  filters: 64,
  keys: 16,
  nesting: 5,
  values: 1000,
  characters: maxFilterTextLength,
  stars: 32,
  words: 16
} as const

export const filterTypes = [
  'type',
  'text',
  'selection',
  'date',
  'number',
  'boolean',
  'id',
  'search',
  'readiness',
  'geo',
  'together'
] as const
export type FilterType = (typeof filterTypes)[number]

/** Members that filters may have. */
export const knownMembers = [
  ...['type', 'key', 'value', 'match_exact', 'match_not', 'match_all_words', 'or', 'operator', 'item_types'],
  ...[
    'relation_keys',
    'and_condition',
    'aggregation',
    'distinct_by',
    'regex',
    'regex_options',
    'inner_exact_matches',
    'length'
  ]
]

/** Members that only some types of filters have. */
export const typesOfMembers: Readonly<Record<string, readonly string[]>> = table({
  aggregation: ['number'],
  regex: ['text'],
  match_all_words: ['text'],
  relation_keys: ['text'],
  and_condition: ['selection'],
  inner_exact_matches: ['text', 'selection'],
  length: ['text', 'selection']
})
