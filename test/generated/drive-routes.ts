import assert from 'node:assert/strict'

import { hangLimit } from '../support/machines/hang-limit.ts'
import { marcFile } from '../support/records/marc-files.ts'
import { type Client, pause } from '../support/services/server-process.ts'
import type { AskedCatalogue } from './asked-catalogue.ts'
import { shelf } from './generated-bodies.ts'
import type { GeneratedRequest, Operation, RequestGenerator } from './request-generator.ts'

/* Finds a request that succeeds for each route of the document. */

/** Routes that no request here can succeed on, with the reason. */
export const unanswerable: Readonly<Record<string, string>> = {
  'POST /sign-in/start': 'there is no issuer',
  'POST /sign-in/finish': 'there is no issuer',
  'POST /sign-in/refresh': 'there is no issuer',
  'POST /sign-in/end': 'there is no issuer',
  'POST /entities/{id}/split': 'no two editions that were imported here are of one work',
  'POST /entities/{id}/unsplit': 'no two editions that were imported here are of one work',
  'POST /entities/{id}/like-cases': 'nobody decided about editions that were imported here'
}

/** Requests that must have succeeded before others can; by default, the one that creates. */
const precedents: Readonly<Record<string, readonly string[]>> = {
  'POST /entities/{id}/unmerge': ['POST /entities/{id}/merge'],
  'POST /webhooks/{id}/deliveries/{delivery_id}/replay': [
    'POST /webhooks',
    'POST /webhooks/{id}/test',
    'GET /webhooks/{id}/deliveries'
  ],
  'GET /mediafiles/{id}/content': ['POST /mediafiles', 'PUT /mediafiles/{id}/content'],
  'GET /mediafiles/{id}/thumbnail': ['POST /mediafiles', 'PUT /mediafiles/{id}/content'],
  'PATCH /uploads/{upload_id}': ['POST /mediafiles', 'POST /mediafiles/{id}/uploads'],
  'DELETE /uploads/{upload_id}': ['POST /mediafiles', 'POST /mediafiles/{id}/uploads'],
  // Refused while an import runs.
  'POST /imports/{id}/review': ['GET /imports/{id}/review']
}

/** Number of times that a route is tried until a request succeeds. */
const maxTries = 400

/** A request to a route that succeeded; undefined where none of many did. */
export async function findAnswered(
  operation: Operation,
  { operations, requestFor }: RequestGenerator,
  send: (request: GeneratedRequest) => Promise<number>
): Promise<GeneratedRequest | undefined> {
  const before = precedents[`${operation.method} ${operation.path}`] ?? [`POST /${operation.path.split('/')[1]}`]
  const creating = operations.filter(({ method, path }) => before.includes(`${method} ${path}`))
  for (let times = 0; times < maxTries; times++) {
    for (const each of creating) await send(requestFor(each, 0))
    const request = requestFor(operation, 0)
    if ((await send(request)) < 400) return request
  }
  return undefined
}

/** How often the shelf was imported: a question that was answered is not asked again. */
let shelves = 0

/**
 * Imports some records, so that there are review questions and records with an origin. Those that
 * are asked about are others each time.
 */
export async function importShelf(admin: Client, world: AskedCatalogue) {
  const read = async (url: string) => {
    const answer = await admin.call('GET', url)
    await world.note({ method: 'GET', url, headers: {}, body: undefined }, answer, {})
    return JSON.parse(answer.text) as { ended_at?: string | null }
  }
  const { dated, near, ...others } = shelf
  const byAnother = (text: string) => text.replaceAll('Verhoeven', `Verhoeven${'x'.repeat(shelves)}`)
  const asked = { [`dated${shelves}`]: byAnother(dated), [`near${shelves}`]: byAnother(near) }
  shelves++
  const lines = marcFile({ ...others, ...asked }, 'json')
    .toString()
    .trim()
    .split('\n')
  const url = '/imports?format=json'
  const sent = await admin.call(
    'POST',
    url,
    lines.map(line => JSON.parse(line))
  )
  assert.equal(sent.status, 202, sent.text)
  await world.note({ method: 'POST', url, headers: {}, body: undefined }, sent, {})
  const { id } = JSON.parse(sent.text) as { id: string }
  for (const giveUp = performance.now() + hangLimit; !(await read(`/imports/${id}`)).ended_at; await pause(50))
    assert.ok(performance.now() < giveUp, 'the import does not end')
  await read(`/imports/${id}/review`)
  await read('/entities?type=manifestation&limit=1000')
}
