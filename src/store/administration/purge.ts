import { holdings } from '#domain/record-types/holdings.ts'
import { partedKind } from '../rows.ts'
import { CatalogueError } from '#domain/errors.ts'
import type { Purge, VersionsDeleted } from '../ports/purge.ts'
import type { Dialect, Row } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'
import { momentAfter } from '../refusals.ts'
import { logAct } from './acts.ts'
import { findProperty, forgotten, lastForgotten, removed, setProperty, versionsDeleted } from './properties.ts'
import type { Steps } from './steps.ts'

/** Maximum number of entities whose versions are examined in one transaction. */
const maxExaminedEntities = 500

/** Versions with a document that were replaced before a moment, of the uuids in a range. */
const oldVersions = `FROM versions v
  WHERE v.uuid > ? AND v.uuid <= ? AND v.document IS NOT NULL AND coalesce(
    (SELECT n.at FROM versions n WHERE n.uuid = v.uuid AND n.version = v.version + 1),
    (SELECT e.updated_at FROM entities e WHERE e.uuid = v.uuid AND e.version = v.version + 1)) < ?`

/** The numbers below the last one that no row has, of changes that are not forgotten by age. */
export const missingNumbers = ({ lastNumber }: Dialect, table: keyof typeof removed) =>
  `${lastNumber(table)} - (SELECT count(*) FROM ${table})
    - ${table === 'changes' ? lastForgotten : 0}`

/**
 * Adds to the number of rows that were deleted on purpose, by which `check` tells them from lost
 * ones. A database that earlier programs deleted rows of has no number: it begins with the rows
 * that are missing before this deletion.
 */
function* noteRemoved(
  dialect: Dialect,
  table: keyof typeof removed,
  remove: () => Steps<readonly Row[]>
): Steps<number> {
  const isKnown = (yield* findProperty(removed[table])) !== undefined
  const isNew = !isKnown && (yield* findProperty(versionsDeleted)) === undefined
  const [before] = isKnown || isNew ? [{ n: 0 }] : yield sql(`SELECT ${missingNumbers(dialect, table)} AS n`)
  const { length } = yield* remove()
  if (length > 0 || !isKnown)
    yield sql(
      `INSERT INTO properties VALUES (?, ?) ON CONFLICT (name)
        DO UPDATE SET value = CAST(CAST(properties.value AS bigint) + CAST(EXCLUDED.value AS bigint) AS text)`,
      ...[removed[table], String(Number(before?.n) + length)]
    )
  return length
}

/** Runs a statement that deletes rows and returns them. */
const removing = (text: string, ...parameters: (string | number)[]) =>
  function* (): Steps<readonly Row[]> {
    return yield sql(text, ...parameters)
  }

