import type { Model } from '#domain/record-types/model.ts'
import type { Base } from './base.ts'
import { CurrentDocuments, type Tuning } from './current-documents.ts'
import { Occurrences } from './occurrences.ts'
import { Relatives } from './relatives.ts'
import { Values } from './values.ts'

/**
 * Everything there is to find, as queries see it. They ask what documents have now, here and in
 * `facts.ts`, and do not know which of them changed since the base was built.
 */
export class CatalogueIndex extends CurrentDocuments {
  readonly relatives: Relatives
  readonly occurrences: Occurrences

  constructor(model: Model, base: Base, tuning?: Tuning) {
    super(model, base, tuning)
    this.relatives = new Relatives(this)
    this.occurrences = new Occurrences(this)
  }

  /** The values of a metadata key. */
  values(key: string): Values {
    return this.rememberUntilChange(`values ${key}`, () => new Values(this, key))
  }
}
