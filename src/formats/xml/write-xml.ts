/*
 * XML that is well-formed by construction: text is escaped when it is inserted, and only the result
 * of `element` counts as markup.
 */

/** A piece of XML, ready to be inserted into another. */
export interface Xml {
  readonly markup: string
}

/** Text, or elements; nothing where undefined. */
export type XmlChild = Xml | string | number | undefined

export type XmlAttributes = Readonly<Record<string, string | number | undefined>>

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** An element. Its name is a constant of ours; everything else may be any text. */
export function element(name: string, attributes: XmlAttributes, ...children: readonly XmlChild[]): Xml {
  let markup = `<${name}`
  for (const key of Object.keys(attributes)) {
    const value = attributes[key]
    if (value !== undefined) markup += ` ${key}="${escapeXml(String(value))}"`
  }
  if (children.length === 0) return { markup: `${markup}/>` }
  markup += '>'
  for (const child of children) markup += markupOf(child)
  return { markup: `${markup}</${name}>` }
}

/** An element that is left out if it would be empty. */
export function elementOf(name: string, value: string | number | undefined, attributes: XmlAttributes = {}): Xml[] {
  return value === undefined || value === '' ? [] : [element(name, attributes, value)]
}

/** A whole document. */
export const xmlDocument = (root: Xml) => `${xmlDeclaration}${root.markup}\n`

const markupOf = (child: XmlChild) =>
  child === undefined ? '' : typeof child === 'object' ? child.markup : escapeXml(String(child))

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold these at all
const impossible = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const special = /[\0-\x1f&<>"\ud800-\udfff\ufffe\uffff]/

/**
 * Escapes a text so that a parser returns it unchanged. Characters that XML does not allow, such as
 * most control characters and halves of surrogate pairs, become U+FFFD.
 */
export function escapeXml(text: string): string {
  if (!special.test(text)) return text
  return text
    .toWellFormed()
    .replaceAll(impossible, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\r\n\t]/g, character => `&#${character.charCodeAt(0)};`)
}
