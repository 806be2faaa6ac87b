import type { Entity } from '#domain/entity/entity.ts'
import { isSameJson } from '#domain/json.ts'
import type { Model } from '#domain/record-types/model.ts'
import { lookupValues } from '#domain/search/lookup-values.ts'
import { versionsDeleted } from '../administration/properties.ts'
import type { Row, Session } from './dialect.ts'
import { type Checking, moveAdvice, restoreAdvice } from './findings.ts'
import { selectProperty, sql } from './sql.ts'

/* Checks of rows against documents, and of documents against each other, a page at a time. */

export async function checkEntities(checking: Checking, rows: readonly Row[]) {
  const { session, findings, options, otherTypes } = checking
  const { dialect, model, run } = session
  findings.entities += rows.length
  const numbers = JSON.stringify(rows.map(row => Number(row.pk)))
  const ofPage = `WHERE entity_pk ${dialect.inSelect(`SELECT value FROM ${dialect.listedNumbers} w`)}`
  const [identifiers, relations] = await Promise.all([
    run(sql(`SELECT entity_pk, identifier FROM identifiers ${ofPage}`, numbers)),
    run(sql(`SELECT entity_pk, type, target FROM relations ${ofPage} ORDER BY position`, numbers))
  ])
  const identifiersOf = Map.groupBy(identifiers, row => Number(row.entity_pk))
  const relationsOf = Map.groupBy(relations, row => Number(row.entity_pk))
  const read: Entity[] = []
  for (const row of rows) {
    const pk = Number(row.pk)
    const isComparable = !otherTypes.has(String(row.type))
    const entity = matchingEntity(row, isComparable ? model : undefined)
    const report = (problem: string) => findings.add(problem, `Entity "${row.id}": ${problem}. ${moveAdvice}`)
    if (!entity) {
      findings.add('documents', `Entity "${row.id}": its document does not agree with its row. ${restoreAdvice}`)
      continue
    }
    read.push(entity)
    const identified = (identifiersOf.get(pk) ?? []).map(each => String(each.identifier))
    if (!isSameJson(identified.sort(), [...new Set(entity.identifiers)].sort())) report('identifiers are not indexed')
    const related = (relationsOf.get(pk) ?? []).map(each => [String(each.type), String(each.target)])
    const expected = entity.relations.map(each => [each.type, each.key])
    if (!isSameJson(related, expected)) report('relations are not indexed')
    const lookups = await Promise.all(
      (isComparable ? lookupValues(model, entity, entity.audit.created.by) : []).map(({ type, key, value }) =>
        run(
          sql('SELECT 1 FROM lookups WHERE type = ? AND key = ? AND value = ? AND entity_pk = ?', type, key, value, pk)
        )
      )
    )
    if (lookups.some(found => found.length === 0)) report('lookups are missing')
  }
  await checkNames(checking, read)
  for (const problem of (await options.inspector?.entities?.(read)) ?? []) findings.add('inspected entities', problem)
}

export async function checkVersions(checking: Checking, rows: readonly Row[]) {
  const read: Entity[] = []
  for (const row of rows) {
    if (row.document === null) continue
    const entity = parse(String(row.document))
    const isMatch =
      entity?.id === row.id &&
      entity?._id === row.uuid &&
      entity?.type === row.type &&
      entity?.version === Number(row.version) &&
      entity?.audit?.updated?.at === row.at &&
      entity?.audit?.updated?.by === row.by
    if (entity && isMatch) read.push(entity)
    else
      checking.findings.add(
        'documents of versions',
        `Version ${row.version} of entity "${row.id}": its document is broken, or of another version. ${restoreAdvice}`
      )
  }
  await checkNames(checking, read)
}

/** Every identifier beside id and UUID that a document has, or had, must lead to its history. */
async function checkNames({ session: { dialect, run }, findings }: Checking, entities: readonly Entity[]) {
  const wanted = new Map(
    entities.flatMap(({ _id, id, identifiers }) =>
      identifiers.filter(each => each !== id && each !== _id).map(each => [`${each}\n${_id}`, { id, identifier: each }])
    )
  )
  if (wanted.size === 0) return
  const listed = dialect.toList([...wanted.values()].map(({ identifier }) => identifier))
  for (const row of await run(sql(`SELECT identifier, uuid FROM names WHERE identifier ${dialect.inList()}`, listed)))
    wanted.delete(`${row.identifier}\n${row.uuid}`)
  for (const { id, identifier } of wanted.values())
    findings.add(
      'names',
      `Entity "${id}": its history is not found by the identifier "${identifier}". ${restoreAdvice}`
    )
}

