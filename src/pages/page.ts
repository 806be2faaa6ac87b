import type { Catalogue } from '#catalogue/catalogue.ts'
import { isEmailAddress } from '#domain/editing/value-warnings.ts'
import type { Principal } from '#domain/permissions.ts'
import type { Model } from '#domain/record-types/model.ts'
import type { FacetCounts } from './facet-counts.ts'
import type { Locale } from './locale.ts'
import { type Content, html, Markup, scriptJson } from './markup.ts'
import { languageNames } from './phrases.ts'
import { type Site, type SiteLink, sitePath, wordsIn } from './site.ts'
import { themeOf } from './theme.ts'

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
  readonly site: Site
  readonly facetCounts: FacetCounts
  /** Whether pictures for previews of links are drawn here. */
  readonly areCardsDrawn: () => Promise<boolean>
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
  /** Further elements of the head. */
  readonly head?: Markup
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

/** The document of the built page, which names its script; the parts are filled in. */
export interface Template {
  readonly beforeHead: string
  readonly beforeBody: string
  readonly end: string
  /** The style that stands in the document; empty where the page was not built. */
  readonly style: string
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
    end: text.slice(body + bodyMark.length),
    style: text.split('<style>', 2)[1]?.split('</style>', 1)[0] ?? ''
  }
}

