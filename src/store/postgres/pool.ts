import { CatalogueError } from '#domain/errors.ts'
import type { PoolState } from '../ports/administration.ts'
import {
  ConnectionLost,
  hostsOf,
  isAway,
  type Link,
  openLink,
  type Parameter,
  type Row,
  type Servers,
  translate
} from './connection.ts'

/** Milliseconds between two attempts to reach a database that is away. */
const retryDelay = 50

/** A few connections that many callers share for short statements, for a limited time each. */
export interface Shared {
  /**
   * Runs one statement, again on another connection when the first is lost: only for statements
   * that may happen twice, such as reads.
   */
  read(text: string, parameters?: readonly Parameter[]): Promise<Row[]>
  measure(): PoolState
  close(): Promise<void>
}

/** Connections for one caller at a time, for transactions. */
export interface Leased {
  /**
   * Waits for a connection, does the work, and returns it; a connection that was lost, or has
   * pending statements, is not used again.
   */
  use<T>(work: (link: Link) => Promise<T>, limits?: Limits): Promise<T>
  measure(): PoolState
  close(): Promise<void>
}

/** All connections were in use for the whole wait. */
export class NoConnection extends CatalogueError {
  constructor() {
    super('unavailable', 'Too many requests wait for the database; try again')
  }
}

export interface Limits {
  /** When the wait for a connection ends, by `performance.now()`. */
  readonly until?: number
  /** Maximum silence of the server before the connection counts as lost, in milliseconds. */
  readonly patience?: number
}

/** `maxWait` is how long anything is waited for, in milliseconds: a connection, an answer. */
export function createShared(servers: Servers, size: number, maxWait: number): Shared {
  const places: { link: Link | undefined; opening: Promise<Link> | undefined }[] = Array.from({ length: size }, () => ({
    link: undefined,
    opening: undefined
  }))
  let users = 0
  let isClosed = false
  // A stopped server, or a network that drops all packets, causes no error: silence is the sign.
  const watch = setInterval(() => {
    const earliest = performance.now() - maxWait
    for (const { link } of places) if (link && link.waiting > 0 && link.silentSince < earliest) link.destroy()
  }, 250)
  watch.unref()

  const leastBusy = async (): Promise<Link> => {
    const usable = places.filter(place => place.link && !place.link.isLost)
    const idle = usable.find(place => place.link?.waiting === 0)
    if (idle?.link) return idle.link
    const empty = places.find(place => (!place.link || place.link.isLost) && !place.opening)
    if (empty) {
      empty.opening = openLink(servers, timeToConnect(maxWait)).finally(() => {
        empty.opening = undefined
      })
      // Callers that can be served meanwhile do not wait for it.
      empty.opening.then(
        link => {
          empty.link = link
        },
        () => {}
      )
    }
    const [first] = usable.sort((one, other) => (one.link?.waiting ?? 0) - (other.link?.waiting ?? 0))
    if (first?.link) return first.link
    const opening = places.map(place => place.opening).filter(each => each !== undefined)
    return Promise.any(opening).catch((error: AggregateError) => {
      throw error.errors[0]
    })
  }

  return {
    async read(text, parameters) {
      if (isClosed) throw new StoreClosed()
      const until = performance.now() + maxWait
      users++
      try {
        for (;;) {
          try {
            return await within(
              leastBusy().then(link => link.run(text, parameters)),
              until,
              servers
            )
          } catch (error) {
            if (!isWorthAnother(error) || performance.now() > until - retryDelay) throw translate(error)
            await delay(retryDelay)
          }
        }
      } finally {
        users--
      }
    },
    measure() {
      const links = places.flatMap(({ link }) => (link && !link.isLost ? [link] : []))
      const busy = links.filter(link => link.waiting > 0).length
      return { open: links.length, busy, waiting: Math.max(0, users - busy) }
    },
    async close() {
      isClosed = true
      await untilNone(() => users, maxWait)
      clearInterval(watch)
      await Promise.all(
        places.map(async place => {
          await place.opening?.catch(() => {})
          await place.link?.close()
        })
      )
    }
  }
}

