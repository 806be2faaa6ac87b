import type { LeaseStore } from '../ports/leases.ts'
import type { Statements } from './statements.ts'

export const createLeases = ({ first, read }: Statements): LeaseStore => ({
  async holdLease(task, holder, milliseconds) {
    // Most callers find that another has it. They only read: a write, even of nothing, would lock
    // the row and write to the log.
    const other = await first(
      'SELECT 1 AS is_held FROM leases WHERE task = ? AND holder <> ? AND until >= clock_timestamp()',
      task,
      holder
    )
    if (other) return false
    // On a shared connection, so that it does not wait behind queries; a retry does no harm.
    const taken = await read(
      `INSERT INTO leases (task, holder, until) VALUES (?, ?, clock_timestamp() + ? * interval '1 millisecond')
       ON CONFLICT (task) DO UPDATE SET holder = EXCLUDED.holder, until = EXCLUDED.until
       WHERE leases.holder = EXCLUDED.holder OR leases.until < clock_timestamp() RETURNING task`,
      [task, holder, milliseconds]
    )
    return taken.length > 0
  },
  async findLeaseHolder(task) {
    const row = await first('SELECT holder FROM leases WHERE task = ?', task)
    return row && String(row.holder)
  },
  async releaseLease(task, holder) {
    await read('DELETE FROM leases WHERE task = ? AND holder = ?', [task, holder])
  }
})
