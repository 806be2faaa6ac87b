import { type ByteSource, largerChunks } from '../source/bytes.ts'

/**
 * The text of an XML file as it arrives, by its byte order mark or its declaration; UTF-8 without
 * either.
 */
export async function* decodeXmlText(source: ByteSource): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined
  let head: Uint8Array = new Uint8Array(0)
  for await (const chunk of largerChunks(source)) {
    if (decoder !== undefined) {
      yield decoder.decode(chunk, { stream: true })
      continue
    }
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
    if (head.length < headLength) continue
    decoder = decoderFor(head)
    yield decoder.decode(head, { stream: true })
  }
  if (decoder === undefined) {
    decoder = decoderFor(head)
    yield decoder.decode(head, { stream: true })
  }
  yield decoder.decode()
}

/** Bytes to inspect for the XML declaration. */
const headLength = 128

function decoderFor(head: Uint8Array): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le')
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be')
  if (head[0] === 0x3c && head[1] === 0) return new TextDecoder('utf-16le')
  if (head[0] === 0 && head[1] === 0x3c) return new TextDecoder('utf-16be')
  const text = Buffer.from(head.subarray(0, headLength)).toString('latin1')
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(text)?.[1] ?? 'utf-8'
  // The bytes show that it is not UTF-16, whatever the declaration is.
  if (/^utf-?16/i.test(declared)) return new TextDecoder('utf-8')
  try {
    return new TextDecoder(declared)
  } catch {
    return new TextDecoder('utf-8')
  }
}
