import type { PurgeStore } from '../ports/purge.ts'
import * as rows from '../purge-rows.ts'
import { momentAfter } from '../refusals.ts'
import type { Parameter } from './connection.ts'
import { stateStatements } from './state-entries.ts'
import type { Statements } from './statements.ts'

/** Sets the property with the moment of the last deletion of versions. */
const setVersionsDeleted = `INSERT INTO properties VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`

export const createPurging = ({ inTransaction }: Statements): PurgeStore => ({
  purge: ({ uuid, state, mentionedIn }) =>
    inTransaction(async link => {
      const run = (text: string, ...parameters: Parameter[]) => link.run(text, parameters)
      // Locks out all other writers.
      const [counters] = await run('SELECT change, at FROM counters FOR UPDATE')
      if ((await run(rows.existsByUuid, uuid)).length > 0) throw rows.stillThere(uuid)
      const [last] = await run(rows.selectTombstone, uuid)
      if (!last) return false
      const { id, type } = { id: String(last.id), type: String(last.type) }
      for (const { text, parameters } of stateStatements(state)) await link.run(text, parameters)
      for (const kind of mentionedIn) await run(rows.purgeState, kind, rows.mentioning(id))
      await run(rows.purgeDeliveries, id)
      if (last.kind === 'purged') return true
      const at = momentAfter((counters?.at ?? undefined) as string | undefined, Date.now())
      for (const text of rows.purgeByUuid) await run(text, uuid)
      for (const text of rows.purgeByMention) await run(text, `%${uuid}%`)
      const [version, change] = [Number(last.version) + 1, Number(counters?.change) + 1]
      await run(
        `INSERT INTO changes (sequence, kind, id, uuid, type, version, at, by) VALUES (?, 'purged', ?, ?, ?, ?, ?, '')`,
        ...[change, id, uuid, type, version, at]
      )
      await run(
        `INSERT INTO versions (uuid, version, id, type, changed, at, by, entity_pk) VALUES (?, ?, ?, ?, ?, ?, '', ?)`,
        ...[uuid, version, id, type, change, at, last.entity_pk === null ? null : Number(last.entity_pk)]
      )
      await run('UPDATE counters SET change = ?, at = ?', change, at)
      await run(setVersionsDeleted, rows.versionsDeleted, at)
      return true
    }),

  deleteVersions: (before, after) =>
    inTransaction(async link => {
      const [next] = await link.run(rows.lastExamined, [after])
      if (!next || next.last === null) return { deleted: 0, next: undefined }
      const last = String(next.last)
      const [counted] = await link.run(
        `WITH old AS (${rows.oldVersions}),
           versions_gone AS (DELETE FROM versions v USING old WHERE v.uuid = old.uuid AND v.version = old.version RETURNING 1),
           changes_gone AS (DELETE FROM changes c USING old WHERE c.sequence = old.changed)
         SELECT count(*) AS n FROM versions_gone`,
        [after, last, before]
      )
      const deleted = Number(counted?.n)
      if (deleted > 0) await link.run(setVersionsDeleted, [rows.versionsDeleted, before])
      if (after === '') await link.run(rows.deleteOldMerges, [before])
      return { deleted, next: Number(next.n) === rows.maxExaminedEntities ? last : undefined }
    })
})
