import type { Locale } from './locale.ts'
import { html } from './markup.ts'
import type { Page } from './page.ts'
import type { ErrorReason } from './phrases.ts'

/** Seconds after which a page is loaded again that time alone will mend. */
const reloadAfter = 10

/** The page in place of one that cannot be shown. */
export function errorPage(
  reason: ErrorReason,
  { path, base, requestId }: { readonly path: string; readonly base: string; readonly requestId: string | undefined },
  { phrases, prefix }: Locale
): Page {
  const { title, detail } = phrases.errors[reason]
  const isReloaded = reason === 'indexing' || reason === 'unavailable'
  const mayHelp = isReloaded || reason === 'tooMany' || reason === 'slow' || reason === 'fault'
  return {
    title,
    path,
    isUnlisted: true,
    reloadAfter: isReloaded ? reloadAfter : undefined,
    body: html`<h1>${title}</h1><p>${detail}${isReloaded && html` ${phrases.reloads}`}</p>
<p>${mayHelp ? html`<a href="${base}${prefix}${path}">${phrases.tryAgain}</a>` : html`<a href="${base}${prefix}/">${phrases.toFirstPage}</a>`}</p>${
      requestId !== undefined && html`<p class="details">${phrases.requestId(requestId)}</p>`
    }`
  }
}
