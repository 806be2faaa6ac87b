import { type RefObject, useInsertionEffect, useRef } from 'react'

/** A ref to the value of the last drawing, for event handlers and effects that run later. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value)
  // Before all other effects, and never while drawing.
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}
