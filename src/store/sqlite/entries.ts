import type { EntryDialect } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'

/** Entries of metadata and relations, read from the document. */
export const sqliteEntries: EntryDialect = {
  relation: `json_extract(x.document, '$.relations[' || r.position || ']')`,
  metadataTable: `json_each(x.document, '$.metadata') m`,
  metadata: 'm.value',
  metadataKey: `m.value ->> '$.key'`,
  hasMember: (entry, name, value) => sql(`${entry} -> ? = ?`, `$."${name}"`, JSON.stringify(value)),
  hasValue(values) {
    const text = `CASE w.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(w.value AS TEXT) END`
    const condition = values
      ? sql(`${text} IN (SELECT value FROM json_each(?))`, JSON.stringify(values))
      : sql(`w.type <> 'null' AND w.value <> ''`)
    return sql(
      `EXISTS (SELECT 1 FROM json_each(CASE json_type(m.value, '$.value') WHEN 'array' THEN m.value -> '$.value'
        ELSE json_array(json(m.value -> '$.value')) END) w WHERE ${condition.text})`,
      ...condition.parameters
    )
  }
}
