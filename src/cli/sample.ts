import { readFileSync } from 'node:fs'

import type { Libretto } from '../main.ts'
import { importRecords } from './import-records.ts'

/** In this order each record comes after what it points to. */
const files = ['vocabularies', 'people', 'books', 'stage']

/** Loads the sample catalogue. Gives how many records it holds. */
export async function loadSample({ catalogue, operator }: Libretto): Promise<number> {
  const lines = files.flatMap(file =>
    readFileSync(new URL(`../../sample/${file}.ndjson`, import.meta.url), 'utf8')
      .split('\n')
      .filter(line => line !== '')
  )
  const { created, failures } = await importRecords(catalogue, operator, toAsync(lines), {})
  const [first] = failures
  if (first) throw new Error(`The sample catalogue cannot be loaded: line ${first.line}: ${first.message}`)
  return created
}

async function* toAsync<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}
