import './public.css'
import { suggestIn } from './suggest.ts'
import { basePath } from '../base-path.ts'
import { hasCredentials } from '../session/has-credentials.ts'

/*
 * The script of the pages for readers without an account. A visitor who is signed in gets the
 * application instead; nobody else loads it.
 */

if (hasCredentials()) {
  document.getElementById('page')?.replaceChildren()
  // The application has styles of its own, which those of these pages would change.
  for (const style of document.querySelectorAll('link[rel="stylesheet"]')) style.remove()
  // The application has its own choice of language, and no language in its addresses.
  const page = location.pathname.slice(basePath.length).replace(/^\/[a-z]{2}(?=\/|$)/, '') || '/'
  history.replaceState(history.state, '', basePath + page + location.search + location.hash)
  await import('../main.tsx')
} else {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[role="search"]')) suggestIn(form)
  // The page of an error that passes: the index is being built, or the database is away.
  const seconds = Number(document.querySelector<HTMLMetaElement>('meta[name="libretto-reload"]')?.content)
  if (seconds > 0) setTimeout(() => location.reload(), seconds * 1000)
}
