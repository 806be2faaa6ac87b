import { table } from '#domain/table.ts'
import { type DefaultTreeAdapterTypes, ErrorCodes, serialize } from 'parse5'

import { type HtmlBudget, newHtmlBudget, recordLimits } from '#domain/editing/record-limits.ts'
import { HtmlExcess, parseHtml } from './parse-html.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element
type ParentNode = DefaultTreeAdapterTypes.ParentNode

/*
 * The markup that descriptions may contain. The HTML is parsed by the same algorithm that browsers
 * use (parse5 follows the HTML standard) and only elements and attributes in these tables remain;
 * nothing in them can run, load a frame, or switch the parser into another language.
 */

const allowedElements: Readonly<Record<string, readonly string[]>> = table({
  ...Object.fromEntries(
    [
      ...['p', 'br', 'hr', 'div', 'span', 'blockquote', 'pre', 'code', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
      ...['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'small', 'mark', 'cite', 'q', 'abbr'],
      ...['ul', 'li', 'dl', 'dt', 'dd', 'figure', 'figcaption'],
      ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr']
    ].map(name => [name, []])
  ),
  a: ['href'],
  img: ['src', 'alt', 'width', 'height'],
  ol: ['start'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope']
})
const allowedEverywhere = ['title', 'lang', 'dir']

/**
 * Allowed schemes of links. Relative links are allowed: they stay within the site that shows them.
 */
const allowedSchemes: Readonly<Record<string, readonly string[]>> = table({
  href: ['http:', 'https:', 'mailto:', 'tel:'],
  src: ['http:', 'https:']
})

/** Elements removed with their content; of other unknown elements the text inside remains. */
const removedWhole = new Set([
  ...[
    'script',
    'style',
    'iframe',
    'frame',
    'frameset',
    'object',
    'embed',
    'applet',
    'template',
    'noscript',
    'noembed',
    'noframes'
  ],
  ...[
    'svg',
    'math',
    'textarea',
    'title',
    'select',
    'option',
    'xmp',
    'plaintext',
    'head',
    'link',
    'meta',
    'base',
    'audio',
    'video'
  ]
])

const maxRounds = 6
const maxNesting = 100

interface Sanitized {
  readonly html: string
  readonly removed: string[]
  /** The limit that it exceeds, as the end of a sentence; then there is no HTML. */
  readonly excess?: string
}

/** Removes unsafe markup and names it. HTML without unsafe markup is returned unchanged. */
export function sanitizeHtml(html: string, budget: HtmlBudget = newHtmlBudget()): Sanitized {
  try {
    return sanitizeWithin(html, budget)
  } catch (error) {
    if (error instanceof HtmlExcess) return { html: '', removed: [], excess: error.message }
    throw error
  }
}

function sanitizeWithin(html: string, budget: HtmlBudget): Sanitized {
  if (!html.includes('<') && html.length <= recordLimits.maxHtmlCharacters) return { html, removed: [] }
  const removed = new Set<string>()
  const clean = cleanOnce(html, removed, budget)
  if (removed.size === 0) {
    if (hasOnlyPlainTags(html)) return { html, removed: [] }
    // The parser itself skips tags that cannot stand in a body, such as <frameset>.
    for (const name of tagNames(html)) if (!Object.hasOwn(allowedElements, name)) removed.add(`<${name}>`)
  }
  // Removing markup can change how the rest is parsed; repeat until parsing again changes nothing.
  let stable = clean
  for (let round = 0; round < maxRounds; round++) {
    const again = cleanOnce(stable, removed, budget)
    if (again === stable) return { html: stable, removed: [...removed] }
    stable = again
  }
  return { html: stable.replaceAll('<', '&lt;'), removed: [...removed, 'markup that does not settle'] }
}

function cleanOnce(html: string, removed: Set<string>, budget: HtmlBudget): string {
  const fragment = parseHtml(html, budget, ({ code }) => {
    // Text after the last `<` of an unfinished tag is lost in parsing, so it has to be reported
    // here.
    if (code === ErrorCodes.eofInTag) removed.add('unfinished tag')
    // Browsers use the first of two attributes with one name; other parsers may use the second.
    if (code === ErrorCodes.duplicateAttribute) removed.add('repeated attribute')
  })
  cleanChildren(fragment, removed, 0)
  return serialize(fragment)
}

function cleanChildren(parent: ParentNode, removed: Set<string>, depth: number) {
  const remaining: Node[] = []
  // Uses a stack of its own, so that no depth of nesting can exhaust the call stack.
  const waiting: Node[] = parent.childNodes.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeName === '#text') remaining.push(node)
    else if (!('tagName' in node)) removed.add(node.nodeName === '#comment' ? 'comment' : node.nodeName)
    else if (isKept(node) && depth < maxNesting) {
      cleanAttributes(node, removed)
      remaining.push(node)
    } else {
      removed.add(`<${node.tagName}>`)
      if (!removedWhole.has(node.tagName)) for (const child of node.childNodes.toReversed()) waiting.push(child)
    }
  }
  parent.childNodes = remaining as ParentNode['childNodes']
  for (const node of remaining) {
    if ('parentNode' in node) node.parentNode = parent
    if ('tagName' in node) cleanChildren(node, removed, depth + 1)
  }
}

const htmlNamespace = 'http://www.w3.org/1999/xhtml'

const isKept = (element: Element) =>
  element.namespaceURI === htmlNamespace && Object.hasOwn(allowedElements, element.tagName)

function cleanAttributes(element: Element, removed: Set<string>) {
  const allowed = [...(allowedElements[element.tagName] ?? []), ...allowedEverywhere]
  element.attrs = element.attrs.filter(({ name, value }) => {
    const isGood = allowed.includes(name) && isGoodAddress(name, value)
    if (!isGood) removed.add(`${element.tagName} ${name}`)
    return isGood
  })
}

function isGoodAddress(name: string, value: string): boolean {
  const schemes = Object.hasOwn(allowedSchemes, name) ? allowedSchemes[name] : undefined
  if (!schemes) return true
  // Read as a browser does: tabs and line ends are ignored, and case does not matter.
  const url = URL.parse(value, 'relative://host/')
  return url !== null && (url.protocol === 'relative:' || schemes.includes(url.protocol))
}

const tagNames = (html: string) =>
  [...html.matchAll(/<\/?([a-z][^\s/>]*)/gi)].map(([, name = '']) => name.toLowerCase())

const plainTag = /<\/?([a-z][a-z0-9]*)(?=[\s>/])(?:[^<>"']|"[^"]*"|'[^']*')*>/iy

/**
 * Tests whether each `<` opens or closes an allowed element, so that the text has the same meaning
 * anywhere.
 */
function hasOnlyPlainTags(html: string): boolean {
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', plainTag.lastIndex)) {
    plainTag.lastIndex = at
    const name = plainTag.exec(html)?.[1]
    if (name === undefined || !Object.hasOwn(allowedElements, name.toLowerCase())) return false
  }
  return true
}
