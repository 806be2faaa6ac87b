import type { DatabaseSync } from 'node:sqlite'

import type { Purge, VersionsDeleted } from '../ports/purge.ts'
import * as rows from '../purge-rows.ts'
import { momentAfter } from '../refusals.ts'
import { prepareWriting } from './connection.ts'
import { createStateWriter } from './state-entries.ts'

/** Erases a deleted entity, inside the open transaction. Returns whether there was one. */
export function purge(db: DatabaseSync, { uuid, state, mentionedIn }: Purge, now: number): boolean {
  const run = (text: string, ...parameters: (string | number | null)[]) => prepareWriting(db, text).run(...parameters)
  if (db.prepare(rows.existsByUuid).get(uuid)) throw rows.stillThere(uuid)
  const last = db.prepare(rows.selectTombstone).get(uuid)
  if (!last) return false
  const { id, type } = { id: String(last.id), type: String(last.type) }
  createStateWriter(db)(state)
  for (const kind of mentionedIn) run(rows.purgeState, kind, rows.mentioning(id))
  run(rows.purgeDeliveries, id)
  if (last.kind === 'purged') return true
  const before = db.prepare('SELECT at FROM changes ORDER BY sequence DESC LIMIT 1').get()?.at
  const at = momentAfter(before as string | undefined, now)
  for (const text of rows.purgeByUuid) run(text, uuid)
  for (const text of rows.purgeByMention) run(text, `%${uuid}%`)
  const version = Number(last.version) + 1
  const { lastInsertRowid: changed } = run(
    `INSERT INTO changes (kind, id, uuid, type, version, at, by) VALUES ('purged', ?, ?, ?, ?, ?, '')`,
    ...[id, uuid, type, version, at]
  )
  run(
    `INSERT INTO versions (uuid, version, id, type, changed, at, by, entity_pk) VALUES (?, ?, ?, ?, ?, ?, '', ?)`,
    ...[uuid, version, id, type, Number(changed), at, last.entity_pk as number | null]
  )
  run('INSERT OR REPLACE INTO properties VALUES (?, ?)', rows.versionsDeleted, at)
  return true
}

/** Deletes versions that were replaced before a moment, of the next entities after a uuid. */
export function deleteVersions(db: DatabaseSync, before: string, after: string): VersionsDeleted {
  const next = db.prepare(rows.lastExamined).get(after)
  if (!next || next.last === null) return { deleted: 0, next: undefined }
  const last = String(next.last)
  const old = db.prepare(rows.oldVersions).all(after, last, before)
  for (const { uuid, version, changed } of old) {
    prepareWriting(db, rows.deleteVersion).run(String(uuid), Number(version))
    prepareWriting(db, rows.deleteChange).run(Number(changed))
  }
  if (old.length > 0)
    prepareWriting(db, 'INSERT OR REPLACE INTO properties VALUES (?, ?)').run(rows.versionsDeleted, before)
  if (after === '') prepareWriting(db, rows.deleteOldMerges).run(before)
  return { deleted: old.length, next: Number(next.n) === rows.maxExaminedEntities ? last : undefined }
}
