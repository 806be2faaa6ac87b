import type { AdministrationStore } from './ports/administration.ts'
import type { AuditStore } from './ports/audit.ts'
import type { EntityStore } from './ports/entities.ts'
import type { FeedStore } from './ports/feed.ts'
import type { HarvestStore } from './ports/harvest.ts'
import type { HistoryStore } from './ports/history.ts'
import type { LeaseStore } from './ports/leases.ts'
import type { PurgeStore } from './ports/purge.ts'
import type { QueryStore } from './ports/queries.ts'
import type { StateStore } from './ports/state.ts'
import type { TokenStore } from './ports/tokens.ts'
import type { WebhookStore } from './ports/webhooks.ts'

/**
 * All ports of the store. SQLite and PostgreSQL each implement them; `test/contract/` holds both to
 * the same promises.
 *
 * A write that was answered is seen by every read that begins after the answer, by any method.
 */
export interface Store
  extends EntityStore,
    QueryStore,
    HistoryStore,
    FeedStore,
    HarvestStore,
    StateStore,
    TokenStore,
    WebhookStore,
    LeaseStore,
    AuditStore,
    PurgeStore,
    AdministrationStore,
    AsyncDisposable {}
