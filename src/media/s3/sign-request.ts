import { createHmac, hash } from 'node:crypto'

export interface Credentials {
  readonly key: string
  readonly secret: string
  readonly region: string
}

export interface UnsignedRequest {
  readonly method: string
  /** The path as it is sent, already encoded. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Headers by lower-case name; `host` must be among them. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body in hexadecimal. */
  readonly bodyHash: string
}

/**
 * Makes the headers of a request to an S3-compatible server, with its signature: AWS Signature
 * Version 4. https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signRequest(request: UnsignedRequest, credentials: Credentials, now: Date): Record<string, string> {
  const moment = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = moment.slice(0, 8)
  const headers = { ...request.headers, 'x-amz-content-sha256': request.bodyHash, 'x-amz-date': moment }
  const names = Object.keys(headers).sort()
  const canonical = [
    request.method,
    request.path,
    queryText(request.query),
    ...names.map(name => `${name}:${headers[name as keyof typeof headers].trim()}`),
    '',
    names.join(';'),
    request.bodyHash
  ].join('\n')
  const scope = `${day}/${credentials.region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', moment, scope, hash('sha256', canonical)].join('\n')
  const key = [credentials.region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${credentials.secret}`, day))
  const signature = hmac(key, toSign).toString('hex')
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.key}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`
  }
}

/** The query sorted by name and encoded, both for the signature and for sending. */
export function queryText(query: Readonly<Record<string, string>>): string {
  return Object.keys(query)
    .sort()
    .map(name => `${encodeUri(name)}=${encodeUri(query[name] ?? '')}`)
    .join('&')
}

export const encodeUri = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
