import { CatalogueError } from '#domain/errors.ts'

/* The statements that erase records and old versions; the same in both databases. */

/** Rows of a deleted entity with its content, former identifiers or names of editors. */
export const purgeByUuid: readonly string[] = [
  // By number: the log of changes has no index by uuid.
  'DELETE FROM changes WHERE sequence IN (SELECT changed FROM versions WHERE uuid = ?)',
  'DELETE FROM versions WHERE uuid = ?',
  'DELETE FROM names WHERE uuid = ?',
  'DELETE FROM merges WHERE survivor_uuid = ?'
]

/** Rows that mention the uuid somewhere in a text; the parameter is a pattern. */
export const purgeByMention: readonly string[] = [
  'DELETE FROM merges WHERE written LIKE ?',
  'DELETE FROM outcomes WHERE outcome LIKE ?'
]

export const purgeDeliveries = 'DELETE FROM deliveries WHERE subject = ?'

/** Deletes state entries of a kind that mention an id; the second parameter is a pattern. */
export const purgeState = `DELETE FROM papers WHERE kind = ? AND value LIKE ? ESCAPE '!'`

/** A pattern for a text that contains another, as a JSON string. */
export const mentioning = (text: string) => `%"${JSON.stringify(text).slice(1, -1).replaceAll(/[!%_]/g, '!$&')}"%`

export const selectTombstone = `SELECT v.id, v.type, v.version, v.entity_pk, c.kind FROM versions v LEFT JOIN changes c ON c.sequence = v.changed
   WHERE v.uuid = ? ORDER BY v.version DESC LIMIT 1`
export const existsByUuid = 'SELECT 1 AS is_there FROM entities WHERE uuid = ?'

/** The property with the moment of the last deletion of versions; `check` expects gaps then. */
export const versionsDeleted = 'versions_deleted'

export const stillThere = (uuid: string) =>
  new CatalogueError('version_mismatch', `Entity "${uuid}" exists: delete it before it is purged`, {
    about: ['id', uuid]
  })

/** Maximum number of entities whose versions are examined in one transaction. */
export const maxExaminedEntities = 500

/** The last of the next uuids that have versions, after a uuid. */
export const lastExamined = `SELECT max(uuid) AS last, count(*) AS n FROM
  (SELECT DISTINCT uuid FROM versions WHERE uuid > ? ORDER BY uuid LIMIT ${maxExaminedEntities}) next`

/** Versions with a document that were replaced before a moment, of the uuids in a range. */
export const oldVersions = `SELECT v.uuid, v.version, v.changed FROM versions v
  WHERE v.uuid > ? AND v.uuid <= ? AND v.document IS NOT NULL AND coalesce(
    (SELECT n.at FROM versions n WHERE n.uuid = v.uuid AND n.version = v.version + 1),
    (SELECT e.updated_at FROM entities e WHERE e.uuid = v.uuid AND e.version = v.version + 1)) < ?`

export const deleteVersion = 'DELETE FROM versions WHERE uuid = ? AND version = ?'
export const deleteChange = 'DELETE FROM changes WHERE sequence = ?'
export const deleteOldMerges = 'DELETE FROM merges WHERE at < ?'
