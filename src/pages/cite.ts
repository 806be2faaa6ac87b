import type { Publication } from '#domain/entity/publication.ts'
import { type Citation, type CitedName, makersOf } from '#formats/citations/citation.ts'
import { writeCoins } from '#formats/citations/coins.ts'
import { citationStyles, type StyledPart, writeStyled } from '#formats/citations/styles.ts'
import { toCitation } from '#formats/citations/to-citation.ts'
import { type Content, html, type Markup } from './markup.ts'
import type { RecordContext } from './record-context.ts'

/** A publication as it is cited on its page. */
export interface Cited {
  readonly citation: Citation
  /** The address of the page. */
  readonly page: string
  /** Tags for reference managers and scholarly search engines. */
  readonly head: Markup
  readonly coins: Markup
}

export function citedParts(publication: Publication, page: string): Cited {
  const citation = toCitation(publication)
  return {
    citation,
    page,
    head: html`${tagsOf(citation, page).map(([name, content]) => html`<meta name="${name}" content="${content}">`)}`,
    coins: html`<span class="Z3988" title="${writeCoins(citation, page)}"></span>`
  }
}

const nameText = (name: CitedName) => ('literal' in name ? name.literal : `${name.family}, ${name.given}`)

/** The `citation_*` tags, as Google Scholar and Zotero read them. */
function tagsOf(citation: Citation, page: string): (readonly [string, string])[] {
  const { names } = citation
  const tags: (readonly [string, string | undefined])[] = [
    ['citation_title', citation.title],
    ...makersOf(citation).map(each => ['citation_author', nameText(each)] as const),
    ...names.editor.map(each => ['citation_editor', nameText(each)] as const),
    ...names.translator.map(each => ['citation_translator', nameText(each)] as const),
    ['citation_publication_date', citation.year],
    ['citation_publisher', citation.publisher],
    ...citation.isbns.map(isbn => ['citation_isbn', isbn] as const),
    ['citation_issn', citation.issn],
    ['citation_language', citation.language],
    ['citation_public_url', page]
  ]
  return tags.flatMap(([name, content]) => (content === undefined || content === '' ? [] : [[name, content] as const]))
}

/** Formats of files for reference managers, with their names. */
export const citationFiles = { bibtex: 'BibTeX', ris: 'RIS', csl: 'CSL JSON' } as const

/** Citations to read and copy in the usual styles, and files for reference managers. */
export function citeSection({ locale, words, base }: RecordContext, { citation, page }: Cited): Markup {
  const address = `${base}/entities/${encodeURIComponent(citation.id)}`
  return html`<section class="cite" id="cite"><h2>${locale.phrases.cite}</h2><dl>${Object.entries(citationStyles).map(
    ([style, name]) =>
      html`<div><dt>${name}</dt><dd><span lang="en" dir="auto" data-copy="${words.copy}" data-copied="${words.copied}" data-style="${name}">${writeStyled(style as keyof typeof citationStyles, citation, page).map(partHtml)}</span></dd></div>`
  )}</dl><p class="quiet">${words.permalink}: <a href="${page}">${page}</a></p>
<p class="quiet">${words.citationFiles}: ${Object.entries(citationFiles).map(
    ([format, label], at) =>
      html`${at > 0 && ' · '}<a href="${address}?format=${format}" rel="nofollow" download="${citation.id}.${format === 'csl' ? 'json' : format === 'ris' ? 'ris' : 'bib'}">${label}</a>`
  )}</p></section>`
}

const partHtml = ({ text, isTitle }: StyledPart): Content => (isTitle ? html`<cite>${text}</cite>` : text)
