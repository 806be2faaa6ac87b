import assert from 'node:assert/strict'

import { workOnImport } from '#imports/work-on-import.ts'
import { adminToken, type TestService } from './start.ts'

interface FileOptions {
  /** Parameters of the request, with their question mark. */
  readonly query?: string
  readonly type?: string
}

/** Imports a file, here, as the thread for imports would; returns the import, which has ended. */
export async function importPayload(
  service: TestService,
  payload: Buffer | string,
  { query = '', type = 'application/marc' }: FileOptions = {}
) {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': type }
  const sent = await service.app.inject({ method: 'POST', url: `/imports${query}`, headers, payload })
  assert.equal(sent.statusCode, 202, sent.body)
  const done = await workOn(service, sent.json().id)
  assert.equal(done.failure, null)
  return done
}

/** Does the work of an import that waits, or is to be undone; returns the import. */
export async function workOn(service: TestService, id: string) {
  await workOnImport(service.libretto.parts, id, () => false)
  return (await service.get(`/imports/${id}`)).body
}

/** Imports a file, and reads its remarks too. */
export async function importWithRemarks(...given: Parameters<typeof importPayload>) {
  const done = await importPayload(...given)
  return { ...done, remarks: (await given[0].get(`/imports/${done.id}/remarks`)).body }
}
