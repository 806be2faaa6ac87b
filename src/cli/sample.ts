import { readFileSync } from 'node:fs'

import type { Libretto } from '../main.ts'
import { packageFolder } from '../version.ts'

const files = ['vocabularies', 'people', 'books', 'stage']

/** Loads the sample catalogue in one transaction. Returns the number of records. */
export async function loadSample({ catalogue, operator }: Libretto): Promise<number> {
  const operations = files.flatMap(file =>
    readFileSync(new URL(`sample/${file}.ndjson`, packageFolder), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => ({ op: 'create', entity: JSON.parse(line) as unknown }))
  )
  return (await catalogue.batches.writeAtomic(operator, operations)).length
}
