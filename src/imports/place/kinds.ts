import { authorities } from './authorities.ts'
import { carried } from './carried.ts'
import { contents } from './contents.ts'
import { entities } from './entities.ts'
import { holdings } from './holdings.ts'
import type { ImportKind } from './import-kind.ts'
import type { ImportItem } from './prepare-record.ts'
import { records } from './records.ts'
import { rows } from './rows.ts'
import { versions } from './versions.ts'

/**
 * The kind of each item of a file. A batch is placed kind by kind in this order, and undone in the
 * reverse order: versions come before the entities that continue them, authority records before the
 * publications that refer to them, and holdings after the publications that they are copies of.
 */
export const kindByOutcome: Readonly<Record<Exclude<ImportItem['outcome'], 'unreadable' | 'piece'>, ImportKind>> = {
  version: versions,
  entity: entities,
  carried,
  row: rows,
  authority: authorities,
  record: records,
  deletion: records,
  holdings,
  content: contents
}

export const kinds: readonly ImportKind[] = [...new Set(Object.values(kindByOutcome))]
