import { useLocale } from '../i18n/locale.tsx'

/**
 * The reason for a match, in the language of the reader. The service gives it in English, followed
 * by the shared values in quotation marks.
 */
export function useReasonText(): (explanation: string, code: string | undefined) => string {
  const { words } = useLocale()
  return (explanation, code = '') => {
    const [, said = explanation, shared] = /^(.*?)(?:: “(.*)”)?$/s.exec(explanation) ?? []
    const text = words.reasons[code] ?? said
    return shared === undefined ? text : `${text}: “${shared}”`
  }
}