/** Finds values by which an import would recognise the wrong record. */
export async function checkLookups({ session, findings, otherTypes }: Checking, rows: readonly Row[]) {
  const { dialect, model, run } = session
  const numbers = JSON.stringify([...new Set(rows.map(row => Number(row.entity_pk)))])
  const documents = new Map<number, Entity | undefined>()
  const listed = dialect.inSelect(`SELECT value FROM ${dialect.listedNumbers} w`)
  for (const row of await run(sql(`SELECT pk, document FROM entities WHERE pk ${listed}`, numbers)))
    documents.set(Number(row.pk), parse(String(row.document)))
  for (const { entity_pk, type, key, value } of rows) {
    const entity = documents.get(Number(entity_pk))
    const isOwn =
      entity && !otherTypes.has(entity.type)
        ? lookupValues(model, entity, entity.audit.created.by).some(each => isSameJson(each, { type, key, value }))
        : true
    if (!isOwn)
      findings.add(
        'wrong lookups',
        `Entity "${entity?.id}" is looked up by ${key} "${value}", which it does not have. ${moveAdvice}`
      )
  }
}

/** The merges of a page: they must name versions that exist, else they cannot be undone. */
export async function checkMerges({ session, findings }: Checking, rows: readonly Row[]) {
  const [deleted] = await session.run(sql(selectProperty, versionsDeleted))
  for (const row of rows) {
    const report = (problem: string) => findings.add('merges', `Merge ${row.number}: ${problem}. ${restoreAdvice}`)
    const written = parse(String(row.written)) as unknown
    if (!Array.isArray(written) || !written.every(isWritten)) {
      report('the list of the entities that it wrote cannot be read')
      continue
    }
    const ids = written.map(each => each.id)
    if (!ids.includes(String(row.victim_id)) || !ids.includes(String(row.survivor_id)))
      report('survivor or victim is not among the entities that it wrote')
    if (deleted && String(row.at) < String(deleted.value)) continue
    const known = await versionsOf(session, [...new Set(written.map(each => each.uuid))])
    const lacking = written.find(({ uuid, version }) => !known.has(`${uuid} ${version}`))
    if (lacking) report(`version ${lacking.version} of entity "${lacking.id}", which it wrote, does not exist`)
  }
}

async function versionsOf({ dialect, run }: Session, uuids: readonly string[]): Promise<Set<string>> {
  const list = dialect.toList(uuids)
  const rows = await run(
    sql(
      `SELECT uuid, version FROM versions WHERE uuid ${dialect.inList()}
        UNION ALL SELECT uuid, version FROM entities WHERE uuid ${dialect.inList()}`,
      ...[list, list]
    )
  )
  return new Set(rows.map(({ uuid, version }) => `${uuid} ${version}`))
}

const isWritten = (value: unknown): value is { id: string; uuid: string; version: number } => {
  const { id, uuid, version } = (value ?? {}) as Row
  return typeof id === 'string' && typeof uuid === 'string' && typeof version === 'number'
}

/** Passes state entries to the part that knows what they mean. */
export async function checkState({ session: { dialect, run }, findings, options }: Checking, rows: readonly Row[]) {
  const page = rows.map(row => ({ kind: String(row.kind), key: String(row.key), value: String(row.value) }))
  const find = async (kind: string, keys: readonly string[]) => {
    const found = await run(
      sql(`SELECT key, value FROM papers WHERE kind = ? AND key ${dialect.inList()}`, kind, dialect.toList(keys))
    )
    return new Map(found.map(row => [String(row.key), String(row.value)]))
  }
  for (const problem of (await options.inspector?.state?.(page, find)) ?? []) findings.add('state', problem)
}

/** The entity in the document of a row; undefined where it is broken or does not match the row. */
function matchingEntity(row: Row, model: Model | undefined): Entity | undefined {
  const entity = parse(String(row.document))
  const isMatch =
    entity &&
    entity.id === row.id &&
    entity._id === row.uuid &&
    entity.type === row.type &&
    (model?.umbrellaOf(entity.type) ?? row.umbrella) === row.umbrella &&
    entity.version === Number(row.version) &&
    isSameJson(entity.audit, {
      created: { at: row.created_at, by: row.created_by },
      updated: { at: row.updated_at, by: row.updated_by }
    })
  return isMatch ? entity : undefined
}

function parse(document: string): Entity | undefined {
  try {
    return (JSON.parse(document) as Entity | null) ?? undefined
  } catch {
    return undefined
  }
}
