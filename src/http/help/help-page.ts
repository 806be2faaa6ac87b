import { Marked } from 'marked'

import { escapeHtml, page } from '../reply/html-pages.ts'
import { anchorOf } from './documents.ts'
import { type FoundSection, maxHelpQueryLength } from './search-documents.ts'

/*
 * Our own documents as pages (decision 42). The address of a document ends with its path in the
 * package, so that its links to other documents and pictures hold as they are.
 */

export const startOfHelp = 'docs/README.md'

const markdown = new Marked({
  gfm: true,
  renderer: {
    heading({ tokens, text, depth }) {
      return `<h${depth} id="${escapeHtml(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>`
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`,
    // Comments mark generated tables. No other markup is let through.
    html: () => ''
  }
})

export function documentPage(path: string, text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path
  return helpPage(title, path, `<main>${markdown.parse(text, { async: false })}</main>`)
}

export function foundPage(query: string, found: readonly FoundSection[]): string {
  const items = found.map(
    ({ path, title, heading, anchor, excerpt }) =>
      `<li><a href="help/${escapeHtml(path)}${anchor === '' ? '' : `#${encodeURIComponent(anchor)}`}">${escapeHtml(title)}${
        heading === title || heading === '' ? '' : `: ${escapeHtml(heading.replaceAll('`', ''))}`
      }</a><br>${escapeHtml(excerpt)}</li>`
  )
  const list = found.length === 0 ? '<p>No document has all these words.</p>' : `<ol>${items.join('')}</ol>`
  return helpPage('Search', '', `<main><h1>Search</h1>${list}</main>`, query)
}

/** A page below `/help`: `path` is the rest of its address, which relative links go back from. */
function helpPage(title: string, path: string, main: string, query = ''): string {
  const back = '../'.repeat(path === '' ? 0 : path.split('/').length)
  const form = `<form role="search" action="${back}help" class="tools"><a href="${back}help/${startOfHelp}">Documentation</a><label>Search the documentation <input type="search" name="q" maxlength="${maxHelpQueryLength}" value="${escapeHtml(query)}"></label><button>Search</button></form>`
  return page(`${title} – Libretto`, `<header>${form}</header>${main}`)
}
