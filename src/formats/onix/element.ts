import { table } from '#domain/table.ts'
import { type Element, readElement as readAny } from '../xml/read-element.ts'
import { elementName } from './short-tags.ts'

/** Reads one element by its reference names. Throws `XmlTrouble` when it is not well-formed. */
export const readElement = (xml: string): Element => readAny(withCharacters(xml), elementName)

/*
 * ONIX 2.1 allows the named characters of HTML, by an external document type. It is never fetched;
 * these are the names of Latin letters and of typography.
 */

const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest ' +
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml ' +
  'Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave ' +
  'uacute ucirc uuml yacute thorn yuml'
const inPrint: Readonly<Record<string, string>> = table({
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
})
const characters: ReadonlyMap<string, string> = new Map([
  ...latin.split(' ').map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
  ...Object.entries(inPrint)
])

function withCharacters(xml: string): string {
  if (!/&[A-Za-z]/.test(xml)) return xml
  // Text in CDATA sections is literal.
  return xml
    .split(/(?=<!\[CDATA\[)|(?<=\]\]>)/)
    .map(part =>
      part.startsWith('<![CDATA[')
        ? part
        : part.replaceAll(/&([A-Za-z]\w*);/g, (whole, name: string) => characters.get(name) ?? whole)
    )
    .join('')
}
