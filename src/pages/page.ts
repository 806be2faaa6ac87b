import type { Catalogue } from '#catalogue/catalogue.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { Locale } from './locale.ts'
import { type Content, html, type Markup, scriptJson } from './markup.ts'
import { languageNames, languages } from './phrases.ts'

export const openSearchType = 'application/opensearchdescription+xml'

/** The dependencies of every public page. */
export interface PageParts {
  readonly catalogue: Catalogue
  readonly model: Model
  /** Reads on behalf of the visitors. */
  readonly principal: Principal
  /** The address of the service, without a slash at the end. */
  readonly publicUrl: string
  /** The time zone of the catalogue, for places whose own is not known. */
  readonly timeZone: string
  readonly now: () => number
}

/** A page before it becomes a document. */
export interface Page {
  readonly title: string
  /** One or two sentences, for results of search engines and previews of links. */
  readonly description?: string | undefined
  /** The path of the page without its language, such as `/record/W-1`. */
  readonly path: string
  /** The kind of the thing for previews of links (Open Graph): `website` where it has none. */
  readonly kind?: string
  /** The address of a picture for previews of links. */
  readonly image?: string | undefined
  /** The description of the record for search engines, as schema.org JSON-LD. */
  readonly jsonLd?: string
  /** The path of an Atom feed of the page. */
  readonly feed?: string
  readonly body: Markup
  /** The page has a search form of its own. */
  readonly hasSearch?: boolean
  /** Search engines leave the page out. */
  readonly isUnlisted?: boolean
  /** Seconds after which a browser loads the page again; not at all where undefined. */
  readonly reloadAfter?: number | undefined
}

/** The document of the built page, which names its script and style; the parts are filled in. */
export interface Template {
  readonly beforeHead: string
  readonly beforeBody: string
  readonly end: string
}

const headMark = '<!--head-->'
const bodyMark = '<!--body-->'

/** Reads the template from its HTML. Throws where a mark is missing. */
export function readTemplate(text: string): Template {
  const head = text.indexOf(headMark)
  const body = text.indexOf(bodyMark, head)
  if (head === -1 || body === -1) throw new Error(`The template of the public pages has no ${headMark} or ${bodyMark}`)
  return {
    beforeHead: text.slice(0, head),
    beforeBody: text.slice(head + headMark.length, body),
    end: text.slice(body + bodyMark.length)
  }
}

/** The template where the web page was not built: without script and style. */
export const plainTemplate = readTemplate(
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${headMark}</head><body>${bodyMark}<p lang="en">The style and the application of these pages were not built here: <code>npm run build</code> builds them, then the service has to be started again.</p></body></html>`
)

/** Makes the document of a page. */
export function writeDocument(template: Template, page: Page, locale: Locale, publicUrl: string): string {
  const { language } = locale
  const beforeHead = template.beforeHead.replace(/<html lang="[^"]*"/, `<html lang="${language}"`)
  return (
    beforeHead +
    headOf(page, publicUrl).text +
    template.beforeBody +
    bodyOf(page, locale, publicUrl).text +
    template.end
  )
}

/** The address of a page in one language. */
const inLanguage = (address: string, language: string) =>
  `${address}${address.includes('?') ? '&' : '?'}lang=${language}`

function headOf(page: Page, publicUrl: string): Markup {
  const address = publicUrl + page.path
  const title = page.title === 'Libretto' ? page.title : `${page.title} · Libretto`
  return html`<title>${title}</title>
<link rel="canonical" href="${address}">
${languages.map(each => html`<link rel="alternate" hreflang="${each}" href="${inLanguage(address, each)}">`)}
<link rel="alternate" hreflang="x-default" href="${address}">
<link rel="search" type="${openSearchType}" title="Libretto" href="${publicUrl}/opensearch.xml">
<link rel="alternate" type="application/atom+xml" href="${publicUrl}${page.feed ?? '/feed.atom'}">
${page.isUnlisted && html`<meta name="robots" content="noindex">`}
${
  // The script reloads where there is one, but not under the application.
  page.reloadAfter !== undefined &&
  html`<meta name="libretto-reload" content="${page.reloadAfter}">
<noscript><meta http-equiv="refresh" content="${page.reloadAfter}"></noscript>`
}
<meta property="og:title" content="${page.title}">
<meta property="og:type" content="${page.kind ?? 'website'}">
<meta property="og:url" content="${address}">
<meta property="og:site_name" content="Libretto">
${
  page.description !== undefined &&
  html`<meta name="description" content="${page.description}">
<meta property="og:description" content="${page.description}">`
}
${page.image !== undefined && html`<meta property="og:image" content="${page.image}">`}
${page.jsonLd !== undefined && html`<script type="application/ld+json">${scriptJson(page.jsonLd)}</script>`}`
}

function bodyOf(page: Page, { phrases, language }: Locale, publicUrl: string): Markup {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  return html`<div id="page"><a class="skip" href="#content">${phrases.skipToContent}</a>
<header class="public-header"><a class="brand" href="${base}/">Libretto</a>
${!page.hasSearch && searchForm(base, '', phrases)}
<a class="sign-in" href="${base}/sign-in">${phrases.signIn}</a></header>
<main id="content">${page.body}</main>
<footer class="public-footer"><nav aria-label="${phrases.languages}"><ul>${languages.map(
    each =>
      html`<li><a href="${inLanguage(base + page.path, each)}" hreflang="${each}" lang="${each}"${each === language && html` aria-current="true"`}>${languageNames[each]}</a></li>`
  )}</ul></nav><a href="${base}${page.feed ?? '/feed.atom'}">${page.feed === undefined ? phrases.feed : phrases.feedOfSearch}</a></footer></div>`
}

/** The search form, with a text in it. */
export function searchForm(base: string, text: string, phrases: Locale['phrases']): Markup {
  return html`<form role="search" action="${base}/find" method="get" data-suggestions="${phrases.suggestions}"><input type="search" name="q" value="${text}" aria-label="${phrases.search}" placeholder="${phrases.searchHint}"><button>${phrases.search}</button></form>`
}

/** A list of links and texts; nothing where it is empty. */
export const listOf = (items: readonly Content[]): Content =>
  items.length > 0 && html`<ul>${items.map(each => html`<li>${each}</li>`)}</ul>`

/** The path of a record's page. */
export const recordPath = (id: string) => `/record/${encodeURIComponent(id)}`
