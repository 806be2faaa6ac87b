import type { SourceItem } from '#formats/source/source-item.ts'
import { authorities } from './authorities.ts'
import { carried } from './carried.ts'
import { entities } from './entities.ts'
import { holdings } from './holdings.ts'
import type { ImportKind } from './import-kind.ts'
import { records } from './records.ts'
import { rows } from './rows.ts'

/**
 * The kind of each item of a file. A batch is placed kind by kind in this order, and undone in the
 * reverse order: authority records come before the publications that refer to them, and holdings
 * after the publications that they are copies of.
 */
export const kindByOutcome: Readonly<Record<Exclude<SourceItem['outcome'], 'unreadable'>, ImportKind>> = {
  entity: entities,
  carried,
  row: rows,
  authority: authorities,
  record: records,
  deletion: records,
  holdings
}

export const kinds: readonly ImportKind[] = [...new Set(Object.values(kindByOutcome))]
