import { Worker } from 'node:worker_threads'

import { CatalogueError, type ErrorCode, type ErrorDetails } from '#domain/errors.ts'

/*
 * How the store speaks with its worker threads: a request has a number and gets one reply with that number. An error crosses as plain data
 * and is made an error again on the other side.
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
  const { code, faults, about, extra } = error
  return { code, message, stack, details: { faults, extra, ...(about ? { about } : {}) } }
}

function toError(failure: Failure): Error {
  if (failure.code !== undefined) return new CatalogueError(failure.code, failure.message, failure.details)
  const error = new Error(failure.message)
  if (failure.stack !== undefined) error.stack = failure.stack
  return error
}

export interface WorkerLink<T> {
  ask(body: T): Promise<unknown>
  /** How many requests have no reply yet. */
  readonly waiting: number
  close(): Promise<void>
}

/** Starts a worker thread. Should it die, what it owed is refused as `unavailable`, and the next request starts another. */
export function linkWorker<T>(file: URL, workerData: unknown): WorkerLink<T> {
  const pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  let numbers = 0
  let worker: Worker | undefined
  let closing = false

  const start = (): Worker => {
    const started = new Worker(file, { workerData })
    started.on('message', (reply: Reply) => {
      const waiting = pending.get(reply.number)
      pending.delete(reply.number)
      if ('failure' in reply) waiting?.reject(toError(reply.failure))
      else waiting?.resolve(reply.result)
      if (pending.size === 0) started.unref()
    })
    const lose = (cause: unknown) => {
      if (worker === started) worker = undefined
      const owed = [...pending.values()]
      pending.clear()
      for (const { reject } of owed)
        reject(new CatalogueError('unavailable', 'The database was interrupted; try again', { cause }))
    }
    started.on('error', lose)
    started.on('exit', code => lose(new Error(`The database thread ended with ${code}`)))
    return started
  }

  return {
    get waiting() {
      return pending.size
    },
    ask(body) {
      if (closing) return Promise.reject(new CatalogueError('unavailable', 'The store is closed'))
      worker ??= start()
      const target = worker
      return new Promise((resolve, reject) => {
        numbers++
        pending.set(numbers, { resolve, reject })
        target.ref()
        target.postMessage({ number: numbers, body } satisfies Request<T>)
      })
    },
    async close() {
      closing = true
      // What was asked is still answered.
      while (pending.size > 0 && worker) await new Promise(resolve => setTimeout(resolve, 2))
      const ending = worker
      worker = undefined
      await ending?.terminate()
    }
  }
}
