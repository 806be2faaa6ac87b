/*
 * The names in braces that MARCMaker and MarcEdit write for characters that a keyboard lacks. Those
 * of marks stand before the letter. The second half of a mark that spans two letters is empty: the
 * first stands for both.
 */

const names = `
  dollar $, curren $, 24 $, bsol \\, lcub {, rcub }, Lstrok Ł, Ostrok Ø, Dstrok Đ, THORN Þ, AElig Æ, OElig Œ, softsign ʹ, middot ·, flat ♭, reg ®, plusmn ±, Ohorn Ơ, Uhorn Ư, mlrhring ʼ, mllhring ʻ, lstrok ł, ostrok ø, dstrok đ, thorn þ, aelig æ, oelig œ, hardsign ʺ, inodot ı, pound £, eth ð, ohorn ơ, uhorn ư, deg °, scriptl ℓ, phono ℗, copy ©, sharp ♯, iquest ¿, iexcl ¡, szlig ß, euro €`

const numbers = `
  joiner 200d, nonjoin 200c, 09 9, 0A a, 0D d, hooka 309, grave 300, acute 301, circ 302, tilde 303, macr 304, breve 306, dot 307, diaer 308, uml 308, caron 30c, ring 30a, llig 361, rcommaa 315, dblac 30b, candra 310, cedil 327, ogon 328, dotb 323, dbldotb 324, ringb 325, dblunder 333, under 332, commab 326, rcedil 31c, breveb 32e, ldbltil 360, commaa 313`

const pairs = (list: string) => list.split(',').map(each => each.trim().split(' '))

export const mnemonics: ReadonlyMap<string, string> = new Map([
  ...pairs(names).map(([name = '', character = '']): [string, string] => [name, character]),
  ...pairs(numbers).map(([name = '', code = '']): [string, string] => [
    name,
    String.fromCharCode(Number.parseInt(code, 16))
  ]),
  ['rlig', ''],
  ['rdbltil', '']
])
