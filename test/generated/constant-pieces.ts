/*
 * The expressions that may stand in `${…}` within SQL, by file of src/store. Each is a constant, or
 * a piece that was itself made of constants and `?` only; none of them holds anything that came
 * with a request. Add one here only after you have made sure of that.
 */
export const constantPieces: Readonly<Record<string, readonly string[]>> = {
  'administration/acts.ts': ['columns'],
  'administration/purge.ts': ['maxExaminedEntities', 'oldVersions'],
  'administration/tokens.ts': ['columns'],
  'administration/webhooks.ts': ['columns', 'deliveryColumns', 'maxStoredDeliveries'],
  'archive.ts': [
    'after',
    'columnsOf(part)',
    "keys.join(', ')",
    "keys.map(() => '?').join(', ')",
    "keysOf(part) .map(key => `{key} DESC`) .join(', ')",
    'limit',
    'ownProperties',
    'part.name',
    "part.name === 'properties' ? `name NOT IN ({ownProperties})` : 'TRUE'",
    'selectPart(part)'
  ],
  'postgres/archive.ts': ['conflict', "keys.join(', ')", 'names', "others.join(', ')", 'part.name', 'table', 'typed'],
  'postgres/dialect.ts': ['document', 'inList()', 'list', 'maxPageBytes', 'orderBy', 'text'],
  'postgres/feed.ts': ['maxListedChanges + 1'],
  'postgres/follow-model.ts': ['anyOf', 'lock', 'stepSize'],
  'postgres/migrations.ts': ['migrationLock', 'version + 1'],
  'postgres/point-reads.ts': ['anyOf', 'columns', 'eachIdentified', 'identified'],
  'postgres/prefetched-rows.ts': ['anyOf'],
  'postgres/reader.ts': ["markOfChange('c')"],
  'postgres/state-entries.ts': ['anyOf'],
  'postgres/unit-draft.ts': ['anyOf', 'maxListedReferences'],
  'postgres/write-rows.ts': ['anyOf', 'conflict', 'list', 'ofNumbers', 'table', 'typed'],
  'query/check.ts': [
    'dialect.inSelect(`SELECT value FROM {dialect.listedNumbers} w`)',
    'dialect.listedNumbers',
    'from',
    'newestChange',
    'newestEntity',
    'ofPage',
    'pageSize',
    'versionsDeleted'
  ],
  'query/find-references.ts': [
    'dialect.inList()',
    "dialect.inSelect( 'SELECT ti.identifier FROM identifiers ti WHERE ti.entity_pk = (SELECT i.entity_pk FROM identifiers i WHERE i.identifier = ?)' )",
    'dialect.join',
    'dialect.listedNumbers',
    "dialect.unindexed('r.entity_pk')",
    'from.text',
    'readable.text',
    "readableTypes ? `{dialect.join} entities e ON e.pk = r.entity_pk` : ''"
  ],
  'query/harvest.ts': [
    "climbs ? `AND r.type {dialect.inList()}` : ''",
    'condition',
    'dialect.inList()',
    'dialect.listedNumbers',
    'dialect.newestEntity',
    'join',
    'readable.text',
    'select',
    'shown.text',
    'since',
    'wanted.text'
  ],
  'query/indexed-records.ts': [
    'changed',
    'dialect.newestChange',
    'entitiesByUuid',
    'inSelect(`SELECT value FROM {listedNumbers} w`)',
    "inSelect('SELECT uuid FROM changes WHERE sequence > ? AND sequence <= ?')",
    'join',
    'listedInOrder',
    'listedNumbers',
    "markOfChange('c')",
    'uuidOfEntity'
  ],
  'query/history.ts': [
    'allVersions',
    "conditions.map(each => each.text).join(' AND ')",
    'dialect.entitiesByUuid',
    'dialect.inList()',
    "dialect.listedObjects('m.written')",
    'dialect.listedTexts',
    'dialect.newestChange',
    'join',
    'listedIdentifier',
    'listedPlace',
    'versionColumns'
  ],
  'sqlite/archive.ts': ['columnsOf(part)', "part.columns.map(() => '?').join(', ')", 'part.name'],
  'sqlite/changed-ids.ts': ['sqliteDialect.newestChange'],
  'sqlite/connection.ts': ['cacheMegabytes * 1024', 'logMegabytes * 250'],
  'sqlite/dialect.ts': ['list', 'select', 'newestChange'],
  'sqlite/migrations.ts': ['next'],
  'sqlite/point-reads.ts': [
    "['a', 'b', 'c'].map(each => columns.replaceAll('e.', `{each}.`)).join()",
    'columns',
    'first',
    'sqliteDialect.newestChange'
  ],
  'sqlite/prepare-file.ts': ['maxWait'],
  'sqlite/row-inserts.ts': ["Array(rows).fill(row).join(', ')", "columns.join(', ')", 'onConflict', 'or', 'table']
}
