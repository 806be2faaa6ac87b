import { changeKinds } from '#domain/events/change-event.ts'
import { deliveryReasons, webhookStates } from '#domain/events/webhook.ts'
import { lastForgotten, removed, versionsDeleted } from '../administration/properties.ts'
import { missingNumbers } from '../administration/purge.ts'
import { rulesName } from '../index-progress.ts'
import type { TableName } from '../tables.ts'
import { checkEntities, checkLookups, checkMerges, checkState, checkVersions } from './check-pages.ts'
import type { Dialect, Row } from './dialect.ts'
import { type Checking, moveAdvice, restoreAdvice } from './findings.ts'

/* The checks of each table. A table that is added to the schema needs an entry here. */

/** Rows that must not exist. */
export interface RowCheck {
  /** The kind of problem, in the plural. */
  readonly kind: string
  readonly select: (dialect: Dialect) => string
  /** Says what is wrong, and where. */
  readonly say: (row: Row) => string
  /** Says what to do. */
  readonly advice: string
  /** Whether the rows are legal, and only unexpected. */
  readonly isLegal?: boolean
  /** Whether the rows are relations to deleted entities, which can be repaired. */
  readonly isRelation?: boolean
}

export interface TableCheck {
  readonly rows?: readonly RowCheck[]
  /** Checks a page of all rows. */
  readonly page?: (checking: Checking, rows: readonly Row[]) => Promise<void> | void
}

const repairAdvice = 'Restore that record, or remove such relations with "npx libretto check --repair"'

const ofEntity = ({ id }: Row) => `Entity "${id}"`
const ofVersion = ({ id, version }: Row) => `Version ${version} of entity "${id}"`

/** The moment before which replaced versions were deleted on purpose, in SQL. */
const versionsFrom = `coalesce((SELECT value FROM properties WHERE name = '${versionsDeleted}'), '')`

const hasEntity = (uuid: string, version?: string) =>
  `EXISTS (SELECT 1 FROM entities ee WHERE ee.uuid = ${uuid} ${version ? `AND ee.version = ${version}` : ''})`
const hasVersion = (uuid: string, version?: string, more = '') =>
  `EXISTS (SELECT 1 FROM versions vv WHERE vv.uuid = ${uuid} ${version ? `AND vv.version = ${version}` : ''} ${more})`

/** Whether a change `c` contradicts a row of `entities` or `versions` that it made. */
const contradicts = (row: string, at: string, by: string) => {
  const before = (more: string) => hasVersion(`${row}.uuid`, `${row}.version - 1`, more)
  return `c.sequence IS NULL OR c.uuid <> ${row}.uuid OR c.version <> ${row}.version OR c.id <> ${row}.id
    OR c.type <> ${row}.type OR c.at <> ${row}.${at} OR c.by <> ${row}.${by}
    OR (c.kind = 'created' AND ${before('AND vv.document IS NOT NULL AND vv.changed > 0')})
    OR (c.kind = 'updated' AND (${row}.version = 1 OR ${before('AND vv.document IS NULL')}))`
}

const orphaned = (table: 'identifiers' | 'relations' | 'lookups', what: string): RowCheck => ({
  kind: `rows of ${table} without an entity`,
  select: () =>
    `SELECT r.${what} AS value FROM ${table} r WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.pk = r.entity_pk)`,
  say: ({ value }) => `A row of ${table} ("${value}") belongs to no entity`,
  advice: moveAdvice
})

/** Numbers of a table that no row has, other than those that were deleted on purpose. */
const gaps = (table: keyof typeof removed, what: string): RowCheck => ({
  kind: `missing ${table}`,
  select: dialect => `SELECT n, known FROM (SELECT ${missingNumbers(dialect, table)} AS n, coalesce(
      (SELECT CAST(value AS bigint) FROM properties WHERE name = '${removed[table]}'),
      CASE WHEN EXISTS (SELECT 1 FROM properties WHERE name = '${versionsDeleted}') THEN NULL ELSE 0 END) AS known
    ) counted WHERE n > known`,
  say: ({ n, known }) => `${Number(n) - Number(known)} ${what} are missing, other than those deleted on purpose`,
  advice: restoreAdvice
})

/** Relations to no entity: the record existed once, or never. */
const dangling = (existed: boolean) => () =>
  `SELECT e.id, r.type, r.target FROM relations r JOIN entities e ON e.pk = r.entity_pk
    WHERE NOT EXISTS (SELECT 1 FROM identifiers i WHERE i.identifier = r.target)
      AND ${existed ? '' : 'NOT'} (EXISTS (SELECT 1 FROM versions v WHERE v.id = r.target)
        OR EXISTS (SELECT 1 FROM versions v WHERE v.uuid = r.target)
        OR EXISTS (SELECT 1 FROM names n WHERE n.identifier = r.target))`

