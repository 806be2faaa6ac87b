import type { SourceForm } from './record.ts'

/** Bytes that are enough to detect the form. */
export const bytesToDetect = 512

/**
 * Detects the form of a file from its first bytes; returns undefined when it looks like none. ISO
 * 2709 is tried last, with a leader that may be damaged: its reader continues at the next leader.
 */
export function detectForm(head: Uint8Array): SourceForm | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, bytesToDetect))
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return 'marcxml'
  // UTF-16 without a byte order mark.
  if ((bytes[0] === 0x3c && bytes[1] === 0) || (bytes[0] === 0 && bytes[1] === 0x3c)) return 'marcxml'
  const text = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  if (/^\s*<[?!\w]/.test(text)) return 'marcxml'
  if (/^\s*(?:\[\s*)?\{/.test(text) || /^\s*\[\s*\]/.test(text)) return 'json'
  if (/^\s*=(?:LDR|\d{3}) /.test(text)) return 'mrk'
  if (/^\s*\d{9} [0-9A-Za-z]{3}[0-9A-Za-z ^]{2} [A-Z ] /.test(text)) return 'aleph'
  return hasLeader(text) || bytes.includes(0x1d) || bytes.includes(0x1e) || bytes.includes(0x1f) ? 'iso2709' : undefined
}

const hasLeader = (text: string) => /\d{5}[\x20-\x7e]{5}22\d{5}/.test(text)
