import './public.css'
import { hasCredentials } from '../session/has-credentials.ts'

/*
 * The script of the pages for readers without an account. A visitor who is signed in gets the
 * application instead; nobody else loads it.
 */

if (hasCredentials()) {
  document.getElementById('page')?.replaceChildren()
  await import('../main.tsx')
}