/** Transactions that erase records, old versions and old changes. */
export const purgeTransactions = (dialect: Dialect) => ({
  *purge({ uuid, state, mentionedIn, act }: Purge): Steps<boolean> {
    const { lockChanges, storeChange } = dialect
    const [before] = yield sql(lockChanges)
    if ((yield sql('SELECT 1 AS is_there FROM entities WHERE uuid = ?', uuid)).length > 0) throw stillThere(uuid)
    const [last] = yield sql(
      `SELECT v.id, v.type, v.version, v.entity_pk, c.kind FROM versions v LEFT JOIN changes c ON c.sequence = v.changed
        WHERE v.uuid = ? ORDER BY v.version DESC LIMIT 1`,
      uuid
    )
    if (!last) return false
    const { id, type } = { id: String(last.id), type: String(last.type) }
    for (const { kind, key, value } of state) {
      yield sql('DELETE FROM papers WHERE kind = ? AND key = ?', kind, key)
      if (value !== null) yield sql('INSERT INTO papers (kind, key, value) VALUES (?, ?, ?)', kind, key, value)
    }
    yield sql('DELETE FROM papers WHERE kind = ? AND key = ?', partedKind(holdings.ofPublication), id)
    for (const kind of mentionedIn)
      yield sql(`DELETE FROM papers WHERE kind = ? AND value LIKE ? ESCAPE '!'`, kind, mentioning(id))
    yield sql('DELETE FROM deliveries WHERE subject = ?', id)
    if (act) yield* logAct(act)
    if (last.kind === 'purged') return true
    // By number: the log of changes has no index by uuid.
    yield* noteRemoved(
      dialect,
      'changes',
      removing('DELETE FROM changes WHERE sequence IN (SELECT changed FROM versions WHERE uuid = ?) RETURNING 1', uuid)
    )
    yield sql('DELETE FROM versions WHERE uuid = ?', uuid)
    yield sql('DELETE FROM names WHERE uuid = ?', uuid)
    yield* noteRemoved(
      dialect,
      'merges',
      removing('DELETE FROM merges WHERE survivor_uuid = ? OR written LIKE ? RETURNING 1', uuid, `%${uuid}%`)
    )
    yield sql('DELETE FROM outcomes WHERE outcome LIKE ?', `%${uuid}%`)
    const at = momentAfter(before?.at as string | null | undefined, Date.now())
    const [version, change] = [Number(last.version) + 1, Number(before?.change) + 1]
    yield sql(
      `INSERT INTO changes (sequence, kind, id, uuid, type, version, at, by) VALUES (?, 'purged', ?, ?, ?, ?, ?, '')`,
      ...[change, id, uuid, type, version, at]
    )
    yield sql(
      `INSERT INTO versions (uuid, version, id, type, changed, at, by, entity_pk) VALUES (?, ?, ?, ?, ?, ?, '', ?)`,
      ...[uuid, version, id, type, change, at, last.entity_pk === null ? null : Number(last.entity_pk)]
    )
    if (storeChange !== undefined) yield sql(storeChange, change, at)
    yield sql(setProperty, 'purged', String(change))
    return true
  },

  *deleteVersions(before: string, after: string): Steps<VersionsDeleted> {
    const [next] = yield sql(
      `SELECT max(uuid) AS last, count(*) AS n FROM
        (SELECT DISTINCT uuid FROM versions WHERE uuid > ? ORDER BY uuid LIMIT ${maxExaminedEntities}) next`,
      after
    )
    if (!next || next.last === null) return { deleted: 0, next: undefined }
    const last = String(next.last)
    yield* noteRemoved(
      dialect,
      'changes',
      removing(
        `DELETE FROM changes WHERE sequence IN (SELECT v.changed ${oldVersions}) RETURNING 1`,
        after,
        last,
        before
      )
    )
    const { length: deleted } = yield sql(
      `DELETE FROM versions WHERE (uuid, version) IN (SELECT v.uuid, v.version ${oldVersions}) RETURNING version`,
      ...[after, last, before]
    )
    // The latest moment, also when versions are stored for longer from now on.
    if (deleted > 0) yield sql(`${setProperty} WHERE properties.value < EXCLUDED.value`, versionsDeleted, before)
    if (after === '')
      yield* noteRemoved(dialect, 'merges', removing('DELETE FROM merges WHERE at < ? RETURNING 1', before))
    return { deleted, next: Number(next.n) === maxExaminedEntities ? last : undefined }
  },

  *deleteChanges(before: string): Steps<number> {
    const [old] = yield sql('SELECT count(*) AS n, max(sequence) AS last FROM changes WHERE at < ?', before)
    const deleted = Number(old?.n)
    if (deleted === 0) return 0
    // The last deleted number is stored, to tell a deleted change row from one that is missing.
    const earlier = Number((yield* findProperty(forgotten)) ?? 0)
    const known = yield* findProperty(removed.changes)
    if (known !== undefined)
      yield sql(setProperty, removed.changes, String(Number(known) - (Number(old?.last) - earlier - deleted)))
    yield sql(setProperty, forgotten, String(old?.last))
    yield sql('DELETE FROM changes WHERE at < ? AND sequence <= ?', before, Number(old?.last))
    return deleted
  }
})

/** A pattern for a text that contains another, as a JSON string. */
const mentioning = (text: string) => `%"${JSON.stringify(text).slice(1, -1).replaceAll(/[!%_]/g, '!$&')}"%`

const stillThere = (uuid: string) =>
  new CatalogueError('version_mismatch', `Entity "${uuid}" exists: delete it before it is purged`, {
    about: ['id', uuid]
  })
