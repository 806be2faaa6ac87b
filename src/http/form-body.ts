import type { FastifyRequest } from 'fastify'

import { HttpError } from './errors.ts'
import type { App } from './typebox-provider.ts'

export const formMediaType = 'application/x-www-form-urlencoded'

/** Fields of a form or of a query, in their order: one that was sent twice is there twice. */
export type Fields = readonly (readonly [name: string, value: string])[]

/** Lets routes that say so take bodies as forms send them. Any other is told that it wants JSON. */
export function addFormBodies(app: App) {
  app.addContentTypeParser(formMediaType, { parseAs: 'string' }, (request, body, done) => {
    if (request.routeOptions.config.doc?.consumes?.includes(formMediaType))
      done(null, [...new URLSearchParams(String(body))])
    else done(new HttpError('unsupported_media_type', 'This path takes no form; send JSON'))
  })
}

/** The fields behind the question mark of an address. */
export function queryFields(url: string): Fields {
  const at = url.indexOf('?')
  return at < 0 ? [] : [...new URLSearchParams(url.slice(at + 1))]
}

/** The fields of a body that came as a form; none where there is no body. */
export function formFields({ body, headers }: FastifyRequest): Fields {
  if (body === undefined || body === null) return []
  if (!headers['content-type']?.startsWith(formMediaType))
    throw new HttpError('unsupported_media_type', `This path takes a body of ${formMediaType} only`)
  return body as Fields
}