/** `maxWait` as for shared connections. */
export function createLeased(servers: Servers, size: number, maxWait: number): Leased {
  const idle: Link[] = []
  const queue: { give: (link: Link | undefined) => void; until: number }[] = []
  const inUse = new Map<Link, number>()
  let users = 0
  let open = 0
  let isClosed = false
  const watch = setInterval(() => {
    const now = performance.now()
    for (const [link, patience] of inUse) if (link.waiting > 0 && link.silentSince < now - patience) link.destroy()
    for (const waiter of queue.filter(each => each.until < now)) {
      queue.splice(queue.indexOf(waiter), 1)
      waiter.give(undefined)
    }
  }, 100)
  watch.unref()

  const take = async (until: number): Promise<Link> => {
    for (;;) {
      const link = idle.pop()
      if (link && !link.isLost) return link
      if (link) {
        open--
        continue
      }
      if (open < size) {
        open++
        const opening = openLink(servers, timeToConnect(maxWait))
        try {
          return await within(opening, Math.min(until, performance.now() + maxWait), servers)
        } catch (error) {
          // A connection that opens late serves the next caller.
          opening.then(release, () => {
            open--
            wakeNext()
          })
          throw error
        }
      }
      const given = await new Promise<Link | undefined | 'again'>(give => queue.push({ give, until }))
      if (given === undefined) throw new NoConnection()
      if (given !== 'again') return given
    }
  }

  /** Lets the next in the queue try again: there is room for a connection. */
  function wakeNext() {
    const next = queue.shift() as { give: (link: 'again') => void } | undefined
    next?.give('again')
  }

  const release = (link: Link) => {
    inUse.delete(link)
    if (link.isLost || link.waiting > 0) {
      link.destroy()
      open--
      wakeNext()
      return
    }
    if (link.isWorn) {
      void link.close()
      open--
      wakeNext()
      return
    }
    const next = queue.shift()
    if (next) next.give(link)
    else idle.push(link)
  }

  return {
    async use(work, { until = performance.now() + maxWait, patience = maxWait } = {}) {
      if (isClosed) throw new StoreClosed()
      users++
      try {
        const link = await take(until)
        inUse.set(link, patience)
        try {
          return await work(link)
        } finally {
          release(link)
        }
      } finally {
        users--
      }
    },
    measure: () => ({ open, busy: inUse.size, waiting: queue.length }),
    async close() {
      isClosed = true
      await untilNone(() => users, maxWait)
      clearInterval(watch)
      for (const waiter of queue.splice(0)) waiter.give(undefined)
      for (const link of inUse.keys()) link.destroy()
      await Promise.all(idle.splice(0).map(link => link.close()))
    }
  }
}

/** Waits for a result until a moment. */
async function within<T>(work: Promise<T>, until: number, servers: Servers): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ConnectionLost(hostsOf(servers), new Error('no answer in time'))),
      Math.max(0, until - performance.now())
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A call after the store was closed. */
class StoreClosed extends CatalogueError {
  constructor() {
    super('unavailable', 'The store is closed')
  }
}

/** Part of the wait that opening a connection may take, so that another attempt is possible. */
const timeToConnect = (maxWait: number) => (maxWait * 2) / 3

/** Waits for pending calls, which are still answered. */
async function untilNone(users: () => number, maxWait: number) {
  const until = performance.now() + maxWait
  while (users() > 0 && performance.now() < until) await delay(2)
}

/** Whether a statement that failed with this error may succeed on another connection. */
export const isWorthAnother = (error: unknown) =>
  error instanceof ConnectionLost ||
  isAway(error) ||
  (error instanceof CatalogueError && error.code === 'unavailable' && !(error instanceof StoreClosed))

export const delay = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))
