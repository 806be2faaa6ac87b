import './public.css'
import { showAround } from './around.ts'
import { suggestIn } from './suggest.ts'
import './records.css'
import { basePath } from '../base-path.ts'
import { hasCredentials } from '../session/has-credentials.ts'

/*
 * The script of the pages for readers without an account. A visitor who is signed in gets the
 * application instead; nobody else loads it.
 */

// The application has no page with a programme.
if (hasCredentials() && !document.querySelector('.programme')) {
  document.getElementById('page')?.replaceChildren()
  // The application has styles of its own, which those of these pages would change.
  for (const style of document.querySelectorAll('head > style')) style.remove()
  // The application has its own choice of language, and no language in its addresses.
  const page = location.pathname.slice(basePath.length).replace(/^\/[a-z]{2}(?=\/|$)/, '') || '/'
  history.replaceState(history.state, '', basePath + page + location.search + location.hash)
  await import('../main.tsx')
} else {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[role="search"]')) suggestIn(form)
  showAround()
  passOn()
  // The page of an error that passes: the index is being built, or the database is away.
  const seconds = Number(document.querySelector<HTMLMetaElement>('meta[name="libretto-reload"]')?.content)
  if (seconds > 0) setTimeout(() => location.reload(), seconds * 1000)
}

/** Shares by the dialog of the device, where it has one, and copies citations. */
function passOn() {
  for (const link of document.querySelectorAll<HTMLElement>('[data-share]')) {
    const shared = { title: link.dataset.title ?? '', url: link.dataset.share ?? '' }
    if (!('share' in navigator)) continue
    link.addEventListener('click', event => {
      event.preventDefault()
      // A reader who closes the dialog has decided.
      navigator.share(shared).catch(() => {})
    })
  }
  for (const text of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const { copy = '', copied = '' } = text.dataset
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button button-quiet button-small'
    button.textContent = copy
    button.setAttribute('aria-label', `${copy}: ${text.dataset.style ?? ''}`)
    const citation = text.textContent
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(citation)
      button.textContent = copied
      button.setAttribute('aria-label', copied)
    })
    text.after(button)
  }
}
