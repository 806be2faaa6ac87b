import { type Content, html, type Markup } from './markup.ts'
import { keepButton } from './page.ts'
import type { RecordContext } from './record-context.ts'
import type { RecordPhrases } from './record-phrases.ts'

/**
 * Ways to pass the page of a record on: a link to it, its citations, and the list of the reader.
 */
export function shareLinks(
  { words, locale, entity }: RecordContext,
  title: string,
  page: string,
  isCited: boolean
): Content {
  return html`<p class="actions">${isCited && html`<a class="button button-quiet button-small" href="#cite">${locale.phrases.cite}</a> `}${shareLink(words, title, page)} ${keepButton(entity.id, locale)}</p>`
}

/** A link that shares a page: by e-mail without a script, by the dialog of the device with one. */
export function shareLink(words: RecordPhrases, title: string, page: string): Markup {
  const mail = `mailto:?${new URLSearchParams({ subject: title, body: page }).toString().replaceAll('+', '%20')}`
  return html`<a class="button button-quiet button-small" href="${mail}" data-share="${page}" data-title="${title}" aria-label="${words.share}: ${words.shareByMail}">${words.share}</a>`
}
