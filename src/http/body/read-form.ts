import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'

import { CatalogueError } from '#domain/errors.ts'
import { HttpError } from '../reply/errors.ts'

export const formMediaType = 'multipart/form-data'

export const isForm = (headers: IncomingHttpHeaders) =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() === formMediaType

/** A form: fields by name, and one file as a stream. */
export interface Form {
  /** Filled while the form is read; complete when `isRead` resolves. */
  readonly fields: Readonly<Record<string, string>>
  readonly filename: string
  readonly bytes: Readable
  /** Resolves when the whole form is read. */
  readonly isRead: Promise<void>
}

const limits = { fields: 100, fieldNameSize: 200, fieldSize: 65_536, files: 1, parts: 102, headerPairs: 100 }

/**
 * Reads a form up to its file, whose bytes the caller then reads. Throws `bad_request` for an
 * invalid form, or one without a file.
 */
export function readForm(headers: IncomingHttpHeaders, body: Readable): Promise<Form> {
  const fields: Record<string, string> = Object.create(null)
  const found = Promise.withResolvers<Form>()
  const read = Promise.withResolvers<void>()
  // The reader of the file awaits the rest of the form; without a file nobody does.
  read.promise.catch(() => {})
  let file: Readable | undefined
  const fail = (error: Error) => {
    const isKnown = error instanceof HttpError || error instanceof CatalogueError
    const problem = isKnown ? error : new HttpError('bad_request', `Invalid form: ${error.message}`)
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
    throw new HttpError('bad_request', `Invalid form: ${(error as Error).message}`)
  }
  busboy.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) fail(new HttpError('bad_request', `The field "${name}" is too long`))
    else fields[name] = value
  })
  busboy.on('file', (_, bytes, filename) => {
    file = bytes
    // A truncated form appears as an error of its file, which may not be read yet.
    bytes.on('error', fail)
    found.resolve({ fields, filename: filename ?? '', bytes, isRead: read.promise })
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    busboy.on(limit, () => fail(new HttpError('bad_request', 'A form may have at most one file and 100 fields')))
  busboy.on('error', error => fail(error as Error))
  busboy.on('finish', () => {
    found.reject(new HttpError('bad_request', 'The form has no file'))
    read.resolve()
  })
  body.on('error', fail)
  body.on('aborted', () => fail(new Error('it was cut off')))
  body.pipe(busboy)
  return found.promise
}
