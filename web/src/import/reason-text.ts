import { useLocale } from '../i18n/locale.tsx'

/**
 * The reason for a match, in the language of the reader. The service gives it in English, followed
 * by the shared values in quotation marks.
 */
export function useReasonText(): (explanation: string, code: string | undefined) => string {
  const { words } = useLocale()
  return (explanation, code = '') => {
    const shared = explanation.endsWith('”') ? explanation.indexOf(': “') : -1
    const said = shared < 0 ? explanation : explanation.slice(0, shared)
    return (words.reasons[code] ?? said) + explanation.slice(said.length)
  }
}
