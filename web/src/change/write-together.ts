import type { BatchLine, Client, WrittenEntity } from '../../../client/index.ts'
import type { NewRecord } from './form-content.ts'

type Line = BatchLine & { readonly op: 'create' | 'replace'; readonly id: string }

/**
 * Creates new records and writes the records that refer to them, all or none. Returns the written
 * records in the order of the lines; `made` come first. Pointers of errors begin with the index.
 */
export async function writeTogether(
  client: Client,
  made: readonly NewRecord[],
  lines: readonly Line[],
  idempotencyKey: string = crypto.randomUUID()
): Promise<WrittenEntity[]> {
  const body: Line[] = [...made.map(record => ({ op: 'create' as const, ...record })), ...lines]
  const headers = { 'idempotency-key': idempotencyKey }
  const { data } = await client.send('POST /entities/batch', { query: { atomic: 1 }, body, headers })
  return Promise.all(
    body.map(async ({ id }, index) => ({ ...(await client.entities.read(id)), warnings: data[index]?.warnings ?? [] }))
  )
}
