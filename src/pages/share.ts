import { type Content, html } from './markup.ts'
import type { RecordContext } from './record-context.ts'

/**
 * Ways to pass a page on: by e-mail without a script, by the dialog of the device with one; and a
 * link to its citations.
 */
export function shareLinks({ words, locale }: RecordContext, title: string, page: string, isCited: boolean): Content {
  const mail = `mailto:?${new URLSearchParams({ subject: title, body: page }).toString().replaceAll('+', '%20')}`
  return html`<p class="actions">${isCited && html`<a class="button button-quiet button-small" href="#cite">${locale.phrases.cite}</a> `}<a class="button button-quiet button-small" href="${mail}" data-share="${page}" data-title="${title}" aria-label="${words.share}: ${words.shareByMail}">${words.share}</a></p>`
}
