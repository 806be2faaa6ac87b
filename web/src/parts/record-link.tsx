import { useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react'

import { recordQuestion } from '../data/use-record.ts'
import { useSession } from '../session/session.tsx'
import { useGoTo } from './go-to.tsx'

interface RecordLinkProps {
  readonly id: string
  readonly children: ReactNode
}

/** Who rests on something for so many milliseconds may want it; who passes over it does not. */
const restBeforeAsking = 80

/** The way to a record, for lists of many. The record is asked for when the mouse rests on it or a finger goes down: it is there when it is opened. */
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
      href={address}
      onClick={open}
      onPointerEnter={onPointerEnter}
      onPointerLeave={onPointerLeave}
      onPointerDown={onPointerDown}
    >
      {children}
    </a>
  )
}

/** Not for a window of its own, nor to be kept. */
const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey
