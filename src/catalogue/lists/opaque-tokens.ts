import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/**
 * Lists of values as texts that clients carry and send back: cursors of lists and resumption tokens
 * of harvests. They are encrypted, since the place of a record among all records counts those that
 * the client may not read; and they cannot be made by others. The same values give the same text.
 */
export interface OpaqueTokens {
  write(values: readonly unknown[]): string
  /** Reads the values back; undefined for any other text, and for a list of another length. */
  read(text: string, length: number): readonly unknown[] | undefined
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Makes tokens with a key of 32 bytes, which is read when it is first needed. */
export function createOpaqueTokens(readKey: () => Buffer): OpaqueTokens {
  let known: Buffer | undefined
  const key = () => {
    known ??= readKey()
    return known
  }
  // Derived from the values, so that an unchanged page has unchanged links.
  const ivOf = (text: string) => createHmac('sha256', key()).update(text).digest().subarray(0, ivBytes)
  return {
    write(values) {
      const text = JSON.stringify(values)
      const iv = ivOf(text)
      const cipher = createCipheriv(algorithm, key(), iv)
      const sealed = Buffer.concat([cipher.update(text), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    read(text, length) {
      try {
        const bytes = Buffer.from(text, 'base64url')
        const decipher = createDecipheriv(algorithm, key(), bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
        decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
        const opened = Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()])
        const values: unknown = JSON.parse(opened.toString('utf8'))
        return Array.isArray(values) && values.length === length ? values : undefined
      } catch {
        return undefined
      }
    }
  }
}
