import { createElement, type ReactNode } from 'react'

/*
 * HTML in a record. The service stores only safe markup, but this component does not rely on it:
 * the text is parsed into an inert document, and only known elements and attributes are created
 * from it.
 */

const elements = new Set(
  'p br hr div span blockquote pre code h1 h2 h3 h4 h5 h6 strong b em i u s sub sup small mark cite q abbr ul ol li dl dt dd figure figcaption table caption thead tbody tfoot tr td th a'.split(
    ' '
  )
)
const attributes: Readonly<Record<string, string>> = {
  lang: 'lang',
  dir: 'dir',
  title: 'title',
  start: 'start',
  colspan: 'colSpan',
  rowspan: 'rowSpan',
  scope: 'scope'
}

/** The only place where text becomes markup. The content security policy knows it by this name. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('libretto-html', {
  createHTML: text => text
})

/** The Trusted Types interface, where the browser has it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): unknown }
}

/** HTML as an inert document. */
export const parseHtml = (html: string) =>
  new DOMParser().parseFromString((policy?.createHTML(html) ?? html) as string, 'text/html')

export function HtmlText({ html }: { readonly html: string }) {
  return <div className="html-text">{[...parseHtml(html).body.childNodes].map(shown)}</div>
}

function shown(node: Node, index: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const name = node.localName
  const children = [...node.childNodes].map(shown)
  // Unknown elements are left out, their text stays.
  if (!elements.has(name)) return isInvisible(name) ? null : children
  const given: Record<string, unknown> = { key: index }
  for (const [attribute, property] of Object.entries(attributes)) {
    const value = node.getAttribute(attribute)
    if (value !== null) given[property] = value
  }
  const href = name === 'a' ? node.getAttribute('href') : null
  if (href !== null && /^(?:https?:|mailto:|tel:)/i.test(href)) {
    given.href = href
    given.rel = 'noopener noreferrer'
  }
  // Headings inside a text are below those of the page.
  const shownAs = /^h[1-6]$/.test(name) ? 'h4' : name
  return createElement(shownAs, given, ...(children.length > 0 ? children : []))
}

const isInvisible = (name: string) => ['script', 'style', 'template', 'iframe', 'object', 'svg', 'math'].includes(name)
