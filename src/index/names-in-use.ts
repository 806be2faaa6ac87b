import type { CatalogueIndex } from './catalogue-index.ts'

/** The metadata keys and the types of relations that records have. */
export interface NamesInUse {
  readonly keys: readonly string[]
  readonly relationTypes: readonly string[]
}

export function namesInUse(index: CatalogueIndex): NamesInUse {
  const all = index.everything()
  return {
    keys: [...index.keys()].filter(key => index.values(key).isIn(all)),
    relationTypes: [...index.relatives.types()].filter(type => index.relatives.by(type).isIn(all))
  }
}
