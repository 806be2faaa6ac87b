import type { Teardown } from '../support/services/start.ts'
import type { Database, Subject } from './promises/contract-support.ts'
import { feedPromises } from './promises/feed.ts'
import { freshnessPromises } from './promises/freshness.ts'
import { growthPromises } from './promises/growth.ts'
import { historyPromises } from './promises/history.ts'
import { identifiersPromises } from './promises/identifiers.ts'
import { integrityPromises } from './promises/integrity.ts'
import { leasesPromises } from './promises/leases.ts'
import { mergesPromises } from './promises/merges.ts'
import { oncePromises } from './promises/once.ts'
import { ordersPromises } from './promises/orders.ts'
import { queriesPromises } from './promises/queries.ts'
import { referencesPromises } from './promises/references.ts'
import { refusedWritesPromises } from './promises/refused-writes.ts'
import { statePromises } from './promises/state.ts'
import { tokensPromises } from './promises/tokens.ts'
import { writingPromises } from './promises/writing.ts'

/**
 * The promises of the store (`src/store/ports`), by subject. Called once for each adapter, so a
 * promise is written once and holds for all.
 */
export function storeContract(name: string, newDatabase: (t: Teardown) => Database) {
  const subject: Subject = { name, newDatabase, openNew: (t, settings) => newDatabase(t).open(settings) }
  for (const promises of all) promises(subject)
}

const all = [
  identifiersPromises,
  writingPromises,
  refusedWritesPromises,
  queriesPromises,
  ordersPromises,
  referencesPromises,
  growthPromises,
  freshnessPromises,
  tokensPromises,
  integrityPromises,
  historyPromises,
  mergesPromises,
  oncePromises,
  feedPromises,
  statePromises,
  leasesPromises
]
