import { useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react'

import { basePath } from '../base-path.ts'
import { recordQuestion } from '../data/use-record.ts'
import { useSession } from '../session/session.tsx'
import { useGoTo } from './go-to.tsx'

interface RecordLinkProps {
  readonly id: string
  readonly children: ReactNode
}

/** Milliseconds of hovering after which a record is prefetched. */
const restBeforeAsking = 80

/** A link to a record, for long lists. Hovering or touching it prefetches the record. */
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
  const resting = useRef<number>(undefined)
  const prepare = () => queries.prefetchQuery(recordQuestion(client, id))
  const onPointerEnter = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') resting.current = window.setTimeout(prepare, restBeforeAsking)
  }
  const onPointerLeave = () => clearTimeout(resting.current)
  const onPointerDown = (event: PointerEvent) => {
    if (isPlain(event)) prepare()
  }
  useEffect(() => () => clearTimeout(resting.current), [])
  return (
    <a
      href={basePath + address}
      onClick={open}
      onPointerEnter={onPointerEnter}
      onPointerLeave={onPointerLeave}
      onPointerDown={onPointerDown}
    >
      {children}
    </a>
  )
}

/** Whether it is a plain click: not for a new tab or a download. */
const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
