import { useQuery } from '@tanstack/react-query'

import { isProblem, type WrittenEntity } from '../../../client/index.ts'
import { useLocale } from '../i18n/locale.tsx'
import { useDebounced } from '../parts/use-debounced.ts'
import { lineAt, type ReadLines, readLines } from './marc-lines.ts'
import { marcWords } from './marc-words.ts'

/** Milliseconds without typing before a text is checked. */
const pause = 800

/**
 * The messages about a text as it is typed, by line: those of the last text that could be read. A
 * check that failed is a message too. Nothing is checked without a text.
 */
export function useLiveCheck(
  id: string,
  text: string | undefined,
  check: (lines: ReadLines) => Promise<WrittenEntity>
): { readonly messages: ReadonlyMap<number, readonly string[]> } {
  const { language, problemText } = useLocale()
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
        if (isProblem(error, 'invalid')) return [{ line: 0, message: error.message }]
        // A conflict is told when the text is saved.
        const isTold = isProblem(error, 'version_mismatch') || isProblem(error, 'identifier_taken')
        const message = marcWords[language].notChecked(problemText(error as Error))
        return isTold ? [] : [{ line: 0, message }]
      }
    }
  })
  const messages = new Map<number, string[]>()
  for (const { line, message } of checked.data ?? []) messages.set(line, [...(messages.get(line) ?? []), message])
  return { messages }
}
