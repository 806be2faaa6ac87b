import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from '../parts/router.tsx'

import { findAddress } from '../../../src/domain/find/find-state.ts'
import { FamilyIcon } from '../parts/family-icon.tsx'
import { SectionNote } from '../parts/section-note.tsx'
import { useSession } from '../session/session.tsx'
import { useLocale } from '../i18n/locale.tsx'

const shownAtFirst = 8

/** The number of records of each kind, largest first; the small ones are shown on request. */
export function Counts() {
  const { client, model } = useSession()
  const { words, number, familyName } = useLocale()
  const [isWhole, setWhole] = useState(false)
  const counted = useQuery({
    queryKey: ['count'],
    queryFn: ({ signal }) => client.entities.find([], { limit: 0, facets: ['type'], facetLimit: 1000, signal })
  })
  const { data } = counted
  const counts = new Map<string, number>()
  for (const { value, count } of data?.facets?.type ?? []) {
    const family = model.familyOf(value)
    counts.set(family, (counts.get(family) ?? 0) + count)
  }
  const families = [...model.families]
    .filter(([, rows]) => rows.some(row => row.may.includes('read')))
    .map(([family]) => family)
  // The order of the tables puts works first. Kinds without records come last.
  const ranked = families.toSorted((one, other) => Number(!counts.get(one)) - Number(!counts.get(other)))
  const first = important.filter(family => ranked.includes(family))
  const ordered = [...first, ...ranked.filter(family => !first.includes(family))]
  const shown = isWhole ? ordered : ordered.slice(0, shownAtFirst)
  return (
    <>
      <SectionNote queries={[counted]} label={words.inTheCatalogue} />
      <ul className="counts">
        {shown.map(family => (
          <li key={family}>
            <Link to={findAddress({ types: [family] })}>
              <FamilyIcon family={family} />
              <strong>{data ? number(counts.get(family) ?? 0) : '\u00a0'}</strong>
              <span>{familyName(family)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < ordered.length && (
        <button type="button" className="link-button" onClick={() => setWhole(true)}>
          {words.showAll(number(ordered.length))}
        </button>
      )}
    </>
  )
}

/** The kinds that most people look for. */
const important = ['work', 'expression', 'manifestation', 'person', 'production', 'performance', 'venue', 'company']
