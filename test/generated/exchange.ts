import { type Agent, type IncomingHttpHeaders, request as sendRequest } from 'node:http'

import type { GeneratedRequest } from './request-generator.ts'

/** Milliseconds. */
export const maxWait = 60_000

export interface ProgrammeAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/**
 * Sends a request. Returns its answer, or a word when there is none: the request was given up, the
 * connection was closed (which a service may do when it refuses a body unread), or nothing came.
 */
export function exchange(
  agent: Agent,
  port: number,
  { method, url, headers, body }: GeneratedRequest,
  isAbandoned: boolean
): Promise<ProgrammeAnswer | 'given up' | 'closed' | 'no answer'> {
  return new Promise(resolve => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const path = url.replaceAll(/[^\x21-\x7e]/g, '').replace(/^(?!\/)/, '/')
    const request = sendRequest({ agent, host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } })
    const limit = setTimeout(() => {
      resolve('no answer')
      request.destroy()
    }, maxWait)
    const giveUp = () => {
      clearTimeout(limit)
      resolve('given up')
      request.destroy()
    }
    request.on('close', () => {
      clearTimeout(limit)
      resolve('closed')
    })
    request.on('error', () => {})
    request.on('response', response => {
      // An event stream has no end.
      if (response.headers['content-type']?.startsWith('text/event-stream')) return giveUp()
      let text = ''
      response.setEncoding('latin1').on('data', (chunk: string) => {
        if (text.length < 20_000) text += chunk
      })
      response.on('end', () => {
        clearTimeout(limit)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: text.slice(0, 20_000) })
      })
    })
    request.end(body)
    if (isAbandoned) setTimeout(giveUp, 2)
  })
}
