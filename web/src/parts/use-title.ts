import { useEffect } from 'react'

import { siteName } from './site-name.ts'

/** Sets the title of the window. */
export function useTitle(title: string | undefined) {
  useEffect(() => {
    document.title = title === undefined || title === '' ? siteName : `${title} · ${siteName}`
  }, [title])
}
