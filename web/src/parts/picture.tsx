import { queryOptions, useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'

import type { Client } from '../../../client/index.ts'
import { useSession } from '../session/session.tsx'
import './picture.css'

type Width = 160 | 320 | 640

export const thumbnailQuestion = (client: Client, id: string, width: Width) =>
  queryOptions({
    queryKey: ['thumbnail', id, width],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => client.media.thumbnail(id, width, { signal })
  })

interface ThumbnailProps {
  readonly id: string
  /** Width in pixels, one of those that the service makes. */
  readonly width?: Width
  /** Text in place of the picture; empty where the name stands beside it. */
  readonly alt?: string
}

/** A small picture of a media file. It needs the token, so it is fetched and shown from memory. */
export function Thumbnail({ id, width = 160, alt = '' }: ThumbnailProps) {
  const { client } = useSession()
  const { data } = useQuery(thumbnailQuestion(client, id, width))
  const [address, setAddress] = useState<string>()
  // Before it is painted, so that a picture which is there already is part of the first paint.
  useLayoutEffect(() => {
    if (!data) return
    const made = URL.createObjectURL(data)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [data])
  return address === undefined ? (
    <span className="thumbnail-waiting" />
  ) : (
    <img className="thumbnail" src={address} alt={alt} />
  )
}

interface CoverProps {
  /** The media file with the picture, if there is one. */
  readonly fileId: string | undefined
  readonly title: string
  readonly author?: string | undefined
  readonly shape?: 'book' | 'round'
  readonly width?: Width
  readonly alt?: string
}

/** Number of colours of made covers, as in `picture.css`. */
const tones = 8

/**
 * The cover, poster or portrait of a record. Where there is none, one is made of its name: text on
 * a colour, which wraps and is read from right to left as the browser does it everywhere.
 */
export function Cover({ fileId, title, author, shape = 'book', width = 160, alt = '' }: CoverProps) {
  if (fileId !== undefined)
    return (
      <span className={`cover cover-${shape}`}>
        <Thumbnail id={fileId} width={width} alt={alt} />
      </span>
    )
  return (
    <span className={`cover cover-${shape} made-cover tone-${toneOf(title)}`} aria-hidden="true">
      {shape === 'round' ? (
        <span className="made-initials">{initialsOf(title)}</span>
      ) : (
        <>
          <span className="made-title" dir="auto">
            {title}
          </span>
          {author !== undefined && (
            <span className="made-author" dir="auto">
              {author}
            </span>
          )}
        </>
      )}
    </span>
  )
}

/** The same colour for the same name, everywhere. */
function toneOf(text: string): number {
  let sum = 0
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
  return sum % tones
}

/** At most two initials; of "Chekhov, Anton" the given name comes first. */
function initialsOf(name: string): string {
  const words = name.split(', ').reverse().join(' ').split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends.map(word => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '').join('')
}
