import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

import { adminToken } from '../services/start.ts'

/**
 * Returns the content of a catalogue as one line: two catalogues with the same digest have the same
 * content, to the byte.
 */
export interface CatalogueDigest {
  readonly entities: number
  /** SHA-256 over all entity documents, ordered by id. */
  readonly sha256: string
}

/** The digest of a running service, read as any client would: `GET /entities`, page after page. */
export async function digestOfService(url: string): Promise<CatalogueDigest> {
  const hash = createHash('sha256')
  let entities = 0
  let next: string | undefined = '/entities?order_by=id&limit=1000&envelope=1'
  while (next !== undefined) {
    const response: Response = await fetch(`${url}${next}`, { headers: { authorization: `Bearer ${adminToken}` } })
    if (response.status !== 200) throw new Error(`${next}: ${response.status} ${await response.text()}`)
    const page = (await response.json()) as { results: unknown[]; next?: string }
    for (const entity of page.results) hash.update(`${JSON.stringify(entity)}\n`)
    entities += page.results.length
    next = page.next
  }
  return { entities, sha256: hash.digest('hex') }
}

/** The digest of a replica's file (test/support/services/replica.ts). */
export function digestOfReplica(file: string): CatalogueDigest {
  using db = new DatabaseSync(file, { readOnly: true })
  const hash = createHash('sha256')
  let entities = 0
  for (const { document } of db.prepare('SELECT document FROM entities ORDER BY id').iterate()) {
    hash.update(`${document}\n`)
    entities++
  }
  return { entities, sha256: hash.digest('hex') }
}
