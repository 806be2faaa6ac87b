import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An example of an operation: a request that was sent to a service, and its answer. */
export interface Example {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, or the fields of a form. */
  readonly body?: unknown
  /** The name of the file that is the body. */
  readonly file?: string
  readonly status: number
  /** Media type of the answer; undefined where it has no body. */
  readonly mediaType?: string
  /** The body of the answer, shortened; left out where it is no text or a whole page. */
  readonly answer?: unknown
}

/** The examples by method and path. */
export type Examples = Readonly<Record<string, Example>>

/** Written by `npm run docs`. */
export const exampleFile = 'docs/reference/examples.json'

/** Reads the recorded examples; a service without its documents has none. */
export function readExamples(folder: string): Examples {
  const file = join(folder, exampleFile)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Examples) : {}
}
