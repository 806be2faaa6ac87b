import { useQuery } from '@tanstack/react-query'

import { isProblem, type WrittenEntity } from '../../../client/index.ts'
import { useDebounced } from '../parts/use-debounced.ts'
import { lineAt, type ReadLines, readLines } from './marc-lines.ts'

/** Milliseconds without typing before a text is checked. */
const pause = 800

/**
 * The messages about a text as it is typed, by line: those of the last text that could be read.
 * Nothing is checked without a text.
 */
export function useLiveCheck(
  id: string,
  text: string | undefined,
  check: (lines: ReadLines) => Promise<WrittenEntity>
): { readonly messages: ReadonlyMap<number, readonly string[]> } {
  const settled = useDebounced(text, pause)
  const checked = useQuery({
    queryKey: ['marc check', id, settled],
    enabled: settled !== undefined && settled === text && readLines(settled).faults.length === 0,
    gcTime: 0,
    retry: false,
    queryFn: async () => {
      const lines = readLines(settled ?? '')
      try {
        const { warnings = [] } = await check(lines)
        return warnings.map(({ pointer, message }) => ({ line: lineAt(lines, pointer), message }))
      } catch (error) {
        // A conflict, or an import that runs, is told when the text is saved.
        return isProblem(error, 'invalid') ? [{ line: 0, message: error.message }] : []
      }
    }
  })
  const messages = new Map<number, string[]>()
  for (const { line, message } of checked.data ?? []) messages.set(line, [...(messages.get(line) ?? []), message])
  return { messages }
}
