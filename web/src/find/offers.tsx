import { Link } from '../parts/router.tsx'

import { useLocale } from '../i18n/locale.tsx'
import { useSession } from '../session/session.tsx'
import { filtersOf } from '../../../src/domain/find/find-filters.ts'
import { type FindState, findAddress } from '../../../src/domain/find/find-state.ts'
import { choose, chosenIn, type FoundPage, typesFacet } from './use-find.ts'

interface OffersProps extends Pick<FoundPage, 'instead' | 'hasIsbnFault'> {
  readonly state: FindState
}

/** Other searches for one that found nothing, each with what it leaves out and finds. */
export function Offers({ state, instead, hasIsbnFault }: OffersProps) {
  const { words, number, relationName, fieldName } = useLocale()
  const { model } = useSession()
  // The service names a filter; here it is a part of the search.
  const parts: readonly { readonly name: string; readonly gone: Partial<FindState> }[] = [
    ...[{ name: typesFacet.name, isRelation: false }, ...model.facets]
      .filter(({ name }) => chosenIn(state, name).length > 0)
      .map(({ name, isRelation }) => ({
        name: name === typesFacet.name ? words.filterType : isRelation ? relationName(name) : fieldName(name),
        // Without groups, as with the type.
        gone: name === typesFacet.name ? { types: [], view: 'records' as const } : choose(state, name, [])
      })),
    { name: words.filterYear, gone: { from: '', to: '' } },
    { name: words.filters, gone: { readiness: '' } },
    { name: words.filters, gone: { related: '' } },
    { name: words.filters, gone: { addedBy: '' } }
  ]
  const offers = instead.flatMap(offer => {
    const { left_out: leftOut, changed = [], query, count } = offer
    if (offer.kind !== 'filter') {
      const text = textIn(query)
      const name = changed.length > 0 ? text : words.withoutWords(leftOut.join(' '))
      return [{ name, count, state: { ...state, text } }]
    }
    const part = parts.find(({ gone }) => isSame(filtersOf({ ...state, ...gone }, model), query))
    return part ? [{ name: words.withoutFilter(part.name), count, state: { ...state, ...part.gone } }] : []
  })
  return (
    <>
      {hasIsbnFault && <p>{words.isbnFault}</p>}
      {offers.length > 0 && (
        <nav className="offers" aria-label={words.instead}>
          <h2>{words.instead}</h2>
          <ul>
            {offers.map(({ name, count, state: offered }) => (
              <li key={findAddress(offered)}>
                <Link to={findAddress(offered)}>{name}</Link> ({number(count)})
              </li>
            ))}
          </ul>
        </nav>
      )}
    </>
  )
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const textIn = (query: FoundPage['instead'][number]['query']): string =>
  String(query.find(({ type }) => type === 'search')?.value ?? '')
