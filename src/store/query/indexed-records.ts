import type { ChangeMark, DocumentRow, RecordPage, Records } from '#finding/records.ts'
import { cutPage, lengthOf, maxPageBytes } from '#domain/page-budget.ts'
import { toStored } from '../rows.ts'
import type { Dialect, Row, Run } from './dialect.ts'
import { selectProperty, sql } from './sql.ts'

/** Reads records and changes for the index in memory. */
export function createRecords(dialect: Dialect, run: Run): Records {
  const { listedNumbers, listedInOrder, join, entitiesByUuid, uuidOfEntity, inList, inSelect } = dialect
  const changed = `FROM ${entitiesByUuid}
    WHERE ${uuidOfEntity} ${inSelect('SELECT uuid FROM changes WHERE sequence > ? AND sequence <= ?')}`

  const list = async <T>(toValue: (row: Row) => T, text: string, ...parameters: (string | number)[]): Promise<T[]> =>
    (await run(sql(text, ...parameters))).map(toValue)
  const first = async (text: string, ...parameters: (string | number)[]) => (await run(sql(text, ...parameters)))[0]

  return {
    async lastChange() {
      const last = await first(
        `SELECT n.change, ${markOfChange('c')} AS mark FROM (SELECT ${dialect.newestChange} AS change) n
          LEFT JOIN changes c ON c.sequence = n.change`
      )
      return { change: Number(last?.change), mark: String(last?.mark ?? '') }
    },
    recentChanges: count =>
      list(
        toChangeMark,
        `SELECT c.sequence, ${markOfChange('c')} AS mark FROM changes c ORDER BY c.sequence DESC LIMIT ?`,
        count
      ),
    async areFollowed(marks) {
      const uuids = JSON.stringify(marks.map(uuidOfMark))
      const last = await list(
        row => [String(row.uuid), Number(row.changed)] as const,
        `SELECT uuid, max(changed) AS changed FROM (
          SELECT uuid, changed FROM versions WHERE uuid ${inList()}
          UNION ALL SELECT e.uuid, e.changed FROM ${entitiesByUuid} WHERE ${uuidOfEntity} ${inList()}
        ) known GROUP BY uuid`,
        ...[uuids, uuids]
      )
      const changed = new Map(last)
      return marks.every(mark => (changed.get(uuidOfMark(mark)) ?? 0) > mark.change)
    },
    changesBetween: (from, upTo) =>
      list(
        row => ({ ...toChangeMark(row), uuid: String(row.uuid) }),
        `SELECT c.sequence, c.uuid, ${markOfChange('c')} AS mark FROM changes c
          WHERE c.sequence >= ? AND c.sequence <= ? ORDER BY c.sequence DESC`,
        ...[from, upTo]
      ),
    async findProperty(name) {
      const row = await first(selectProperty, name)
      return row && String(row.value)
    },
    lastNumber: async () => Number((await first('SELECT max(pk) AS pk FROM entities'))?.pk ?? 0),
    countRecords: async () => Number((await first('SELECT count(*) AS n FROM entities'))?.n),
    changedNumbers: (after, upTo) =>
      list(row => Number(row.pk), `SELECT e.pk ${changed} ORDER BY e.pk`, ...[after, upTo]),
    changedDocuments: (after, upTo) =>
      list(
        row => ({ ...toDocumentRow(row), uuid: String(row.uuid) }),
        `SELECT e.pk, e.uuid, e.changed, e.document ${changed}`,
        ...[after, upTo]
      ),
    documents: numbers =>
      list(
        toDocumentRow,
        `SELECT e.pk, e.changed, e.document FROM ${listedNumbers} w ${join} entities e ON e.pk = w.value
          ORDER BY e.pk`,
        JSON.stringify(numbers)
      ),
    documentsBetween: (after, upTo, limit) =>
      list(
        toDocumentRow,
        'SELECT pk, changed, document FROM entities WHERE pk > ? AND pk <= ? ORDER BY pk LIMIT ?',
        ...[after, upTo, limit]
      ),
    async readPage(numbers): Promise<RecordPage> {
      const page = sql(
        `SELECT w.position, e.pk, e.id, e.uuid, e.type, e.version, e.document FROM ${listedInOrder} w
          ${join} entities e ON e.pk = w.value`,
        JSON.stringify(numbers)
      )
      const rows = await run(dialect.withinBudget(page, 'document', 'position'), maxPageBytes)
      const { page: cut, hasMore } = cutPage(rows, numbers.length, row => String(row.document))
      const length = rows.reduce((sum, row) => sum + lengthOf(String(row.document)), 0)
      return {
        records: cut.map(row => ({ number: Number(row.pk), ...toStored(row) })),
        // The database may have counted bytes, of which a character has up to four.
        isCut: hasMore || length * 4 > maxPageBytes
      }
    },
    findIds: async numbers =>
      new Map(
        await list(
          row => [Number(row.pk), String(row.id)] as const,
          `SELECT e.pk, e.id FROM ${listedNumbers} w ${join} entities e ON e.pk = w.value`,
          JSON.stringify(numbers)
        )
      ),
    changesBefore: async (numbers, change) =>
      new Map(
        await list(
          row => [Number(row.pk), Number(row.changed)] as const,
          `SELECT e.pk, v.changed FROM ${listedNumbers} w ${join} entities e ON e.pk = w.value
            JOIN versions v ON v.uuid = e.uuid AND v.document IS NOT NULL
              AND v.changed = (SELECT max(o.changed) FROM versions o WHERE o.uuid = e.uuid AND o.changed <= ?)`,
          ...[JSON.stringify(numbers), change]
        )
      )
  }
}

/** Identifies a row of `changes`, beside its number. */
export const markOfChange = (table: string) => `${table}.uuid || ' ' || ${table}.version || ' ' || ${table}.at`

const uuidOfMark = ({ mark }: ChangeMark) => mark.slice(0, mark.indexOf(' '))

const toChangeMark = (row: Row): ChangeMark => ({ change: Number(row.sequence), mark: String(row.mark) })

const toDocumentRow = (row: Row): DocumentRow => ({
  number: Number(row.pk),
  changed: Number(row.changed),
  document: String(row.document)
})
