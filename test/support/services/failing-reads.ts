import { CatalogueError } from '#domain/errors.ts'
import type { Libretto } from '../../../src/main.ts'

/*
 * A fault injector around the real store of a service: from the first commit on, every read fails
 * as a late query does, and so do the entries in the log of acts and the end of a lease.
 */

const commits: ReadonlySet<string> = new Set([
  'write',
  'purge',
  'insertToken',
  'deleteToken',
  'insertWebhook',
  'updateWebhook',
  'deleteWebhook'
])
/** Methods that read nothing, and the lock that every write of media takes before it. */
const unharmed: ReadonlySet<string> = new Set([
  'setQueryDeadline',
  'changedSinceLastCall',
  'findingState',
  'holdLease',
  'findLeaseHolder'
])

export interface FailingReads {
  /** Makes all reads fail that follow the first commit of `work`, until `work` is done. */
  after<T>(work: () => Promise<T>): Promise<T>
  /** The number of calls that have failed. */
  readonly failures: () => number
}

export function failReadsAfterCommits({ store, parts }: Pick<Libretto, 'store' | 'parts'>): FailingReads {
  let isArmed = false
  let isCommitted = false
  let failures = 0
  for (const each of new Set([store, parts.store]) as Set<object>)
    for (const [name, method] of Object.entries(each)) {
      if (typeof method !== 'function' || unharmed.has(name)) continue
      const call = method as (...given: unknown[]) => unknown
      const commit = async (...given: unknown[]) => {
        const done = await call(...given)
        isCommitted ||= isArmed && (given[0] as { dryRun?: boolean } | undefined)?.dryRun !== true
        return done
      }
      const read = (...given: unknown[]) => {
        if (!isCommitted) return call(...given)
        failures++
        return Promise.reject(new CatalogueError('query_timeout', `${name} could not begin in time`))
      }
      Object.assign(each, { [name]: commits.has(name) ? commit : read })
    }
  return {
    async after(work) {
      isArmed = true
      try {
        return await work()
      } finally {
        isArmed = false
        isCommitted = false
      }
    },
    failures: () => failures
  }
}
