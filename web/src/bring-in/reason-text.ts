import { useSpeech } from '../words/words.tsx'

/** Why two may be one, in the language of whoever looks. The service says it in English, with what they share in quotation marks behind it. */
export function useReasonText(): (explanation: string, code: string | undefined) => string {
  const { words } = useSpeech()
  return (explanation, code = '') => {
    const [, said = explanation, shared] = /^(.*?)(?:: “(.*)”)?$/s.exec(explanation) ?? []
    const text = words.reasons[code] ?? said
    return shared === undefined ? text : `${text}: “${shared}”`
  }
}
