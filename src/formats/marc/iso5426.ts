import type { DecodedText } from './marc8.ts'

/*
 * ISO 5426, the extended Latin set of older UNIMARC records. As in MARC-8 a mark stands before its
 * letter, but the codes differ. The values are those of yaz-iconv.
 */

const signs = '¡„£$¥†§′‘“«♭©℗®ʻʼ‚   ‡·″’”»♯ʹʺ¿'
const marks =
  '\u0309\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0308\u030a\u0315\u0313\u030b\u031b\u030c' +
  '\u0327\u031c\u0326\u0328\u0325\u032e\u0323\u0324\u0332\u0333\u0329\u032d\u0000\u0360\u0000\u0000'
const letters = ' ÆĐ   Ĳ ŁØŒ Þ    æđð ıĳ łøœßþ  '

/** Decodes a text in ISO 5426. The controls 88 and 89 enclose text that sorting leaves out. */
export function decodeIso5426(bytes: Uint8Array): DecodedText {
  let text = ''
  let pending = ''
  let strayBytes = 0
  for (const byte of bytes) {
    const mark = byte >= 0xc0 && byte < 0xe0 ? marks[byte - 0xc0] : undefined
    if (mark !== undefined && mark !== '\0') {
      pending += mark
      continue
    }
    const character = characterOf(byte)
    if (character === undefined) strayBytes++
    text += (character ?? '\ufffd') + pending
    pending = ''
  }
  return { text: text + pending, strayBytes }
}

function characterOf(byte: number): string | undefined {
  if (byte < 0x7f) return String.fromCharCode(byte)
  if (byte === 0x88) return '\u0098'
  if (byte === 0x89) return '\u009c'
  const character = byte >= 0xe0 ? letters[byte - 0xe0] : byte >= 0xa1 && byte < 0xc0 ? signs[byte - 0xa1] : undefined
  return character === ' ' ? undefined : character
}
