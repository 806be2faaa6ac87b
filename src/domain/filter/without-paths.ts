import { everything, type Filter } from './filter.ts'
import type { FilterPath } from './filter-path.ts'

const nothing: Filter = { kind: 'any', of: [] }

/**
 * The filter for a caller for whom some paths do not exist: no record has a value there, wherever
 * in the filter it is looked for.
 */
export function withoutPaths(filter: Filter, isHidden: (path: FilterPath) => boolean): Filter {
  const inner = (of: Filter) => withoutPaths(of, isHidden)
  switch (filter.kind) {
    case 'all':
    case 'any':
      return { ...filter, of: filter.of.map(inner) }
    case 'not':
    case 'related':
    case 'referred':
    case 'first_of':
      return { ...filter, of: inner(filter.of) }
    case 'count':
      return filter.of.kind === 'incoming' ? { ...filter, of: { ...filter.of, of: inner(filter.of.of) } } : filter
    case 'field': {
      if (!isHidden(filter.path)) return filter
      const { test } = filter
      return test.kind === 'absent' || (test.kind === 'boolean' && !test.value) ? everything : nothing
    }
    default:
      return filter
  }
}
