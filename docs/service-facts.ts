import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { loadSample } from '../src/cli/sample.ts'
import { readConfig } from '../src/config.ts'
import { buildService, openLibretto } from '../src/main.ts'
import type { OpenApiDocument } from './client-types.ts'
import type { Operation } from './tables.ts'

const token = 'docs-token-0123456789'

export interface ServiceFacts {
  readonly operations: readonly Operation[]
  readonly openApi: OpenApiDocument
  /** The answer to the first `curl` of the README. */
  readonly firstAnswer: unknown
}

/** Reads the facts that documents repeat from a real service with the sample catalogue. */
export async function readServiceFacts(firstPath: string): Promise<ServiceFacts> {
  const folder = mkdtempSync(join(tmpdir(), 'libretto-docs-'))
  try {
    const environment = { DATABASE_URL: `sqlite:${join(folder, 'docs.db')}`, ADMIN_TOKEN: token, LOG_LEVEL: 'silent' }
    await using libretto = await openLibretto(readConfig(environment))
    await loadSample(libretto)
    const app = await buildService(libretto)
    const ask = async (url: string) =>
      (await app.inject({ url, headers: { authorization: `Bearer ${token}` } })).json() as unknown
    const openApi = (await ask('/openapi.json')) as OpenApiDocument
    const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary }]) => ({ method: method.toUpperCase(), path, summary }))
    )
    const firstAnswer = await ask(firstPath)
    await app.close()
    return { operations, openApi, firstAnswer }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
