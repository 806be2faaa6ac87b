import type { Dialect } from '../query/dialect.ts'
import { logAct } from './acts.ts'
import { carryingTransactions } from './carried-versions.ts'
import { purgeTransactions } from './purge.ts'
import { tokenTransactions } from './tokens.ts'
import { webhookTransactions } from './webhooks.ts'

/** All transactions that write no entity, by the names of the methods of the store. */
export const createTransactions = (dialect: Dialect) => ({
  ...tokenTransactions,
  logAct,
  ...webhookTransactions(dialect),
  ...purgeTransactions(dialect),
  ...carryingTransactions(dialect)
})

export type Transactions = ReturnType<typeof createTransactions>
