import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'

import { CatalogueError } from '#domain/errors.ts'
import { HttpError } from '../reply/errors.ts'

export const formMediaType = 'multipart/form-data'

export const isForm = (headers: IncomingHttpHeaders) =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() === formMediaType

/** A form as it is read: fields by name, and one file as it comes in. */
export interface Form {
  /** Filled while the form is read: whole when `isRead` is. */
  readonly fields: Readonly<Record<string, string>>
  readonly filename: string
  readonly bytes: Readable
  /** Resolves when all of the form was read. */
  readonly isRead: Promise<void>
}

const limits = { fields: 100, fieldNameSize: 200, fieldSize: 65_536, files: 1, parts: 102, headerPairs: 100 }

/**
 * Reads a form up to its file, whose bytes the caller then takes. Throws `bad_request` for a form
 * that is none, or has no file.
 */
export function readForm(headers: IncomingHttpHeaders, body: Readable): Promise<Form> {
  const fields: Record<string, string> = Object.create(null)
  const found = Promise.withResolvers<Form>()
  const read = Promise.withResolvers<void>()
  // Whoever takes the file waits for the rest of the form; where there is no file, nobody does.
  read.promise.catch(() => {})
  let file: Readable | undefined
  const fail = (error: Error) => {
    const isKnown = error instanceof HttpError || error instanceof CatalogueError
    const problem = isKnown ? error : new HttpError('bad_request', `Not a form: ${error.message}`)
    found.reject(problem)
    read.reject(problem)
    file?.destroy(problem)
    body.unpipe()
    body.resume()
  }
  let busboy: InstanceType<typeof Busboy>
  try {
    busboy = new Busboy({
      headers: headers as BusboyHeaders,
      limits,
      isPartAFile: (_, __, filename) => filename !== undefined
    })
  } catch (error) {
    body.resume()
    throw new HttpError('bad_request', `Not a form: ${(error as Error).message}`)
  }
  busboy.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) fail(new HttpError('bad_request', `The field "${name}" is too long`))
    else fields[name] = value
  })
  busboy.on('file', (_, bytes, filename) => {
    file = bytes
    // A form that ends too early is told by its file, which may not be read yet.
    bytes.on('error', fail)
    found.resolve({ fields, filename: filename ?? '', bytes, isRead: read.promise })
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    busboy.on(limit, () => fail(new HttpError('bad_request', 'A form may have one file and 100 fields')))
  busboy.on('error', error => fail(error as Error))
  busboy.on('finish', () => {
    found.reject(new HttpError('bad_request', 'The form has no file'))
    read.resolve()
  })
  body.on('error', fail)
  body.on('aborted', () => fail(new Error('it broke off')))
  body.pipe(busboy)
  return found.promise
}
