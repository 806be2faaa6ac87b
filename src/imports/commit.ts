import { CatalogueError } from '#domain/errors.ts'
import type { EntityWrite } from '#store/ports/entities.ts'
import type { Store } from '#store/store.ts'
import type { StateWrite } from './state/import-state.ts'

/** Maximum number of attempts to write after concurrent changes. */
export const maxTries = 8

/** Tests whether an error comes from a concurrent change, so that another attempt may succeed. */
export const isConcurrency = (error: unknown) =>
  error instanceof CatalogueError &&
  ['version_mismatch', 'identifier_taken', 'still_referenced', 'invalid'].includes(error.code)

/** Writes entities and import state in one transaction, under the name of the import. */
export async function commitUnit(
  { store }: { readonly store: Store },
  job: { readonly id: string },
  writes: readonly EntityWrite[],
  state: readonly StateWrite[]
): Promise<void> {
  await store.write({ writes, by: `import:${job.id}`, state, isSilent: true })
}
