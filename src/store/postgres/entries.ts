import type { EntryDialect } from '../query/dialect.ts'
import { sql } from '../query/sql.ts'

/** Entries of metadata and relations, read from the document. */
export const postgresEntries: EntryDialect = {
  relation: `x.document::jsonb -> 'relations' -> r.position`,
  metadataTable: `jsonb_array_elements(x.document::jsonb -> 'metadata') m`,
  metadata: 'm.value',
  metadataKey: `m.value ->> 'key'`,
  hasMember: (entry, name, value) => sql(`${entry} -> ?::text = ?::text::jsonb`, name, JSON.stringify(value)),
  hasValue(values) {
    const condition = values
      ? sql('w = ANY (ARRAY(SELECT jsonb_array_elements_text(?::text::jsonb)))', JSON.stringify(values))
      : sql(`w IS NOT NULL AND w <> ''`)
    return sql(
      `EXISTS (SELECT 1 FROM jsonb_array_elements_text(CASE jsonb_typeof(m.value -> 'value') WHEN 'array' THEN m.value -> 'value'
        ELSE jsonb_build_array(m.value -> 'value') END) w WHERE ${condition.text})`,
      ...condition.parameters
    )
  }
}
