import { useCallback, useRef } from 'react'

/** A function that stays the same and does what the last one that was given does: for what happens later, not for what is drawn. */
export function useStable<Arguments extends readonly unknown[], Result>(
  act: (...given: Arguments) => Result
): (...given: Arguments) => Result {
  const last = useRef(act)
  last.current = act
  return useCallback((...given: Arguments) => last.current(...given), [])
}
