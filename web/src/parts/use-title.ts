import { useEffect } from 'react'

import { useSpeech } from '../words/words.tsx'

/** Names the window after what it shows. */
export function useTitle(title: string | undefined) {
  const { words } = useSpeech()
  useEffect(() => {
    document.title = title === undefined || title === '' ? words.appName : `${title} · ${words.appName}`
  }, [title, words])
}
