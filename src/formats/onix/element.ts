import { XmlTrouble, createXmlTokens } from '../xml/xml-tokens.ts'
import { elementName } from './short-tags.ts'

/** An element with its content, by its reference name. */
export interface Element {
  readonly name: string
  /** All text inside, also within markup. */
  readonly text: string
  readonly children: readonly Element[]
}

interface Open {
  readonly name: string
  text: string
  readonly children: Element[]
}

/** Reads one element. Throws `XmlTrouble` when it is not well-formed. */
export function readElement(xml: string): Element {
  const path: Open[] = []
  let root: Element | undefined
  const tokens = createXmlTokens(
    {
      open: tag => path.push({ name: elementName(tag), text: '', children: [] }),
      close() {
        const closed = path.pop()
        if (closed === undefined) return
        const element = { ...closed, text: closed.text.replaceAll(/\s+/g, ' ').trim() }
        const around = path.at(-1)
        if (around === undefined) root = element
        else {
          around.children.push(element)
          around.text += closed.text
        }
      },
      text(text) {
        const open = path.at(-1)
        if (open !== undefined) open.text += text
      }
    },
    xml.length + 1
  )
  tokens.write(withCharacters(xml))
  tokens.end()
  if (root === undefined) throw new XmlTrouble('not_well_formed', 'There is no element')
  return root
}

/** The elements along a path of names, through all that have the same name. */
export function elementsAt(element: Element, path: string): readonly Element[] {
  return path
    .split('/')
    .reduce<readonly Element[]>(
      (found, name) => found.flatMap(each => each.children.filter(child => child.name === name)),
      [element]
    )
}

/** The texts along a path, without empty ones. */
export const textsAt = (element: Element, path: string): string[] =>
  elementsAt(element, path).flatMap(({ text }) => (text === '' ? [] : [text]))

export const textAt = (element: Element, path: string): string | undefined => textsAt(element, path)[0]

/*
 * ONIX 2.1 allows the named characters of HTML, by an external document type. It is never fetched;
 * these are the names of Latin letters and of typography.
 */

const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml ' +
  'Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave ' +
  'uacute ucirc uuml yacute thorn yuml'
const inPrint: Readonly<Record<string, string>> = {
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Yuml: 'Ÿ',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  dagger: '†',
  bull: '•',
  hellip: '…',
  lsaquo: '‹',
  rsaquo: '›',
  euro: '€',
  trade: '™'
}
const characters: ReadonlyMap<string, string> = new Map([
  ...latin.split(' ').map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
  ...Object.entries(inPrint)
])

function withCharacters(xml: string): string {
  if (!/&[A-Za-z]/.test(xml)) return xml
  // Text in CDATA sections is literal.
  return xml
    .split(/(<!\[CDATA\[[\s\S]*?\]\]>)/)
    .map(part =>
      part.startsWith('<![CDATA[')
        ? part
        : part.replaceAll(/&([A-Za-z]\w*);/g, (whole, name: string) => characters.get(name) ?? whole)
    )
    .join('')
}
