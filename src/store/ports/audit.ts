import type { Json } from '#domain/entity/entity.ts'
import type { MaybePromise } from '#domain/maybe-promise.ts'

/** An administrative act, such as the creation of a token. It holds no secret. */
export interface NewAct {
  readonly at: string
  /** The name of the token or person, or `operator` for a command. */
  readonly by: string
  /** The kind of act, such as `token.create`. */
  readonly act: string
  /** Id of the token, webhook, import or record; null where the act is about the service. */
  readonly subject: string | null
  /** The network address that it came from; null for a command. */
  readonly address: string | null
  readonly details: Json
}

/** Describes an act, once the id of its subject is known. */
export type ActOn = (subject: string) => NewAct

export interface StoredAct extends NewAct {
  /** Acts are numbered in the order in which they were logged. */
  readonly number: number
}

/**
 * The log of administrative acts. Acts on tokens and webhooks, and purges, are logged by the
 * methods that carry them out.
 */
export interface AuditStore {
  logAct(act: NewAct): Promise<void>
  /** Newest first; those before a number, and of one kind, where they are given. */
  listActs(limit: number, before?: number, act?: string): MaybePromise<readonly StoredAct[]>
}
