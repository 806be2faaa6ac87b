import { createTransactions } from '../administration/transactions.ts'
import { sqliteDialect } from './dialect.ts'
import { leaseTransactions } from './leases.ts'

/** Transactions that write no entity, by the names of the methods of the store. */
export const transactions = { ...createTransactions(sqliteDialect), ...leaseTransactions }
