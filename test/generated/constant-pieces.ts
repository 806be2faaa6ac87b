/*
 * The expressions that may stand in `${…}` within SQL, by file of src/store. Each is a constant, or
 * a piece that was itself made of constants and `?` only; none of them holds anything that came
 * with a request. Add one here only after you have made sure of that.
 */
export const constantPieces: Readonly<Record<string, readonly string[]>> = {
  'administration/acts.ts': ['columns'],
  'administration/follow-model.ts': ['forUpdate', 'inList()', 'lock', 'stepSize'],
  'administration/purge.ts': ['maxExaminedEntities', 'oldVersions'],
  'administration/tokens.ts': ['columns', 'inList()'],
  'administration/webhooks.ts': ['columns', 'deliveryColumns', 'maxStoredDeliveries'],
  'archive.ts': [
    "after ? isLater : ''",
    'isMoved',
    "keys.map(() => '?').join(', ')",
    'namesOf(columns)',
    'namesOf(keys)',
    "order.join(', ')",
    "others.join(', ')",
    'ownProperties',
    'part',
    'rest'
  ],
  'postgres/archive.ts': ['table'],
  'postgres/dialect.ts': [
    "columns.map(({ name, kind }) => `{name} {listedTypes[kind]}`).join(', ')",
    'document',
    'inList()',
    'list',
    'listed(columns)',
    'maxPageBytes',
    'namesOf(columns)',
    'orderBy',
    'text'
  ],
  'postgres/feed.ts': ['maxListedChanges + 1'],
  'postgres/migrations.ts': ['migrationLock', 'schemaVersion', 'text'],
  'postgres/point-reads.ts': ['anyOf', 'columns', 'eachIdentified', 'identified'],
  'postgres/prefetched-rows.ts': ['anyOf'],
  'postgres/reader.ts': ["markOfChange('c')"],
  'postgres/state-entries.ts': ['anyOf'],
  'postgres/unit-draft.ts': ['anyOf', 'maxListedReferences'],
  'postgres/write-rows.ts': [
    'anyOf',
    "listed(columnsOf('entities').filter(({ name }) => updated.includes(name)))",
    "listed(keysOf('lookups'))",
    'ofNumbers'
  ],
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
  'query/derived-rows.ts': [
    'dialect.listedNumbers',
    'dialect.selectListed(columnsOf(table))',
    'listed',
    'namesOf(columnsOf(table))',
    'onConflict',
    'table'
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
  'sqlite/changed-ids.ts': ['sqliteDialect.newestChange'],
  'sqlite/connection.ts': ['cacheMegabytes * 1024', 'logMegabytes * 250'],
  'sqlite/dialect.ts': ["columns.map(({ name }) => `value ->> '{name}'`).join(', ')", 'list', 'newestChange', 'select'],
  'sqlite/migrations.ts': ['schemaVersion'],
  'sqlite/point-reads.ts': [
    "['a', 'b', 'c'].map(each => columns.replaceAll('e.', `{each}.`)).join()",
    'columns',
    'first',
    'sqliteDialect.newestChange'
  ],
  'sqlite/prepare-file.ts': ['maxWait'],
  'sqlite/row-inserts.ts': ["Array(rows).fill(row).join(', ')", "columns.join(', ')", 'onConflict', 'or', 'table'],
  'tables.ts': ['index']
}
