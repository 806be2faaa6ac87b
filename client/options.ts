import type { EntityPage } from './api.ts'
import type { CheckedName, CheckedOrder, FieldPath } from './checked-names.ts'
import type { CallOptions } from './send-request.ts'

/** Order and range of a list. */
export interface ListOptions<Order extends string = string> extends CallOptions, ViewOptions {
  readonly limit?: number
  readonly skip?: number
  /** Comma list of `date_created`, `date_updated`, `id`, `type`, or metadata keys. */
  readonly orderBy?: Order & CheckedOrder<Order>
  readonly descending?: boolean
}

/** The parts that records include, and the language of labels. */
export interface ViewOptions {
  /**
   * `relations` resolves the relations of each result, which then have the name of their target;
   * `summary` adds `summaries`: the editions of works, and the next, first and last performances of
   * productions; `local` adds the times of performances on the clocks of their venues.
   */
  readonly include?: Included | readonly Included[]
  /** With resolved relations: fields and relations of the related records, under `fields`. */
  readonly relatedFields?: readonly string[]
  /** The language of labels, such as `nl`. */
  readonly lang?: string
}

/** A part that the records of an answer include beside themselves. */
export type Included = 'relations' | 'summary' | 'local'

export interface FindOptions<Order extends string = string, Facet extends string = string> extends ListOptions<Order> {
  /**
   * Paths whose values are counted over all matches, such as `type` or `relations.refGenres.key`.
   */
  readonly facets?: readonly (Facet & CheckedName<Facet, FieldPath>)[]
  readonly facetLimit?: number
  /** Adds `highlights`: the places of each result that a search matched. */
  readonly highlight?: boolean
}

/** A page of entities whose type is known. */
export type PageOf<Each> = Omit<EntityPage, 'results'> & { results: Each[] }

export interface WriteOptions extends CallOptions {
  /** Checks the change and answers the result without writing it. */
  readonly dryRun?: boolean
  /**
   * The same key within a day returns the first answer, so a request whose answer was lost can be
   * repeated.
   */
  readonly idempotencyKey?: string
}

export interface ChangeOptions extends WriteOptions {
  /** The version that the change was made from. If there is a newer one: `version_mismatch`. */
  readonly ifMatch?: number | string
  /** With `ifMatch`: combine with concurrent changes of other fields. */
  readonly merge?: boolean
}

export interface Past {
  readonly version?: number
  /** ISO 8601. */
  readonly at?: string
}

export const flag = (isSo: boolean | undefined) => (isSo ? (1 as const) : undefined)

export const dry = ({ dryRun }: WriteOptions) => ({ dry_run: flag(dryRun) })

/** The signal, and the headers that stand for options. */
export function rest(given: ChangeOptions): CallOptions {
  const { signal, headers, idempotencyKey, ifMatch, merge } = given
  return {
    ...(signal === undefined ? {} : { signal }),
    headers: {
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(ifMatch === undefined ? {} : { 'if-match': typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch }),
      ...(merge ? { prefer: 'merge' } : {}),
      ...headers
    }
  }
}