/** The template where the web page was not built: without script and style. */
export const plainTemplate = readTemplate(
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${headMark}</head><body>${bodyMark}<p lang="en">The style and the application of these pages were not built here: <code>npm run build</code> builds them, then the service has to be started again.</p></body></html>`
)

/** The house and the address of the service, which every page names. */
export type Publisher = Pick<PageParts, 'publicUrl' | 'site'>

/** Makes the document of a page. */
export function writeDocument(template: Template, page: Page, locale: Locale, publisher: Publisher): string {
  const beforeHead = template.beforeHead.replace(/<html lang="[^"]*"/, `<html lang="${locale.language}"`)
  return (
    beforeHead +
    headOf(page, locale, publisher).text +
    template.beforeBody +
    bodyOf(page, locale, publisher).text +
    template.end
  )
}

/**
 * The template without the icon and the preloaded typefaces where the house has its own.
 */
export function templateFor({ beforeHead, ...rest }: Template, { logo, typefaces }: Site): Template {
  const icon = logo ? beforeHead.replace(/<link rel="icon"[^<>]*>/, '') : beforeHead
  const isOwn = typefaces.titles !== undefined || typefaces.text !== undefined
  return { beforeHead: isOwn ? icon.replaceAll(/<link rel="preload"[^<>]*as="font"[^<>]*>/g, '') : icon, ...rest }
}

/** The styles that stand in a document, which its content security policy has to allow. */
export const stylesOf = ({ style }: Template, { publicUrl, site }: Publisher): readonly string[] =>
  [style, themeOf(site, baseOf(publicUrl))].filter(each => each !== '')

function headOf(page: Page, locale: Locale, { publicUrl, site }: Publisher): Markup {
  const { prefix, tag } = locale
  const own = publicUrl + prefix + page.path
  const theme = themeOf(site, baseOf(publicUrl))
  const title = page.title === site.name ? page.title : `${page.title} · ${site.name}`
  const card = page.image === undefined ? 'summary' : 'summary_large_image'
  return html`<title>${title}</title>
<link rel="canonical" href="${own}">
${site.languages.map(each => html`<link rel="alternate" hreflang="${each}" href="${publicUrl}/${each}${page.path}">`)}
<link rel="alternate" hreflang="x-default" href="${publicUrl}${page.path}">
<link rel="search" type="${openSearchType}" title="${site.name}" href="${publicUrl}/opensearch.xml">
<link rel="alternate" type="application/atom+xml" href="${publicUrl}${prefix}${page.feed ?? '/feed.atom'}">
${site.logo && html`<link rel="icon" href="${baseOf(publicUrl)}${sitePath(site.logo)}">`}
${theme !== '' && new Markup(`<style>${theme}</style>`)}
${page.isUnlisted && html`<meta name="robots" content="noindex">`}
${
  // The script reloads where there is one, but not under the application.
  page.reloadAfter !== undefined &&
  html`<meta name="libretto-reload" content="${page.reloadAfter}">
<noscript><meta http-equiv="refresh" content="${page.reloadAfter}"></noscript>`
}
<meta property="og:title" content="${page.title}">
<meta property="og:type" content="${page.kind ?? 'website'}">
<meta property="og:url" content="${own}">
<meta property="og:site_name" content="${site.name}">
<meta property="og:locale" content="${tag.replace('-', '_')}">
<meta name="twitter:card" content="${card}">
${
  page.description !== undefined &&
  html`<meta name="description" content="${page.description}">
<meta property="og:description" content="${page.description}">`
}
${page.image !== undefined && html`<meta property="og:image" content="${page.image}"><meta property="og:image:alt" content="${page.title}">`}
${page.head}
${page.jsonLd !== undefined && html`<script type="application/ld+json">${scriptJson(page.jsonLd)}</script>`}`
}

/** The path that the service is reached under, without a slash at the end; mostly empty. */
export const baseOf = (publicUrl: string) => new URL(publicUrl).pathname.replace(/\/$/, '')

function bodyOf(page: Page, locale: Locale, { publicUrl, site }: Publisher): Markup {
  const { phrases, language, prefix } = locale
  const base = baseOf(publicUrl)
  const home = base + prefix
  const { logo, name } = site
  const logoHtml =
    logo && html`<img class="logo" src="${base}${sitePath(logo)}" alt="" width="${logo.width}" height="${logo.height}">`
  const navigation = site.navigation ?? [{ text: phrases.catalogue, address: '/find' }]
  const here =
    navigation.find(({ address }) => address === page.path) ??
    navigation.find(({ address }) => page.path.startsWith(`${address}?`))
  const around = JSON.stringify({ find: `${home}/find`, ...phrases.around })
  return html`<div id="page" data-around="${around}"><a class="skip" href="#content">${phrases.skipToContent}</a>
<header class="public-header"><a class="brand" href="${home}/">${logoHtml}<span>${name}</span></a>
${navigation.length > 0 && html`<nav class="menu" aria-label="${phrases.mainMenu}">${listOf(navigation.map(each => linkOf(each, locale, home, each === here)))}</nav>`}
${!page.hasSearch && searchForm(home, '', phrases, phrases.shortSearchHint)}
${
  site.languages.length > 1 &&
  html`<nav class="languages" aria-label="${phrases.languages}"><ul>${site.languages.map(
    each =>
      html`<li><a href="${base}/${each}${page.path}" hreflang="${each}" lang="${each}" title="${languageNames[each]}"${each === language && html` aria-current="true"`}>${each.toUpperCase()}</a></li>`
  )}</ul></nav>`
}</header>
<main id="content">${page.body}</main>
<footer class="public-footer"><div class="house"><strong>${name}</strong>${site.contact.map(each => contactLine(wordsIn(each, language)))}</div>
<ul><li><a href="${home}${page.feed ?? '/feed.atom'}">${page.feed === undefined ? phrases.feed : phrases.feedOfSearch}</a></li></ul>
${listOf(site.links.map(each => linkOf(each, locale, home)))}
<ul><li><a class="sign-in" href="${base}/sign-in">${phrases.signIn}</a></li><li>${phrases.byLibretto}</li></ul></footer></div>`
}

/** A link of the house: to a page of this service in the language of the reader, or elsewhere. */
function linkOf({ text, address }: SiteLink, { language }: Locale, home: string, isHere = false): Markup {
  return html`<a href="${address.startsWith('/') ? home : ''}${address}"${isHere && html` aria-current="page"`}>${wordsIn(text, language)}</a>`
}

const contactLine = (line: string): Markup =>
  isEmailAddress(line) ? html`<span><a href="mailto:${line}">${line}</a></span>` : html`<span>${line}</span>`

/** The search form, with a text in it. `home` is the path of the pages in the reader's language. */
export function searchForm(
  home: string,
  text: string,
  phrases: Locale['phrases'],
  hint: string = phrases.searchHint
): Markup {
  return html`<form role="search" action="${home}/find" method="get" data-suggestions="${phrases.suggestions}"><input type="search" name="q" value="${text}" aria-label="${phrases.search}" placeholder="${hint}"><button>${phrases.search}</button></form>`
}

/** The button that puts a record on the reader's list. A script shows it. */
export const keepButton = (id: string, { phrases }: Locale): Markup =>
  html`<button type="button" class="button button-quiet button-small" data-keep="${id}">${phrases.around.keep}</button>`

/** A list of links and texts; nothing where it is empty. */
export const listOf = (items: readonly Content[]): Content =>
  items.length > 0 && html`<ul>${items.map(each => html`<li>${each}</li>`)}</ul>`

/** The path of a record's page. */
export const recordPath = (id: string) => `/record/${encodeURIComponent(id)}`