/** Subjects of an act that no later act removed, and that are not in their table. */
const lost = (table: 'tokens' | 'webhooks', created: string, deleted: string): RowCheck => ({
  kind: `lost ${table}`,
  select: () =>
    `SELECT DISTINCT a.subject FROM acts a WHERE a.act = '${created}' AND a.subject IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM acts d WHERE d.act = '${deleted}' AND d.subject = a.subject)
      AND NOT EXISTS (SELECT 1 FROM ${table} t WHERE t.id = a.subject)`,
  say: ({ subject }) => `"${subject}" was created, and never deleted, by the log of acts; it is not among the ${table}`,
  advice: `${restoreAdvice}, or create it again`
})

/** A test of one column of each row. */
type ValueTest = (value: unknown) => boolean

/** Makes the check of the values of a table. */
const values =
  (name: string, tests: Readonly<Record<string, ValueTest>>, advice = restoreAdvice): NonNullable<TableCheck['page']> =>
  ({ findings }, rows) => {
    for (const row of rows)
      for (const [column, test] of Object.entries(tests)) {
        const isNull = row[column] === null || row[column] === undefined
        if (isNull || test(row[column])) continue
        const key = row.id ?? row.key ?? row.number ?? row.task ?? row.name
        findings.add(`values of ${name}`, `The ${column} of ${name} "${key}" cannot be read. ${advice}`)
      }
  }

const isMoment: ValueTest = value => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value))
const isFilled: ValueTest = value => String(value) !== ''
const isOneOf =
  (known: readonly string[]): ValueTest =>
  value =>
    known.includes(String(value))
const isJson =
  (fits: (value: unknown) => boolean = () => true): ValueTest =>
  value => {
    try {
      return fits(JSON.parse(String(value)))
    } catch {
      return false
    }
  }
const isList = (fits: (value: unknown) => boolean) => isJson(value => Array.isArray(value) && value.every(fits))
const isText = (value: unknown) => typeof value === 'string'
const isStored = (value: unknown) =>
  value === null ||
  (typeof value === 'object' &&
    ['id', 'uuid', 'type', 'json'].every(key => isText((value as Row)[key])) &&
    isJson()((value as Row).json))

/** Maximum time for which a process may hold a task, in milliseconds; leases last seconds. */
const maxLease = 24 * 3_600_000

const isLeaseEnd: ValueTest = value =>
  (typeof value === 'number' ? value : new Date(value as string).getTime()) < Date.now() + maxLease

/** Tests of single facts; those of other names are not looked at. */
const facts: Readonly<Record<string, ValueTest>> = {
  epoch: value => /^[0-9a-f]{16}$/.test(String(value)),
  forgotten: value => /^\d+$/.test(String(value)),
  purged: value => /^\d+$/.test(String(value)),
  [versionsDeleted]: isMoment,
  [removed.changes]: value => /^-?\d+$/.test(String(value)),
  [removed.merges]: value => /^-?\d+$/.test(String(value)),
  [rulesName]: isJson()
}

