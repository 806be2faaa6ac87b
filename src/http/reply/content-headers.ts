import { mayBeShown } from '#media/detect-type.ts'

/**
 * Headers for bytes that users have uploaded: the detected type, never a guessed one; shown in a
 * page only when the type cannot run, and sandboxed when opened by itself.
 */
export function contentHeaders(mimetype: string, filename: string): Record<string, string> {
  const isShown = mayBeShown(mimetype)
  return {
    'content-type': mimetype === 'text/plain' ? 'text/plain; charset=utf-8' : mimetype,
    'content-disposition': `${isShown ? 'inline' : 'attachment'}; ${nameParameters(filename)}`,
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
  }
}

/**
 * RFC 6266: ASCII letters for old programs, and the complete name for others. It is a display name,
 * without folders.
 */
function nameParameters(filename: string): string {
  const name =
    filename
      .toWellFormed()
      .split(/[/\\]/)
      .at(-1)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out, and marks that turn the direction
      ?.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/^\.+/, '')
      .trim()
      .slice(0, 150)
      .toWellFormed() || 'file'
  const plain = name.replace(/[^A-Za-z0-9 ._-]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, letter => `%${letter.charCodeAt(0).toString(16)}`)
  return `filename="${plain}"; filename*=UTF-8''${encoded}`
}
