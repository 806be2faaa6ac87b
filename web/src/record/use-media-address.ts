import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { isProblem } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'

/** So long, in seconds, the address of a file is good for: long enough to see a film. */
const goodFor = 4 * 60 * 60

/**
 * An address at which a player finds the bytes of a media file. A player cannot send a token; a ticket in the address stands for it, for this file
 * only. Whoever signed in with an issuer cannot make tickets: for them the file is fetched whole, and played from memory.
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
    ? `/mediafiles/${encodeURIComponent(id)}/content?ticket=${encodeURIComponent(data)}`
    : inMemory
}
