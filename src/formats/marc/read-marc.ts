import type { ByteSource } from '../larger-chunks.ts'
import { bytesToDetect, detectForm } from './detect-form.ts'
import { readIso2709 } from './iso2709.ts'
import { readMarcJson } from './marc-json.ts'
import { readMarcXml } from './marcxml.ts'
import { readMrk } from './mrk.ts'
import type { Reading, ReadOptions } from './reading.ts'
import type { Form } from './record.ts'

const readers = {
  iso2709: readIso2709,
  marcxml: readMarcXml,
  json: readMarcJson,
  mrk: readMrk
} as const satisfies Record<Form, unknown>

/**
 * Reads the records of a file, one at a time, in whichever form it is written; `form` says it where it should not be guessed.
 *
 * Never throws for what a file holds: what cannot be read is a reading too, and says where it stands and what is wrong. Takes memory for one
 * record and one chunk, however long the file is.
 */
export async function* readMarc(
  source: ByteSource,
  options: ReadOptions & { readonly form?: Form } = {}
): AsyncGenerator<Reading, void, undefined> {
  if (options.form !== undefined) {
    yield* readers[options.form](source, options)
    return
  }
  const chunks = toIterator(source)
  const first: Uint8Array[] = []
  let size = 0
  let isEnd = false
  while (size < bytesToDetect && !isEnd) {
    const { done, value } = await chunks.next()
    if (done) isEnd = true
    else {
      first.push(value)
      size += value.length
    }
  }
  if (size === 0) return
  const head = Buffer.concat(first)
  const form = detectForm(head)
  if (form === undefined) {
    await chunks.return?.()
    const message = 'The file does not begin as ISO 2709, MARCXML, MARC-in-JSON or .mrk do'
    yield {
      outcome: 'unreadable',
      form: 'iso2709',
      position: { number: 1, offset: 0, length: size },
      controlNumber: undefined,
      defects: [{ kind: 'not_marc', message }],
      source: head.subarray(0, bytesToDetect)
    }
    return
  }
  yield* readers[form](rejoin(head, chunks), options)
}

async function* rejoin(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield head
    while (true) {
      const { done, value } = await rest.next()
      if (done) return
      yield value
    }
  } finally {
    // Who stops early lets go of the file too.
    await rest.return?.()
  }
}

async function* toIterator(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  yield* source
}
