import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { isProblem } from '../../../client/index.ts'
import { basePath } from '../base-path.ts'
import { useSession } from '../session/session.tsx'

/** Lifetime of the address of a file, in seconds: long enough for a film. */
const goodFor = 4 * 60 * 60

/**
 * The address from which a player reads a media file. A player cannot send a token, so a ticket in
 * the address stands for it, for this file only. Users of an issuer cannot create tickets: for them
 * the whole file is fetched and played from memory.
 */
export function useMediaAddress(id: string, hasBytes: boolean): string | undefined {
  const { client } = useSession()
  const { data } = useQuery({
    queryKey: ['media address', id],
    enabled: hasBytes,
    staleTime: (goodFor / 2) * 1000,
    queryFn: async ({ signal }) => {
      const body = { mediafile_id: id, action: 'download' as const, expires_in: goodFor }
      try {
        return (await client.send('POST /tickets', { body, signal })).data
      } catch (error) {
        if (isProblem(error, 'forbidden')) return client.media.content(id, { signal })
        throw error
      }
    }
  })
  const [inMemory, setInMemory] = useState<string>()
  useEffect(() => {
    if (!(data instanceof Blob)) return
    const made = URL.createObjectURL(data)
    setInMemory(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  if (data === undefined) return undefined
  return typeof data === 'string'
    ? `${basePath}/mediafiles/${encodeURIComponent(id)}/content?ticket=${encodeURIComponent(data)}`
    : inMemory
}
