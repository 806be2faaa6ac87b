import { type ResourceLimits, Worker } from 'node:worker_threads'

import { CatalogueError, type ErrorCode, type ErrorDetails } from '#domain/errors.ts'

/*
 * The protocol between the store and its worker threads: a request has a number and gets one reply
 * with that number. An error crosses as plain data and becomes an error again on the other side.
 */

export interface Request<T> {
  readonly number: number
  readonly body: T
}

export type Reply =
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly failure: Failure }

export interface Failure {
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly stack: string | undefined
  readonly details: Omit<ErrorDetails, 'cause'>
}

export function toFailure(error: unknown): Failure {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (!(error instanceof CatalogueError)) return { code: undefined, message, stack, details: {} }
  const { code, faults, about, extra, isExpected } = error
  return { code, message, stack, details: { faults, extra, isExpected, ...(about ? { about } : {}) } }
}

export function toError(failure: Failure): Error {
  if (failure.code !== undefined) return new CatalogueError(failure.code, failure.message, failure.details)
  const error = new Error(failure.message)
  if (failure.stack !== undefined) error.stack = failure.stack
  return error
}

export interface WorkerLink<T> {
  /** Sends a request and resolves to its reply. */
  request(body: T): Promise<unknown>
  /**
   * Starts the thread where there is none, and waits until it is up; only for a worker that sends
   * `upReply`.
   */
  untilUp(): Promise<void>
  /**
   * Ends a thread that works on a request, whatever it does; the next request starts another. A
   * statement of SQLite runs to its end first, in a thread that nobody waits for; until then the
   * thread that was started instead is not ended, so that such threads do not pile up.
   */
  end(refusal: CatalogueError): void
  close(): Promise<void>
}

/** The first message of a worker, once it can answer. No request has this number. */
export const upReply: Reply = { number: 0, result: undefined }

/**
 * Starts a worker thread. If it dies, its pending requests are refused as `unavailable`, and the
 * next request starts another.
 */
export function linkWorker<T>(file: URL, workerData: unknown, resourceLimits: ResourceLimits = {}): WorkerLink<T> {
  const pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  let numbers = 0
  let worker: Worker | undefined
  /** A thread that was ended and still runs. */
  let ending: Worker | undefined
  let up = Promise.withResolvers<void>()
  let closing = false

  const start = (): Worker => {
    const started = new Worker(file, { workerData, resourceLimits })
    const mine = Promise.withResolvers<void>()
    // Waiting callers get the error; there may be none.
    mine.promise.catch(() => {})
    up = mine
    started.on('message', (reply: Reply) => {
      if (reply.number === upReply.number) return mine.resolve()
      const waiting = pending.get(reply.number)
      pending.delete(reply.number)
      if ('failure' in reply) waiting?.reject(toError(reply.failure))
      else waiting?.resolve(reply.result)
      if (pending.size === 0) started.unref()
    })
    const lose = (cause: unknown) => {
      const refusal = interrupted(cause)
      mine.reject(refusal)
      // A thread that failed also exits; pending requests may belong to its successor by then.
      if (worker === started) refuseAll(refusal)
    }
    started.on('error', lose)
    started.on('exit', code => {
      if (ending === started) ending = undefined
      lose(new Error(`The database thread ended with ${code}`))
    })
    return started
  }

  /** Refuses all requests of the thread, which gets no others. */
  const refuseAll = (refusal: CatalogueError) => {
    worker = undefined
    const refused = [...pending.values()]
    pending.clear()
    for (const { reject } of refused) reject(refusal)
  }

  return {
    untilUp() {
      if (closing) return Promise.reject(new CatalogueError('unavailable', 'The store is closed'))
      worker ??= start()
      return up.promise
    },
    request(body) {
      if (closing) return Promise.reject(new CatalogueError('unavailable', 'The store is closed'))
      worker ??= start()
      const receiver = worker
      return new Promise((resolve, reject) => {
        numbers++
        // First, since a body that cannot be sent to another thread throws here, and would never
        // get a reply.
        receiver.postMessage({ number: numbers, body } satisfies Request<T>)
        pending.set(numbers, { resolve, reject })
        receiver.ref()
      })
    },
    end(refusal) {
      if (!worker || ending || pending.size === 0) return
      ending = worker
      refuseAll(refusal)
      void ending.terminate()
    },
    async close() {
      closing = true
      // Pending requests are still answered.
      while (pending.size > 0 && worker) await new Promise(resolve => setTimeout(resolve, 2))
      const last = worker
      worker = undefined
      await Promise.all([last?.terminate(), ending?.terminate()])
    }
  }
}

export const interrupted = (cause?: unknown) =>
  new CatalogueError('unavailable', 'The database was interrupted; try again', { cause })
