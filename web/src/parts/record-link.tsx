import { useQueryClient } from '@tanstack/react-query'
import type { MouseEvent, ReactNode } from 'react'

import { recordQuestion } from '../data/use-record.ts'
import { useSession } from '../session/session.tsx'
import { useGoTo } from './go-to.tsx'

interface RecordLinkProps {
  readonly id: string
  readonly children: ReactNode
}

/** The way to a record, for lists of many. The record is asked for when the button goes down: it is often there when it comes up. */
export function RecordLink({ id, children }: RecordLinkProps) {
  const { client } = useSession()
  const queries = useQueryClient()
  const goTo = useGoTo()
  const address = `/record/${encodeURIComponent(id)}`
  const open = (event: MouseEvent) => {
    if (!isPlain(event)) return
    event.preventDefault()
    goTo(address)
  }
  const prepare = (event: MouseEvent) => {
    if (isPlain(event)) queries.prefetchQuery(recordQuestion(client, id))
  }
  return (
    <a href={address} onClick={open} onPointerDown={prepare}>
      {children}
    </a>
  )
}

/** Not for a window of its own, nor to be kept. */
const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
