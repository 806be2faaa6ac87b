import type { DefaultTreeAdapterTypes } from 'parse5'

import { HtmlExcess, parseHtml } from './parse-html.ts'

type Node = DefaultTreeAdapterTypes.Node

/** Elements that stand on lines of their own. */
const blocks = new Set([
  ...['p', 'br', 'hr', 'div', 'blockquote', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'figure', 'figcaption', 'table', 'caption', 'tr']
])

/** The words of a piece of HTML, without markup: for formats with plain text only. */
export function htmlToText(html: string): string {
  if (!/[<&]/.test(html)) return html.trim()
  const pieces: string[] = []
  const read = (node: Node) => {
    if ('value' in node) pieces.push(node.value.replaceAll(/\s+/g, ' '))
    const isBlock = blocks.has(node.nodeName)
    if (isBlock) pieces.push('\n')
    if ('childNodes' in node) for (const child of node.childNodes) read(child)
    if (isBlock) pieces.push('\n')
  }
  try {
    read(parseHtml(html))
  } catch (error) {
    if (!(error instanceof HtmlExcess)) throw error
    // Stored before there were limits: its words, without interpreting tags.
    return html.replaceAll(/<[^<>]*>/g, ' ').trim()
  }
  const lines = pieces.join('').split('\n')
  return lines
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('\n')
}
