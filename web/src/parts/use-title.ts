import { useEffect } from 'react'

import { useLocale } from '../i18n/locale.tsx'

/** Sets the title of the window. */
export function useTitle(title: string | undefined) {
  const { words } = useLocale()
  useEffect(() => {
    document.title = title === undefined || title === '' ? words.appName : `${title} · ${words.appName}`
  }, [title, words])
}
