import { useNavigate } from '../parts/router.tsx'

import { FullPageNote } from '../parts/full-page-note.tsx'
import { useTitle } from '../parts/use-title.ts'
import { useLocale } from '../i18n/locale.tsx'

export function NotFoundPage() {
  const { words } = useLocale()
  const navigate = useNavigate()
  useTitle(words.pageNotFound)
  return <FullPageNote isWhole title={words.pageNotFound} action={words.toStart} onAction={() => navigate('/')} />
}