export const checksOf: Readonly<Record<TableName, TableCheck>> = {
  entities: {
    page: checkEntities,
    rows: [
      {
        kind: 'entities with a number that was not given',
        select: ({ newestEntity }) => `SELECT e.id FROM entities e WHERE e.pk > ${newestEntity}`,
        say: row => `${ofEntity(row)} has a number in the order of creation that was not given yet`,
        advice: restoreAdvice
      },
      {
        kind: 'entities with the same UUID',
        select: () => 'SELECT max(e.id) AS id, count(*) AS n FROM entities e GROUP BY e.uuid HAVING count(*) > 1',
        say: row => `${ofEntity(row)} has the UUID of another entity`,
        advice: restoreAdvice
      },
      {
        kind: 'entities without their change',
        // Older changes were deleted on purpose.
        select: () => `SELECT e.id FROM entities e LEFT JOIN changes c ON c.sequence = e.changed
          WHERE e.changed > ${lastForgotten}
            AND (${contradicts('e', 'updated_at', 'updated_by')} OR c.kind NOT IN ('created', 'updated'))`,
        say: row => `${ofEntity(row)}: the change that made it is missing or another`,
        advice: restoreAdvice
      },
      {
        kind: 'entities without their earlier version',
        select: () => `SELECT e.id FROM entities e WHERE e.version > 1 AND e.updated_at >= ${versionsFrom}
          AND NOT ${hasVersion('e.uuid', 'e.version - 1')}`,
        say: row => `${ofEntity(row)}: the version before the current one is missing`,
        advice: restoreAdvice
      },
      {
        kind: 'entities older than their versions',
        select: () => `SELECT e.id FROM entities e
          WHERE EXISTS (SELECT 1 FROM versions v WHERE v.uuid = e.uuid AND v.version >= e.version)`,
        say: row => `${ofEntity(row)} has an earlier version that is as new as itself`,
        advice: restoreAdvice
      }
    ]
  },
  identifiers: { rows: [orphaned('identifiers', 'identifier')] },
  names: {
    rows: [
      {
        kind: 'former identifiers of nobody',
        select: () =>
          `SELECT n.identifier FROM names n WHERE NOT ${hasEntity('n.uuid')} AND NOT ${hasVersion('n.uuid')}`,
        say: ({ identifier }) => `The former identifier "${identifier}" belongs to no entity that ever existed`,
        advice: restoreAdvice
      }
    ]
  },
  versions: {
    page: checkVersions,
    rows: [
      {
        kind: 'versions without the one before',
        select: () => `SELECT v.id, v.version FROM versions v
          WHERE v.version > 1 AND v.changed > 0 AND v.by <> '' AND v.at >= ${versionsFrom} AND NOT ${hasVersion('v.uuid', 'v.version - 1')}`,
        say: row => `${ofVersion(row)}: the version before it is missing`,
        advice: restoreAdvice
      },
      {
        kind: 'versions without the one after',
        select: () => `SELECT v.id, v.version FROM versions v WHERE v.document IS NOT NULL AND v.changed > 0
          AND NOT ${hasVersion('v.uuid', 'v.version + 1')} AND NOT ${hasEntity('v.uuid', 'v.version + 1')}`,
        say: row => `${ofVersion(row)} is the last, and no entity: the entity, or its deletion, is missing`,
        advice: restoreAdvice
      },
      {
        kind: 'versions without their change',
        select: () => `SELECT v.id, v.version FROM versions v LEFT JOIN changes c ON c.sequence = v.changed
          WHERE v.changed > ${lastForgotten} AND (${contradicts('v', 'at', 'by')}
            OR c.merged_into IS DISTINCT FROM v.merged_into OR (c.kind = 'merged') <> (v.merged_into IS NOT NULL)
            OR (v.document IS NULL) <> (c.kind IN ('deleted', 'merged', 'purged')) OR (c.kind = 'purged') <> (v.by = ''))`,
        say: row => `${ofVersion(row)}: the change that made it is missing or another`,
        advice: restoreAdvice
      },
      {
        kind: 'deletions without a position',
        select:
          () => `SELECT v.id, v.version FROM versions v WHERE v.document IS NULL AND v.by <> '' AND v.changed > 0 AND (v.entity_pk IS NULL
          OR EXISTS (SELECT 1 FROM entities e WHERE e.pk = v.entity_pk AND e.uuid <> v.uuid))`,
        say: row =>
          `${ofVersion(row)}, a deletion, has no position in the order of creation, or that of another entity`,
        advice: restoreAdvice
      }
    ]
  },
  relations: {
    rows: [
      orphaned('relations', 'target'),
      {
        kind: 'relations to records that are gone',
        select: dangling(true),
        say: row => `${ofEntity(row)}: the relation ${row.type} leads to "${row.target}", which was deleted or purged`,
        advice: repairAdvice,
        isRelation: true
      },
      {
        kind: 'relations to records that never existed',
        select: dangling(false),
        say: row => `${ofEntity(row)}: ${row.type} to "${row.target}"`,
        advice: 'This is legal where they were written with allow_dangling; otherwise remove them',
        isLegal: true
      }
    ]
  },
  lookups: { page: checkLookups, rows: [orphaned('lookups', 'value')] },
  changes: {
    rows: [
      gaps('changes', 'changes of the feed'),
      {
        kind: 'changes with a number that was not given',
        select: ({ lastNumber }) => `SELECT c.sequence FROM changes c WHERE c.sequence > ${lastNumber('changes')}`,
        say: ({ sequence }) => `Change ${sequence} has a number that was not given yet`,
        advice: restoreAdvice
      },
      {
        kind: 'changes of nothing',
        select: () => `SELECT c.sequence, c.id, c.version FROM changes c
          WHERE NOT ${hasEntity('c.uuid', 'c.version')} AND NOT ${hasVersion('c.uuid', 'c.version')}`,
        say: row => `Change ${row.sequence}: version ${row.version} of entity "${row.id}" does not exist`,
        advice: restoreAdvice
      },
      {
        kind: 'changes that nothing was made by',
        select: () => `SELECT c.sequence, c.id FROM changes c
          WHERE NOT EXISTS (SELECT 1 FROM entities e WHERE e.changed = c.sequence)
            AND NOT EXISTS (SELECT 1 FROM versions v WHERE v.uuid = c.uuid AND v.changed = c.sequence)`,
        say: row => `Change ${row.sequence} of entity "${row.id}": no version of it was made by this change`,
        advice: restoreAdvice
      }
    ],
    page: values('the change', { kind: isOneOf(changeKinds), at: isMoment })
  },
  outcomes: {
    page: values(
      'the outcome of a request with the key',
      { outcome: isList(isStored), note: isJson(), at: isMoment, fingerprint: isFilled },
      'Delete the row from the table "outcomes": outcomes are for repeated requests of one day only'
    )
  },
  merges: {
    page: checkMerges,
    rows: [
      gaps('merges', 'merges'),
      {
        kind: 'merges of nobody',
        select: () => `SELECT m.number, m.survivor_id FROM merges m
          WHERE NOT ${hasEntity('m.survivor_uuid')} AND NOT ${hasVersion('m.survivor_uuid')}`,
        say: row => `Merge ${row.number}: the survivor "${row.survivor_id}" never existed`,
        advice: restoreAdvice
      },
      {
        kind: 'merges undone by a change that does not exist',
        select: ({ lastNumber }) => `SELECT m.number FROM merges m
          WHERE m.undone > ${lastNumber('changes')} OR m.undone < 1 OR m.number > ${lastNumber('merges')}`,
        say: row => `Merge ${row.number}: its number, or that of the change that undid it, was not given yet`,
        advice: restoreAdvice
      }
    ]
  },
  properties: {
    page({ findings }, rows) {
      for (const { name, value } of rows)
        if (facts[String(name)]?.(value) === false)
          findings.add('properties', `The property "${name}" cannot be read. ${restoreAdvice}`)
    },
    rows: [
      {
        kind: 'missing properties',
        select: () => `SELECT wanted.name FROM (SELECT 'epoch' AS name UNION ALL SELECT '${rulesName}') wanted
          WHERE wanted.name NOT IN (SELECT name FROM properties)`,
        say: ({ name }) => `The property "${name}" is missing`,
        advice: 'If it is the epoch, run "npx libretto renew-feed"; otherwise start the service once'
      },
      {
        kind: 'forgotten changes that never were',
        select: ({ lastNumber }) => `SELECT 1 AS found WHERE ${lastForgotten} > ${lastNumber('changes')}`,
        say: () => 'The last change that was deleted by age has a number that was not given yet',
        advice: restoreAdvice
      }
    ]
  },
  tokens: {
    page: values('the token', {
      hash: value => /^[0-9a-f]{64}$/.test(String(value)),
      scopes: isList(isText),
      created_at: isMoment,
      expires_at: isMoment
    }),
    rows: [lost('tokens', 'token.create', 'token.revoke')]
  },
  webhooks: {
    page: values('the webhook', {
      url: value => URL.canParse(String(value)),
      kinds: isList(each => isText(each) && changeKinds.some(kind => kind === each)),
      types: isList(isText),
      secret: isFilled,
      state: isOneOf(webhookStates),
      created_at: isMoment,
      next_attempt_at: isMoment,
      failing_since: isMoment
    }),
    rows: [
      lost('webhooks', 'webhook.create', 'webhook.delete'),
      {
        kind: 'webhooks ahead of the feed',
        select: ({ lastNumber }) =>
          `SELECT w.id FROM webhooks w WHERE w.cursor > ${lastNumber('changes')} OR w.cursor < 0`,
        say: ({ id }) => `The webhook "${id}" was sent a change that does not exist yet`,
        advice: 'Delete the webhook and create it again: it would not be sent the next changes'
      }
    ]
  },
  deliveries: {
    page: values('the delivery', { reason: isOneOf(deliveryReasons), at: isMoment }),
    rows: [
      {
        kind: 'deliveries of nothing',
        select: ({ lastNumber }) => `SELECT d.number, d.webhook_id FROM deliveries d
          WHERE NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.id = d.webhook_id) OR d.sequence > ${lastNumber('changes')}`,
        say: row => `Delivery ${row.number}: the webhook "${row.webhook_id}", or the change, does not exist`,
        advice: 'Delete the row from the table "deliveries", which is a log'
      }
    ]
  },
  papers: { page: checkState },
  acts: { page: values('the act', { at: isMoment, details: isJson(), act: isFilled, by: isFilled }) },
  leases: {
    page: values(
      'the lease',
      { holder: isFilled, until: isLeaseEnd },
      'Delete the row from the table "leases": until then no process does the task'
    )
  }
}
