import { useCallback } from 'react'

import { useLatest } from './use-latest.ts'

/**
 * A function with a stable identity that calls the latest version of the given one. For event
 * handlers, not for rendering.
 */
export function useStable<Arguments extends readonly unknown[], Result>(
  act: (...given: Arguments) => Result
): (...given: Arguments) => Result {
  const latest = useLatest(act)
  return useCallback((...given: Arguments) => latest.current(...given), [latest])
}
