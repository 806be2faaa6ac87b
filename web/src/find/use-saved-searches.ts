import { useQuery } from '@tanstack/react-query'

import type { SavedSearch } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'

/** A search of this page; those of other programs have no address. */
export type OwnSearch = SavedSearch & { readonly address: string }

export const savedKey = ['saved searches']
export const titleOf = ({ metadata }: SavedSearch) => metadata.find(({ key }) => key === 'title')?.value ?? ''

/** The searches of the user, and those that colleagues share, by title. */
export function useSavedSearches(isEnabled = true) {
  const { client } = useSession()
  const query = useQuery({
    queryKey: savedKey,
    enabled: isEnabled,
    queryFn: async ({ signal }) => (await client.send('GET /saved_searches', { query: { limit: 1000 }, signal })).data
  })
  const searches = query.data?.results.filter((each): each is OwnSearch => each.address !== undefined) ?? []
  return { query, searches }
}
