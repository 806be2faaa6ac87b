import type { Json } from '#domain/entity/entity.ts'
import type { AuditStore, NewAct, StoredAct } from '#store/ports/audit.ts'

/** An administrative act, as its caller describes it. Details must hold no secret. */
export interface Act {
  readonly by: string
  readonly act: string
  readonly subject?: string | undefined
  /** The network address that it came from; undefined for a command. */
  readonly address?: string | undefined
  readonly details?: Json
}

/** The log of administrative acts: who did what, when and from where. */
export interface AuditLog {
  /** Describes an act for a method of the store that logs it, in its own transaction. */
  describe(act: Act): NewAct
  /** Logs a described act; resolves once it is stored durably. */
  log(act: NewAct): Promise<void>
  /** Resolves once the act is stored durably. */
  record(act: Act): Promise<void>
  /** Newest first. */
  list(limit: number, before?: number): Promise<readonly StoredAct[]>
  /** All acts, newest first. */
  walk(): AsyncGenerator<StoredAct, void, undefined>
  /** Records an act unless the last one of its kind has the same details. */
  recordChange(act: Act): Promise<void>
}

const actsPerRead = 500

export function createAuditLog(store: AuditStore, now: () => number): AuditLog {
  const describe = ({ by, act, subject = '', address, details = {} }: Act): NewAct => ({
    at: new Date(now()).toISOString(),
    by,
    act,
    subject: subject === '' ? null : subject,
    address: address ?? null,
    details
  })
  const record = (act: Act) => store.logAct(describe(act))
  return {
    describe,
    log: act => store.logAct(act),
    record,
    list: async (limit, before) => store.listActs(limit, before),
    async *walk() {
      let before: number | undefined
      do {
        const acts = await store.listActs(actsPerRead, before)
        yield* acts
        before = acts.length === actsPerRead ? acts.at(-1)?.number : undefined
      } while (before !== undefined)
    },
    async recordChange(act) {
      const [last] = await store.listActs(1, undefined, act.act)
      if (JSON.stringify(last?.details) !== JSON.stringify(act.details)) await record(act)
    }
  }
}
