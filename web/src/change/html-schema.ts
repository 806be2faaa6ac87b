import { type DOMOutputSpec, Schema } from 'prosemirror-model'

import { parseHtml } from '../parts/html-text.tsx'

/** The markup that the editor can create: a subset of what the service stores. */
export const htmlSchema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { group: 'block', content: 'inline*', parseDOM: [{ tag: 'p' }], toDOM: (): DOMOutputSpec => ['p', 0] },
    heading: {
      group: 'block',
      content: 'inline*',
      attrs: { level: { default: 2 } },
      defining: true,
      parseDOM: [1, 2, 3, 4, 5, 6].map(level => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: (node): DOMOutputSpec => [`h${node.attrs.level}`, 0]
    },
    blockquote: {
      group: 'block',
      content: 'block+',
      defining: true,
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: (): DOMOutputSpec => ['blockquote', 0]
    },
    bullet_list: {
      group: 'block',
      content: 'list_item+',
      parseDOM: [{ tag: 'ul' }],
      toDOM: (): DOMOutputSpec => ['ul', 0]
    },
    ordered_list: {
      group: 'block',
      content: 'list_item+',
      parseDOM: [{ tag: 'ol' }],
      toDOM: (): DOMOutputSpec => ['ol', 0]
    },
    list_item: {
      content: 'block+',
      defining: true,
      parseDOM: [{ tag: 'li' }],
      // A list item contains text; paragraphs only if there are several.
      toDOM: (): DOMOutputSpec => ['li', 0]
    },
    horizontal_rule: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: (): DOMOutputSpec => ['hr'] },
    hard_break: {
      group: 'inline',
      inline: true,
      selectable: false,
      parseDOM: [{ tag: 'br' }],
      toDOM: (): DOMOutputSpec => ['br']
    },
    text: { group: 'inline' }
  },
  marks: {
    link: {
      attrs: { href: {}, title: { default: null } },
      inclusive: false,
      parseDOM: [
        {
          tag: 'a[href]',
          getAttrs: element => ({ href: element.getAttribute('href'), title: element.getAttribute('title') })
        }
      ],
      toDOM: (mark): DOMOutputSpec => [
        'a',
        { href: mark.attrs.href, ...(mark.attrs.title === null ? {} : { title: mark.attrs.title }) },
        0
      ]
    },
    strong: { parseDOM: [{ tag: 'strong' }, { tag: 'b' }], toDOM: (): DOMOutputSpec => ['strong', 0] },
    em: { parseDOM: [{ tag: 'em' }, { tag: 'i' }], toDOM: (): DOMOutputSpec => ['em', 0] }
  }
})

const knownElements = new Set('p h1 h2 h3 h4 h5 h6 blockquote ul ol li hr br a strong b em i'.split(' '))
const knownAttributes = new Set(['href', 'title'])

/**
 * Whether the editor supports all markup of a text. Otherwise, as with a table, it is edited as
 * source.
 */
export function isKnownHtml(html: string): boolean {
  return [...parseHtml(html).body.querySelectorAll('*')].every(
    element =>
      knownElements.has(element.localName) && [...element.attributes].every(({ name }) => knownAttributes.has(name))
  )
}

/**
 * Pasted markup reduced to what the editor supports: other text stays, except scripts and styles.
 */
export function knownPartOf(html: string): string {
  const { body } = parseHtml(html)
  for (const element of [...body.querySelectorAll('*')]) {
    if (['script', 'style', 'template', 'noscript', 'title'].includes(element.localName)) element.remove()
    else if (!knownElements.has(element.localName)) element.replaceWith(...element.childNodes)
    else for (const { name } of [...element.attributes]) if (!knownAttributes.has(name)) element.removeAttribute(name)
  }
  return body.innerHTML
}
