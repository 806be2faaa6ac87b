import type { Link, Statement } from './connection.ts'

/*
 * Tells whether a transaction was committed when the connection was lost before the answer came.
 *
 * Each process writes the number of its attempt into a row of its own, in the transaction itself.
 * The row is committed, replicated and lost together with everything else of the transaction, and
 * no other process writes it. The number of the transaction (`pg_current_xact_id`) would not do: a
 * number that was lost in a crash before it was on the disk is given again.
 */

/**
 * An attempt to write a group. The writer is a random identifier of the process, the number grows
 * by one each time.
 */
export interface AttemptName {
  readonly writer: string
  readonly number: number
}

/** Marks the open transaction as this attempt. */
export const markAttempt = ({ writer, number }: AttemptName): Statement => ({
  text: `INSERT INTO commit_markers (writer, attempt, at) VALUES (?, ?, now())
    ON CONFLICT (writer) DO UPDATE SET attempt = EXCLUDED.attempt, at = EXCLUDED.at`,
  parameters: [writer, number]
})

/**
 * Whether an attempt was committed. Only for a caller that holds the lock on `counters`: then it
 * has ended.
 */
export async function isCommitted(link: Link, { writer, number }: AttemptName): Promise<boolean> {
  const rows = await link.run('SELECT 1 AS found FROM commit_markers WHERE writer = ? AND attempt = ?', [
    writer,
    number
  ])
  return rows.length > 0
}

/**
 * Deletes the rows of processes that have not written for a day. An attempt is looked up within
 * seconds.
 */
export async function deleteOldMarkers(link: Link): Promise<void> {
  await link.run(`DELETE FROM commit_markers WHERE at < now() - interval '1 day'`)
}
