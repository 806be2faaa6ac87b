import type { Store } from '#store/store.ts'

/** Number of references that are read at once. */
const chunk = 1000

/** The ids of all entities that refer to an entity, in the order of creation, each once. */
export async function findReferring(
  store: Store,
  id: string,
  readableTypes: readonly string[] | undefined,
  relationTypes?: readonly string[]
): Promise<string[]> {
  const ids = new Set<string>()
  for (let skip = 0; ; skip += chunk) {
    const { references } = await store.findReferences({
      id,
      readableTypes,
      skip,
      limit: chunk,
      ...(relationTypes ? { relationTypes } : {})
    })
    for (const reference of references) ids.add(reference.id)
    if (references.length < chunk) return [...ids]
  }
}
