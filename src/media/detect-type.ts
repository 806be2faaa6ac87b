/** Number of bytes at the beginning of a file that are read to detect its type. */
export const bytesToDetectType = 65_536

/** A mark of a type: bytes at a position; `?` in a pattern stands for any byte. */
interface Mark {
  readonly type: string
  readonly at: number
  readonly bytes: string
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** Marks in the order in which they are tried. Letters are Latin-1. */
const marks: readonly Mark[] = [
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/gif', at: 0, bytes: 'GIF87a' },
  { type: 'image/gif', at: 0, bytes: 'GIF89a' },
  { type: 'image/webp', at: 0, bytes: 'RIFF????WEBP' },
  { type: 'image/avif', at: 4, bytes: 'ftypavif' },
  { type: 'image/avif', at: 4, bytes: 'ftypavis' },
  { type: 'image/heic', at: 4, bytes: 'ftypheic' },
  { type: 'image/heic', at: 4, bytes: 'ftypmif1' },
  { type: 'image/tiff', at: 0, bytes: 'II*\0' },
  { type: 'image/tiff', at: 0, bytes: 'MM\0*' },
  { type: 'audio/wav', at: 0, bytes: 'RIFF????WAVE' },
  { type: 'video/x-msvideo', at: 0, bytes: 'RIFF????AVI ' },
  { type: 'audio/mp4', at: 4, bytes: 'ftypM4A' },
  { type: 'video/quicktime', at: 4, bytes: 'ftypqt' },
  { type: 'video/mp4', at: 4, bytes: 'ftyp' },
  { type: 'audio/mpeg', at: 0, bytes: 'ID3' },
  { type: 'audio/mpeg', at: 0, bytes: '\xff\xfb' },
  { type: 'audio/mpeg', at: 0, bytes: '\xff\xf3' },
  { type: 'audio/mpeg', at: 0, bytes: '\xff\xf2' },
  { type: 'audio/aac', at: 0, bytes: '\xff\xf1' },
  { type: 'audio/aac', at: 0, bytes: '\xff\xf9' },
  { type: 'audio/flac', at: 0, bytes: 'fLaC' },
  { type: 'audio/ogg', at: 0, bytes: 'OggS' },
  { type: 'audio/aiff', at: 0, bytes: 'FORM????AIFF' },
  { type: 'audio/midi', at: 0, bytes: 'MThd' },
  { type: 'application/pdf', at: 0, bytes: '%PDF-' },
  { type: 'application/zip', at: 0, bytes: 'PK\x03\x04' },
  { type: 'application/zip', at: 0, bytes: 'PK\x05\x06' },
  { type: 'application/msword', at: 0, bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { type: 'application/rtf', at: 0, bytes: '{\\rtf' },
  { type: 'application/gzip', at: 0, bytes: '\x1f\x8b' }
]

/** Names of parts inside a ZIP file that tell the type of the whole. */
const zipped: readonly (readonly [part: string, type: string])[] = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['mimetypeapplication/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.text']
]

/**
 * Detects the media type of a file by its first bytes, never by its name. Everything that a browser
 * might run is recognised, also behind white space or a comment, so that it is never shown in a
 * page.
 */
export function detectType(head: Buffer): string {
  const mark = marks.find(each => bears(head, each))
  if (mark?.type === 'application/zip') return zipped.find(([part]) => head.includes(latin1(part)))?.[1] ?? mark.type
  if (mark?.type === 'video/mp4' || mark) return mark.type
  if (bears(head, { type: '', at: 0, bytes: '\x1aE\xdf\xa3' }))
    return head.subarray(0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska'
  return textType(head)
}

function bears(head: Buffer, { at, bytes }: Mark): boolean {
  if (head.length < at + bytes.length) return false
  for (let index = 0; index < bytes.length; index++) {
    if (bytes[index] !== '?' && head[at + index] !== bytes.charCodeAt(index)) return false
  }
  return true
}

function textType(head: Buffer): string {
  const text = readText(head)
  if (text === undefined) return 'application/octet-stream'
  if (/<svg[\s>/]/i.test(text)) return 'image/svg+xml'
  if (
    /<(?:!doctype\s+html|html|head|body|script|iframe|object|embed|img|a|style|form|meta|link|base|title)\b/i.test(text)
  )
    return 'text/html'
  if (/^\s*<\?xml|^\s*<!doctype|^\s*<[a-z][\w:.-]*[\s>/]/i.test(text)) return 'application/xml'
  return 'text/plain'
}

/** Returns the beginning as text, or undefined when the bytes are not text. */
function readText(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return head.toString('utf16le')
  if (head[0] === 0xfe && head[1] === 0xff)
    return Buffer.from(head.subarray(0, head.length & ~1))
      .swap16()
      .toString('utf16le')
  if (head.includes(0)) return undefined
  try {
    // The last character may be cut off.
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
  } catch {
    // Another encoding, or no text; either will do to find markup.
    const text = head.toString('latin1')
    return /<[a-z!?]/i.test(text) ? text : undefined
  }
}

/** Types that may be shown inside a page: a browser draws or plays them, and never runs them. */
const shown = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'audio/wav',
  'audio/mp4',
  'audio/mpeg',
  'audio/aac',
  'audio/flac',
  'audio/ogg',
  'video/mp4',
  'video/webm',
  'video/quicktime'
])

export const mayBeShown = (type: string) => shown.has(type)
