import { everything, type Filter, mapInner, nothing } from './filter.ts'
import type { FilterPath } from './filter-path.ts'

/**
 * The filter for a caller for whom some paths do not exist: no record has a value there, wherever
 * in the filter it is looked for.
 */
export function withoutPaths(filter: Filter, isHidden: (path: FilterPath) => boolean): Filter {
  const inner = () => mapInner(filter, each => withoutPaths(each, isHidden))
  switch (filter.kind) {
    case 'field': {
      if (!isHidden(filter.path)) return filter
      const { test } = filter
      return test.kind === 'absent' || (test.kind === 'boolean' && !test.value) ? everything : nothing
    }
    case 'entry':
    case 'first_of':
      return isHidden(filter.path) ? nothing : inner()
    case 'count':
      if (filter.of.kind === 'incoming' || !isHidden(filter.of)) return inner()
      return filter.min <= 0 ? everything : nothing
    case 'all':
    case 'any':
    case 'not':
    case 'related':
    case 'referred':
    case 'part_of':
    case 'whole_of':
    case 'types':
    case 'identifiers':
    case 'search':
    case 'within':
      return inner()
  }
}
