import { rulesText } from '#domain/search/index-rules.ts'
import { findSnapshotFault } from '#finding/snapshot-file.ts'
import { rulesName, typesOfOtherRules } from '../index-progress.ts'
import { columnsOf, keysOf, namesOf, type TableName, tableNames } from '../tables.ts'
import { checksOf, type RowCheck } from './checks.ts'
import type { Row, Session } from './dialect.ts'
import { type Checking, type Findings, maxListedOfKind, restoreAdvice } from './findings.ts'
import { selectProperty, sql } from './sql.ts'

/** Number of rows read at once; state entries may have a megabyte each. */
const pageSize = 100
const pageSizeOf = (table: TableName) => (table === 'papers' ? 20 : pageSize)

/** The parts of a check that differ between the databases. */
export interface CheckedDatabase {
  /** A statement that lists the columns that exist: `table_name` and `column_name`. */
  readonly columns: string
  /** A statement that lists the names of the indexes that exist. */
  readonly indexes: string
  readonly expectedIndexes: readonly string[]
  /** Tables of this database alone. */
  readonly furtherTables: readonly string[]
  /** Selects from each table the last number that was `given`, and the last that is `used`. */
  readonly numbers: string
  /** Checks of this database alone. */
  readonly rowChecks: readonly RowCheck[]
}

/**
 * Compares all tables with each other, and every row with the values that it may have
 * (`checks.ts`). Rows are read a page at a time.
 */
export async function checkRows(
  given: Omit<Checking, 'otherTypes'>,
  database: CheckedDatabase,
  snapshot?: string
): Promise<void> {
  const { session, options, findings } = given
  if (!(await checkSchema(session, database, findings))) return
  const checking = { ...given, otherTypes: await findOtherTypes(given) }
  for (const table of tableNames) {
    const { page, rows = [] } = checksOf[table]
    for (const check of rows) await runRowCheck(checking, check)
    for await (const read of page ? pagesOf(session, table) : []) {
      await page?.(checking, read)
      if (table === 'entities') options.onProgress?.(findings.entities)
    }
  }
  for (const check of [givenAgain(database), ...database.rowChecks]) await runRowCheck(checking, check)
  if (snapshot !== undefined) await checkSnapshot(checking, snapshot)
  for (const problem of (await options.inspector?.finish?.()) ?? []) findings.add('inspector', problem)
}

const givenAgain = ({ numbers }: CheckedDatabase): RowCheck => ({
  kind: 'numbers that would be given again',
  select: () => `SELECT name, given, used FROM (${numbers}) counted WHERE used > coalesce(given, 0)`,
  say: ({ name, given, used }) => `The table "${name}" has row ${used}, and ${given ?? 'none'} was given last`,
  advice: restoreAdvice
})

async function findOtherTypes({ session: { model, run }, findings }: Omit<Checking, 'otherTypes'>) {
  const [rules] = await run(sql(selectProperty, rulesName))
  const types = (await run(sql('SELECT DISTINCT type FROM entities'))).map(({ type }) => String(type))
  let others: string[] = []
  try {
    others = typesOfOtherRules(model, rules?.value as string | undefined, types)
  } catch {
    // Rules that cannot be read are reported with the other properties.
  }
  if (others.length > 0)
    findings.add(
      'model',
      `Lookups of ${others.join(', ')} follow another model (MODEL); start the service once with this one`
    )
  return new Set(others)
}

/** Whether all tables can be read. An index that is missing makes queries slow, or rows double. */
export async function checkSchema(
  { run }: Pick<Session, 'run'>,
  database: CheckedDatabase,
  findings: Findings
): Promise<boolean> {
  const columns = Map.groupBy(await run(sql(database.columns)), row => String(row.table_name))
  let isReadable = true
  for (const table of [...tableNames, ...database.furtherTables]) {
    const existing = columns.get(table)?.map(row => String(row.column_name))
    const expected = tableNames.includes(table as TableName) ? columnsOf(table as TableName) : []
    const missing = expected.filter(({ name }) => !existing?.includes(name)).map(({ name }) => name)
    if (existing && missing.length === 0) continue
    isReadable = false
    const what = existing
      ? `The table "${table}" lacks the columns ${missing.join(', ')}`
      : `The table "${table}" is gone`
    findings.add('schema', `${what}. Restore a backup`)
  }
  const indexes = new Set((await run(sql(database.indexes))).map(({ name }) => String(name)))
  for (const name of database.expectedIndexes)
    if (!indexes.has(name))
      findings.add(
        'index',
        `The index "${name}" of the database is gone. Move the catalogue to a new database, or restore a backup`
      )
  return isReadable
}

/** The snapshot of the index in memory is a cache: a damaged one is not used. */
async function checkSnapshot({ session: { model, run, dialect }, findings }: Checking, file: string) {
  const [row] = await run(
    sql(`SELECT (SELECT value FROM properties WHERE name = 'epoch') AS epoch, ${dialect.newestChange} AS newest`)
  )
  const fault = findSnapshotFault(file, JSON.stringify([row?.epoch, rulesText(model)]), Number(row?.newest))
  if (fault !== undefined)
    findings.add(
      'index snapshot',
      `The snapshot of the index, "${file}", ${fault}. Delete the file: the service writes it again`
    )
}

async function runRowCheck({ session, findings, options }: Checking, check: RowCheck) {
  const { kind, say, advice } = check
  const select = check.select(session.dialect)
  const found = await session.run(sql(`SELECT * FROM (${select}) found LIMIT ${maxListedOfKind + 1}`))
  if (found.length === 0) return
  const [counted] =
    found.length > maxListedOfKind ? await session.run(sql(`SELECT count(*) AS n FROM (${select}) found`)) : []
  const total = Number(counted?.n ?? found.length)
  if (check.isLegal) {
    findings.notice(`${total} ${kind}, such as ${say(found[0] as Row)}. ${advice}`)
    return
  }
  for (const [index, row] of found.slice(0, maxListedOfKind).entries())
    findings.add(kind, `${say(row)}. ${advice}`, index === 0 ? total - Math.min(total, maxListedOfKind) + 1 : 1)
  if (check.isRelation && options.onGoneRelation)
    for (let after = ''; ; ) {
      const page = await session.run(
        sql(`SELECT DISTINCT id FROM (${select}) found WHERE id > ? ORDER BY id LIMIT ${pageSize}`, after)
      )
      for (const { id } of page) options.onGoneRelation(String(id))
      const last = page.at(-1)
      if (!last) break
      after = String(last.id)
    }
}

/** The rows of a table in the order of its key, a page at a time. */
async function* pagesOf({ run }: Session, table: TableName): AsyncGenerator<readonly Row[]> {
  const keys = keysOf(table)
  const isLater = `WHERE (${namesOf(keys)}) > (${keys.map(() => '?').join(', ')})`
  let last: Row | undefined
  do {
    const after = last ? keys.map(({ name }) => last?.[name] as string | number) : []
    const rows: Row[] = await run(
      sql(
        `SELECT ${namesOf(columnsOf(table))} FROM ${table} ${last ? isLater : ''} ORDER BY ${namesOf(keys)} LIMIT ${pageSizeOf(table)}`,
        ...after
      )
    )
    if (rows.length > 0) yield rows
    last = rows.at(-1)
  } while (last)
}

/** The place of a state entry. */
export interface StateKey {
  readonly kind: string
  readonly key: string
}

/** Selects the moment of the last change. */
export const lastChange = 'SELECT at AS value FROM changes ORDER BY sequence DESC LIMIT 1'

export const textOr = (value: unknown): string | undefined => (value == null ? undefined : String(value))
