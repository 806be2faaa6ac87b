import { commonHeaders } from './common-headers.ts'
import { HttpError, toProblem } from './errors.ts'

/** The answer to bytes that are not a request, written by hand, since there is no reply object. */
export function rawProblem(error: NodeJS.ErrnoException): string {
  const code =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'bad_request'
  const words = {
    headers_too_large: 'The headers are too large',
    request_timeout: 'The request did not arrive in time',
    bad_request: 'This is not an HTTP request'
  }
  return rawRefusal(new HttpError(code, words[code]))
}

export function rawRefusal(error: HttpError, retryAfter?: number): string {
  const problem = toProblem(error)
  const body = JSON.stringify(problem)
  const headers = Object.entries(commonHeaders)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  return `HTTP/1.1 ${problem.status} ${problem.title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}${retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`}Connection: close\r\n\r\n${body}`
}
