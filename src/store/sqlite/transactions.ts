import { createTransactions } from '../administration/transactions.ts'
import { sqliteDialect } from './dialect.ts'
import { sql } from '../query/sql.ts'
import type { Steps } from '../administration/steps.ts'

/** Writes leases. All processes have the clock of one machine. */
const leaseTransactions = {
  *holdLease(task: string, holder: string, milliseconds: number): Steps<boolean> {
    const now = Date.now()
    const taken = yield sql(
      `INSERT INTO leases (task, holder, until) VALUES (?, ?, ?)
        ON CONFLICT (task) DO UPDATE SET holder = excluded.holder, until = excluded.until
        WHERE leases.holder = excluded.holder OR leases.until < ? RETURNING task`,
      ...[task, holder, now + milliseconds, now]
    )
    return taken.length > 0
  },
  *releaseLease(task: string, holder: string): Steps<void> {
    yield sql('DELETE FROM leases WHERE task = ? AND holder = ?', task, holder)
  }
}

/** Transactions that write no entity, by the names of the methods of the store. */
export const transactions = { ...createTransactions(sqliteDialect), ...leaseTransactions }
