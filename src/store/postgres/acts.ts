import type { AuditStore } from '../ports/audit.ts'
import { actRow, insertAct, selectActs, toAct } from '../rows.ts'
import type { Statements } from './statements.ts'

export const createActs = ({ read, inTransaction }: Statements): AuditStore => ({
  async logAct(act) {
    await inTransaction(link => link.run(insertAct, actRow(act)))
  },
  listActs: async (limit, before = Number.MAX_SAFE_INTEGER, act = '') =>
    (await read(selectActs, [before, act, act, limit])).map(toAct)
})
