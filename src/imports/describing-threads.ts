import { Worker } from 'node:worker_threads'

import { type SignsOfLife, type SilenceLimits, silenceLimits, watchSigns } from '#threads/signs-of-life.ts'
import { frugalThread, isOutOfMemory } from '#threads/thread-limits.ts'
import { type DescribingData, type DescribingMessage, type DescribingRequest, itemsOfText } from './describing.ts'
import type { ImportItem } from './place/prepare-record.ts'
import { endlessWork, noResponse, OutOfMemory } from './thread-failures.ts'

export interface DescribingThreads extends Partial<SilenceLimits> {
  /** The number of threads. */
  readonly threads: number
  /** The program of the threads; only tests have another. */
  readonly program?: URL
}

/** Maximum memory of a describing thread, in megabytes. */
const maxMegabytes = 512
/** Milliseconds between two looks at the signs of life of the threads. */
const lookInterval = 200

interface Describer {
  readonly worker: Worker
  readonly signs: SignsOfLife
  /** Parts that it has sent and that nobody has taken. */
  readonly parts: string[]
  hasEnded: boolean
}

/**
 * Reads the items of a file in describing threads, in the order of the file. A thread is given the
 * next piece of the file when one of them wants it, and works ahead by a bounded number of parts.
 */
export async function* readInThreads(
  bytes: AsyncIterable<Uint8Array>,
  work: Omit<DescribingData, 'threads' | 'own'>,
  settings: DescribingThreads
): AsyncGenerator<ImportItem, void, undefined> {
  const reading = new ThreadedReading(bytes, work, settings)
  try {
    for (let items = await reading.next(); items !== undefined; items = await reading.next()) yield* items
  } finally {
    await reading.end()
  }
}

class ThreadedReading {
  readonly #pieces: AsyncIterator<Uint8Array>
  readonly #describers: readonly Describer[]
  readonly #looking: NodeJS.Timeout
  /** The pieces that were read, and whether the next one is being read. */
  #read = 0
  #isReading = false
  #taken = 0
  #failure: { readonly error: unknown } | undefined
  #wake = () => {}

  constructor(
    bytes: AsyncIterable<Uint8Array>,
    work: Omit<DescribingData, 'threads' | 'own'>,
    {
      threads,
      program = new URL('./describing-thread.ts', import.meta.url),
      maxSilence = silenceLimits.maxSilence,
      maxSilentWork = silenceLimits.maxSilentWork
    }: DescribingThreads
  ) {
    this.#pieces = bytes[Symbol.asyncIterator]()
    this.#describers = Array.from({ length: threads }, (_, own) =>
      this.#start(
        new Worker(program, { workerData: { ...work, threads, own }, resourceLimits: frugalThread(maxMegabytes) })
      )
    )
    this.#looking = setInterval(() => {
      for (const { signs, hasEnded } of this.#describers) {
        if (hasEnded) continue
        if (signs.silence > maxSilence) this.#fail(new Error(noResponse(maxSilence)))
        else if (signs.silentWork > maxSilentWork) this.#fail(new Error(endlessWork(maxSilentWork)))
      }
    }, lookInterval).unref()
  }

  #start(worker: Worker): Describer {
    const describer: Describer = { worker, signs: watchSigns(worker), parts: [], hasEnded: false }
    worker.on('message', (message: DescribingMessage) => {
      describer.signs.note()
      if (message.kind === 'more') void this.#feed(message.received)
      else if (message.kind === 'part') describer.parts.push(message.items)
      else if (message.kind === 'end') describer.hasEnded = true
      this.#wake()
    })
    worker.on('error', error => this.#fail(isOutOfMemory(error) ? new OutOfMemory() : error))
    worker.on('exit', code => {
      if (!describer.hasEnded) this.#fail(new Error(`A thread that describes records ended with ${code}`))
    })
    return describer
  }

  #fail(error: unknown) {
    this.#failure ??= { error }
    this.#wake()
  }

  /** Reads the next piece for all threads, unless the one that wants it is behind the others. */
  async #feed(received: number) {
    if (this.#isReading || received < this.#read) return
    this.#isReading = true
    try {
      const { done, value } = await this.#pieces.next()
      this.#read++
      for (const { worker } of this.#describers) {
        if (done) worker.postMessage({ isEnd: true } satisfies DescribingRequest)
        else {
          const copy = new Uint8Array(value)
          worker.postMessage({ bytes: copy } satisfies DescribingRequest, [copy.buffer])
        }
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#isReading = false
  }

  /** The items of the next part; undefined at the end of the file. */
  async next(): Promise<ImportItem[] | undefined> {
    const describer = this.#describers[this.#taken % this.#describers.length]
    if (describer === undefined) return undefined
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error
      const part = describer.parts.shift()
      if (part !== undefined) {
        this.#taken++
        describer.worker.postMessage({ isTaken: true } satisfies DescribingRequest)
        return itemsOfText(part)
      }
      // Later parts would be those of the other threads, after one that does not exist.
      if (describer.hasEnded) return undefined
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  async end() {
    clearInterval(this.#looking)
    for (const describer of this.#describers) {
      describer.hasEnded = true
      describer.signs.end()
    }
    await Promise.all(this.#describers.map(({ worker }) => worker.terminate()))
    await this.#pieces.return?.()
  }
}
