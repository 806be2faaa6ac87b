/*
 * Every kind of damage that `check` must find: what is planted, and what the check says. Records of
 * test/faults/planted-damage.test.ts: LIVE has three versions, another identifier and a relation to
 * AUTHOR; GONE is deleted; VICTIM is merged into SURVIVOR; PICTURE is a media file; IMPORTED comes
 * from a file of MARC records.
 */

export interface Damage {
  readonly name: string
  /** The table that it damages. */
  readonly of: string
  readonly plant: string
  readonly says: RegExp
  /** The database that it is possible in; both by default. */
  readonly on?: 'sqlite' | 'postgres'
}

const ofLive = `uuid = (SELECT uuid FROM entities WHERE id = 'LIVE')`
const pkOfLive = `(SELECT pk FROM entities WHERE id = 'LIVE')`
const ofGone = `id = 'GONE'`
const noMoment = `'yesterday'`

export const damages: readonly Damage[] = [
  {
    name: 'an entity that is gone with all its rows, while its change is there',
    of: 'entities',
    plant: `DELETE FROM identifiers WHERE entity_pk = (SELECT pk FROM entities WHERE id = 'ALONE');
      DELETE FROM lookups WHERE entity_pk = (SELECT pk FROM entities WHERE id = 'ALONE');
      DELETE FROM entities WHERE id = 'ALONE'`,
    says: /Change \d+: version 1 of entity "ALONE" does not exist/
  },
  {
    name: 'an entity that is gone alone',
    of: 'entities',
    plant: `DELETE FROM entities WHERE id = 'LIVE'`,
    says: /Version 2 of entity "LIVE" is the last, and no entity/
  },
  {
    name: 'a broken document',
    of: 'entities',
    plant: `UPDATE entities SET document = substr(document, 1, 40) WHERE id = 'LIVE'`,
    says: /Entity "LIVE": its document does not agree with its row/
  },
  {
    name: 'the document of another entity',
    of: 'entities',
    plant: `UPDATE entities SET document = (SELECT document FROM entities WHERE id = 'AUTHOR') WHERE id = 'LIVE'`,
    says: /Entity "LIVE": its document does not agree/
  },
  {
    name: 'another type',
    of: 'entities',
    plant: `UPDATE entities SET type = 'person' WHERE id = 'LIVE'`,
    says: /Entity "LIVE": its document does not agree/
  },
  {
    name: 'another umbrella',
    of: 'entities',
    plant: `UPDATE entities SET umbrella = 'person' WHERE id = 'LIVE'`,
    says: /Entity "LIVE": its document does not agree/
  },
  {
    name: 'another moment of an entity',
    of: 'entities',
    plant: `UPDATE entities SET updated_at = '2001-01-01T00:00:00.000Z' WHERE id = 'LIVE'`,
    says: /Entity "LIVE": its document does not agree/
  },
  {
    name: 'an entity that an earlier change made',
    of: 'entities',
    plant: `UPDATE entities SET changed = (SELECT changed FROM versions WHERE ${ofLive} AND version = 2) WHERE id = 'LIVE'`,
    says: /Entity "LIVE": the change that made it is missing or another/
  },
  {
    name: 'a number of an entity that was not given',
    of: 'entities',
    plant: `UPDATE entities SET pk = 999999 WHERE id = 'ALONE'`,
    says: /"ALONE" (?:has a number in the order of creation that was not given|: identifiers are not indexed)/
  },
  {
    name: 'two entities with one UUID',
    of: 'entities',
    plant: `UPDATE entities SET uuid = (SELECT uuid FROM entities WHERE id = 'LIVE') WHERE id = 'ALONE'`,
    says: /has the UUID of another entity/
  },
  {
    name: 'an entity with an earlier version number',
    of: 'entities',
    plant: `UPDATE entities SET version = 2 WHERE id = 'LIVE'`,
    says: /Entity "LIVE" has an earlier version that is as new as itself/
  },
  {
    name: 'an identifier that is gone',
    of: 'identifiers',
    plant: `DELETE FROM identifiers WHERE identifier = 'urn:live'`,
    says: /Entity "LIVE": identifiers are not indexed/
  },
  {
    name: 'an identifier of another entity',
    of: 'identifiers',
    plant: `UPDATE identifiers SET entity_pk = (SELECT pk FROM entities WHERE id = 'AUTHOR') WHERE identifier = 'urn:live'`,
    says: /Entity "AUTHOR": identifiers are not indexed/
  },
  {
    name: 'an identifier of nobody',
    of: 'identifiers',
    plant: `INSERT INTO identifiers (identifier, entity_pk) VALUES ('stray', 888888)`,
    says: /row of identifiers \("stray"\) belongs to no entity/
  },
  {
    name: 'a former identifier that is gone',
    of: 'names',
    plant: `DELETE FROM names WHERE identifier = 'urn:live'`,
    says: /Entity "LIVE": its history is not found by the identifier "urn:live"/
  },
  {
    name: 'all former identifiers are gone',
    of: 'names',
    plant: 'DELETE FROM names',
    says: /its history is not found by the identifier/
  },
  {
    name: 'a former identifier of nobody',
    of: 'names',
    plant: `INSERT INTO names (identifier, uuid) VALUES ('stray', 'no-uuid')`,
    says: /former identifier "stray" belongs to no entity that ever existed/
  },
  {
    name: 'a version that is gone',
    of: 'versions',
    plant: `DELETE FROM versions WHERE ${ofLive} AND version = 2`,
    says: /Entity "LIVE": the version before the current one is missing/
  },
  {
    name: 'the first version is gone',
    of: 'versions',
    plant: `DELETE FROM versions WHERE ${ofLive} AND version = 1`,
    says: /Version 2 of entity "LIVE": the version before it is missing/
  },
  {
    name: 'the deletion of a deleted entity is gone',
    of: 'versions',
    plant: `DELETE FROM versions WHERE ${ofGone} AND document IS NULL`,
    says: /Version 1 of entity "GONE" is the last, and no entity/
  },
  {
    name: 'the last version of a deleted entity is gone',
    of: 'versions',
    plant: `DELETE FROM versions WHERE ${ofGone} AND document IS NOT NULL`,
    says: /Version 2 of entity "GONE": the version before it is missing/
  },
  {
    name: 'all versions of a deleted entity are gone',
    of: 'versions',
    plant: `DELETE FROM versions WHERE ${ofGone}`,
    says: /version 2 of entity "GONE" does not exist/
  },
  {
    name: 'a version with a broken document',
    of: 'versions',
    plant: `UPDATE versions SET document = '{"id":' WHERE ${ofLive} AND version = 2`,
    says: /Version 2 of entity "LIVE": its document is broken/
  },
  {
    name: 'a version with the document of another entity',
    of: 'versions',
    plant: `UPDATE versions SET document = (SELECT document FROM entities WHERE id = 'AUTHOR') WHERE ${ofLive} AND version = 2`,
    says: /Version 2 of entity "LIVE": its document is broken, or of another/
  },
  {
    name: 'a version of another moment',
    of: 'versions',
    plant: `UPDATE versions SET at = '2001-01-01T00:00:00.000Z' WHERE ${ofLive} AND version = 2`,
    says: /Version 2 of entity "LIVE": /
  },
  {
    name: 'a version of another id',
    of: 'versions',
    plant: `UPDATE versions SET id = 'ELSE' WHERE ${ofLive} AND version = 2`,
    says: /Version 2 of entity "ELSE": /
  },
  {
    name: 'a version that another change made',
    of: 'versions',
    plant: `UPDATE versions SET changed = changed + 1 WHERE ${ofLive} AND version = 2`,
    says: /Version 2 of entity "LIVE": the change that made it is missing or another/
  },
  {
    name: 'a deletion without a position',
    of: 'versions',
    plant: `UPDATE versions SET entity_pk = NULL WHERE ${ofGone} AND document IS NULL`,
    says: /Version 2 of entity "GONE", a deletion, has no position/
  },
  {
    name: 'a deletion with the position of another entity',
    of: 'versions',
    plant: `UPDATE versions SET entity_pk = ${pkOfLive} WHERE ${ofGone} AND document IS NULL`,
    says: /Version 2 of entity "GONE", a deletion, has no position/
  },
  {
    name: 'a merged version that says it was deleted',
    of: 'versions',
    plant: `UPDATE versions SET merged_into = NULL WHERE id = 'VICTIM' AND document IS NULL`,
    says: /of entity "VICTIM": the change that made it is missing or another/
  },
  {
    name: 'a relation that is gone',
    of: 'relations',
    plant: `DELETE FROM relations WHERE entity_pk = ${pkOfLive}`,
    says: /Entity "LIVE": relations are not indexed/
  },
  {
    name: 'a relation to nobody that is not in the document',
    of: 'relations',
    plant: `INSERT INTO relations (entity_pk, position, type, target) VALUES (${pkOfLive}, 9, 'seeAlso', 'NOBODY')`,
    says: /Entity "LIVE": relations are not indexed/
  },
  {
    name: 'a relation to a deleted entity, in the document too',
    of: 'relations',
    plant: `UPDATE relations SET target = 'GONE' WHERE entity_pk = ${pkOfLive};
      UPDATE entities SET document = replace(document, '"AUTHOR"', '"GONE"') WHERE id = 'LIVE'`,
    says: /Entity "LIVE": the relation refAuthors leads to "GONE", which was deleted or purged. .*check --repair/
  },
  {
    name: 'a relation to a purged entity, in the document too',
    of: 'relations',
    plant: `UPDATE relations SET target = 'PURGED' WHERE entity_pk = ${pkOfLive};
      UPDATE entities SET document = replace(document, '"AUTHOR"', '"PURGED"') WHERE id = 'LIVE'`,
    says: /Entity "LIVE": the relation refAuthors leads to "PURGED", which was deleted or purged/
  },
  {
    name: 'a relation of nobody',
    of: 'relations',
    plant: `INSERT INTO relations (entity_pk, position, type, target) VALUES (888888, 0, 'refAuthors', 'AUTHOR')`,
    says: /row of relations \("AUTHOR"\) belongs to no entity/
  },
  {
    name: 'a lookup that is gone',
    of: 'lookups',
    plant: `DELETE FROM lookups WHERE entity_pk = (SELECT pk FROM entities WHERE id = 'AUTHOR')`,
    says: /Entity "AUTHOR": lookups are missing/
  },
  {
    name: 'a wrong lookup beside the right one',
    of: 'lookups',
    plant: `INSERT INTO lookups (key, value, type, entity_pk)
      SELECT key, 'Somebody Else', type, entity_pk FROM lookups WHERE entity_pk = (SELECT pk FROM entities WHERE id = 'AUTHOR')`,
    says: /Entity "AUTHOR" is looked up by name "Somebody Else", which it does not have/
  },
  {
    name: 'a lookup of nobody',
    of: 'lookups',
    plant: `INSERT INTO lookups (key, value, type, entity_pk) VALUES ('name', 'Nobody', 'person', 888888)`,
    says: /row of lookups \("Nobody"\) belongs to no entity/
  },
  {
    name: 'the change of an entity is gone',
    of: 'changes',
    plant: `DELETE FROM changes WHERE sequence = (SELECT changed FROM entities WHERE id = 'LIVE')`,
    says: /1 changes of the feed are missing/
  },
  {
    name: 'the change of a deleted entity is gone',
    of: 'changes',
    plant: `DELETE FROM changes WHERE ${ofGone} AND kind = 'deleted'`,
    says: /1 changes of the feed are missing/
  },
  {
    name: 'the last change is gone',
    of: 'changes',
    plant: 'DELETE FROM changes WHERE sequence = (SELECT max(sequence) FROM changes)',
    says: /1 changes of the feed are missing/
  },
  {
    name: 'all changes are gone',
    of: 'changes',
    plant: 'DELETE FROM changes',
    says: /changes of the feed are missing/
  },
  {
    name: 'a change of another UUID',
    of: 'changes',
    plant: `UPDATE changes SET uuid = 'another' WHERE sequence = (SELECT changed FROM entities WHERE id = 'LIVE')`,
    says: /Change \d+: version 3 of entity "LIVE" does not exist/
  },
  {
    name: 'a change of another kind',
    of: 'changes',
    plant: `UPDATE changes SET kind = 'created' WHERE sequence = (SELECT changed FROM entities WHERE id = 'LIVE')`,
    says: /Entity "LIVE": the change that made it is missing or another/
  },
  {
    name: 'a change of an unknown kind',
    of: 'changes',
    plant: `UPDATE changes SET kind = 'invented' WHERE sequence = (SELECT changed FROM entities WHERE id = 'LIVE')`,
    says: /Entity "LIVE": the change that made it is missing or another/
  },
  {
    name: 'a change of another moment',
    of: 'changes',
    plant: `UPDATE changes SET at = '2001-01-01T00:00:00.000Z' WHERE sequence = (SELECT changed FROM versions WHERE ${ofLive} AND version = 2)`,
    says: /Version 2 of entity "LIVE": the change that made it is missing or another/
  },
  {
    name: 'a change of another author',
    of: 'changes',
    plant: `UPDATE changes SET by = 'nobody' WHERE sequence = (SELECT changed FROM entities WHERE id = 'LIVE')`,
    says: /Entity "LIVE": the change that made it is missing or another/
  },
  {
    name: 'a change of nobody',
    of: 'changes',
    plant: `INSERT INTO changes (sequence, kind, id, uuid, type, version, at, by)
      SELECT max(sequence) + 1, 'created', 'GHOST', 'ghost', 'person', 1, max(at), 'token:admin' FROM changes`,
    says: /version 1 of entity "GHOST" does not exist/
  },
  {
    name: 'the outcome of a request is broken',
    of: 'outcomes',
    plant: `UPDATE outcomes SET outcome = '[{' WHERE key = 'once'`,
    says: /The outcome of the outcome of a request with the key "once" cannot be read/
  },
  {
    name: 'the outcome of a request has another shape',
    of: 'outcomes',
    plant: `UPDATE outcomes SET outcome = '[{"id": 1}]' WHERE key = 'once'`,
    says: /The outcome of the outcome of a request with the key "once" cannot be read/
  },
  {
    name: 'the note of a request is broken',
    of: 'outcomes',
    plant: `UPDATE outcomes SET note = '' WHERE key = 'once'`,
    says: /The note of the outcome of a request with the key "once" cannot be read/
  },
  { name: 'all merges are gone', of: 'merges', plant: 'DELETE FROM merges', says: /\d+ merges are missing/ },
  {
    name: 'a merge is gone',
    of: 'merges',
    plant: `DELETE FROM merges WHERE victim_id = 'VICTIM'`,
    says: /1 merges are missing/
  },
  {
    name: 'a merge is broken',
    of: 'merges',
    plant: `UPDATE merges SET written = '[{' WHERE victim_id = 'VICTIM'`,
    says: /Merge \d+: the list of the entities that it wrote cannot be read/
  },
  {
    name: 'a merge wrote versions that do not exist',
    of: 'merges',
    plant: `UPDATE merges SET written = replace(written, '"version":2', '"version":77') WHERE victim_id = 'VICTIM'`,
    says: /Merge \d+: version 77 of entity "\w+", which it wrote, does not exist/
  },
  {
    name: 'a merge of another victim',
    of: 'merges',
    plant: `UPDATE merges SET victim_id = 'AUTHOR' WHERE victim_id = 'VICTIM'`,
    says: /Merge \d+: survivor or victim is not among the entities that it wrote/
  },
  {
    name: 'a merge into nobody',
    of: 'merges',
    plant: `UPDATE merges SET survivor_uuid = 'nobody' WHERE victim_id = 'VICTIM'`,
    says: /Merge \d+: the survivor "SURVIVOR" never existed/
  },
  {
    name: 'a merge that a change undid that does not exist',
    of: 'merges',
    plant: `UPDATE merges SET undone = 999999 WHERE victim_id = 'VICTIM'`,
    says: /Merge \d+: its number, or that of the change that undid it, was not given yet/
  },
  {
    name: 'the epoch is gone',
    of: 'properties',
    plant: `DELETE FROM properties WHERE name = 'epoch'`,
    says: /The property "epoch" is missing. .*renew-feed/
  },
  {
    name: 'the epoch is broken',
    of: 'properties',
    plant: `UPDATE properties SET value = 'x' WHERE name = 'epoch'`,
    says: /The property "epoch" cannot be read/
  },
  {
    name: 'the rules of the index are broken',
    of: 'properties',
    plant: `UPDATE properties SET value = '{' WHERE name = 'index_rules'`,
    says: /The property "index_rules" cannot be read/
  },
  {
    name: 'changes are forgotten that never were',
    of: 'properties',
    plant: `UPDATE properties SET value = '999999' WHERE name = 'forgotten'`,
    says: /The last change that was deleted by age has a number that was not given yet/
  },
  { name: 'all tokens are gone', of: 'tokens', plant: 'DELETE FROM tokens', says: /is not among the tokens/ },
  {
    name: 'the scopes of a token are broken',
    of: 'tokens',
    plant: `UPDATE tokens SET scopes = 'admin'`,
    says: /The scopes of the token "[\w-]+" cannot be read/
  },
  {
    name: 'the hash of a token is broken',
    of: 'tokens',
    plant: `UPDATE tokens SET hash = 'x' || substr(hash, 1, 10)`,
    says: /The hash of the token "[\w-]+" cannot be read/
  },
  {
    name: 'the end of a token is broken',
    of: 'tokens',
    plant: `UPDATE tokens SET expires_at = ${noMoment}`,
    says: /The expires_at of the token "[\w-]+" cannot be read/
  },
  {
    name: 'all webhooks are gone',
    of: 'webhooks',
    plant: 'DELETE FROM deliveries; DELETE FROM webhooks',
    says: /is not among the webhooks/
  },
  {
    name: 'the kinds of a webhook are broken',
    of: 'webhooks',
    plant: `UPDATE webhooks SET kinds = '["invented"]'`,
    says: /The kinds of the webhook "[\w-]+" cannot be read/
  },
  {
    name: 'the state of a webhook is unknown',
    of: 'webhooks',
    plant: `UPDATE webhooks SET state = 'lost'`,
    says: /The state of the webhook "[\w-]+" cannot be read/
  },
  {
    name: 'the address of a webhook is broken',
    of: 'webhooks',
    plant: `UPDATE webhooks SET url = 'nowhere'`,
    says: /The url of the webhook "[\w-]+" cannot be read/
  },
  {
    name: 'a webhook is ahead of the feed',
    of: 'webhooks',
    plant: 'UPDATE webhooks SET cursor = 999999',
    says: /The webhook "[\w-]+" was sent a change that does not exist yet/
  },
  {
    name: 'a delivery of no webhook',
    of: 'deliveries',
    plant: `UPDATE deliveries SET webhook_id = 'nobody'`,
    says: /Delivery \d+: the webhook "nobody", or the change, does not exist/,
    on: 'sqlite'
  },
  {
    name: 'a delivery for an unknown reason',
    of: 'deliveries',
    plant: `UPDATE deliveries SET reason = 'why'`,
    says: /The reason of the delivery "\d+" cannot be read/
  },
  {
    name: 'a delivery of a change that does not exist',
    of: 'deliveries',
    plant: 'UPDATE deliveries SET sequence = 999999',
    says: /Delivery \d+: the webhook "[\w-]+", or the change, does not exist/
  },
  {
    name: 'all state of imports is gone',
    of: 'papers',
    plant: 'DELETE FROM papers',
    says: /was written by the import "[\w-]+", which does not exist/
  },
  {
    name: 'an import is broken',
    of: 'papers',
    plant: `UPDATE papers SET value = '{' WHERE kind = 'import job' AND key LIKE 'all%'`,
    says: /The import job "all\n[\w-]+" cannot be read/
  },
  {
    name: 'the source of an imported record is gone',
    of: 'papers',
    plant: `DELETE FROM papers WHERE kind = 'import source'`,
    says: /The imported record ".+" has no source record/
  },
  {
    name: 'the way from a manifestation to its record is gone',
    of: 'papers',
    plant: `DELETE FROM papers WHERE kind = 'import origin'`,
    says: /The imported record ".+" has no way back from its manifestation/
  },
  {
    name: 'the mentions of an imported record are gone',
    of: 'papers',
    plant: `DELETE FROM papers WHERE kind = 'import mention'`,
    says: /The imported record ".+" has no mentions of works/
  },
  {
    name: 'the imported records are gone',
    of: 'papers',
    plant: `DELETE FROM papers WHERE kind = 'import record'`,
    says: /The imported record ".+" of manifestation ".+" does not exist/
  },
  {
    name: 'the details of an act are broken',
    of: 'acts',
    plant: `UPDATE acts SET details = '{'`,
    says: /The details of the act "\d+" cannot be read/
  },
  {
    // A server gives numbers to transactions that fail, so gaps mean nothing there.
    name: 'acts are gone',
    of: 'acts',
    plant: `DELETE FROM acts WHERE number = (SELECT max(number) FROM acts)`,
    says: /1 administrative acts are missing in the log/,
    on: 'sqlite'
  },
  {
    name: 'a lease that does not end',
    of: 'leases',
    plant: `UPDATE leases SET until = 9999999999999`,
    says: /The until of the lease "a task" cannot be read. Delete the row/,
    on: 'sqlite'
  },
  {
    name: 'a lease that does not end',
    of: 'leases',
    plant: `UPDATE leases SET until = now() + interval '1 year'`,
    says: /The until of the lease "a task" cannot be read. Delete the row/,
    on: 'postgres'
  },
  {
    name: 'a lease of nobody',
    of: 'leases',
    plant: `UPDATE leases SET holder = ''`,
    says: /The holder of the lease "a task" cannot be read/
  },
  {
    name: 'numbers of changes that would be given again',
    of: 'changes',
    plant: `UPDATE sqlite_sequence SET seq = 3 WHERE name = 'changes'`,
    says: /The table "changes" has row \d+, and 3 was given last/,
    on: 'sqlite'
  },
  {
    name: 'numbers of changes that would be given again',
    of: 'changes',
    plant: 'UPDATE counters SET change = 3',
    says: /The table "changes" has row \d+, and 3 was given last/,
    on: 'postgres'
  },
  {
    name: 'the counters are gone',
    of: 'changes',
    plant: 'DELETE FROM counters',
    says: /The table "counters" has 0 rows, not one/,
    on: 'postgres'
  },
  {
    name: 'the moment of the last change is earlier',
    of: 'changes',
    plant: `UPDATE counters SET at = '2001-01-01T00:00:00.000Z'`,
    says: /The table "counters" has an earlier moment/,
    on: 'postgres'
  },
  {
    name: 'numbers of acts that would be given again',
    of: 'acts',
    plant: `ALTER SEQUENCE acts_number_seq RESTART WITH 1; SELECT nextval('acts_number_seq')`,
    says: /The table "acts" has row \d+, and 1 was given last/,
    on: 'postgres'
  },
  { name: 'a table is gone', of: 'names', plant: 'DROP TABLE names', says: /The table "names" is gone. Restore/ },
  {
    name: 'a table of the server is gone',
    of: 'changes',
    plant: 'DROP TABLE commit_markers',
    says: /The table "commit_markers" is gone/,
    on: 'postgres'
  },
  {
    name: 'a column is gone',
    of: 'acts',
    plant: 'ALTER TABLE acts DROP COLUMN address',
    says: /The table "acts" lacks the columns address/
  },
  {
    name: 'an index is gone',
    of: 'relations',
    plant: 'DROP INDEX relations_by_target',
    says: /The index "relations_by_target" of the database is gone/
  },
  {
    name: 'a unique index is gone',
    of: 'entities',
    plant: 'DROP INDEX entities_by_changed',
    says: /The index "entities_by_changed" of the database is gone/
  },
  {
    name: 'a primary key is gone',
    of: 'identifiers',
    plant: 'ALTER TABLE identifiers DROP CONSTRAINT identifiers_pkey',
    says: /The index "identifiers_pkey" of the database is gone/,
    on: 'postgres'
  },
  {
    name: 'a media file has another hash',
    of: 'entities',
    plant: `UPDATE entities SET document = replace(document, substr(document, strpos(document, '"sha256","value":"') + 18, 64),
      '${'0'.repeat(64)}') WHERE id = 'PICTURE'`,
    says: /Media file "PICTURE": its bytes \(sha256 0+\) are not stored/,
    on: 'postgres'
  },
  {
    name: 'a media file has another hash',
    of: 'entities',
    plant: `UPDATE entities SET document = replace(document, substr(document, instr(document, '"sha256","value":"') + 18, 64),
      '${'0'.repeat(64)}') WHERE id = 'PICTURE'`,
    says: /Media file "PICTURE": its bytes \(sha256 0+\) are not stored/,
    on: 'sqlite'
  }
]
